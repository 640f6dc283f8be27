"""What a plan does, step by step, and where and why it fails."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from gist.pddl.domain import Action, Derived, Domain, Effect
from gist.pddl.formula import (
    TRUE,
    And,
    Atom,
    Equals,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    Param,
    substitute,
)
from gist.pddl.problem import Problem, Step, Universe

State = frozenset[Atom]


@dataclass(frozen=True)
class Failure:
    """The step that cannot be done: its index from 0, the action, and what does not hold.

    `condition` is the false part of the precondition with the step's objects in it, None where
    the step itself is malformed (no such action or object, wrong number or type of objects).
    """

    index: int
    step: Step
    condition: Formula | None
    message: str

    def __str__(self) -> str:
        return f"step {self.index + 1} {self.step}: {self.message}"


@dataclass(frozen=True)
class Trace:
    """The states of a plan, the initial one first, up to its end or its first failure.

    `unmet` holds the parts of the goal that are false in the last state.
    """

    states: tuple[State, ...]
    failure: Failure | None
    unmet: tuple[Formula, ...]

    @property
    def goal_holds(self) -> bool:
        """The plan runs to its end and the goal holds there."""
        return self.failure is None and not self.unmet

    @property
    def final(self) -> State:
        """The last state reached."""
        return self.states[-1]

    def __str__(self) -> str:
        if self.failure:
            return str(self.failure)
        unmet = " and ".join(map(str, self.unmet))
        return f"the plan leaves the goal unmet: {unmet} is false" if unmet else "the plan is valid"


class Simulator:
    """Truth and change in one problem's world."""

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain = domain
        self.problem = problem
        self.universe = Universe(domain, problem)
        self._rules: dict[str, list[Derived]] = {}
        for rule in domain.derived:
            self._rules.setdefault(rule.head.name, []).append(rule)

    def run(self, plan: Iterable[Step]) -> Trace:
        """Return what the plan does from the initial state."""
        states = [self.problem.init]
        for index, step in enumerate(plan):
            failure = self.failure(states[-1], step, index)
            if failure:
                return Trace(tuple(states), failure, self.unmet(states[-1]))
            states.append(self.after(states[-1], step))
        return Trace(tuple(states), None, self.unmet(states[-1]))

    def unmet(self, state: State) -> tuple[Formula, ...]:
        """Return the parts of the goal that are false in a state."""
        return tuple(part for part in _parts(self.problem.goal) if not self.holds(part, state))

    def failure(self, state: State, step: Step, index: int = 0) -> Failure | None:
        """Return why a step cannot be done in a state, None if it can."""
        wrong = self._malformed(step)
        if wrong:
            return Failure(index, step, None, wrong)
        action = self.domain.actions[step.action]
        binding = _binding(action.params, step.args)
        for part in _parts(action.precondition):
            if not self.holds(part, state, binding):
                condition = substitute(part, binding)
                return Failure(index, step, condition, f"{condition} is false")
        return None

    def after(self, state: State, step: Step) -> State:
        """Return the state after a step; its precondition is not looked at."""
        action = self.domain.actions[step.action]
        binding = _binding(action.params, step.args)
        adds: set[Atom] = set()
        deletes: set[Atom] = set()
        for effect in action.effects:
            for bound in self._bindings(effect, binding):
                if effect.condition == TRUE or self.holds(effect.condition, state, bound):
                    (adds if effect.add else deletes).add(_instance(effect.atom, bound))
        return (state - deletes) | adds

    def holds(
        self,
        formula: Formula,
        state: State,
        binding: Mapping[str, str] | None = None,
        above: frozenset[Atom] = frozenset(),
    ) -> bool:
        """Say whether a formula is true in a state; `binding` gives its free variables.

        `above` are the derived atoms that are being looked at: a rule does not prove itself.
        """
        binding = binding or {}
        if isinstance(formula, Atom):
            atom = _instance(formula, binding)
            return atom in state or (
                atom.predicate in self._rules and self._derives(atom, state, above)
            )
        if isinstance(formula, Not):
            return not self.holds(formula.body, state, binding, above)
        if isinstance(formula, And):
            return all(self.holds(part, state, binding, above) for part in formula.parts)
        if isinstance(formula, Or):
            return any(self.holds(part, state, binding, above) for part in formula.parts)
        if isinstance(formula, Imply):
            return not self.holds(formula.condition, state, binding, above) or self.holds(
                formula.conclusion, state, binding, above
            )
        if isinstance(formula, Equals):
            left, right = formula.left, formula.right
            return binding.get(left, left) == binding.get(right, right)
        choices = product(*(self.universe.of(param.types) for param in formula.params))
        decide = all if isinstance(formula, Forall) else any
        return decide(
            self.holds(formula.body, state, {**binding, **_binding(formula.params, row)}, above)
            for row in choices
        )

    def _derives(self, atom: Atom, state: State, above: frozenset[Atom]) -> bool:
        if atom in above:
            return False
        return any(
            self.holds(rule.body, state, _binding(rule.head.params, atom.args), above | {atom})
            for rule in self._rules[atom.predicate]
        )

    def _bindings(self, effect: Effect, binding: dict[str, str]) -> Iterable[dict[str, str]]:
        if not effect.params:
            return (binding,)
        choices = product(*(self.universe.of(param.types) for param in effect.params))
        return ({**binding, **_binding(effect.params, row)} for row in choices)

    def _malformed(self, step: Step) -> str | None:
        action = self.domain.actions.get(step.action)
        if action is None:
            return f"there is no action '{step.action}'"
        if len(step.args) != len(action.params):
            return f"{action.head} takes {len(action.params)} objects, found {len(step.args)}"
        return self._misfit(action, step.args)

    def _misfit(self, action: Action, args: Sequence[str]) -> str | None:
        for param, arg in zip(action.params, args, strict=True):
            kind = self.universe.types.get(arg)
            if kind is None:
                return f"there is no object '{arg}'"
            if not self.domain.fits(kind, param.types):
                wanted = " or ".join(param.types)
                return f"{param.name} must be a {wanted}, '{arg}' is a {kind}"
        return None


def simulate(domain: Domain, problem: Problem, plan: Iterable[Step]) -> Trace:
    """Run a plan from the problem's initial state, up to its end or first failure."""
    return Simulator(domain, problem).run(plan)


def _binding(params: Sequence[Param], args: Sequence[str]) -> dict[str, str]:
    return {param.name: arg for param, arg in zip(params, args, strict=True)}


def _instance(atom: Atom, binding: Mapping[str, str]) -> Atom:
    return Atom(atom.predicate, tuple([binding.get(arg, arg) for arg in atom.args]))


def _parts(formula: Formula) -> tuple[Formula, ...]:
    if isinstance(formula, And):
        return tuple(part for whole in formula.parts for part in _parts(whole))
    return (formula,)
