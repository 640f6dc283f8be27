from __future__ import annotations

import math

import pytest

from gist.scene import Kind, Node, Place, Pose, Relation, SceneGraph, check

ROOM = Node("hall", Kind.ROOM, "hallway")
ROBOT = Node("robot", Kind.ROBOT, "robot")
AT_HALL = Place(Relation.AT, "hall")


def scene(node: Node, place: Place | None = AT_HALL) -> SceneGraph:
    graph = SceneGraph([ROOM, ROBOT], {"robot": AT_HALL})
    return graph.with_node(node, place)


def codes(graph: SceneGraph) -> list[tuple[str, str]]:
    return [(finding.node, finding.code) for finding in check(graph)]


@pytest.mark.parametrize(
    ("node", "code"),
    [
        (Node("a", Kind.OBJECT, "apple", pose=Pose((0.0, math.nan, 0.0))), "bad-pose"),
        (Node("a", Kind.OBJECT, "apple", pose=Pose((0, 0, 0), (0, 0, 0, 2))), "bad-orientation"),
        (Node("a", Kind.OBJECT, "apple", size=(1.0, -1.0, 1.0)), "bad-size"),
        (Node("a", Kind.OBJECT, "apple", size=(1.0, math.inf, 1.0)), "bad-size"),
        (Node("a", Kind.OBJECT, ""), "no-class"),
        (
            Node("a", Kind.OBJECT, "apple", states=frozenset({"open", "closed"})),
            "conflicting-states",
        ),
        (Node("a", Kind.ROOM, "bedroom"), "odd-place"),
        (Node("a", Kind.BUILDING, "house"), "odd-place"),
    ],
)
def test_a_broken_node_is_found_by_name(node: Node, code: str) -> None:
    assert codes(scene(node)) == [("a", code)]


def test_places_that_cannot_be_are_found() -> None:
    apple = Node("a", Kind.OBJECT, "apple")
    assert codes(scene(apple)) == []
    assert codes(scene(apple, Place(Relation.HELD, "robot"))) == []
    assert codes(scene(apple, None)) == [("a", "no-room")]
    assert codes(scene(apple, Place(Relation.HELD, "hall"))) == [("a", "odd-place")]
    assert codes(scene(apple, Place(Relation.AT, "robot"))) == [("a", "odd-place")]
    assert codes(scene(apple).moved("robot", None)) == [("robot", "no-robot-place")]


def test_an_empty_scene_lacks_rooms_and_robot() -> None:
    assert codes(SceneGraph()) == [("", "no-rooms"), ("", "no-robot")]


def test_a_finding_reads_as_one_line() -> None:
    (finding,) = check(scene(Node("a", Kind.OBJECT, "apple"), None))
    assert str(finding) == (
        "warning: 'a' is in no room [no-room] (it is kept, but no plan can reach it)"
    )
