"""From words and a scene to the nearest goal that can be reached, and its plan (METHODS.md A)."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from gist.errors import BadInput
from gist.goals import (
    Candidate,
    Goal,
    Grounder,
    Proof,
    ProofStep,
    entails,
    relaxations,
    shifts,
)
from gist.knowledge import Knowledge
from gist.knowledge import default as default_knowledge
from gist.language import FrontEnd, NotUnderstood
from gist.pddl.domain import Domain
from gist.pddl.encode import Encoder
from gist.pddl.findings import PddlError
from gist.pddl.formula import Atom
from gist.pddl.planners import Planner, get_planner
from gist.pddl.validate import errors, validate
from gist.planning.answer import Answer, RefusedWord, Status, Times
from gist.planning.case import Blocker, Case
from gist.planning.landmarks import landmarks
from gist.planning.report import not_solved, solved
from gist.planning.solve import Budget, CaseSolver, Solution
from gist.scene import SceneGraph

DOMAINS_KEPT = 32
TRIED_ALONE = 12
BOUNDS = {
    "time_s": (1e-6, 1e6),
    "memory_mb": (64, 1 << 20),
    "relaxations": (0, 1000),
    "refinements": (0, 1000),
}


@dataclass(frozen=True)
class PlanLimits:
    """How much one request may cost.

    ``time_s`` seconds and ``memory_mb`` MiB of a planner process; at most ``relaxations`` steps
    down and ``refinements`` steps sideways between two of them (the paper's limits).
    """

    time_s: float = 30.0
    memory_mb: int = 4096
    relaxations: int = 4
    refinements: int = 4

    def __post_init__(self) -> None:
        for name, (low, high) in BOUNDS.items():
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or not low <= value <= high:
                raise BadInput(
                    f"the limit {name} is {value!r}; it must be from {low:g} to {high:g}"
                )


@dataclass(frozen=True)
class _Node:
    """P(i, k) of the relaxation graph: the goal after i relaxations and k shifts."""

    goal: Goal
    taken: tuple[Candidate, ...] = ()
    relaxed: int = 0
    shifted: int = 0


class TaskPlanner:
    """Answers goals over scenes: one object serves any number of requests, also at once."""

    def __init__(
        self,
        knowledge: Knowledge | None = None,
        frontend: FrontEnd | None = None,
        planner: Planner | None = None,
    ) -> None:
        """Take the embedded knowledge, grammar and Fast Downward where nothing else is given."""
        self.knowledge = knowledge or default_knowledge()
        self.frontend = frontend or _grammar(self.knowledge)
        self.planner = planner or get_planner("fast-downward")
        self._encoders: dict[int, tuple[Domain, Encoder]] = {}

    def plan(
        self,
        request: str | Goal,
        scene: SceneGraph,
        domain: Domain,
        limits: PlanLimits | None = None,
        cancel: threading.Event | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> Answer:
        """Answer one request.

        Args:
            request: the goal in words, or a goal that is already typed.
            cancel: set it to end the request; the answer is then "unknown".
            progress: called with a line for each thing tried.

        Raises:
            BadInput: the scene has no robot, or a goal is none.
        """
        began = time.monotonic()
        bounds = limits or PlanLimits()
        if not isinstance(request, (str, Goal)):
            raise BadInput(f"a goal is a text or a Goal, not {type(request).__name__}")
        if not scene.robots():
            raise BadInput("the scene has no robot; add a node of kind 'robot' at a room")
        for robot in scene.robots():
            if scene.room_of(robot.name) is None:
                raise BadInput(f"the robot '{robot.name}' is in no room; say which one it is in")
        understood = self._understand(request, scene)
        interpreted = time.monotonic()
        if isinstance(understood, Answer):
            return replace(understood, times=_times(began, interpreted))
        budget = Budget(began + bounds.time_s, bounds.memory_mb, cancel, progress)
        search = _Search(
            understood, scene, self.knowledge, self._encoder(domain), self.planner, budget, bounds
        )
        answer = search.run()
        return replace(
            answer,
            frontend=self.frontend.name,
            planner=self.planner.name,
            times=_times(began, interpreted, budget),
            expanded=budget.expanded,
        )

    def _understand(self, request: str | Goal, scene: SceneGraph) -> Goal | Answer:
        if isinstance(request, Goal):
            return request
        found = self.frontend.interpret(request, scene)
        if isinstance(found, NotUnderstood):
            return Answer(
                Status.NOT_UNDERSTOOD,
                request,
                frontend=self.frontend.name,
                summary=found.message,
                refused=tuple(RefusedWord(start, end, word) for start, end, word in found.words),
                suggestions=tuple(found.suggestions),
            )
        return found.goal

    def _encoder(self, domain: Domain) -> Encoder:
        known = self._encoders.get(id(domain))
        if known is None or known[0] is not domain:
            if len(self._encoders) == DOMAINS_KEPT:
                self._encoders.clear()
            faults = errors(validate(domain))
            if faults:
                raise PddlError(faults)
            known = self._encoders[id(domain)] = (domain, Encoder(domain, self.knowledge))
        return known[1]


def _grammar(knowledge: Knowledge) -> FrontEnd:
    from gist.language.knowledge import Grammar

    return Grammar(knowledge)


def _times(began: float, interpreted: float, budget: Budget | None = None) -> Times:
    return Times(
        interpret=interpreted - began,
        plan=budget.planning_s if budget else 0.0,
        validate=budget.validating_s if budget else 0.0,
        total=time.monotonic() - began,
    )


@dataclass
class _Search:
    """The walk through the relaxation graph for one request."""

    asked: Goal
    scene: SceneGraph
    knowledge: Knowledge
    encoder: Encoder
    planner: Planner
    budget: Budget
    limits: PlanLimits
    grounder: Grounder = field(init=False)
    solver: CaseSolver = field(init=False)
    reasons: list[str] = field(default_factory=list)
    proofs: list[str] = field(default_factory=list)
    proved: bool = True
    bound: str = ""
    lost: dict[Atom, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.grounder = Grounder(self.scene, self.knowledge)
        self.solver = CaseSolver(self.scene, self.encoder, self.planner, self.budget)

    def run(self) -> Answer:
        """Walk right while that helps and down where it does not, until a goal is reached."""
        node = _Node(self.asked)
        while True:
            self.budget.say(
                f"trying: {node.goal.text or 'the goal'} (after {len(node.taken)} changes)"
            )
            case, solution, blockers = self._attempt(node.goal)
            if solution is not None and solution.kind == "solved":
                return solved(self.asked, node.goal, node.taken, case, solution)
            if solution is not None and solution.kind != "impossible":
                return not_solved(Status.UNKNOWN, self.asked, node.taken, solution.reasons)
            self.proved = self.proved and all(b.proved for b in blockers)
            self.reasons += [b.reason for b in blockers if b.reason not in self.reasons]
            self.proofs += [b.proof for b in blockers if b.proof and b.proof not in self.proofs]
            further = self._shift(node) or self._relax(node, blockers)
            if self.budget.stopped():
                return not_solved(Status.UNKNOWN, self.asked, node.taken, (self.budget.why(),))
            if further is None and self.bound:
                reasons = (*self.reasons, self.bound)
                return not_solved(Status.UNKNOWN, self.asked, node.taken, reasons)
            if further is None:
                status = Status.INFEASIBLE if self.proved else Status.UNKNOWN
                return not_solved(status, self.asked, (), self.reasons, self.proofs)
            node = further

    def _attempt(self, goal: Goal) -> tuple[Case, Solution | None, Sequence[Blocker]]:
        """Plan a goal, choosing other instances as long as some are proved out of reach."""
        while True:
            case = self._case(goal)
            if case.blockers:
                return case, None, case.blockers
            against = self._contradiction(case)
            if against:
                return case, None, against
            solution = self.solver.solve(case)
            if solution.kind != "impossible":
                return case, solution, ()
            facts = solution.facts or self._lost_alone(case, solution)
            if facts.keys() - self.lost.keys():
                self.lost |= facts
                continue
            return case, *self._together(case, solution)

    def _contradiction(self, case: Case) -> tuple[Blocker, ...]:
        """Return the clauses that want of one thing what it cannot be at once.

        Asked of one thing for each set of clauses, before a search over all things drowns in it.
        """
        untypable = self._untypable(case)
        if untypable:
            return untypable
        tried: set[tuple[int, ...]] = set()
        for facts in case.facts_by_thing().values():
            indices = tuple(choice.index for choice, _ in facts)
            if len(set(indices)) < 2 or indices in tried:
                continue
            tried.add(indices)
            if self.solver.solve(case.of_facts(facts)).kind == "impossible":
                reason = " and ".join(choice.item.text() for choice, _ in facts) + ": not at once"
                return tuple(Blocker(index, reason, 1, joint=True) for index in indices)
        return ()

    def _untypable(self, case: Case) -> tuple[Blocker, ...]:
        """Return the clauses that need one thing to be of types that no one type can be.

        A limit of the domain's types, so nothing is proved by it.
        """
        for name, demands in case.demands().items():
            if self.encoder.vocabulary.type_of(self.scene.node(name), demands) is None:
                kinds = sorted({" or ".join(types) for types in demands})
                reason = f"the domain has no type by which {name} is both {' and '.join(kinds)}"
                return tuple(
                    Blocker(choice.index, reason, 1, joint=True, proved=False)
                    for choice in case.choices
                    if any(name == asked for lit in choice.literals for asked, _ in lit.demands)
                )
        return ()

    def _lost_alone(self, case: Case, solution: Solution) -> dict[Atom, str]:
        """Return the facts that cannot be had even alone, where all together cannot be had."""
        facts = [(choice, literal) for choice in case.choices for literal in choice.hold]
        if len(facts) == 1:
            return {facts[0][1].atom: solution.reasons[0]}
        lost = {}
        for choice, literal in facts[:TRIED_ALONE]:
            alone = self.solver.solve(case.of_facts([(choice, literal)]))
            if alone.kind == "impossible":
                lost[literal.atom] = alone.reasons[0]
        return lost

    def _together(self, case: Case, solution: Solution) -> tuple[Solution, Sequence[Blocker]]:
        """Tell which clauses are to blame when facts are only together out of reach.

        Where other instances could have been chosen this is no proof, and the answer is unknown.
        """
        if any(choice.alternatives for choice in case.choices):
            said = "the instances that were chosen cannot be had together; others were not tried"
            return replace(solution, kind="limit", reasons=(said,)), ()
        return solution, tuple(
            Blocker(choice.index, solution.reasons[0], 1, joint=True) for choice in case.choices
        )

    def _case(self, goal: Goal) -> Case:
        return Case(goal, self.scene, self.encoder, self.grounder, self.lost)

    # --- the moves

    def _shift(self, node: _Node) -> _Node | None:
        """Move right: another way to the same intent for every blocked clause that has one."""
        further = self._change_each(node, self._sideways)
        if further is node:
            return None
        if node.shifted >= self.limits.refinements:
            self.bound = f"the limit of {self.limits.refinements} refinements was reached"
            return None
        return replace(further, shifted=node.shifted + 1)

    def _relax(self, node: _Node, blockers: Sequence[Blocker]) -> _Node | None:
        """Move down: for every blocked clause the cheapest goal that is proved weaker."""
        if any(blocker.joint for blocker in blockers):
            further = self._relax_one(node, blockers) or node
        else:
            further = self._change_each(node, self._weaker)
        if further is node:
            return None
        if node.relaxed >= self.limits.relaxations:
            self.bound = f"the limit of {self.limits.relaxations} relaxations was reached"
            return None
        return replace(further, relaxed=node.relaxed + 1, shifted=0)

    def _change_each(
        self, node: _Node, candidates_for: Callable[[Goal, Blocker], Iterator[Candidate]]
    ) -> _Node:
        """Return the node after one change for every blocked clause that has a good one."""
        tried: set[str] = set()
        while True:
            goal = node.goal
            blocked = (b for b in self._case(goal).blockers)
            blocker = next((b for b in blocked if goal.clauses[b.index].text() not in tried), None)
            if blocker is None:
                return node
            tried.add(goal.clauses[blocker.index].text())
            better = self._first_better(node, blocker, candidates_for(goal, blocker))
            if better is not None:
                node = better
                tried.add(better.taken[-1].after)

    def _sideways(self, goal: Goal, blocker: Blocker) -> Iterator[Candidate]:
        return shifts(
            goal, blocker.index, self.scene, self.knowledge, blocker.unusable, self.grounder
        )

    def _weaker(self, goal: Goal, blocker: Blocker) -> Iterator[Candidate]:
        operators = relaxations(
            goal, blocker.index, self.scene, self.knowledge, blocker.unusable, self.grounder
        )
        partial = landmarks(goal, blocker.index, self.scene, self.encoder, self.grounder)
        return heapq.merge(operators, partial, key=lambda candidate: candidate.cost)

    def _relax_one(self, node: _Node, blockers: Iterable[Blocker]) -> _Node | None:
        """Relax the clause that costs least, where only all of them together are out of reach."""
        pairs = sorted(
            ((c, blocker) for blocker in blockers for c in self._weaker(node.goal, blocker)),
            key=lambda pair: (pair[0].cost, -pair[1].index),
        )
        for candidate, blocker in pairs:
            case = self._case(candidate.goal)
            if not case.blockers and not self._contradiction(case):
                return _step(node, candidate, blocker)
        return None

    def _first_better(
        self, node: _Node, blocker: Blocker, candidates: Iterable[Candidate]
    ) -> _Node | None:
        """Return the node of the first candidate with which less is missing than before."""
        now = self._short(node.goal)
        for candidate in candidates:
            if self.budget.stopped():
                return None
            if self._short(candidate.goal) < now and not self._is_empty(node.goal, candidate):
                return _step(node, candidate, blocker)
        return None

    def _is_empty(self, goal: Goal, candidate: Candidate) -> bool:
        """Say whether the changed clause asks for nothing that the others do not ask already."""
        before, after = goal.clauses, candidate.goal.clauses
        if candidate.kind == "shift" or len(after) < len(before) or len(after) == 1:
            return False
        changed = next((i for i, item in enumerate(after) if item != before[i]), None)
        if changed is None or after[changed].soft:
            return False
        blocked = {blocker.index for blocker in self._case(candidate.goal).blockers}
        kept = (item for i, item in enumerate(after) if i != changed and i not in blocked)
        others = replace(candidate.goal, clauses=tuple(kept))
        alone = replace(candidate.goal, clauses=(after[changed],), order=())
        return entails(others, alone, self.scene, self.knowledge, self.grounder) is not None

    def _short(self, goal: Goal) -> int:
        return sum(blocker.short for blocker in self._case(goal).blockers)


def _step(node: _Node, candidate: Candidate, blocker: Blocker) -> _Node:
    """Return the node after one change; a relaxation tells also why it was needed."""
    if candidate.kind == "relax" and blocker.reason not in candidate.reason:
        candidate = replace(candidate, reason=f"{blocker.reason}: {candidate.reason}")
    if candidate.proof is not None and blocker.proof:
        why = ProofStep("what was asked is out of reach", blocker.proof)
        candidate = replace(candidate, proof=Proof((*candidate.proof.steps, why)))
    return replace(node, goal=candidate.goal, taken=(*node.taken, candidate))
