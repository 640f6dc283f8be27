"""Which instances: of what a clause allows, the things and targets that cost least to move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gist.knowledge.substitution import SPOILED
from gist.scene import Place, Relation, SceneGraph, natural_key

POOR = SPOILED | {"dirty"}
_RELATIONS = {"in": Relation.IN, "on": Relation.ON, "at": Relation.AT}


def already(scene: SceneGraph, predicate: str, thing: str, target: str | None) -> bool:
    """Say whether the scene shows the fact as it is."""
    if target is None:
        return predicate in scene.node(thing).states
    place = scene.place_of(thing)
    if place is None or place.target != target:
        return predicate == "at" and thing != target and scene.room_of(thing) == target
    return predicate == "to" or place == Place(_RELATIONS.get(predicate, place.relation), target)


def rank_things(
    scene: SceneGraph, predicate: str, things: Iterable[str], targets: Sequence[str]
) -> list[str]:
    """Return the things, the cheapest to bring to a target first.

    A robot that carries one thing at a time walks least when a thing is there already, stands in
    the target's room, in its own, or in one that holds several of the things. What is spoilt,
    broken or dirty comes last.
    """
    named = sorted(things, key=natural_key)
    rooms = {name: scene.room_of(name) for name in named}
    company = Counter(rooms.values())
    ends = {scene.room_of(target) for target in targets[:1]}
    starts = {scene.room_of(robot.name) for robot in scene.robots()}

    def cost(name: str) -> tuple[bool, bool, bool, bool, bool, int]:
        room = rooms[name]
        spoilt = bool(scene.node(name).states & POOR)
        there = any(already(scene, predicate, name, t) for t in targets or (None,))
        near = (room not in ends, room not in starts, -company[room])
        return (spoilt, not there, room is None, *near)

    return sorted(named, key=cost)


def rank_targets(scene: SceneGraph, things: Iterable[str], targets: Iterable[str]) -> list[str]:
    """Return the targets, first those in a room where most of the things are."""
    company = Counter(scene.room_of(name) for name in things)
    ordered = sorted(targets, key=natural_key)
    return sorted(ordered, key=lambda name: -company[scene.room_of(name)])
