"""How far each domain's tasks had to be relaxed, as a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Result = Mapping[str, Any]

_STYLE: Mapping[str, tuple[str, str]] = {
    "as asked": ("#1b7837", "white"),
    "shifted only": ("#7fbf7b", "black"),
    "1 relaxation": ("#fee08b", "black"),
    "2 relaxations": ("#fdae61", "black"),
    "3 relaxations": ("#f46d43", "black"),
    "4 or more": ("#d73027", "white"),
    "infeasible": ("#bdbdbd", "black"),
    "not understood": ("#969696", "white"),
    "unknown": ("#636363", "white"),
    "error": ("#252525", "white"),
}


def draw_depth(results: Sequence[Result], path: Path) -> None:
    """Write a PNG: a bar for each domain, what share was solved at which relaxation depth."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(r["domain"] for r in results))
    groups = [("all", results), *((n, [r for r in results if r["domain"] == n]) for n in names)]
    kinds = [kind for kind in _STYLE if any(_kind(r) == kind for r in results)]
    figure = Figure(figsize=(10.0, 1.6 + 0.55 * len(groups)), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    lefts = [0.0] * len(groups)
    for kind in kinds:
        colour, ink = _STYLE[kind]
        counts = [sum(_kind(r) == kind for r in group) for _, group in groups]
        widths = [
            100 * count / len(group) for count, (_, group) in zip(counts, groups, strict=True)
        ]
        axes.barh(range(len(groups)), widths, 0.72, lefts, color=colour, label=kind, ec="white")
        for place, (count, width) in enumerate(zip(counts, widths, strict=True)):
            if width >= 3:
                middle = lefts[place] + width / 2
                axes.text(middle, place, str(count), ha="center", va="center", color=ink)
        lefts = [left + width for left, width in zip(lefts, widths, strict=True)]
    axes.set_yticks(
        range(len(groups)), [f"{name.replace('_', ' ')} ({len(group)})" for name, group in groups]
    )
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of the tasks [%]; the numbers in the bars count tasks")
    axes.set_title("How far the goals had to be relaxed", loc="left", fontweight="bold")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    figure.legend(loc="outside lower center", ncols=min(len(kinds), 5), frameon=False)
    FigureCanvasAgg(figure)
    figure.savefig(path)


def _kind(result: Result) -> str:
    if result["status"] != "solved":
        return str(result["status"]).replace("_", " ")
    relaxed = sum(step["kind"] == "relax" for step in result["steps"])
    if relaxed:
        many = f"{relaxed} relaxation{'s' if relaxed > 1 else ''}"
        return many if relaxed < 4 else "4 or more"
    return "shifted only" if result["steps"] else "as asked"
