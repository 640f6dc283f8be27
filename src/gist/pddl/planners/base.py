"""What every planner takes and gives."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from gist.pddl.domain import Domain
from gist.pddl.problem import Problem, Step

Status = Literal["solved", "unsolvable", "limit", "cancelled", "error"]


@dataclass(frozen=True)
class Limits:
    """Wall-clock seconds for the whole call, and MiB of address space for each process."""

    time_s: float = 10.0
    memory_mb: int = 1024


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class PlannerResult:
    """What came of one call.

    `status` is "solved" (with `plan`), "unsolvable" (proved: `message` says how), "limit" (`limit`
    says which one), "cancelled", or "error" (`message` has the planner's words). `expanded` counts
    the search nodes. `times` has seconds by phase: "ground", "search" and "total".
    """

    status: Status
    plan: tuple[Step, ...] = ()
    expanded: int | None = None
    times: Mapping[str, float] = field(default_factory=dict)
    limit: Literal["time", "memory"] | None = None
    message: str = ""


class Planner(Protocol):
    """Solves problems; safe to call from several threads at once."""

    @property
    def name(self) -> str:
        """The planner's name, as `get_planner` takes it."""

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        limits: Limits = DEFAULT_LIMITS,
        cancel: threading.Event | None = None,
    ) -> PlannerResult:
        """Look for a plan within the limits; setting `cancel` ends the call within 0.2 s."""
