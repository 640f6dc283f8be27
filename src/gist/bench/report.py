"""The figures of a run: by domain, beside those that were published (METHODS.md A)."""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gist.bench.figure import draw_depth
from gist.bench.planning import Result, Settings

Row = dict[str, Any]
STATUSES = ("solved", "infeasible", "unknown", "not_understood", "error")
PUBLISHED: Mapping[str, tuple[float, float | None, float, int | None]] = {
    "general": (93.6, 15.2, 15.0, 15_000),
    "dining_setup": (100.0, 27.2, 53.7, 1_238_000),
    "house_cleaning": (100.0, 17.7, 16.9, 4_000),
    "laundry": (83.3, 15.0, 14.1, 15_000),
    "office_setup": (95.8, 5.7, 4.7, 81),
    "pc_assembly": (100.0, 23.2, 9.5, 833_000),
    "all": (91.54, None, 9.94, None),
}
"""Context Matters with GPT-4o on all 141 tasks: success %, plan length, planning s, expanded nodes.

The line "all" is the setting without domain generation, in which the domains are given.
"""
LONGER = 1.15
"""How many times longer than the reference's a plan may be before it counts as longer."""


def write(results: Sequence[Result], settings: Settings, out: Path) -> Row:
    """Write summary.json, summary.md and depth.png into `out`; return the summary."""
    summary = summarise(results, settings)
    text = json.dumps(summary, ensure_ascii=False, indent=1)
    (out / "summary.json").write_text(text + "\n", encoding="utf-8")
    (out / "summary.md").write_text(markdown(summary), encoding="utf-8")
    draw_depth(results, out / "depth.png")
    return summary


def summarise(results: Sequence[Result], settings: Settings) -> Row:
    """Return all the figures of a run as plain data."""
    names = [name for name in PUBLISHED if any(r["domain"] == name for r in results)]
    names += sorted({r["domain"] for r in results} - set(PUBLISHED))
    groups = {name: [r for r in results if r["domain"] == name] for name in names}
    summary: Row = {
        "settings": asdict(settings),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}",
        "domains": {name: _row(group) for name, group in groups.items()},
        "all": _row(results),
        "refused": [_brief(r) for r in results if r["status"] != "solved"],
        "ungrounded": [
            {"id": r["id"], "faults": r["faults"]} for r in results if r["grounded"] is False
        ],
        "expected_but_unchanged": [
            r["id"]
            for r in results
            if r["relaxation_expected"] and r["status"] == "solved" and not r["steps"]
        ],
    }
    if any("reference" in r for r in results):
        summary["reference"] = compared(results)
    return summary


def _brief(result: Result) -> Row:
    said = result.get("error") or result.get("summary", "")
    return {"id": result["id"], "status": result["status"], "summary": said}


def _row(results: Sequence[Result]) -> Row:
    solved = [r for r in results if r["status"] == "solved"]
    totals = [r["times"]["total"] for r in results if r["status"] != "error"]
    return {
        "tasks": len(results),
        "statuses": {s: sum(r["status"] == s for r in results) for s in STATUSES},
        "solved_percent": _percent(len(solved), len(results)),
        "grounded_percent": _percent(sum(r["grounded"] for r in solved), len(results)),
        "plan_length": _mean(r["plan_length"] for r in solved),
        "planning_s": _mean(r["times"]["plan"] for r in solved),
        "answer_median_s": statistics.median(totals) if totals else None,
        "answer_p95_s": percentile(totals, 95),
        "answer_max_s": max(totals, default=None),
        "expanded": _mean(r["expanded"] for r in solved),
        "relaxation_depth": _mean(depth(r) for r in solved),
        "solved_by_depth": dict(sorted(Counter(depth(r) for r in solved).items())),
        "shifted": sum(any(s["kind"] == "shift" for s in r["steps"]) for r in solved),
    }


def depth(result: Result) -> int:
    """Return how many relaxations an answer took; shifts to the side do not count."""
    return sum(step["kind"] == "relax" for step in result["steps"])


