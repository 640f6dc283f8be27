"""What the planner answers: one of four statuses, the goal reached, and how it came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from gist.goals import Assumption, Goal
from gist.pddl.planners import Step


class Status(str, Enum):
    """The four answers; none of them is ever a guess."""

    SOLVED = "solved"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"
    NOT_UNDERSTOOD = "not_understood"


@dataclass(frozen=True)
class ChangeStep:
    """One step from the goal as asked towards the goal that is reached.

    ``tier`` is for a shift the closeness of the substitute (1 same role, 3 weak); ``proof`` is for
    a relaxation the reason why the new goal is implied by the old one.
    """

    kind: str
    operator: str
    before: str
    after: str
    reason: str
    tier: int | None = None
    proof: str = ""
    caution: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return plain data; a relaxation carries its proof in place of a tier."""
        data: dict[str, Any] = {
            "kind": self.kind,
            "operator": self.operator,
            "before": self.before,
            "after": self.after,
            "reason": self.reason,
            "tier": self.tier,
        }
        if self.proof:
            data["proof"] = self.proof
        if self.caution:
            data["caution"] = self.caution
        return data


@dataclass(frozen=True)
class Times:
    """Where the time of one answer went, in seconds."""

    interpret: float = 0.0
    plan: float = 0.0
    validate: float = 0.0
    total: float = 0.0

    def to_json(self) -> dict[str, float]:
        """Return the four times by name."""
        return {
            "interpret": self.interpret,
            "plan": self.plan,
            "validate": self.validate,
            "total": self.total,
        }


@dataclass(frozen=True)
class RefusedWord:
    """A part of the text that was not understood: ``text[start:end] == word``."""

    start: int
    end: int
    word: str


@dataclass(frozen=True)
class SubProblem:
    """One problem that the planner was given, as PDDL text; a goal with stages has one a stage.

    ``whole`` says that every object of the scene is in it, ``plan`` is what was found for it.
    """

    domain: str
    problem: str
    plan: tuple[Step, ...]


@dataclass(frozen=True)
class Answer:
    """The whole answer to one request.

    Attributes:
        goal: the goal as understood, with spans and assumptions.
        final_goal: the goal that the plan reaches; the same object where nothing had to change.
        steps: every shift and relaxation between the two, in order.
        plan: grounded steps, PDDL names; ``objects`` says what each name stands for.
        final_state: atoms that hold when the plan has been simulated.
        problems: the PDDL that the plan solves, to be judged by anybody else's validator.
        summary: one sentence for a person.
        reasons: why the goal as asked cannot be reached, or which limit was hit.
    """

    status: Status
    text: str
    frontend: str = ""
    planner: str = ""
    goal: Goal | None = None
    final_goal: Goal | None = None
    goal_text: str = ""
    final_goal_text: str = ""
    final_goal_pddl: str = ""
    steps: tuple[ChangeStep, ...] = ()
    plan: tuple[Step, ...] = ()
    objects: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    final_state: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    kept: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    summary: str = ""
    refused: tuple[RefusedWord, ...] = ()
    suggestions: tuple[str, ...] = ()
    problems: tuple[SubProblem, ...] = ()
    times: Times = Times()
    expanded: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the answer as plain data, the form that ``--json`` and the service carry."""
        return {
            "status": self.status.value,
            "goal_text": self.text,
            "frontend": self.frontend,
            "planner": self.planner,
            "goal": self.goal_text,
            "final_goal": self.final_goal_text,
            "final_goal_pddl": self.final_goal_pddl,
            "steps": [step.to_json() for step in self.steps],
            "plan": [str(step) for step in self.plan],
            "plan_length": len(self.plan),
            "objects": {name: dict(facts) for name, facts in self.objects.items()},
            "final_state": list(self.final_state),
            "assumptions": [assumption.text for assumption in self.assumptions],
            "kept": list(self.kept),
            "lost": list(self.lost),
            "reasons": list(self.reasons),
            "summary": self.summary,
            "refused_words": [vars(word) for word in self.refused],
            "suggestions": list(self.suggestions),
            "times": self.times.to_json(),
            "expanded": self.expanded,
        }
