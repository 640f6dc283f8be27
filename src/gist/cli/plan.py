"""`gist plan` and `gist explain`: a goal in words to a plan, and why it is that one."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gist.cli import scenes
from gist.cli.output import console, log, print_findings, print_json
from gist.errors import BadInput

if TYPE_CHECKING:
    from gist.pddl.domain import Domain
    from gist.planning import Answer
    from gist.scene import SceneGraph

Commands = Any
EXIT = {"solved": 0, "infeasible": 3, "not_understood": 4, "unknown": 5}
COLOURS = {"solved": "green", "infeasible": "red", "not_understood": "magenta", "unknown": "yellow"}
PLANNERS = ("fast-downward", "pyperplan")
FRONTENDS = ("knowledge",)


def add(commands: Commands) -> None:
    """Add both commands to the parser's subcommands."""
    for name, about, show in (
        ("plan", "plan a goal given in words", _show_plan),
        ("explain", "show the path from the words to the plan as a tree", _show_tree),
    ):
        command = commands.add_parser(name, help=about, description=about)
        command.add_argument("scene", metavar="SCENE", help="a scene file, or an authored scene")
        command.add_argument("goal", metavar="GOAL", help="what is wanted, in English")
        command.add_argument(
            "--domain",
            metavar="FILE",
            help="a PDDL file, or a domain of Gist's by name (default: household)",
        )
        command.add_argument("--robot-room", metavar="ROOM", help="the room the robot is in")
        command.add_argument("--frontend", choices=FRONTENDS, default="knowledge")
        add_planner(command)
        command.add_argument("--json", action="store_true", help="print one JSON object")
        command.set_defaults(run=_run, show=show)


def add_planner(command: argparse.ArgumentParser) -> None:
    """Add the options that say with which planner and how long."""
    command.add_argument("--planner", choices=PLANNERS, default="fast-downward")
    command.add_argument("--time", type=float, default=30.0, metavar="S", help="seconds at most")
    command.add_argument(
        "--memory", type=int, default=4096, metavar="MB", help="MiB of a planner process at most"
    )


def _run(args: argparse.Namespace) -> int:
    loaded = scenes.load(args.scene, args.robot_room)
    err = log()
    print_findings(err, (f for f in loaded.findings if f.severity != "info"), most=5)
    waiting = err.status("reading the request") if err.is_terminal else nullcontext()
    with waiting as status:
        tell = (lambda text: status.update(text)) if status is not None else None
        answer = _answer(args, loaded.scene, tell)
    if args.json:
        print_json(_data(args, answer))
    else:
        args.show(answer, loaded.scene)
    return EXIT[answer.status.value]


def _answer(
    args: argparse.Namespace, scene: SceneGraph, progress: Callable[[str], None] | None
) -> Answer:
    from gist.pddl.planners import get_planner
    from gist.planning import PlanLimits, TaskPlanner

    limits = PlanLimits(time_s=args.time, memory_mb=args.memory)
    domain = load_domain(args.domain)
    task_planner = TaskPlanner(planner=get_planner(args.planner))
    return task_planner.plan(args.goal, scene, domain, limits, progress=progress)


def load_domain(domain: str | None) -> Domain:
    """Return the domain of a file, or a shipped one by name; Gist's household domain by default.

    Raises BadInput when it cannot be read, or is no domain.
    """
    import gist
    from gist.pddl.parser import parse_domain

    path = Path(domain or "household")
    if not path.is_file() and not path.suffix and len(path.parts) == 1:
        return gist.load_domain(str(path))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadInput(f"cannot read the domain {path}: {reason}") from None
    return parse_domain(text)


def _data(args: argparse.Namespace, answer: Answer) -> dict[str, Any]:
    from gist.planning.explain import tree

    data = answer.to_json()
    return {**data, "tree": tree(answer)} if args.show is _show_tree else data


def _show_plan(answer: Answer, scene: SceneGraph) -> None:
    from gist.planning.explain import sections

    out = console()
    out.print(answer.status.value.upper(), style=f"bold {COLOURS[answer.status.value]}")
    for section in sections(answer, scene):
        out.print()
        out.print(section.title, style="bold blue")
        for line in section.lines:
            aside = line.lstrip().startswith(("because ", "beware: "))
            out.print(f"  {line}", style="dim" if aside else None)
    times = answer.times
    out.print(
        f"\n{times.total:.2f} s: {times.interpret:.2f} to read, {times.plan:.2f} to plan "
        f"({answer.expanded} nodes), {times.validate:.3f} to check",
        style="dim",
    )


def _show_tree(answer: Answer, _scene: SceneGraph) -> None:
    from gist.planning.explain import tree

    out = console()
    for line in tree(answer).splitlines():
        out.print(line, style=_tree_style(line, answer))


def _tree_style(line: str, answer: Answer) -> str | None:
    """Return the colour of a branch by what it is; the lines under it have none."""
    if line.startswith("asked"):
        return "bold"
    if not line.startswith(("├─", "└─")):
        return None
    words = line[3:]
    if words[:1].isdigit():
        return "yellow"
    if words.startswith(("reached", "unknown", "infeasible", "not understood")):
        return f"bold {COLOURS[answer.status.value]}"
    return "bold blue"
