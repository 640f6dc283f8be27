"""Turns tables of rooms and objects, as the task set and Armeni's files have them, into a scene."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gist.scene.findings import Finding
from gist.scene.formats.describe import describe
from gist.scene.formats.draft import Classify, Draft, as_object, printable, shortened, words
from gist.scene.graph import Kind, Node, Place, Pose, Relation, SceneGraph, class_words
from gist.scene.states import split_states

_NUMBER = re.compile(r"[ _]*[0-9]+$")
_CONTAINED = re.compile(
    r"(?P<cls>.+?) (?:(?P<in>into|inside|in)|(?P<on>onto|on top of|on)) "
    r"(?:the|a|an) (?P<target>.+)"
)


@dataclass(frozen=True)
class Shape:
    """Where a room or object is and how large, as the file has it: unchecked values."""

    location: object = None
    size: object = None


def read_tables(
    rooms: Mapping[str, Any] | list[Any],
    objects: Mapping[str, Any] | list[Any],
    shapes: Mapping[tuple[str, str], Shape],
    classify: Classify = as_object,
) -> tuple[SceneGraph, tuple[Finding, ...]]:
    """Return the scene of a table of rooms and one of objects, and what was wrong with them.

    rooms: rows {id, category, label, objects_in_room, floor}; objects: rows {id, class, label,
    parent_room, description, action_affordance, material}; each row and key may be absent or
    wrong. A table is a list of rows or maps an id to its row. shapes: by ("room" | "object", id).
    """
    reader = _Reader(shapes, classify)
    for key, row in _rows(rooms):
        reader.room(key, row)
    for key, row in _rows(objects):
        reader.object(key, row)
    reader.place_contents()
    return reader.draft.finish()


def _rows(table: Mapping[str, Any] | list[Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(table, list):
        for number, row in enumerate(table, start=1):
            given = row.get("id") if isinstance(row, Mapping) else None
            yield _id(given) or str(number), row
    else:
        yield from table.items()


def _id(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return ""
    return shortened(value) if isinstance(value, int) else printable(value)


class _Reader:
    def __init__(self, shapes: Mapping[tuple[str, str], Shape], classify: Classify) -> None:
        self.draft = Draft()
        self.shapes = shapes
        self.classify = classify
        self.rooms: dict[str, str] = {}
        self.listed: dict[str, str] = {}
        self.contents: list[tuple[str, Relation, str]] = []

    def room(self, key: str, row: Any) -> None:
        if not isinstance(row, Mapping):
            self.draft.report("error", "", "unreadable", f"room {key!r} is no table of facts")
            return
        category = _text(row.get("category"))
        fallback = f"{category or 'room'}_{_id(row.get('id')) or key}"
        name = self.draft.free_name(row.get("label", fallback), fallback)
        self._check_id(name, key, row)
        if not category:
            message = f"room '{name}' has no category"
            self.draft.report("warning", name, "no-class", message)
        cls = category or _NUMBER.sub("", name)
        floor = _text(row.get("floor"))
        attributes = {"floor": floor} if floor else {}
        self._add(name, Kind.ROOM, cls, ("room", key), attributes)
        for alias in (key, _id(row.get("id")), name):
            self.rooms.setdefault(alias, name)
        listed = row.get("objects_in_room")
        for item in listed if isinstance(listed, list) else ():
            self.listed.setdefault(_id(item), name)

    def object(self, key: str, row: Any) -> None:
        if not isinstance(row, Mapping):
            self.draft.report("error", "", "unreadable", f"object {key!r} is no table of facts")
            return
        given = _text(row.get("class"))
        fallback = f"{given or 'object'}_{_id(row.get('id')) or key}"
        name = self.draft.free_name(row.get("label", fallback), fallback)
        self._check_id(name, key, row)
        if not given:
            message = f"'{name}' has no class; it is read from the name"
            self.draft.report("warning", name, "no-class", message)
        label = class_words(given or _NUMBER.sub("", name))
        contained = _CONTAINED.fullmatch(label)
        states, cls = split_states(contained["cls"] if contained else label)
        attributes = _attributes(row, cls)
        affordances = words(row.get("action_affordance"))
        self._add(name, self.classify(cls), cls, ("object", key), attributes, affordances, states)
        self._place_in_room(name, key, row)
        if contained:
            relation = Relation.IN if contained["in"] else Relation.ON
            self.contents.append((name, relation, contained["target"]))

    def _add(
        self,
        name: str,
        kind: Kind,
        cls: str,
        key: tuple[str, str],
        attributes: Mapping[str, str],
        affordances: tuple[str, ...] = (),
        states: frozenset[str] = frozenset(),
    ) -> None:
        shape = self.shapes.get(key, Shape())
        position = self.draft.vector3(shape.location, name, "pose")
        size = self.draft.vector3(shape.size, name, "size")
        pose = Pose(position) if position else None
        self.draft.add(Node(name, kind, cls, attributes, affordances, states, size, pose))

    def _check_id(self, name: str, key: str, row: Mapping[str, Any]) -> None:
        given = _id(row.get("id"))
        if given and given != key:
            message = f"'{name}' stands under {key!r} but has the id {given!r}"
            self.draft.report("warning", name, "id-mismatch", message)

    def _place_in_room(self, name: str, key: str, row: Mapping[str, Any]) -> None:
        given = row.get("parent_room")
        listed = self.listed.get(_id(row.get("id")) or key)
        room = self.rooms.get(_id(given)) if given is not None else listed
        if room is None and given is not None:
            message = f"the room {shortened(given)} of '{name}' does not exist"
            hint = "it is kept without a place" if listed is None else f"it is now in '{listed}'"
            self.draft.report("error", name, "unknown-room", message, hint)
            room = listed
        elif given is None and listed is not None:
            message = f"'{name}' has no parent_room; '{listed}' lists it"
            self.draft.report("info", name, "listed-room", message)
        elif room is not None and listed is not None and listed != room:
            message = f"'{name}' has the parent_room '{room}', but '{listed}' lists it"
            self.draft.report("warning", name, "two-rooms", message, f"'{room}' is taken")
        if room is not None:
            self.draft.places[name] = Place(Relation.AT, room)

    def place_contents(self) -> None:
        """Place what is named after its container ("book into the shelf") in that container."""
        for name, relation, target in self.contents:
            room = self.draft.places.get(name)
            container = self._container(name, relation, target, room)
            if container is None:
                continue
            beside = self.draft.places.get(container)
            if room is not None and room != beside:
                where = f"'{beside.target}'" if beside else "no room"
                message = (
                    f"'{name}' has the parent_room '{room.target}', but it is {relation.value} "
                    f"'{container}', which is in {where}"
                )
                self.draft.report("info", name, "container-room", message, "the container is taken")
            self.draft.places[name] = Place(relation, container)

    def _container(
        self, name: str, relation: Relation, target: str, room: Place | None
    ) -> str | None:
        nodes = [node for node in self.draft.nodes.values() if node.kind is not Kind.ROOM]
        fitting = [node.name for node in nodes if target in (node.cls, class_words(node.name))]
        if not fitting:
            fitting = [node.name for node in nodes if node.cls.endswith(f" {target}")]
        fitting = [other for other in fitting if other != name]
        if len(fitting) > 1 and room is not None:
            near = [other for other in fitting if self.draft.places.get(other) == room]
            fitting = near if len(near) == 1 else fitting
        if len(fitting) == 1:
            return fitting[0]
        found = f"{len(fitting)} of them: {', '.join(fitting[:5])}" if fitting else "none"
        message = f"'{name}' is named as {relation.value} the {target}, and there is {found}"
        hint = f"it is taken to be at '{room.target}'" if room else "it is kept without a place"
        self.draft.report("warning", name, "unclear-container", message, hint)
        return None


def _text(value: object) -> str:
    return printable(value) if isinstance(value, str) else ""


def _attributes(row: Mapping[str, Any], cls: str) -> dict[str, str]:
    description = _text(row.get("description"))
    attributes = describe(description, cls) if description else {}
    material = " and ".join(words(row.get("material")))
    if material and "material" not in attributes:
        attributes["material"] = material
    return attributes
