"""Goals with stages as one planning problem, for when stage after stage does not do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gist.pddl.domain import Action, Domain, Effect, Predicate
from gist.pddl.formula import Atom, Formula, conjunction
from gist.pddl.problem import Problem, Step

_MARK = "gist-stage"


def ordered_problem(
    domain: Domain, problem: Problem, stages: Sequence[Formula]
) -> tuple[Domain, Problem]:
    """Return a domain and problem whose plans reach every stage's condition in turn.

    An action that does nothing else marks the end of each stage but the last; `without_marks`
    takes them out again. Sound and complete: the world's own actions are unchanged.
    """
    marks = [f"{_MARK}-{number}" for number in range(len(stages))]
    predicates = {mark: Predicate(mark) for mark in marks}
    endings = {
        f"end-{mark}": Action(
            f"end-{mark}",
            (),
            conjunction((Atom(mark), condition)),
            (Effect(Atom(mark), add=False), Effect(Atom(following))),
        )
        for mark, following, condition in zip(marks, marks[1:], stages, strict=False)
    }
    marked = replace(
        domain,
        predicates={**domain.predicates, **predicates},
        actions={**domain.actions, **endings},
    )
    return marked, replace(
        problem,
        init=problem.init | {Atom(marks[0])},
        goal=conjunction((Atom(marks[-1]), stages[-1])),
    )


def without_marks(plan: Sequence[Step]) -> tuple[Step, ...]:
    """Return the plan without the actions that mark the end of a stage."""
    return tuple(step for step in plan if not step.action.startswith(f"end-{_MARK}"))
