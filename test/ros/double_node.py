"""The planner node with a stand-in for the planner, whose time and failures a test commands.

"slow" starts a process and works until it is cancelled; "hard" has a real planner search for what
takes it minutes; "crash" fails; "odd" is bad input; all else is solved at once.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable

from gist.errors import BadInput
from gist.pddl.domain import Domain
from gist.pddl.parser import parse_problem
from gist.pddl.planners import Limits, Pyperplan
from gist.planning import Answer, PlanLimits
from gist.planning.answer import Status
from gist.ros.planner_node import main
from gist.scene import SceneGraph


class Double:
    """Plans nothing."""

    def plan(
        self,
        request: str,
        scene: SceneGraph,
        domain: Domain,
        limits: PlanLimits | None = None,
        cancel: threading.Event | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> Answer:
        """Do what the request commands."""
        if request == "crash":
            raise RuntimeError("a defect")
        if request == "odd":
            raise BadInput("odd indeed")
        if request == "slow":
            self._work(cancel, progress, limits)
            return Answer(Status.UNKNOWN, request)
        if request == "hard":
            self._search(domain, cancel, progress)
            return Answer(Status.UNKNOWN, request)
        summary = f"{len(scene)} nodes, {domain.name}, {limits}"
        return Answer(Status.SOLVED, request, summary=summary)

    def _work(
        self,
        cancel: threading.Event | None,
        progress: Callable[[str], None] | None,
        limits: PlanLimits | None,
    ) -> None:
        assert cancel is not None and limits is not None
        with subprocess.Popen(["sleep", "600"]) as process:
            if progress:
                progress(f"working in {process.pid}")
            cancel.wait(limits.time_s)
            process.kill()

    def _search(
        self,
        domain: Domain,
        cancel: threading.Event | None,
        progress: Callable[[str], None] | None,
    ) -> None:
        sizes = range(40)
        facts = " ".join(f"(clear p{i})" for i in (1, 2)) + " (clear d0) (on d39 p0) "
        facts += " ".join(f"(on d{i} d{i + 1})" for i in sizes[:-1]) + " "
        facts += " ".join(f"(less d{i} {at})" for i in sizes for at in ("p0", "p1", "p2"))
        facts += " ".join(f" (less d{i} d{k})" for k in sizes for i in range(k))
        names = " ".join(f"d{i}" for i in sizes)
        goal = " ".join(f"(on d{i} d{i + 1})" for i in sizes[:-1])
        problem = parse_problem(
            f"(define (problem towers) (:domain {domain.name}) (:objects {names} p0 p1 p2)"
            f" (:init {facts}) (:goal (and {goal} (on d39 p2))))"
        )
        if progress:
            progress("searching")
        Pyperplan().solve(domain, problem, Limits(time_s=300.0), cancel)


if __name__ == "__main__":
    sys.exit(main(planning=lambda *_names: Double()))
