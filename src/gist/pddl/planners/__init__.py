"""Classical planners behind one Protocol, each in killable worker processes."""

from __future__ import annotations

from gist.errors import unknown
from gist.pddl.planners.base import Limits, Planner, PlannerResult, Status
from gist.pddl.planners.fast_downward import FastDownward
from gist.pddl.planners.pyperplan import Pyperplan
from gist.pddl.problem import Step

PLANNERS = ("fast-downward", "pyperplan")


def get_planner(name: str) -> Planner:
    """Return a new planner by name; raises BadInput for a name that there is not."""
    if name == "fast-downward":
        return FastDownward()
    if name == "pyperplan":
        return Pyperplan()
    raise unknown("planner", name, PLANNERS)


__all__ = [
    "PLANNERS",
    "FastDownward",
    "Limits",
    "Planner",
    "PlannerResult",
    "Pyperplan",
    "Status",
    "Step",
    "get_planner",
]
