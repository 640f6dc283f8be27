"""Gist's own scene format: versioned JSON, published in data/scene.schema.json.

{"format": "gist-scene", "version": 1, "nodes": [{"name", "kind", "class", "place": {"on": "desk"},
"attributes", "affordances", "states", "size", "pose"}]}; all but name, kind and class may be left
out. What is written reads back as an equal scene graph.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any

from gist.errors import BadInput
from gist.scene.check import geometry
from gist.scene.findings import Finding
from gist.scene.formats.draft import Draft, parse_json, printable, shortened, words
from gist.scene.graph import Kind, Node, Place, Pose, Relation, SceneGraph, natural_key

FORMAT = "gist-scene"
VERSION = 1
_KEYS = (
    "name", "kind", "class", "place", "attributes", "affordances", "states", "size", "pose",
)  # fmt: skip
_KINDS = tuple(kind.value for kind in Kind)
_RELATIONS = tuple(relation.value for relation in Relation)


def write(scene: SceneGraph) -> str:
    """Return the scene as JSON text, one node a line, buildings and rooms first.

    Raises BadInput, naming the node, for a pose or size that is not finite.
    """
    order = {Kind.BUILDING: 0, Kind.ROOM: 1}
    nodes = sorted(
        scene.nodes.values(), key=lambda node: (order.get(node.kind, 2), natural_key(node.name))
    )
    for node in nodes:
        for finding in geometry(node):
            raise BadInput(finding.message)
    lines = ",\n    ".join(
        json.dumps(_as_json(node, scene.places.get(node.name)), ensure_ascii=False)
        for node in nodes
    )
    head = f'{{\n  "format": "{FORMAT}",\n  "version": {VERSION},\n  "nodes": ['
    return f"{head}\n    {lines}\n  ]\n}}\n" if lines else f"{head}]\n}}\n"


def _as_json(node: Node, place: Place | None) -> dict[str, Any]:
    pose = node.pose
    facts = {
        "name": node.name,
        "kind": node.kind.value,
        "class": node.cls,
        "place": place and {place.relation.value: place.target},
        "attributes": dict(sorted(node.attributes.items())),
        "affordances": node.affordances,
        "states": sorted(node.states),
        "size": node.size,
        "pose": pose
        and {"position": pose.position, "orientation": pose.orientation, "frame": pose.frame},
    }
    return {key: value for key, value in facts.items() if value or key in ("name", "class")}


def read(data: bytes | str) -> tuple[SceneGraph, tuple[Finding, ...]]:
    """Return the scene graph in a Gist scene's text, and what was wrong with it.

    Raises BadInput when the text is no Gist scene of a version that is known.
    """
    return read_parsed(parse_json(data))


def read_parsed(content: Any) -> tuple[SceneGraph, tuple[Finding, ...]]:
    """Do as `read`, on parsed JSON."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadInput(f'a Gist scene is a JSON object with "format": "{FORMAT}"')
    version = content.get("version")
    if version != VERSION or isinstance(version, bool):
        given = shortened(version)
        raise BadInput(f"the Gist scene has version {given}; this Gist reads version {VERSION}")
    nodes = content.get("nodes")
    if not isinstance(nodes, list):
        raise BadInput("a Gist scene has a list 'nodes'")
    draft = Draft()
    _report_keys(draft, "", content, ("format", "version", "nodes", "$schema"))
    for number, row in enumerate(nodes):
        if isinstance(row, dict):
            _read_node(draft, number, row)
        else:
            draft.report("error", "", "unreadable", f"node number {number} is no JSON object")
    return draft.finish()


def _report_keys(draft: Draft, name: str, row: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in row:
        if key not in known:
            near = difflib.get_close_matches(key[:40], known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known)}"
            owner = f"'{name}'" if name else "the scene"
            message = f"{owner} has an unknown key {shortened(key)}"
            draft.report("warning", name, "unknown-key", message, hint)


def _read_node(draft: Draft, number: int, row: dict[str, Any]) -> None:
    cls = row.get("class")
    fallback = f"{cls if isinstance(cls, str) and cls else 'object'}_{number}"
    name = draft.free_name(row.get("name"), fallback)
    _report_keys(draft, name, row, _KEYS)
    if not isinstance(cls, str):
        draft.report("error", name, "bad-class", f"the class of '{name}' is no text")
        cls = ""
    draft.add(
        Node(
            name,
            _kind(draft, name, row.get("kind")),
            printable(cls),
            _attributes(draft, name, row.get("attributes", {})),
            _texts(draft, name, "affordances", row.get("affordances", [])),
            frozenset(_texts(draft, name, "states", row.get("states", []))),
            draft.vector3(row.get("size"), name, "size"),
            _pose(draft, name, row.get("pose")),
        )
    )
    place = _place(draft, name, row.get("place"))
    if place is not None:
        draft.places[name] = place


def _kind(draft: Draft, name: str, given: object) -> Kind:
    if isinstance(given, str) and given in _KINDS:
        return Kind(given)
    message = f"the kind of '{name}' is {shortened(given)}; it is taken for an object"
    draft.report("error", name, "bad-kind", message, f"kinds are {', '.join(_KINDS)}")
    return Kind.OBJECT


def _attributes(draft: Draft, name: str, given: object) -> dict[str, str]:
    if not isinstance(given, dict):
        draft.report("error", name, "bad-attributes", f"the attributes of '{name}' are no table")
        return {}
    for key, value in given.items():
        if not isinstance(value, str):
            message = f"the attribute {shortened(key)} of '{name}' is no text: {shortened(value)}"
            draft.report("error", name, "bad-attributes", message)
    return {key: value for key, value in given.items() if isinstance(value, str)}


def _texts(draft: Draft, name: str, what: str, given: object) -> tuple[str, ...]:
    texts = words(given)
    if not isinstance(given, list) or list(texts) != given:
        message = f"the {what} of '{name}' are not all words: {shortened(given)}"
        draft.report("error", name, f"bad-{what}", message)
    return texts


def _pose(draft: Draft, name: str, given: object) -> Pose | None:
    if given is None:
        return None
    row = given if isinstance(given, dict) else {}
    _report_keys(draft, name, row, ("position", "orientation", "frame"))
    position = draft.vector3(row.get("position"), name, "pose")
    turn = draft.vector(row.get("orientation", [0.0, 0.0, 0.0, 1.0]), 4, name, "orientation")
    frame = row.get("frame", "map")
    if not isinstance(frame, str) or "position" not in row:
        draft.report("error", name, "bad-pose", f"the pose of '{name}' has no position or frame")
        return None
    if position is None or turn is None:
        return None
    return Pose(position, (turn[0], turn[1], turn[2], turn[3]), frame)


def _place(draft: Draft, name: str, given: object) -> Place | None:
    if given is None:
        return None
    if isinstance(given, dict) and len(given) == 1:
        ((relation, target),) = given.items()
        if relation in _RELATIONS and isinstance(target, str):
            return Place(Relation(relation), printable(target))
    message = f"the place of '{name}' is not one relation to one node"
    hint = f'write {{"on": "table"}}; relations are {", ".join(_RELATIONS)}'
    draft.report("error", name, "bad-place", message, hint)
    return None
