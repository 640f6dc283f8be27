"""How planning time and memory grow with the scene: the same requests in ever larger scenes."""

from __future__ import annotations

import json
import multiprocessing
import resource
import statistics
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import gist
from gist.pddl.planners import FastDownward
from gist.planning import TaskPlanner
from gist.scene import Kind, Node, SceneGraph, generate

Row = dict[str, Any]

REQUESTS = {
    "feasible": "Put 2 cups on the coffee table",
    "to be changed": "Put 2 violins and 2 books on the desk",
    "infeasible, absent": "Put the passport on the desk",
    "infeasible, out of reach": "Put the key on the desk",
}
"""What is asked in every scene: two cups of many; two things that there are not beside two that
there are; a thing that there is not and nothing may stand in for; one that is in no room."""


def run(sizes: Sequence[int], seeds: int, done: Callable[[], None] = lambda: None) -> list[Row]:
    """Return a row for each size and request, sizes in fresh processes one after the other.

    Args:
        sizes: how many things the scenes hold.
        seeds: how many scenes of each size; every time is the median over them.
        done: called after each size.
    """
    rows: list[Row] = []
    context = multiprocessing.get_context("spawn")
    for size in sizes:
        with ProcessPoolExecutor(1, context) as pool:
            rows += pool.submit(measure, size, seeds).result()
        done()
    return rows


def measure(size: int, seeds: int) -> list[Row]:
    """Return a row for each request: median times in s, and the peak memory in MiB.

    "first" is the time of the first request about a scene, "next" of the same request again; the
    process is warm. The memory is that of this process and of the planner's largest together.
    """
    planner = FastDownward()
    tasks, domain = TaskPlanner(planner=planner), gist.load_domain("household")
    for request in REQUESTS.values():
        tasks.plan(request, scene_of(40, 0), domain)
    scenes = [scene_of(size, seed) for seed in range(1, seeds + 1)]
    rows = []
    for kind, request in REQUESTS.items():
        rounds = [[tasks.plan(request, scene, domain) for _ in range(2)] for scene in scenes]
        rows.append(
            {
                "objects": size,
                "request": request,
                "kind": kind,
                "statuses": sorted({one.status.value for pair in rounds for one in pair}),
                "steps": sorted({len(one.steps) for pair in rounds for one in pair}),
                "first_s": statistics.median(pair[0].times.total for pair in rounds),
                "next_s": statistics.median(pair[1].times.total for pair in rounds),
                "planner_s": statistics.median(pair[1].times.plan for pair in rounds),
            }
        )
    planner.close()
    peak = sum(
        resource.getrusage(who).ru_maxrss / 1024
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return [{**row, "peak_mb": peak} for row in rows]


def scene_of(size: int, seed: int) -> SceneGraph:
    """Return a household of that many things, with a key that is in no room."""
    return generate(size, seed).with_node(Node("key_1", Kind.OBJECT, "key"))


def write(rows: Sequence[Row], out: Path) -> str:
    """Write scale.json, scale.md and scale.png into `out`; return the page of Markdown."""
    text = json.dumps(list(rows), ensure_ascii=False, indent=1)
    (out / "scale.json").write_text(text + "\n", encoding="utf-8")
    page = markdown(rows)
    (out / "scale.md").write_text(page, encoding="utf-8")
    draw(rows, out / "scale.png")
    return page


def markdown(rows: Sequence[Row]) -> str:
    """Return the rows as a page of Markdown, with the growth from the smallest to the largest."""
    sizes = sorted({row["objects"] for row in rows})
    head = ["request", "kind", *(f"{size:,} objects, s" for size in sizes), "growth"]
    lines = [
        "# Scale",
        "Median times, warm: the whole answer to the first request about a scene / to the same "
        "request again / the planner alone in that one.",
    ]
    table = [f"| {' | '.join(head)} |", "| --- | --- |" + " ---: |" * (len(head) - 2)]
    keys = ("first_s", "next_s", "planner_s")
    for kind in dict.fromkeys(row["kind"] for row in rows):
        found = {row["objects"]: row for row in rows if row["kind"] == kind}
        cells = [" / ".join(f"{found[size][key]:.3f}" for key in keys) for size in sizes]
        small, large = found[sizes[0]], found[sizes[-1]]
        growth = " / ".join(f"{large[k] / small[k]:.1f}" if small[k] else "-" for k in keys)
        answers = ", ".join(large["statuses"]).replace("_", " ")
        request = f"“{large['request']}”"
        table.append(f"| {request} | {kind}: {answers} | {' | '.join(cells)} | {growth} |")
    peaks = {row["objects"]: row["peak_mb"] for row in rows}
    memory = ", ".join(f"{peaks[size]:.0f} MiB with {size:,} objects" for size in sizes)
    lines += ["\n".join(table), f"Peak memory of Gist and its planner together: {memory}."]
    return "\n\n".join(lines) + "\n"


def draw(rows: Sequence[Row], path: Path) -> None:
    """Write a PNG: the time of each request over the size of the scene."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.4), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    for kind in dict.fromkeys(row["kind"] for row in rows):
        found = sorted((r for r in rows if r["kind"] == kind), key=lambda row: row["objects"])
        sizes = [row["objects"] for row in found]
        (line,) = axes.plot(sizes, [r["next_s"] for r in found], marker="o", label=kind)
        axes.plot(sizes, [r["first_s"] for r in found], ls=":", marker=".", color=line.get_color())
    axes.set_xscale("log")
    every = sorted({row["objects"] for row in rows})
    axes.set_xticks(every, [f"{size:,}" for size in every])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("things in the scene")
    axes.set_ylabel("whole answer, median [s]")
    title = "The same request in ever larger scenes"
    axes.set_title(f"{title}\n(dotted: the first request about a scene)", loc="left", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    FigureCanvasAgg(figure)
    figure.savefig(path)
