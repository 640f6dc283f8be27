"""A kitchen and a bathroom that the tests of goals share."""

from __future__ import annotations

import pytest

from gist.knowledge import Knowledge, default
from gist.scene.graph import Kind, Node, Place, Relation, SceneGraph

ROOMS = ("kitchen", "bathroom", "living room")
FURNITURE = {
    "table_2": ("table", "kitchen"),
    "table_3": ("table", "living room"),
    "sink_1": ("sink", "kitchen"),
    "sink_2": ("sink", "bathroom"),
    "shelf_1": ("shelf", "living room"),
    "cupboard_1": ("cupboard", "kitchen"),
    "refrigerator_1": ("refrigerator", "kitchen"),
}
OBJECTS = {
    "snack_3": ("snack", Relation.ON, "table_3"),
    "snack_4": ("snack", Relation.ON, "table_3"),
    "snack_5": ("snack", Relation.ON, "table_3"),
    "cola can_13": ("cola can", Relation.ON, "table_3"),
    "wine_1": ("wine", Relation.ON, "table_3"),
    "bowl_1": ("bowl", Relation.ON, "table_2"),
    "apple_9": ("apple", Relation.IN, "bowl_1"),
    "apple_10": ("apple", Relation.AT, "bathroom"),
    "banana_1": ("banana", Relation.ON, "table_2"),
    "cup_1": ("cup", Relation.ON, "table_2"),
    "cup_2": ("cup", Relation.IN, "sink_2"),
    "glass_1": ("glass", Relation.IN, "cupboard_1"),
    "shirt_1": ("shirt", Relation.AT, "bathroom"),
    "shirt_2": ("shirt", Relation.AT, "bathroom"),
    "sock_1": ("sock", Relation.AT, "living room"),
    "book_1": ("book", Relation.IN, "shelf_1"),
    "book_2": ("book", Relation.ON, "table_3"),
    "aspirin_1": ("aspirin", Relation.AT, "bathroom"),
}
STATES = {"shirt_1": {"dirty"}, "sock_1": {"dirty"}, "shirt_2": {"clean"}}
ATTRIBUTES = {"cup_1": {"colour": "red", "material": "made of ceramic"}}


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    return default()


@pytest.fixture(scope="session")
def scene() -> SceneGraph:
    nodes = [Node("house", Kind.BUILDING, "house")]
    nodes += [Node(room, Kind.ROOM, room) for room in ROOMS]
    nodes += [Node(name, Kind.FURNITURE, cls) for name, (cls, _) in FURNITURE.items()]
    nodes += [
        Node(
            name,
            Kind.OBJECT,
            cls,
            ATTRIBUTES.get(name, {}),
            states=frozenset(STATES.get(name, ())),
        )
        for name, (cls, _, _) in OBJECTS.items()
    ]
    nodes.append(Node("robot", Kind.ROBOT, "robot"))
    places = {room: Place(Relation.IN, "house") for room in ROOMS}
    places |= {name: Place(Relation.AT, room) for name, (_, room) in FURNITURE.items()}
    places |= {name: Place(how, target) for name, (_, how, target) in OBJECTS.items()}
    places["robot"] = Place(Relation.AT, "kitchen")
    return SceneGraph(nodes, places)
