"""How the tests write down what a sentence is expected to mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

import gist
from gist.goals.goal import Clause, Goal
from gist.goals.text import render
from gist.scene.graph import SceneGraph

FOLDER = Path(__file__).parent


@cache
def scene(name: str) -> SceneGraph:
    """Return one of the scenes that the expectations are about."""
    return gist.load_scene(FOLDER / "scenes" / f"{name}.json").scene


def cases(file: str) -> list[Mapping[str, Any]]:
    """Return the sentences of a file with what is expected of each."""
    rows: list[Mapping[str, Any]] = yaml.safe_load((FOLDER / file).read_text("utf-8"))
    return rows


def lines(goal: Goal) -> list[str]:
    """Return the clauses and orders of a goal in the text form, without spans and words."""
    bare = [
        replace(item, span=None, words="") if isinstance(item, Clause) else item
        for item in goal.clauses
    ]
    plain = replace(goal, clauses=tuple(bare), assumptions=(), text="", context=frozenset())
    return render(plain).splitlines()[1:]


def by_class(line: str, graph: SceneGraph) -> str:
    """Return a line with each label of the scene replaced by <its class>."""
    names = "|".join(re.escape(f'"{name}"') for name in sorted(graph.nodes, key=len, reverse=True))
    return re.sub(names, lambda m: f"<{graph.nodes[m.group()[1:-1]].cls}>", line)
