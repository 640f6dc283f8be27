"""Reads the scene graphs of the Context Matters task set: {scene_info, rooms, objects} as JSON.

A class may carry a state ("dirty_shirt") or its container ("book into the shelf"): both are split
off, and the label stays the name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gist.errors import BadInput
from gist.scene.findings import Finding
from gist.scene.formats.draft import Classify, as_object, parse_json
from gist.scene.formats.tables import Shape, read_tables
from gist.scene.graph import SceneGraph


def read(
    data: bytes | str,
    *,
    classify: Classify = as_object,
    shapes: Mapping[tuple[str, str], Shape] | None = None,
) -> tuple[SceneGraph, tuple[Finding, ...]]:
    """Return the scene graph in a task's JSON text, and what was wrong with it.

    classify: the kind of each class. shapes: poses and sizes, which the JSON lacks, by ("room" |
    "object", id); `armeni.shapes` has them. Raises BadInput when the text is no such JSON.
    """
    return read_parsed(parse_json(data), classify=classify, shapes=shapes or {})


def read_parsed(
    content: Any, *, classify: Classify, shapes: Mapping[tuple[str, str], Shape]
) -> tuple[SceneGraph, tuple[Finding, ...]]:
    """Do as `read`, on parsed JSON."""
    if not isinstance(content, dict) or not {"rooms", "objects"} & set(content):
        raise BadInput("a task's scene graph is a JSON object with 'rooms' and 'objects'")
    return read_tables(_table(content, "rooms"), _table(content, "objects"), shapes, classify)


def _table(content: Mapping[str, Any], name: str) -> Mapping[str, Any] | list[Any]:
    table = content.get(name, {})
    if not isinstance(table, (dict, list)):
        raise BadInput(f"'{name}' is {type(table).__name__}, not a table")
    return table
