"""The scene graph: what is there, and where it is. Every graph is an immutable snapshot."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import TypeAlias

from immutables import Map

from gist.errors import BadInput, unknown

NaturalKey = tuple[tuple["str | tuple[int, str]", ...], str]

_DIGITS = re.compile(r"([0-9]+)")


class Kind(str, Enum):
    """The layer of the scene graph on which a node stands."""

    BUILDING = "building"
    ROOM = "room"
    FURNITURE = "furniture"
    OBJECT = "object"
    ROBOT = "robot"


class Relation(str, Enum):
    """How a node stands to its target: at a room, on or in a thing, held by a robot."""

    AT = "at"
    ON = "on"
    IN = "in"
    HELD = "held"


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a node's centre is (REP-103: x forward, y left, z up, right-handed).

    position: (x, y, z) in metres; orientation: unit quaternion (x, y, z, w); frame: its frame.
    """

    position: tuple[float, float, float]
    orientation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    frame: str = "map"


@dataclass(frozen=True, slots=True)
class Place:
    """The one relation that says where a node is: its target's name and how it stands to it."""

    relation: Relation
    target: str


@dataclass(frozen=True, slots=True)
class Node:
    """One building, room, piece of furniture, object or robot.

    name: the scene's own label, unique in a graph ("sports ball_2").
    cls: the class in lower-case words with one space between ("dining table"); any case and
        underscores are taken and normalised.
    attributes: free text by key (material, colour, use, description ...).
    affordances: what can be done with it, in words. states: words such as "dirty" or "open".
    size: full extent (x, y, z) in metres in the node's own axes, or None where unknown.
    """

    name: str
    kind: Kind
    cls: str
    attributes: Mapping[str, str] = Map()
    affordances: tuple[str, ...] = ()
    states: frozenset[str] = frozenset()
    size: tuple[float, float, float] | None = None
    pose: Pose | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "cls", class_words(self.cls))
        object.__setattr__(self, "attributes", Map(self.attributes))


def class_words(text: str) -> str:
    """Return a class label as lower-case words with one space between ("cola_can": "cola can")."""
    return " ".join(text.replace("_", " ").lower().split())


@lru_cache(maxsize=65536)
def natural_key(name: str) -> NaturalKey:
    """Return the sort key under which "apple_9" stands before "apple_10", whatever the case."""
    parts = _DIGITS.split(name.lower())
    key = tuple(
        (len(digits := part.lstrip("0")), digits) if i % 2 else part for i, part in enumerate(parts)
    )
    return key, name


_Names: TypeAlias = Map[str, None]
_NO_NAMES: _Names = Map()
_NO_CHILDREN: Map[str, Relation] = Map()


