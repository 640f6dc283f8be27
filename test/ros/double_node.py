"""The planner node with a stand-in for the planner, whose time and failures a test commands.

"slow" starts a process and works until it is cancelled; "crash" fails; "odd" is bad input; all
else is solved at once.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable

from gist.errors import BadInput
from gist.pddl.domain import Domain
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


if __name__ == "__main__":
    sys.exit(main(planning=lambda _frontend, _planner: Double()))
