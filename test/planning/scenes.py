"""Small scenes and goals that the planning tests share."""

from __future__ import annotations

from gist.goals import ALL, Clause, Goal, Quantifier, Selector
from gist.scene import Kind, Node, Place, Relation, SceneGraph


def scene_of(rooms: list[str], things: dict[str, tuple[str, str, str]]) -> SceneGraph:
    """Return a scene: rooms named "kitchen_1", things as name -> (class, relation, target)."""
    nodes = [Node(name, Kind.ROOM, name.rsplit("_", 1)[0]) for name in rooms]
    nodes += [
        Node(name, Kind.FURNITURE if cls in FURNITURE else Kind.OBJECT, cls)
        for name, (cls, _, _) in things.items()
    ]
    nodes.append(Node("robot", Kind.ROBOT, "robot"))
    places = {name: Place(Relation(how), where) for name, (_, how, where) in things.items()}
    places["robot"] = Place(Relation.AT, rooms[0])
    return SceneGraph(nodes, places)


FURNITURE = {"table", "refrigerator", "shelf", "cupboard"}


def snacks() -> SceneGraph:
    """Return a house with three snacks, a cola can and wine on table_3."""
    return scene_of(
        ["kitchen_1", "playroom_1", "hallway_1"],
        {
            "table_2": ("table", "at", "playroom_1"),
            "table_3": ("table", "at", "kitchen_1"),
            "snack_3": ("snack", "on", "table_3"),
            "snack_4": ("snack", "on", "table_3"),
            "snack_5": ("snack", "on", "table_3"),
            "cola_can_13": ("cola can", "on", "table_3"),
            "wine_bottle_7": ("wine", "on", "table_3"),
        },
    )


def bring(count: int | None, cls: str, target: str, predicate: str = "on", **more: object) -> Goal:
    """Return the goal that so many things of a class (None: all) are on a named target."""
    quantifier = ALL if count is None else Quantifier("at_least", count)
    things = Selector(cls=cls, **more)  # type: ignore[arg-type]
    return Goal((Clause(predicate, quantifier, things, Selector(names=(target,))),))
