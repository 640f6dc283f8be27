"""`gist bench`: measure the planner on a task set, or on scenes of growing size."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from gist.cli.output import console, log
from gist.cli.plan import add_planner
from gist.errors import BadInput

Commands = Any


def add(commands: Commands) -> None:
    """Add the two commands to the parser's subcommands."""
    bench = commands.add_parser("bench", help="measure the planner")
    inner = bench.add_subparsers(metavar="COMMAND", required=True)
    about = "plan every task of a task set; write tables, figures and the PDDL of every task"
    planning = inner.add_parser("planning", help=about, description=about)
    planning.add_argument("tasks", metavar="TASKS_DIR", help="a folder with tasks.json")
    planning.add_argument("--out", required=True, metavar="DIR", help="the folder to write")
    planning.add_argument("--jobs", type=int, default=1, metavar="N", help="processes at once")
    planning.add_argument(
        "--compare",
        action="store_true",
        help="also plan each final goal on the whole scene with Fast Downward astar(ff())",
    )
    planning.add_argument("--filter", default="", metavar="TEXT", help="only ids with this in them")
    add_planner(planning)
    planning.set_defaults(run=_planning)

    about = "plan the same goals in scenes of 100, 1,000 and 10,000 objects"
    scale = inner.add_parser("scale", help=about, description=about)
    scale.add_argument("--out", required=True, metavar="DIR", help="the folder to write")
    scale.add_argument("--seeds", type=int, default=5, metavar="N", help="scenes of each size")
    scale.add_argument(
        "--sizes", type=int, nargs="+", default=[100, 1000, 10000], metavar="N", help="objects"
    )
    scale.set_defaults(run=_scale)


def _planning(args: argparse.Namespace) -> int:
    from gist.bench import planning, report

    if args.jobs < 1:
        raise BadInput(f"--jobs is {args.jobs}; it must be 1 or more")
    tasks = planning.load_tasks(Path(args.tasks), args.filter)
    settings = planning.Settings(
        planner=args.planner, time_s=args.time, memory_mb=args.memory, compare=args.compare
    )
    out = _folder(args.out)
    with _progress() as progress:
        bar = progress.add_task("planning", total=len(tasks))
        results = planning.run(
            tasks, settings, out, args.jobs, lambda _result: progress.update(bar, advance=1)
        )
    summary = report.write(results, settings, out)
    console().print(report.markdown(summary))
    log().print(f"wrote results.jsonl, summary.json, summary.md, depth.png and pddl/ to {out}")
    return 0


def _scale(args: argparse.Namespace) -> int:
    from gist.bench import scale

    if args.seeds < 1 or min(args.sizes) < 1:
        raise BadInput("--seeds and --sizes must be 1 or more")
    out = _folder(args.out)
    with _progress() as progress:
        bar = progress.add_task("scale", total=len(args.sizes))
        rows = scale.run(tuple(args.sizes), args.seeds, lambda: progress.update(bar, advance=1))
    console().print(scale.write(rows, out))
    log().print(f"wrote scale.json, scale.md and scale.png to {out}")
    return 0


def _folder(path: str) -> Path:
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot make the folder {path}: {error.strerror}") from None
    return folder


def _progress() -> Any:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=log(),
    )
