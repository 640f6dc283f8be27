"""The story of a robot that is asked for more than there is, told through the ROS service.

Usage: python -m gist.ros.demo
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from gist.errors import GistError
from gist.planning import Answer
from gist.planning.answer import Status
from gist.ros.client import Client
from gist.ros.middleware import use_profile
from gist.scene import SceneGraph
from gist.scene.render import tree


@dataclass(frozen=True)
class Request:
    """One scene of the story: who asks for what, where."""

    scene: str
    goal: str
    about: str
    whole: bool = False


REQUESTS = (
    Request(
        "kid_snacks",
        "Bring 4 kid snacks to table_2",
        "Four snacks for the children; there are only three. What else may children have?",
        whole=True,
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
    console.print(Rule("[bold]Gist"))
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
    asked = Text(f"“{request.goal}”\n", style="bold").append(request.about, style="not bold dim")
    console.print(Panel(asked, title=f"asked in {request.scene}", border_style="blue"))
    for title, body in story(answer, scene, request.whole):
        console.print(f"[bold blue]{title}")
        console.print(Padding(body, (0, 0, 1, 2)))


def story(answer: Answer, scene: SceneGraph, whole: bool) -> Iterator[tuple[str, RenderableType]]:
    """Yield the sections of the story: a title and what stands under it."""
    yield "What is there", tree(scene) if whole else counts(scene)
    colour = COLOURS[answer.status]
    yield "The answer", Text(f"{answer.status.value}: {answer.summary}", style=colour)
    if answer.kept:
        yield "What is kept", bullets(answer.kept)
    if answer.steps:
        yield "What was changed, and why", changes(answer)
    if answer.plan:
        yield f"The plan, {len(answer.plan)} steps", plan(answer)
    if answer.assumptions:
        yield "What was assumed", bullets(a.text for a in answer.assumptions)
    times = answer.times
    yield (
        "Time",
        f"{times.total:.2f} s in all: {times.interpret:.2f} s to read, {times.plan:.2f} s to plan "
        f"({answer.expanded} nodes), {times.validate:.3f} s to check",
    )


def counts(scene: SceneGraph) -> str:
    """Say how much there is, for scenes that are too large to print."""
    rooms = ", ".join(room.name for room in scene.rooms())
    return f"{len(scene.rooms())} rooms ({rooms}) with {len(scene.things())} things"


def bullets(lines: Iterable[str]) -> Group:
    """Return the lines as a list."""
    return Group(*(Text(f"• {line}") for line in lines))


def changes(answer: Answer) -> Table:
    """Return every shift and relaxation with its reason."""
    table = Table(box=None, pad_edge=False, show_header=False, expand=True)
    table.add_column(style="yellow", no_wrap=True)
    table.add_column(ratio=1)
    for step in answer.steps:
        nearness = f", tier {step.tier}" if step.tier else ""
        text = Text(f"{step.before}\n→ {step.after}\n")
        text.append(f"because {step.reason}", style="dim")
        if step.proof:
            text.append(f"\nproof: {step.proof}", style="dim")
        if step.caution:
            text.append(f"\ncaution: {step.caution}", style="red")
        table.add_row(f"{step.kind}{nearness}\n{step.operator}", text)
    return table


def plan(answer: Answer) -> Table:
    """Return the steps with the scene's own names."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="right", style="dim")
    table.add_column(style="bold")
    table.add_column()
    for number, step in enumerate(answer.plan, 1):
        labels = (str(answer.objects.get(name, {}).get("label", name)) for name in step.args)
        table.add_row(str(number), step.action, " ".join(labels))
    return table


if __name__ == "__main__":
    sys.exit(main())
