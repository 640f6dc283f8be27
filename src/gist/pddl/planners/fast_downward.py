"""Fast Downward (Helmert, The Fast Downward planning system, 2006) in warm worker processes."""

from __future__ import annotations

import importlib.util
import re
import threading
from pathlib import Path
from typing import Literal

from gist.errors import BadInput
from gist.pddl.domain import Domain
from gist.pddl.planners.base import DEFAULT_LIMITS, Limits, PlannerResult
from gist.pddl.planners.pool import WorkerPool, bare
from gist.pddl.problem import Problem

QUICK = (
    "let(hlm, landmark_sum(lm_reasonable_orders_hps(lm_rhw()), pref=false), "
    "let(hff, ff(), eager_greedy([hff, hlm], preferred=[hff, hlm])))"
)
REFERENCE = "astar(ff())"
_COMPLETE = frozenset(
    [
        "let", "h", "hff", "hlm", "w", "ff", "landmark_sum", "lm_reasonable_orders_hps", "lm_rhw",
        "pref", "add", "hmax", "blind", "lmcut", "goalcount", "preferred", "eager",
        "eager_greedy", "eager_wastar", "astar", "lazy_greedy", "lazy_wastar", "alt", "single",
        "tiebreaking", "sum", "weight", "g", "true", "false",
    ]
)  # fmt: skip


class FastDownward:
    """Fast Downward's search on a task that Gist, or its own translator, has grounded.

    Args:
        search: the search, in Fast Downward's words.
        grounding: "gist", or "fast-downward" for its translator (the setting of the paper).
        workers: how many processes at most; default one a core, at least two.

    Raises BadInput when Fast Downward is not installed.
    """

    name = "fast-downward"

    def __init__(
        self,
        search: str = QUICK,
        grounding: Literal["gist", "fast-downward"] = "gist",
        workers: int | None = None,
    ) -> None:
        self.search = search
        self.grounding = grounding
        self._folder = installed()
        self._pool = WorkerPool("gist.pddl.planners.fast_downward_worker", workers)

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        limits: Limits = DEFAULT_LIMITS,
        cancel: threading.Event | None = None,
    ) -> PlannerResult:
        """Look for a plan. "unsolvable" means: proved by a search that can prove it."""
        request = {
            **bare(domain, problem),
            "folder": str(self._folder),
            "search": self.search,
            "complete": is_complete(self.search),
            "grounding": self.grounding,
        }
        return self._pool.call(request, limits, cancel)

    def close(self) -> None:
        """End the worker processes."""
        self._pool.close()


def is_complete(search: str) -> bool:
    """Say whether a search that ends without a plan has proved that there is none.

    Only searches built of parts that neither bound nor prune are known to.
    """
    return set(re.findall(r"[a-z_]+", search.lower())) <= _COMPLETE


def installed() -> Path:
    """Return the folder of Fast Downward's binary; raises BadInput when it is not installed."""
    spec = importlib.util.find_spec("up_fast_downward")
    if spec is None or spec.origin is None:
        raise BadInput(
            "Fast Downward is not installed (pip install up-fast-downward); "
            "the planner 'pyperplan' works without it"
        )
    return Path(spec.origin).parent / "downward" / "builds" / "release" / "bin"
