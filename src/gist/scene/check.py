"""Checks a scene graph for what makes it impossible or incomplete as a picture of a place."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gist.scene.findings import Finding
from gist.scene.graph import Kind, Node, Relation, SceneGraph, natural_key
from gist.scene.states import opposite


def check(scene: SceneGraph) -> tuple[Finding, ...]:
    """Return what is wrong with the scene, node by node in natural order; () when nothing is.

    Codes: no-room, no-robot, no-robot-place, odd-place, bad-pose, bad-size, bad-orientation,
    no-class, conflicting-states, no-rooms.
    """
    findings = [] if scene.rooms() else [_no_rooms()]
    if not scene.robots():
        findings.append(Finding("info", "", "no-robot", "the scene has no robot"))
    for name in sorted(scene.nodes, key=natural_key):
        node = scene.nodes[name]
        findings += _place(scene, node)
        findings += geometry(node)
        findings += _words(node)
    return tuple(findings)


def _no_rooms() -> Finding:
    return Finding("warning", "", "no-rooms", "the scene has no room", "a robot needs one to be in")


def _place(scene: SceneGraph, node: Node) -> Iterator[Finding]:
    if node.kind is Kind.ROBOT and scene.room_of(node.name) is None:
        yield Finding(
            "warning",
            node.name,
            "no-robot-place",
            f"it is not known in which room robot '{node.name}' is",
            "give the robot's room",
        )
    elif node.kind in (Kind.FURNITURE, Kind.OBJECT) and scene.room_of(node.name) is None:
        yield Finding(
            "warning",
            node.name,
            "no-room",
            f"'{node.name}' is in no room",
            "it is kept, but no plan can reach it",
        )
    place = scene.places.get(node.name)
    if place is None:
        return
    target = scene.nodes[place.target]
    problem = _odd(node, place.relation, target)
    if problem:
        yield Finding("error", node.name, "odd-place", f"'{node.name}' {problem}")


def _odd(node: Node, relation: Relation, target: Node) -> str | None:
    if node.kind is Kind.BUILDING:
        return f"is a building and cannot be {relation.value} '{target.name}'"
    if node.kind is Kind.ROOM and target.kind is not Kind.BUILDING:
        return f"is a room and cannot be {relation.value} '{target.name}', which is no building"
    if relation is Relation.HELD and target.kind is not Kind.ROBOT:
        return f"is held by '{target.name}', which is no robot"
    if target.kind is Kind.ROBOT and relation is Relation.AT:
        return f"is at '{target.name}', which is a robot"
    return None


def geometry(node: Node) -> Iterator[Finding]:
    """Yield what is wrong with a node's pose and size."""
    pose = node.pose
    if pose is not None and not all(map(math.isfinite, (*pose.position, *pose.orientation))):
        message = f"the pose of '{node.name}' is not finite"
        yield Finding("error", node.name, "bad-pose", message)
    elif pose is not None and abs(math.hypot(*pose.orientation) - 1.0) > 1e-3:
        message = f"the orientation of '{node.name}' is no unit quaternion"
        yield Finding("error", node.name, "bad-orientation", message)
    if node.size is not None and not all(math.isfinite(side) and side >= 0 for side in node.size):
        message = f"the size of '{node.name}' is not finite or negative: {node.size}"
        yield Finding("error", node.name, "bad-size", message)


def _words(node: Node) -> Iterator[Finding]:
    if not node.cls:
        yield Finding("warning", node.name, "no-class", f"'{node.name}' has no class")
    for state in sorted(node.states):
        other = opposite(state)
        if other in node.states and state < str(other):
            message = f"'{node.name}' is both {state} and {other}"
            yield Finding("error", node.name, "conflicting-states", message)
