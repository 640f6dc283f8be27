"""Draw the picture of the README: python docs/draw.py writes docs/gist.svg."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

INK, GREY = "#1f2933", "#7b8794"
BLUE, GREEN, AMBER, RED, PAPER = "#2f6fb0", "#2e8540", "#b7791f", "#b83232", "#f7f9fb"
FILLS = {BLUE: "#e8f1fa", GREEN: "#e7f4ea", AMBER: "#fdf3dd", GREY: "#eef1f4"}


def box(
    axes: Axes, x: float, y: float, w: float, h: float, title: str, body: str, colour: str
) -> None:
    """Draw a rounded box with a coloured title and text under it; (x, y) is its lower left."""
    shape = FancyBboxPatch(
        (x, y), w, h, boxstyle="round,pad=0,rounding_size=1.2", lw=1.4, ec=colour, fc=FILLS[colour]
    )
    axes.add_patch(shape)
    top = y + h - 2.2
    axes.text(x + 1.6, top, title, color=colour, weight="bold", size=11, va="top")
    axes.text(x + 1.6, top - 3.8, body, color=INK, size=10.5, va="top", linespacing=1.6)


def arrow(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], bend: float = 0.0
) -> None:
    """Draw an arrow between two points."""
    axes.add_patch(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>",
            mutation_scale=14,
            lw=1.6,
            color=INK,
            shrinkA=0,
            shrinkB=0,
            connectionstyle=f"arc3,rad={bend}",
        )
    )


def draw(axes: Axes) -> None:
    """Draw the story from left to right, and who runs it under it."""
    box(
        axes,
        1,
        43,
        27,
        14,
        "What was asked",
        "“Bring 4 kid snacks\n  to table_2”",
        GREY,
    )
    box(
        axes,
        1,
        15,
        27,
        25,
        "What is there",
        "kitchen_1\n   table_3\n      snack_3  snack_4  snack_5\n      cola_can_13  wine_bottle_14"
        "\nliving_room_3\n   table_2",
        GREY,
    )
    box(
        axes,
        35,
        43,
        29,
        14,
        "The goal, as understood",
        "at least 4 snacks, for children,\nto table_2",
        BLUE,
    )
    box(
        axes,
        35,
        15,
        29,
        25,
        "The nearest goal in reach",
        "only 3 snacks are there: keep them,\nand fill up with the nearest thing",
        AMBER,
    )
    axes.text(36.6, 26.6, "✓", color=GREEN, size=13, va="center", weight="bold")
    axes.text(39.2, 26.6, "cola can: children may have it", color=INK, size=10, va="center")
    axes.text(36.6, 23.0, "✗", color=RED, size=13, va="center", weight="bold")
    axes.text(39.2, 23.0, "wine: no alcohol for children", color=INK, size=10, va="center")
    axes.text(
        36.6, 18.4, "each change named; weaker ones proved", color=AMBER, size=9.5, style="italic"
    )
    box(
        axes,
        71,
        15,
        28,
        42,
        "The plan, checked",
        "drive      hallway_2 → kitchen_1\npick        snack_3\n"
        "drive      kitchen_1 → living_room_3\n"
        "place      snack_3 on table_2\n…\nplace      cola_can_13 on table_2",
        GREEN,
    )
    axes.text(
        72.6,
        19.2,
        "What was kept, what was changed,\nwhy, and what was assumed",
        color=GREEN,
        size=9.5,
        style="italic",
        linespacing=1.5,
        va="center",
    )
    arrow(axes, (28.6, 50), (34.4, 50))
    arrow(axes, (28.6, 28), (34.4, 45), -0.15)
    arrow(axes, (49.5, 42.6), (49.5, 40.6))
    arrow(axes, (64.6, 28), (70.4, 28))
    band = FancyBboxPatch(
        (1, 1.5), 98, 9.5, boxstyle="round,pad=0,rounding_size=1.2", lw=0, fc=PAPER
    )
    axes.add_patch(band)
    layers = (
        ("your node", "gist.ros.Client"),
        ("planner_node", "service · action · scene_graph"),
        ("the gist library", "scene · goals · language · planning"),
        ("planner processes", "Fast Downward · pyperplan"),
    )
    for i, (name, what) in enumerate(layers):
        x = 13.25 + 24.5 * i
        axes.text(x, 7.6, name, color=INK, size=10, weight="bold", ha="center", va="center")
        axes.text(x, 4.4, what, color=GREY, size=8.5, ha="center", va="center")
        if i:
            axes.text(x - 12.25, 6, "⇄", color=GREY, size=13, ha="center", va="center")


def main(target: Path) -> None:
    """Write the picture; text becomes outlines, so that it looks the same everywhere."""
    mpl.rcParams.update(
        {"font.family": "DejaVu Sans", "svg.fonttype": "path", "svg.hashsalt": "gist"}
    )
    figure, axes = plt.subplots(figsize=(12, 7))
    figure.subplots_adjust(0, 0, 1, 1)
    axes.set(xlim=(0, 100), ylim=(0, 58.3))
    axes.axis("off")
    draw(axes)
    figure.savefig(
        target, facecolor="white", metadata={"Date": None} if target.suffix == ".svg" else None
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("gist.svg"))
