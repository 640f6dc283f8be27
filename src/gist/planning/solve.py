"""A case to a plan: small first, the whole scene before anything is called impossible."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from gist.knowledge import Substitute
from gist.pddl.compile import restrict
from gist.pddl.domain import Domain
from gist.pddl.encode import Encoder, Encoding, Restriction
from gist.pddl.formula import Atom, Formula, conjunction
from gist.pddl.planners import Limits, Planner, PlannerResult
from gist.pddl.problem import Problem, Step
from gist.pddl.reachability import unreachable
from gist.pddl.simulate import simulate
from gist.pddl.validate import errors, validate
from gist.planning.case import Case
from gist.planning.ordered import ordered_problem, without_marks
from gist.planning.relevance import Relevance
from gist.scene import SceneGraph

ILL_TYPED = "type"
"""A goal of the wrong type is not refused: it is out of reach, and the proof says why."""

Progress = Callable[[str], None]
Kind = Literal["solved", "impossible", "limit", "cancelled", "error"]


@dataclass(frozen=True)
class Part:
    """One problem that was given to the planner and the plan that solves it."""

    problem: Problem
    plan: tuple[Step, ...]
    final: frozenset[Atom]


@dataclass(frozen=True)
class Solution:
    """What planning a case came to.

    Attributes:
        parts: for "solved", a problem and plan for each stage.
        facts: for "impossible", the scene facts proved to be out of reach and why; empty where
            only all of them together are.
        reasons: why it is impossible, or which limit was hit.
        tools: (type, substitute) for each tool of the plan that stands in for a missing one.
    """

    kind: Kind
    domain: Domain
    encoding: Encoding | None = None
    parts: tuple[Part, ...] = ()
    facts: Mapping[Atom, str] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    tools: tuple[tuple[str, Substitute], ...] = ()

    @property
    def plan(self) -> tuple[Step, ...]:
        """The plans of all stages, one after the other."""
        return tuple(step for part in self.parts for step in part.plan)


@dataclass
class Budget:
    """Deadline, memory, cancellation and counts of one request."""

    deadline: float
    memory_mb: int
    cancel: threading.Event | None = None
    progress: Progress | None = None
    expanded: int = 0
    planning_s: float = 0.0
    validating_s: float = 0.0

    def left(self) -> float:
        """Return the seconds until the deadline."""
        return self.deadline - time.monotonic()

    def stopped(self) -> Literal["limit", "cancelled"] | None:
        """Say whether the request has to end now."""
        if self.cancel is not None and self.cancel.is_set():
            return "cancelled"
        return "limit" if self.left() <= 0 else None

    def why(self) -> str:
        """Return in words why the request had to end."""
        return "cancelled" if self.stopped() == "cancelled" else "the time limit was reached"

    def say(self, text: str) -> None:
        """Report progress to whoever asked for it."""
        if self.progress is not None:
            self.progress(text)


@dataclass
class CaseSolver:
    """Plans the cases of one scene and one domain within one budget."""

    scene: SceneGraph
    encoder: Encoder
    planner: Planner
    budget: Budget
    relevance: Relevance = field(init=False)

    def __post_init__(self) -> None:
        self.relevance = Relevance(self.encoder)

    def solve(self, case: Case) -> Solution:
        """Return a plan for the case, a proof that there is none, or the limit that was hit."""
        literals = case.literals()
        demands = case.demands()
        predicates = {lit.atom.predicate for lit in literals}
        tools = self.relevance.stand_ins(self.scene, predicates, case.goal.context)
        stand_ins = {name: kind for name, (kind, _) in tools.items()}
        names = (
            *self.relevance.select(self.scene, (*case.names(), *stand_ins), predicates, demands),
        )
        small = self.encoder.encode(self.scene, names, demands, case.wanted(), stand_ins)
        solution = self._solve_stages(*self._bound(small, case), case.stages())
        if solution.kind != "impossible":
            return replace(solution, tools=_used(tools, solution))
        whole_names = self.relevance.whole(self.scene)
        whole = self.encoder.encode(self.scene, whole_names, demands, case.wanted(), stand_ins)
        domain, whole = self._bound(whole, case)
        proved = self._prove(domain, whole, case)
        if proved is not None or len(whole_names) == len(names):
            return proved or solution
        self.budget.say(f"no plan with {len(names)} objects; trying all {len(whole_names)}")
        solution = self._solve_stages(domain, whole, case.stages())
        return replace(solution, tools=_used(tools, solution))

    def _bound(self, encoding: Encoding, case: Case) -> tuple[Domain, Encoding]:
        """Return domain and problem with the restrictions of the case on actions' arguments.

        What a restriction does not speak of stays allowed.
        """
        domain, init = self.encoder.domain, encoding.problem.init
        to_pddl, types = encoding.names.to_pddl, encoding.types
        for (action, *params), group in _grouped(case.restrictions()).items():
            schema = {param.name: param.types for param in domain.action(action).params}
            things, others = (
                [name for name, kind in types.items() if domain.fits(kind, schema[param])]
                for param in params
            )
            allowed = {
                (to_pddl[thing], to_pddl[other])
                for thing in things
                for other in group.get(thing, others)
            }
            domain, facts = restrict(domain, action, params, allowed)
            init |= facts
        return domain, replace(encoding, problem=replace(encoding.problem, init=init))

    def _prove(self, domain: Domain, encoding: Encoding, case: Case) -> Solution | None:
        """Prove facts out of reach on the whole scene, without search."""
        facts = tuple(dict.fromkeys(lit.atom for c in case.choices for lit in c.hold))
        problem = encoding.with_goal(conjunction(facts))
        proof = unreachable(domain, problem)
        if proof is None:
            return None
        named = {
            Atom(fact.predicate, tuple(encoding.names.to_pddl[arg] for arg in fact.args)): fact
            for fact in facts
        }
        lost = {
            named[atom]: reason
            for atom, reason in zip(proof.atoms, proof.reasons, strict=True)
            if atom in named
        }
        return Solution("impossible", domain, encoding, facts=lost, reasons=(proof.text,))

    def _solve_stages(
        self, domain: Domain, encoding: Encoding, stages: Sequence[Formula]
    ) -> Solution:
        parts: list[Part] = []
        state = encoding.problem.init
        for number, condition in enumerate(stages):
            problem = encoding.with_goal(condition, state)
            faults = self._faults(domain, problem)
            if faults:
                return Solution("error", domain, encoding, reasons=faults)
            result = self._call(domain, problem)
            if result.status == "unsolvable" and number:
                return self._solve_ordered(domain, encoding, stages)
            if result.status != "solved":
                return _failed(result, domain, encoding)
            part = self._check(domain, problem, result)
            if part is None:
                return Solution(
                    "error", domain, encoding, reasons=("the plan fails in simulation",)
                )
            parts.append(part)
            state = part.final
        return Solution("solved", domain, encoding, tuple(parts))

    def _faults(self, domain: Domain, problem: Problem) -> tuple[str, ...]:
        """Return in words what keeps a problem from being planned, before any planner reads it."""
        began = time.monotonic()
        found = tuple(str(f) for f in errors(validate(domain, problem)) if f.code != ILL_TYPED)
        self.budget.validating_s += time.monotonic() - began
        return found

    def _solve_ordered(
        self, domain: Domain, encoding: Encoding, stages: Sequence[Formula]
    ) -> Solution:
        """Plan all stages as one problem: what one stage chooses can block a later one."""
        marked_domain, marked = ordered_problem(
            domain, encoding.problem, [encoding.with_goal(stage).goal for stage in stages]
        )
        result = self._call(marked_domain, marked)
        if result.status != "solved":
            return _failed(result, domain, encoding)
        part = self._check(marked_domain, marked, result)
        if part is None:
            return Solution("error", domain, encoding, reasons=("the plan fails in simulation",))
        plan = without_marks(part.plan)
        problem = encoding.with_goal(stages[-1])
        trace = simulate(domain, problem, plan)
        return Solution("solved", domain, encoding, (Part(problem, plan, trace.states[-1]),))

    def _call(self, domain: Domain, problem: Problem) -> PlannerResult:
        stopped = self.budget.stopped()
        if stopped is not None:
            return PlannerResult(stopped, limit="time" if stopped == "limit" else None)
        began = time.monotonic()
        limits = Limits(time_s=self.budget.left(), memory_mb=self.budget.memory_mb)
        result = self.planner.solve(domain, problem, limits, self.budget.cancel)
        self.budget.planning_s += time.monotonic() - began
        self.budget.expanded += result.expanded or 0
        return result

    def _check(self, domain: Domain, problem: Problem, result: PlannerResult) -> Part | None:
        """Execute the plan on the start state; None where a step or the goal fails."""
        began = time.monotonic()
        trace = simulate(domain, problem, result.plan)
        self.budget.validating_s += time.monotonic() - began
        if trace.failure is not None or not trace.goal_holds:
            return None
        return Part(problem, tuple(result.plan), trace.states[-1])


def _used(
    tools: Mapping[str, tuple[str, Substitute]], solution: Solution
) -> tuple[tuple[str, Substitute], ...]:
    """Return the substitutes that the plan makes use of."""
    if solution.encoding is None:
        return ()
    touched = {arg for step in solution.plan for arg in step.args}
    to_pddl = solution.encoding.names.to_pddl
    return tuple(tool for name, tool in tools.items() if to_pddl[name] in touched)


def _grouped(
    restrictions: Iterable[Restriction],
) -> dict[tuple[str, str, str], dict[str, frozenset[str]]]:
    """Return for each action and pair of its parameters what each thing is allowed."""
    found: dict[tuple[str, str, str], dict[str, frozenset[str]]] = {}
    for one in restrictions:
        group = found.setdefault((one.action, one.thing, one.argument), {})
        group[one.name] = group.get(one.name, frozenset()) | one.allowed
    return found


def _failed(result: PlannerResult, domain: Domain, encoding: Encoding) -> Solution:
    if result.status == "unsolvable":
        reason = "the planner has tried every state that can be reached"
        return Solution("impossible", domain, encoding, reasons=(reason,))
    if result.status == "limit":
        return Solution("limit", domain, encoding, reasons=(f"{result.limit} limit reached",))
    if result.status == "cancelled":
        return Solution("cancelled", domain, encoding, reasons=("cancelled",))
    return Solution("error", domain, encoding, reasons=(result.message or "planner error",))
