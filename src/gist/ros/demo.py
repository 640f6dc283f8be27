"""The story of a robot that is asked for more than there is, told through the ROS service.

Usage: python -m gist.ros.demo
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from gist.errors import GistError
from gist.planning.answer import Status
from gist.planning.explain import sections
from gist.ros.client import Client
from gist.ros.middleware import use_profile


@dataclass(frozen=True)
class Request:
    """One scene of the story: who asks for what, where."""

    scene: str
    goal: str
    about: str


REQUESTS = (
    Request(
        "kid_snacks",
        "Bring 4 kid snacks to table_2",
        "Four snacks for the children; there are only three. What else may children have?",
    ),
    Request(
        "flat",
        "Put all the dirty clothes into the washing machine",
        "Things are meant by what they are and how they are, wherever they lie.",
    ),
    Request(
        "family_kitchen",
        "Put 2 cookies on the dining table",
        "What is wanted lies in a closed box, and a mug stands on its lid.",
    ),
    Request(
        "flat",
        "Bring an inhaler to the nightstand",
        "A medicine is missing: nothing may stand in for it, and Gist says so.",
    ),
)
COLOURS = {
    Status.SOLVED: "green",
    Status.INFEASIBLE: "red",
    Status.UNKNOWN: "yellow",
    Status.NOT_UNDERSTOOD: "magenta",
}


def main() -> int:
    """Start a planner node, ask it over ROS, and print what comes back."""
    console = Console(highlight=False, width=min(Console().width, 100))
    use_profile()
    os.environ.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    name = f"gist_demo_{os.getpid()}"
    try:
        with planner_node(name) as process, Client(name, wait_s=60.0) as gist:
            console.print(
                f"planner_node runs as process {process.pid}; this is process {os.getpid()}. "
                "They talk over ROS 2.\n"
            )
            for request in REQUESTS:
                tell(console, gist, request)
    except GistError as error:
        console.print(f"[red]{error}")
        return 1
    return 0


@contextmanager
def planner_node(name: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a planner node in a process of its own, as long as the context lasts."""
    command = [sys.executable, "-m", "gist.ros.planner_node"]
    with subprocess.Popen([*command, "--ros-args", "-r", f"__node:={name}"]) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=10.0)
            except subprocess.TimeoutExpired:
                process.kill()


def tell(console: Console, gist: Client, request: Request) -> None:
    """Ask for one thing and print the story."""
    scenes = Path(get_package_share_directory("gist_ros")) / "config" / "scenes"
    gist.load_scene(scenes / f"{request.scene}.json")
    scene = gist.scene()
    answer = gist.plan(request.goal)
    console.print(Rule(f"[bold]{request.scene}"), Text(request.about, style="italic"), "")
    for section in sections(answer, scene):
        done = section.title == "What can be done"
        style = COLOURS[answer.status] if done else ""
        console.print(Text(section.title, style="bold blue"))
        console.print(
            Padding(Text("\n".join(section.lines), style=style), (0, 0, 1, 2), expand=False)
        )
    times = answer.times
    console.print(
        f"Answered in {times.total:.2f} s: {times.interpret:.2f} s to read, {times.plan:.2f} s to "
        f"plan, {times.validate:.2f} s to check.\n",
        style="dim",
    )


if __name__ == "__main__":
    sys.exit(main())
