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


DOMAIN_TEXT = """
(define (domain house)
  (:requirements :strips :typing)
  (:types room locatable - object robot grabbable surface container bin - locatable)
  (:predicates (at ?x - locatable ?r - room) (holding ?who - robot ?x - grabbable)
    (is-free ?who - robot) (is-on ?x - grabbable ?s - surface)
    (inside ?x - grabbable ?c - container)
    (is-closed ?c - container) (is-open ?c - container) (thrashed ?x - grabbable)
    (is-dirty ?x - grabbable) (is-clean ?x - grabbable))
  (:action move :parameters (?who - robot ?a - room ?b - room)
    :precondition (at ?who ?a) :effect (and (not (at ?who ?a)) (at ?who ?b)))
  (:action grab :parameters (?who - robot ?x - grabbable ?r - room)
    :precondition (and (at ?who ?r) (at ?x ?r) (is-free ?who))
    :effect (and (not (at ?x ?r)) (holding ?who ?x) (not (is-free ?who))))
  (:action take-from :parameters (?who - robot ?x - grabbable ?s - surface ?r - room)
    :precondition (and (at ?who ?r) (at ?s ?r) (is-on ?x ?s) (is-free ?who))
    :effect (and (not (is-on ?x ?s)) (holding ?who ?x) (not (is-free ?who))))
  (:action take-out :parameters (?who - robot ?x - grabbable ?c - container ?r - room)
    :precondition (and (at ?who ?r) (at ?c ?r) (inside ?x ?c) (is-open ?c) (is-free ?who))
    :effect (and (not (inside ?x ?c)) (holding ?who ?x) (not (is-free ?who))))
  (:action drop :parameters (?who - robot ?x - grabbable ?r - room)
    :precondition (and (at ?who ?r) (holding ?who ?x))
    :effect (and (not (holding ?who ?x)) (is-free ?who) (at ?x ?r)))
  (:action put-on :parameters (?who - robot ?x - grabbable ?s - surface ?r - room)
    :precondition (and (at ?who ?r) (at ?s ?r) (holding ?who ?x))
    :effect (and (not (holding ?who ?x)) (is-free ?who) (is-on ?x ?s)))
  (:action put-in :parameters (?who - robot ?x - grabbable ?c - container ?r - room)
    :precondition (and (at ?who ?r) (at ?c ?r) (holding ?who ?x) (is-open ?c))
    :effect (and (not (holding ?who ?x)) (is-free ?who) (inside ?x ?c)))
  (:action open :parameters (?who - robot ?c - container ?r - room)
    :precondition (and (at ?who ?r) (at ?c ?r) (is-closed ?c))
    :effect (and (is-open ?c) (not (is-closed ?c))))
  (:action throw-away :parameters (?who - robot ?x - grabbable ?in - bin ?r - room)
    :precondition (and (at ?who ?r) (at ?in ?r) (holding ?who ?x))
    :effect (and (not (holding ?who ?x)) (is-free ?who) (thrashed ?x))))
"""

LAUNDRY_TEXT = """
(define (domain laundry)
  (:requirements :strips :typing)
  (:types room locatable - object robot washing-machine grabbable - locatable
    cleaning-supply cleanable - grabbable)
  (:predicates (at ?x - locatable ?r - room) (holding ?who - robot ?x - grabbable)
    (is-free ?who - robot) (is-clean ?x - cleanable) (filled ?m - washing-machine)
    (inside ?x - cleanable ?m - washing-machine))
  (:action grab :parameters (?who - robot ?x - grabbable ?r - room)
    :precondition (and (at ?who ?r) (at ?x ?r) (is-free ?who))
    :effect (and (not (at ?x ?r)) (holding ?who ?x) (not (is-free ?who))))
  (:action drop :parameters (?who - robot ?x - grabbable ?r - room)
    :precondition (and (at ?who ?r) (holding ?who ?x))
    :effect (and (not (holding ?who ?x)) (is-free ?who) (at ?x ?r)))
  (:action fill :parameters (?who - robot ?m - washing-machine ?s - cleaning-supply ?r - room)
    :precondition (and (at ?who ?r) (at ?m ?r) (holding ?who ?s))
    :effect (filled ?m))
  (:action put-in :parameters (?who - robot ?x - cleanable ?m - washing-machine ?r - room)
    :precondition (and (at ?who ?r) (at ?m ?r) (holding ?who ?x))
    :effect (and (not (holding ?who ?x)) (is-free ?who) (inside ?x ?m)))
  (:action wash :parameters (?who - robot ?x - cleanable ?m - washing-machine ?r - room)
    :precondition (and (at ?who ?r) (at ?m ?r) (inside ?x ?m) (filled ?m))
    :effect (is-clean ?x)))
"""
