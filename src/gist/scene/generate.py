"""Synthetic household scenes of any size, for tests of scale."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from gist.errors import BadInput
from gist.scene._data import load
from gist.scene.graph import Kind, Node, Place, Pose, Relation, SceneGraph

_THINGS_PER_ROOM = 20
_SIDE = 5.0
_HEIGHT = 2.6
_ROOMS_IN_A_ROW = 10


def generate(objects: int, seed: int, rooms: int | None = None) -> SceneGraph:
    """Return a household with this many things (furniture and objects), the same for each seed.

    Rooms (one for every 20 things unless told) stand on a grid of 5 m in frame "map"; the robot
    is in the first. With `rooms` left out a larger scene contains every smaller one of the same
    seed, node for node. Raises BadInput for a negative number of objects or less than one room.
    """
    if objects < 0 or (rooms is not None and rooms < 1):
        raise BadInput(
            f"cannot make {objects} objects in {rooms} rooms; give 0 or more in 1 or more"
        )
    per_room = _THINGS_PER_ROOM
    if rooms is None:
        rooms = max(1, -(-objects // per_room))
    else:
        per_room = max(1, -(-objects // rooms))
    nodes: list[Node] = []
    places: dict[str, Place] = {}
    for number in range(rooms):
        first = number * per_room
        numbers = range(first + 1, min(first + per_room, objects) + 1)
        for node, place in _furnished_room(number, numbers, random.Random(f"{seed}/{number}")):
            nodes.append(node)
            if place is not None:
                places[node.name] = place
    nodes.append(Node("robot", Kind.ROBOT, "robot", pose=Pose((2.5, 2.5, 0.0))))
    places["robot"] = Place(Relation.AT, nodes[0].name)
    return SceneGraph(nodes, places)


def _furnished_room(
    number: int, numbers: range, dice: random.Random
) -> Iterator[tuple[Node, Place | None]]:
    """Yield a room, then as many things as there are numbers: its furniture, then objects."""
    plans = load("household.yaml")["rooms"]
    plan = plans[number % len(plans)]
    x, y = _SIDE * (number % _ROOMS_IN_A_ROW), _SIDE * (number // _ROOMS_IN_A_ROW)
    name = f"{plan['class'].replace(' ', '_')}_{number + 1}"
    pose = Pose((x + _SIDE / 2, y + _SIDE / 2, _HEIGHT / 2))
    yield Node(name, Kind.ROOM, plan["class"], size=(_SIDE, _SIDE, _HEIGHT), pose=pose), None
    stands: list[Node] = []
    for thing in numbers:
        if len(stands) < len(plan["furniture"]):
            node = _furniture(plan["furniture"][len(stands)], thing, (x, y), len(stands), dice)
            stands.append(node)
            yield node, Place(Relation.AT, name)
        else:
            stand = dice.choice(stands)
            yield _object(dice.choice(plan["objects"]), thing, stand, dice)


def _furniture(
    cls: str, number: int, corner: tuple[float, float], slot: int, dice: random.Random
) -> Node:
    facts = load("household.yaml")["furniture"][cls]
    size = (facts["size"][0], facts["size"][1], facts["size"][2])
    pose = Pose((corner[0] + 1.2 * slot + 0.7, corner[1] + 0.8, size[2] / 2))
    states = _states(facts, dice)
    return Node(
        f"{cls.replace(' ', '_')}_{number}", Kind.FURNITURE, cls, {}, (), states, size, pose
    )


def _object(cls: str, number: int, stand: Node, dice: random.Random) -> tuple[Node, Place]:
    facts = load("household.yaml")["objects"][cls]
    size = (facts["size"][0], facts["size"][1], facts["size"][2])
    holds = load("household.yaml")["furniture"][stand.cls]["holds"]
    width, depth, height = stand.size or (0.0, 0.0, 0.0)
    x, y, z = stand.pose.position if stand.pose else (0.0, 0.0, 0.0)
    base = z + height / 2 if holds == "on" else z - height / 2 + 0.05
    spread = (dice.uniform(-0.4, 0.4) * width, dice.uniform(-0.4, 0.4) * depth)
    position = (round(x + spread[0], 3), round(y + spread[1], 3), round(base + size[2] / 2, 3))
    material = {"material": facts["material"]} if "material" in facts else {}
    name = f"{cls.replace(' ', '_')}_{number}"
    states = _states(facts, dice)
    node = Node(name, Kind.OBJECT, cls, material, ("pick up",), states, size, Pose(position))
    return node, Place(Relation(holds), stand.name)


def _states(facts: dict[str, Any], dice: random.Random) -> frozenset[str]:
    state = dice.choice(facts.get("states", [""]))
    return frozenset({state}) if state else frozenset()
