from __future__ import annotations

from gist import knowledge
from gist.pddl.encode import Encoder
from gist.pddl.formula import Atom
from gist.pddl.parser import parse_domain, parse_problem
from gist.pddl.problem import write_problem
from gist.scene import Kind, Node, Place, Relation, SceneGraph

DOMAIN = parse_domain(
    """
(define (domain d) (:requirements :strips :typing)
  (:types room locatable - object robot grabbable surface container - locatable mop - grabbable)
  (:predicates (at ?x - locatable ?r - room) (holding ?who - robot ?x - grabbable)
    (is-free ?who - robot) (is-on ?x - grabbable ?s - surface)
    (inside ?x - grabbable ?c - container) (is-closed ?c - container) (is-open ?c - container)
    (is-clean ?m - mop) (dirty-floor ?r - room) (clean-floor ?r - room) (is-dirty ?x - grabbable))
  (:action drop :parameters (?who - robot ?x - grabbable ?r - room)
    :precondition (at ?who ?r) :effect (at ?x ?r))
  (:action put-on :parameters (?who - robot ?x - grabbable ?s - surface)
    :precondition (holding ?who ?x) :effect (is-on ?x ?s))
  (:action mop-floor :parameters (?who - robot ?m - mop ?r - room)
    :precondition (is-clean ?m) :effect (clean-floor ?r)))
"""
)
ENCODER = Encoder(DOMAIN, knowledge.default())


def scene() -> SceneGraph:
    nodes = [
        Node("kitchen 1", Kind.ROOM, "kitchen"),
        Node("Fridge", Kind.FURNITURE, "refrigerator"),
        Node("table_1", Kind.FURNITURE, "table"),
        Node("sports ball_2", Kind.OBJECT, "sports ball", states=frozenset({"dirty"})),
        Node("milk_1", Kind.OBJECT, "milk"),
        Node("mop_1", Kind.OBJECT, "mop"),
        Node("lost_1", Kind.OBJECT, "cup"),
        Node("robot", Kind.ROBOT, "robot"),
    ]
    at = Place(Relation.AT, "kitchen 1")
    places = dict.fromkeys(("Fridge", "table_1", "mop_1", "robot"), at)
    places["sports ball_2"] = Place(Relation.ON, "table_1")
    places["milk_1"] = Place(Relation.IN, "Fridge")
    return SceneGraph(nodes, places)


NAMES = tuple(scene().nodes)


def facts(**more: object) -> set[str]:
    encoding = ENCODER.encode(scene(), NAMES, **more)  # type: ignore[arg-type]
    label = {name: label for label, name in encoding.names.to_pddl.items()}
    return {
        " ".join((atom.predicate, *(label[arg] for arg in atom.args)))
        for atom in encoding.problem.init
    }


def test_places_and_states_become_facts() -> None:
    found = facts()
    assert {
        "at robot kitchen 1",
        "is-free robot",
        "at Fridge kitchen 1",
        "is-on sports ball_2 table_1",
        "inside milk_1 Fridge",
        "is-dirty sports ball_2",
    } <= found
    assert not any("lost_1" in fact for fact in found)
    assert "at sports ball_2 kitchen 1" not in found


def test_what_the_robot_holds_is_held_and_the_hand_is_not_free() -> None:
    held = scene().moved("milk_1", Place(Relation.HELD, "robot"))
    init = ENCODER.encode(held, NAMES).problem.init
    assert any(atom.predicate == "holding" for atom in init)
    assert not any(atom.predicate == "is-free" for atom in init)


def test_defaults_fill_in_what_the_scene_does_not_say_and_are_told() -> None:
    encoding = ENCODER.encode(scene(), NAMES)
    assert {"is-closed Fridge", "is-clean mop_1"} <= facts()
    assert any("Fridge is taken as closed" in note for note in encoding.assumptions)
    opened = scene().with_states("Fridge", add=["open"])
    init = ENCODER.encode(opened, NAMES).problem.init
    assert not any(atom.predicate == "is-closed" for atom in init)


def test_a_floor_is_dirty_only_where_it_is_to_be_cleaned() -> None:
    assert "dirty-floor kitchen 1" not in facts()
    assert "dirty-floor kitchen 1" in facts(wanted=frozenset({("clean", "kitchen 1")}))


def test_the_problem_reads_back_and_its_names_lead_back_to_the_scene() -> None:
    encoding = ENCODER.encode(scene(), NAMES)
    problem = encoding.with_goal(Atom("is-on", ("milk_1", "table_1")))
    assert parse_problem(write_problem(problem)) == problem
    assert {encoding.names.to_label[name] for name in problem.objects} == set(NAMES)


def test_to_a_target_is_said_by_what_the_target_is() -> None:
    house = scene()
    on = ENCODER.express(house, "to", "milk_1", "table_1")
    into = ENCODER.express(house, "to", "sports ball_2", "Fridge")
    room = ENCODER.express(house, "in", "milk_1", "kitchen 1")
    assert on and on.atom == Atom("is-on", ("milk_1", "table_1"))
    assert into and into.atom == Atom("inside", ("sports ball_2", "Fridge"))
    assert room and room.atom == Atom("at", ("milk_1", "kitchen 1"))


def test_what_no_action_can_do_is_not_expressed() -> None:
    assert ENCODER.express(scene(), "at", "Fridge", "kitchen 1") is not None  # it is there
    far = scene().with_node(Node("hall", Kind.ROOM, "hall"))
    assert ENCODER.express(far, "at", "Fridge", "hall") is None
    assert ENCODER.express(far, "on", "Fridge", "table_1") is None
    assert ENCODER.express(far, "cooked", "milk_1") is None


def test_a_domain_without_furniture_relations_says_the_room_and_tells_that_it_is_less() -> None:
    bare = parse_domain(
        """
(define (domain bare) (:requirements :strips :typing)
  (:types room locatable - object robot grabbable - locatable)
  (:predicates (at ?x - locatable ?r - room))
  (:action drop :parameters (?who - robot ?x - grabbable ?r - room)
    :precondition (at ?who ?r) :effect (at ?x ?r)))
"""
    )
    literal = Encoder(bare, knowledge.default()).express(scene(), "on", "milk_1", "table_1")
    assert literal is not None
    assert literal.weaker
    assert literal.atom == Atom("at", ("milk_1", "kitchen 1"))