def percentile(values: Sequence[float], percent: int) -> float | None:
    """Return the nearest-rank percentile, None of nothing."""
    ranked = sorted(values)
    return ranked[max(0, -(-len(ranked) * percent // 100) - 1)] if ranked else None


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return statistics.fmean(listed) if listed else None


def compared(results: Iterable[Result]) -> Row:
    """Return how much faster than the reference the answers were, and how long the plans are.

    Where the reference ran into a limit its time is a lower bound, and so is that ratio.
    """
    both = [r for r in results if "reference" in r]
    timed = [r for r in both if r["reference"]["status"] in ("solved", "limit")]
    ends = [r for r in timed if r["reference"]["plan_length"]]
    lengths = [r["plan_length"] / r["reference"]["plan_length"] for r in ends]
    return {
        "tasks": len(both),
        "solved": sum(r["reference"]["status"] == "solved" for r in both),
        "lower_bounds": [r["id"] for r in timed if r["reference"]["lower_bound"]],
        "not_comparable": [r["id"] for r in both if r not in timed],
        "median_time_s": _median(r["reference"]["time_s"] for r in timed),
        "median_ratio_whole_answer": _median(
            r["reference"]["time_s"] / r["times"]["total"] for r in timed
        ),
        "median_ratio_planning": _median(
            r["reference"]["time_s"] / r["times"]["plan"] for r in timed if r["times"]["plan"]
        ),
        "plans_compared": len(lengths),
        "median_length_ratio": _median(lengths),
        "worst_length_ratio": max(lengths, default=None),
        "longer": [r["id"] for r, x in zip(ends, lengths, strict=True) if x > LONGER],
    }


def _median(values: Iterable[float]) -> float | None:
    listed = list(values)
    return statistics.median(listed) if listed else None


# --- in words


def markdown(summary: Row) -> str:
    """Return the summary as a page of Markdown."""
    settings, total = summary["settings"], summary["all"]
    parts = [
        "# Planning",
        f"{total['tasks']} tasks, {settings['planner']}, at most {settings['time_s']:g} s and "
        f"{settings['memory_mb']} MiB a task. {summary['machine']}.",
        "## By domain",
        "In brackets: Context Matters with GPT-4o as published, on all 141 tasks.",
        _domain_table(summary),
        "Success is a plan that was found (solved) and agrees with the scene graph (grounded). "
        "Planning time is the planner's alone; the answer is everything, from the words to the "
        "checked plan. Relaxation depth counts relaxations, not shifts.",
        "## Answers",
        _status_table(summary),
    ]
    if "reference" in summary:
        parts += ["## Beside A* with FF on the unpruned scene", *_comparison(summary["reference"])]
    for key, title in (
        ("refused", "Not solved"),
        ("ungrounded", "Not grounded"),
    ):
        if summary[key]:
            parts += [f"## {title}", "\n".join(f"- {_line(one)}" for one in summary[key])]
    if summary["expected_but_unchanged"]:
        listed = "\n".join(f"- {one}" for one in summary["expected_but_unchanged"])
        parts += ["## Solved as asked although the task set expects a relaxation", listed]
    return "\n\n".join(parts) + "\n"


def _domain_table(summary: Row) -> str:
    head = (
        "domain", "tasks", "solved %", "grounded %", "plan length", "planning s",
        "expanded", "relaxation depth", "answer median s", "answer p95 s",
    )  # fmt: skip
    rows = []
    for name, row in (*summary["domains"].items(), ("all", summary["all"])):
        success, length, seconds, nodes = PUBLISHED.get(name, (None, None, None, None))
        rows.append(
            (
                name.replace("_", " "),
                str(row["tasks"]),
                f"{row['solved_percent']:.1f}",
                f"{row['grounded_percent']:.1f}{_beside(success, '.1f')}",
                f"{_said(row['plan_length'], '.1f')}{_beside(length, '.1f')}",
                f"{_said(row['planning_s'], '.3f')}{_beside(seconds, '.1f')}",
                f"{_said(row['expanded'], ',.0f')}{_beside(nodes, ',.0f')}",
                _said(row["relaxation_depth"], ".2f"),
                _said(row["answer_median_s"], ".3f"),
                _said(row["answer_p95_s"], ".3f"),
            )
        )
    return _table(head, rows)


def _status_table(summary: Row) -> str:
    rows = [
        (name.replace("_", " "), *(str(row["statuses"][status]) for status in STATUSES))
        for name, row in (*summary["domains"].items(), ("all", summary["all"]))
    ]
    return _table(("domain", *(s.replace("_", " ") for s in STATUSES)), rows)


def _comparison(data: Row) -> list[str]:
    bounds, apart = len(data["lower_bounds"]), len(data["not_comparable"])
    return [
        f"Fast Downward `astar(ff())` with its own translator, in a warm process, planned the "
        f"same {data['tasks']} final goals on the whole scene: {data['solved']} solved, {bounds} "
        f"stopped by a limit (their times are lower bounds), {apart} not comparable.",
        _table(
            ("", "median"),
            [
                ("reference, s", _said(data["median_time_s"], ".2f")),
                (
                    "reference / Gist's whole answer",
                    _said(data["median_ratio_whole_answer"], ".1f"),
                ),
                ("reference / Gist's planner", _said(data["median_ratio_planning"], ".1f")),
                ("Gist's plan / reference's plan", _said(data["median_length_ratio"], ".2f")),
            ],
        ),
        f"Of {data['plans_compared']} pairs of plans, {len(data['longer'])} of Gist's are more "
        f"than {LONGER - 1:.0%} longer (at worst {_said(data['worst_length_ratio'], '.2f')} "
        f"times as long){': ' if data['longer'] else ''}{', '.join(data['longer'])}.",
    ]


def _line(one: Row) -> str:
    if "faults" in one:
        return f"{one['id']}: {'; '.join(one['faults'])}"
    return f"{one['id']}: {one['status'].replace('_', ' ')}. {one['summary']}"


def _said(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _beside(value: float | None, form: str) -> str:
    return "" if value is None else f" ({value:{form}})"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
