"""Pyperplan, a planner in pure Python, in warm worker processes: for where no binary runs."""

from __future__ import annotations

import threading

from gist.pddl.domain import Domain
from gist.pddl.planners.base import DEFAULT_LIMITS, Limits, PlannerResult
from gist.pddl.planners.pool import WorkerPool, bare
from gist.pddl.problem import Problem


class Pyperplan:
    """Greedy best-first search with the FF heuristic on the task that Gist has grounded.

    Args:
        workers: how many processes at most; default one a core, at least two.
    """

    name = "pyperplan"

    def __init__(self, workers: int | None = None) -> None:
        self._pool = WorkerPool("gist.pddl.planners.pyperplan_worker", workers)

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        limits: Limits = DEFAULT_LIMITS,
        cancel: threading.Event | None = None,
    ) -> PlannerResult:
        """Look for a plan. "unsolvable" means that the search has seen every reachable state."""
        return self._pool.call(bare(domain, problem), limits, cancel)

    def close(self) -> None:
        """End the worker processes."""
        self._pool.close()
