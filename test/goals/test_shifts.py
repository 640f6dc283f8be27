"""Shifts: substitutes fill what is missing, vetoed ones never do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gist.goals import (
    ALL,
    AnyOf,
    Candidate,
    Clause,
    Goal,
    Located,
    Quantifier,
    Selector,
    shifts,
)
from gist.knowledge import Knowledge
from gist.scene.graph import Kind, Node, Place, Relation, SceneGraph

SNACKS = Selector(cls="snack")
TABLE_2 = Selector(names=("table_2",))
CHILDREN = frozenset({"children"})
CUPS = Selector(cls="cup")


def four_snacks(context: frozenset[str] = CHILDREN) -> Goal:
    clause = Clause("on", Quantifier("at_least", 4), SNACKS, TABLE_2)
    return Goal((clause,), context=context)


def names_in(selector: Selector | None) -> set[str]:
    assert selector is not None
    found = set(selector.names or ())
    return found.union(*(names_in(part) for part in selector.any_of))


def clause_of(candidate: Candidate) -> Clause:
    clause = candidate.goal.clauses[0]
    assert isinstance(clause, Clause)
    return clause


def test_what_is_there_is_kept_and_the_rest_is_filled(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    first, *_ = shifts(four_snacks(), 0, scene, knowledge)
    clause = clause_of(first)
    assert clause.quantifier == Quantifier("at_least", 4)
    assert clause.things.any_of[0] == SNACKS
    assert len(clause.things.resolve(scene, knowledge)) == 4
    assert first.kind == "shift"
    assert first.proof is None
    assert first.tier in (1, 2, 3)
    assert first.reason.startswith("there are 3 of 4 snacks; ")


def test_children_are_offered_no_wine_and_nobody_an_aspirin(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    offered = [names_in(clause_of(c).things) for c in shifts(four_snacks(), 0, scene, knowledge)]
    assert {"cola can_13"} in offered
    assert not any("wine_1" in names or "aspirin_1" in names for names in offered)


def test_what_is_out_of_reach_neither_counts_nor_substitutes(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    unusable = frozenset({"cola can_13"})
    for candidate in shifts(four_snacks(), 0, scene, knowledge, unusable):
        assert "cola can_13" not in names_in(clause_of(candidate).things)
    three = Goal((Clause("on", Quantifier("at_least", 3), SNACKS, TABLE_2),), context=CHILDREN)
    assert not list(shifts(three, 0, scene, knowledge))
    assert list(shifts(three, 0, scene, knowledge, frozenset({"snack_3"})))


def test_what_another_clause_needs_is_not_taken(scene: SceneGraph, knowledge: Knowledge) -> None:
    cola = Clause("on", ALL, Selector(cls="cola can"), Selector(names=("table_3",)))
    goal = Goal((*four_snacks().clauses, cola), context=CHILDREN)
    for candidate in shifts(goal, 0, scene, knowledge):
        assert "cola can_13" not in names_in(clause_of(candidate).things)


@pytest.mark.parametrize("cls", ["insulin", "passport", "house key", "wedding ring"])
def test_nothing_stands_in_for_what_has_no_substitute(
    cls: str, scene: SceneGraph, knowledge: Knowledge
) -> None:
    goal = Goal((Clause("on", Quantifier("at_least", 1), Selector(cls=cls), TABLE_2),))
    assert not list(shifts(goal, 0, scene, knowledge))


def test_nothing_else_is_thrown_away(scene: SceneGraph, knowledge: Knowledge) -> None:
    rotting = Selector(cls="apple", states=frozenset({"rotting"}))
    for things in (rotting, Selector(cls="mug")):
        goal = Goal((Clause("disposed", Quantifier("at_least", 1), things),))
        assert not list(shifts(goal, 0, scene, knowledge))


def test_all_of_a_missing_class_become_all_of_one_substitute_class(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    goal = Goal((Clause("on", ALL, Selector(cls="mug"), TABLE_2),))
    first, *_ = shifts(goal, 0, scene, knowledge)
    assert clause_of(first).things.resolve(scene, knowledge) in (("cup_1", "cup_2"), ("glass_1",))
    assert clause_of(first).quantifier == ALL


def test_nothing_stands_in_for_all_of_a_class_that_is_there(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    goal = Goal((Clause("on", ALL, CUPS, TABLE_2),))
    assert not list(shifts(goal, 0, scene, knowledge, frozenset({"cup_2"})))
    assert not list(shifts(goal, 0, scene, knowledge, frozenset({"cup_1", "cup_2"})))


def test_a_missing_named_thing_is_replaced_among_the_others(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    goal = Goal((Clause("on", ALL, Selector(names=("cup_1", "cup_7")), TABLE_2),))
    first, *_ = shifts(goal, 0, scene, knowledge)
    assert clause_of(first).things.names == ("cup_1", "cup_2")


def test_states_that_the_scene_does_not_tell_may_be_taken_for_granted(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    dirty = Selector(cls="towel", states=frozenset({"dirty"}))
    goal = Goal((Clause("washed", ALL, dirty),))
    assert not any(c.caution for c in shifts(goal, 0, scene, knowledge))
    towels = {"towel_1": frozenset[str](), "towel_2": frozenset({"clean"})}
    wider = scene
    for name, states in towels.items():
        node = Node(name, Kind.OBJECT, "towel", states=states)
        wider = wider.with_node(node, Place(Relation.AT, "bathroom"))
    told = "the scene calls a shirt dirty, and the towels not"
    assert not any(c.caution for c in shifts(goal, 0, wider, knowledge)), told
    for name in ("shirt_1", "sock_1"):
        wider = wider.with_states(name, remove=["dirty"])
    first, *_ = shifts(goal, 0, wider, knowledge)
    assert clause_of(first).things.resolve(wider, knowledge) == ("towel_1",)
    assert first.caution == "they may not be dirty"
    assert first.tier == 2
    here = replace(dirty, where=Located("in", Selector(cls="kitchen")))
    goal = Goal((Clause("washed", ALL, here),))
    first, *_ = shifts(goal, 0, wider, knowledge)
    assert clause_of(first).things.resolve(wider, knowledge) == ("towel_1",)
    assert first.tier == 3


def test_things_from_elsewhere_do_where_there_are_none_in_the_place(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    here = Selector(cls="banana", where=Located("in", Selector(cls="bathroom")))
    goal = Goal((Clause("on", Quantifier("at_least", 1), here, TABLE_2),))
    first, *_ = shifts(goal, 0, scene, knowledge)
    assert clause_of(first).things == Selector(cls="banana")
    assert first.reason == "there is no banana that was in the bathroom; there are some elsewhere"


def test_a_missing_target_is_replaced_by_one_that_can_hold_things(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    goal = Goal((Clause("in", ALL, CUPS, Selector(cls="cabinet")),))
    found = list(shifts(goal, 0, scene, knowledge))
    offered = set().union(*(names_in(clause_of(c).targets) for c in found))
    assert "cupboard_1" in offered
    assert offered <= {"cupboard_1", "shelf_1", "sink_1", "sink_2", "refrigerator_1", "bowl_1"}
    assert all(c.reason.startswith("there is no cabinet; ") for c in found)


def test_a_target_of_the_class_elsewhere_comes_first(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    here = Selector(cls="shelf", where=Located("in", Selector(cls="kitchen")))
    goal = Goal((Clause("on", ALL, Selector(cls="book"), here),))
    first, *_ = shifts(goal, 0, scene, knowledge)
    assert clause_of(first).targets == Selector(cls="shelf")
    assert first.reason == "there is no shelf that was in the kitchen; there is shelf_1"
    assert first.tier == 1


def test_a_missing_room_is_replaced_for_things_but_not_for_cleaning_it(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    put = Goal((Clause("at", ALL, CUPS, Selector(cls="dining room")),))
    found = list(shifts(put, 0, scene, knowledge))
    assert found
    for candidate in found:
        targets = clause_of(candidate).targets
        assert targets is not None
        for name in targets.resolve(scene, knowledge):
            assert scene.node(name).kind is Kind.ROOM
    mop = Goal((Clause("mopped", ALL, Selector(cls="dining room")),))
    assert not list(shifts(mop, 0, scene, knowledge))


def test_alternatives_are_shifted_in_place(scene: SceneGraph, knowledge: Knowledge) -> None:
    missing = Clause("in", ALL, CUPS, Selector(cls="cabinet"))
    goal = Goal((AnyOf((missing,)),))
    first, *_ = shifts(goal, 0, scene, knowledge)
    assert isinstance(first.goal.clauses[0], AnyOf)


def test_a_union_that_was_shifted_can_be_shifted_again(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    first, *_ = shifts(four_snacks(), 0, scene, knowledge)
    used = names_in(clause_of(first).things)
    for candidate in shifts(first.goal, 0, scene, knowledge, frozenset(used)):
        added = clause_of(candidate).things.resolve(scene, knowledge)
        assert set(added) - used