class SceneGraph:
    """An immutable snapshot of the nodes and their places.

    Updates (`with_node`, `without`, `moved`, `with_states`) return a new graph that shares
    everything unchanged with the old one, in time that does not grow with the scene. Two graphs
    are equal when their nodes and places are, whatever their versions. A place always names a
    node of the graph and places never form a cycle.
    """

    __slots__ = ("_by_class", "_by_kind", "_children", "_order", "nodes", "places", "version")

    version: int
    """Counts the updates since the graph was built."""
    nodes: Map[str, Node]
    places: Map[str, Place]
    _by_class: Map[str, _Names]
    _by_kind: Map[str, _Names]
    _children: Map[str, Map[str, Relation]]
    _order: dict[str, tuple[str, ...]]

    def __init__(self, nodes: Iterable[Node] = (), places: Mapping[str, Place] | None = None):
        """Build a graph at once.

        Raises BadInput for a name used twice, a place of or at an unknown node, or a cycle.
        """
        by_name: dict[str, Node] = {}
        by_class: dict[str, dict[str, None]] = {}
        by_kind: dict[str, dict[str, None]] = {}
        for node in nodes:
            if node.name in by_name:
                raise BadInput(f"two nodes are named '{node.name}'; names must be unique")
            by_name[node.name] = node
            by_class.setdefault(node.cls, {})[node.name] = None
            by_kind.setdefault(node.kind.value, {})[node.name] = None
        children: dict[str, dict[str, Relation]] = {}
        for name, place in (places or {}).items():
            for end in (name, place.target):
                if end not in by_name:
                    raise unknown("node", end, by_name)
            children.setdefault(place.target, {})[name] = place.relation
        self.version = 0
        self.nodes = Map(by_name)
        self.places = Map(places or {})
        self._by_class = Map({cls: Map(names) for cls, names in by_class.items()})
        self._by_kind = Map({kind: Map(names) for kind, names in by_kind.items()})
        self._children = Map({target: Map(below) for target, below in children.items()})
        self._order = {}
        self._refuse_cycles()

    def _refuse_cycles(self) -> None:
        safe: set[str] = set()
        for name in self.places:
            path: dict[str, None] = {}
            at: str | None = name
            while at is not None and at not in safe:
                if at in path:
                    raise BadInput(f"places form a cycle: {' -> '.join([*path, at])}")
                path[at] = None
                at = self.places[at].target if at in self.places else None
            safe.update(path)

    def _next(self) -> SceneGraph:
        graph = SceneGraph.__new__(SceneGraph)
        graph.version = self.version + 1
        for field in ("nodes", "places", "_by_class", "_by_kind", "_children", "_order"):
            setattr(graph, field, getattr(self, field))
        return graph

    def with_node(self, node: Node, place: Place | None = None) -> SceneGraph:
        """Return a graph with this node added, or replaced where its name is already there.

        A replaced node keeps its place unless one is given. Raises as `moved` does.
        """
        old = self.nodes.get(node.name)
        graph = self._next()
        graph.nodes = self.nodes.set(node.name, node)
        if old is None or (old.cls, old.kind) != (node.cls, node.kind):
            graph._order = {}
            if old is not None:
                graph._unindex(old)
            graph._by_class = _enter(graph._by_class, node.cls, node.name)
            graph._by_kind = _enter(graph._by_kind, node.kind.value, node.name)
        if place is not None:
            graph._put(node.name, place)
        return graph

    def without(self, name: str) -> SceneGraph:
        """Return a graph without this node; what stood on, in or at it takes its place.

        Raises BadInput when the name is unknown.
        """
        node = self.node(name)
        graph = self._next()
        place = self.places.get(name)
        for child in self._children.get(name, _NO_CHILDREN):
            graph._put(child, place)
        graph._put(name, None)
        graph.nodes = graph.nodes.delete(name)
        graph._order = {}
        graph._unindex(node)
        return graph

    def moved(self, name: str, place: Place | None) -> SceneGraph:
        """Return a graph in which the node, with all that it carries, is at the place.

        None takes its place away. Raises BadInput when either name is unknown or the target is
        the node itself or is on, in or held by it.
        """
        self.node(name)
        graph = self._next()
        graph._put(name, place)
        return graph

    def with_states(
        self, name: str, add: Iterable[str] = (), remove: Iterable[str] = ()
    ) -> SceneGraph:
        """Return a graph in which the node's states lack `remove`, then have `add`.

        Raises BadInput when the name is unknown.
        """
        node = self.node(name)
        states = (node.states - frozenset(remove)) | frozenset(add)
        return self.with_node(replace(node, states=states))

    def _unindex(self, node: Node) -> None:
        self._by_class = _leave(self._by_class, node.cls, node.name)
        self._by_kind = _leave(self._by_kind, node.kind.value, node.name)

    def _put(self, name: str, place: Place | None) -> None:
        if place is not None:
            self._refuse_target(name, place.target)
        old = self.places.get(name)
        if old is not None:
            below = self._children[old.target].delete(name)
            self._children = (
                self._children.set(old.target, below)
                if below
                else self._children.delete(old.target)
            )
            self.places = self.places.delete(name)
        if place is not None:
            self.places = self.places.set(name, place)
            below = self._children.get(place.target, _NO_CHILDREN).set(name, place.relation)
            self._children = self._children.set(place.target, below)

    def _refuse_target(self, name: str, target: str) -> None:
        if target not in self.nodes:
            raise unknown("node", target, self.nodes)
        at: str | None = target
        while at is not None:
            if at == name:
                raise BadInput(f"'{name}' cannot be placed at '{target}': that is part of itself")
            at = self.places[at].target if at in self.places else None

    def __contains__(self, name: object) -> bool:
        return name in self.nodes

    def __len__(self) -> int:
        return len(self.nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SceneGraph):
            return NotImplemented
        return bool(self.nodes == other.nodes and self.places == other.places)

    def __hash__(self) -> int:
        return hash((self.nodes, self.places))

    def __repr__(self) -> str:
        return f"<SceneGraph version {self.version}: {len(self.nodes)} nodes>"

    def node(self, name: str) -> Node:
        """Return the node of that name; raises BadInput with the nearest names if there is none."""
        node: Node | None = self.nodes.get(name)
        if node is None:
            raise unknown("node", name, self.nodes)
        return node

    def place_of(self, name: str) -> Place | None:
        """Return where the node is; raises BadInput when the name is unknown."""
        self.node(name)
        place: Place | None = self.places.get(name)
        return place

    def room_of(self, name: str) -> str | None:
        """Return the room that the node is in through all it stands on or in; a room is its own.

        None where no room is known. Raises BadInput when the name is unknown.
        """
        at = self.node(name)
        while at.kind is not Kind.ROOM:
            place = self.places.get(at.name)
            if place is None:
                return None
            at = self.nodes[place.target]
        return at.name

    def children(self, target: str, relation: Relation | None = None) -> tuple[str, ...]:
        """Return the names placed directly at the target (by that relation), in natural order.

        Raises BadInput when the name is unknown.
        """
        self.node(target)
        below = self._children.get(target, _NO_CHILDREN)
        return tuple(
            sorted(
                (name for name, how in below.items() if relation is None or how is relation),
                key=natural_key,
            )
        )

    def _ordered(self, key: str, *groups: _Names) -> tuple[str, ...]:
        names = self._order.get(key)
        if names is None:
            names = tuple(sorted((n for group in groups for n in group), key=natural_key))
            self._order[key] = names
        return names

    def _of_kind(self, kind: Kind) -> tuple[Node, ...]:
        names = self._ordered(f"kind {kind.value}", self._by_kind.get(kind.value, _NO_NAMES))
        return tuple(self.nodes[name] for name in names)

    def rooms(self) -> tuple[Node, ...]:
        """Return all rooms in natural order of their names."""
        return self._of_kind(Kind.ROOM)

    def furniture(self) -> tuple[Node, ...]:
        """Return all furniture in natural order of its names."""
        return self._of_kind(Kind.FURNITURE)

    def robots(self) -> tuple[Node, ...]:
        """Return all robots in natural order of their names."""
        return self._of_kind(Kind.ROBOT)

    def things(self) -> tuple[str, ...]:
        """Return the names of all furniture and objects in natural order."""
        kinds = (Kind.FURNITURE.value, Kind.OBJECT.value)
        return self._ordered("things", *(self._by_kind.get(kind, _NO_NAMES) for kind in kinds))

    def objects(self) -> tuple[Node, ...]:
        """Return all nodes that are neither building, room nor robot, in natural order."""
        return tuple(self.nodes[name] for name in self.things())

    def of_class(self, cls: str) -> tuple[str, ...]:
        """Return the names of the nodes of exactly this class, in natural order."""
        words = class_words(cls)
        return self._ordered(f"class {words}", self._by_class.get(words, _NO_NAMES))

    def classes(self) -> tuple[str, ...]:
        """Return every class that some node has, in natural order."""
        return tuple(sorted(self._by_class, key=natural_key))


def _enter(index: Map[str, _Names], key: str, name: str) -> Map[str, _Names]:
    return index.set(key, index.get(key, _NO_NAMES).set(name, None))


def _leave(index: Map[str, _Names], key: str, name: str) -> Map[str, _Names]:
    names = index[key].delete(name)
    return index.set(key, names) if names else index.delete(key)
