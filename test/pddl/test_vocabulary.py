from __future__ import annotations

import pytest

from gist import knowledge
from gist.pddl.parser import parse_domain
from gist.pddl.vocabulary import Vocabulary, plain_name
from gist.scene import Kind, Node

DOMAIN = parse_domain(
    """
(define (domain d) (:requirements :strips :typing)
  (:types room locatable - object robot grabbable surface container bin washing-machine - locatable
    disposable - grabbable)
  (:predicates (at ?x - locatable ?r - room) (is_on ?x - grabbable ?s - surface)
    (is-inside ?x - grabbable ?c - container) (is-clean ?x - grabbable) (clean-floor ?r - room))
  (:action drop :parameters (?who - robot ?x - grabbable ?r - room)
    :precondition (at ?who ?r) :effect (at ?x ?r))
  (:action push :parameters (?who - robot ?c - container ?a - room ?b - room)
    :precondition (at ?who ?a) :effect (at ?c ?b)))
"""
)
VOCABULARY = Vocabulary(DOMAIN, knowledge.default())


def node(cls: str, kind: Kind = Kind.OBJECT, states: frozenset[str] = frozenset()) -> Node:
    return Node(f"{cls}_1", kind, cls, states=states)


@pytest.mark.parametrize(("name", "plain"), [("is_on", "on"), ("IS-ON", "on"), ("at", "at")])
def test_spellings_of_one_name_are_the_same(name: str, plain: str) -> None:
    assert plain_name(name) == plain


def test_predicates_are_found_by_what_they_mean() -> None:
    assert [p.name for p in VOCABULARY.predicates("on")] == ["is_on"]
    assert [p.name for p in VOCABULARY.predicates("in")] == ["is-inside"]
    assert [p.name for p in VOCABULARY.predicates("clean")] == ["is-clean", "clean-floor"]
    assert VOCABULARY.predicates("open") == ()
    assert VOCABULARY.meaning("is-inside") == "in"
    assert VOCABULARY.meaning("frobnicated") is None


@pytest.mark.parametrize(
    ("cls", "kind"),
    [
        ("apple", "grabbable"),
        ("banana peel", "disposable"),
        ("table", "surface"),
        ("refrigerator", "container"),
        ("metal bin", "bin"),
        ("washing machine", "washing-machine"),
        ("clock tower", "locatable"),
    ],
)
def test_things_get_the_type_that_tells_most(cls: str, kind: str) -> None:
    furniture = cls in ("table", "refrigerator", "washing machine", "clock tower")
    assert VOCABULARY.type_of(node(cls, Kind.FURNITURE if furniture else Kind.OBJECT)) == kind


def test_rooms_and_robots_are_told_by_their_kind() -> None:
    assert VOCABULARY.type_of(node("kitchen", Kind.ROOM)) == "room"
    assert VOCABULARY.type_of(node("robot", Kind.ROBOT)) == "robot"


def test_a_goal_can_ask_for_another_type_but_not_for_the_impossible() -> None:
    apple, fridge = node("apple"), node("refrigerator", Kind.FURNITURE)
    assert VOCABULARY.type_of(apple, [("disposable",)]) == "disposable"
    assert VOCABULARY.type_of(fridge, [("surface",)]) == "surface"
    assert VOCABULARY.type_of(fridge, [("grabbable",)]) is None
    assert VOCABULARY.type_of(node("kitchen", Kind.ROOM), [("surface",)]) is None


def test_who_moves_things_and_how() -> None:
    assert VOCABULARY.mover_types("at") == {"grabbable": False, "container": True}
