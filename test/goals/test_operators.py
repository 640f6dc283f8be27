"""Relaxations: what each operator yields, that all are proved, and that intent is lost last."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gist.goals import (
    ALL,
    AnyOf,
    Candidate,
    Clause,
    Goal,
    Immediately,
    Located,
    Quantifier,
    Selector,
    entails,
    faults,
    relaxations,
)
from gist.knowledge import Knowledge
from gist.scene.graph import SceneGraph

SNACKS = Selector(cls="snack")
TABLE_2 = Selector(names=("table_2",))
SINK = Selector(cls="sink")
CUPS = Selector(cls="cup")


def at_least(n: int) -> Quantifier:
    return Quantifier("at_least", n)


class Relaxer:
    """Relaxations of one-clause goals in the shared scene."""

    def __init__(self, scene: SceneGraph, knowledge: Knowledge) -> None:
        self.scene, self.knowledge = scene, knowledge

    def __call__(
        self, goal: Goal | Clause, index: int = 0, unusable: tuple[str, ...] = ()
    ) -> list[Candidate]:
        whole = goal if isinstance(goal, Goal) else Goal((goal,))
        return list(
            relaxations(whole, index, self.scene, self.knowledge, unusable=frozenset(unusable))
        )

    def only(self, operator: str, *args: object, **kwargs: object) -> list[Candidate]:
        return [c for c in self(*args, **kwargs) if c.operator == operator]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def relax(scene: SceneGraph, knowledge: Knowledge) -> Relaxer:
    return Relaxer(scene, knowledge)


def clause_of(candidate: Candidate) -> Clause:
    clause = candidate.goal.clauses[0]
    assert isinstance(clause, Clause)
    return clause


def test_a_count_is_lowered_to_what_there_is(relax: Relaxer) -> None:
    four = Clause("on", at_least(4), SNACKS, TABLE_2)
    (lower,) = relax.only("lower_count", four)
    assert clause_of(lower).quantifier == at_least(3)
    assert lower.before == "4 snacks are on table_2"
    assert lower.after == "3 snacks are on table_2"
    assert lower.reason == "only 3 are to be had"
    assert lower.proof is not None
    assert "at least 4 implies at least 3" in lower.proof.text


def test_a_count_that_exists_is_lowered_by_one_or_to_what_can_be_used(relax: Relaxer) -> None:
    three = Clause("on", at_least(3), SNACKS, TABLE_2)
    (one_less,) = relax.only("lower_count", three)
    assert clause_of(one_less).quantifier == at_least(2)
    (usable,) = relax.only("lower_count", three, unusable=("snack_3", "snack_4"))
    assert clause_of(usable).quantifier == at_least(1)


def test_exactly_n_is_relaxed_to_at_least_and_never_to_another_exactly(relax: Relaxer) -> None:
    exactly = Clause("on", Quantifier("exactly", 2), SNACKS, TABLE_2)
    (lower,) = relax.only("lower_count", exactly)
    assert clause_of(lower).quantifier == at_least(2)


def test_at_most_is_raised_only_where_something_cannot_be_moved(relax: Relaxer) -> None:
    none = Clause("on", Quantifier("at_most", 0), SNACKS, Selector(names=("table_3",)))
    assert not relax.only("raise_limit", none)
    (raised,) = relax.only("raise_limit", none, unusable=("snack_3",))
    assert clause_of(raised).quantifier == Quantifier("at_most", 1)


def test_all_shrinks_to_what_is_there_and_can_be_used(relax: Relaxer) -> None:
    named = Clause("on", ALL, Selector(names=("cup_1", "cup_7")), TABLE_2)
    (present,) = relax.only("shrink_universal", named)
    assert clause_of(present).things == Selector(names=("cup_1",))
    assert present.reason == "cup_7 not there"
    every = Clause("on", ALL, CUPS, TABLE_2)
    assert not relax.only("shrink_universal", every)
    (usable,) = relax.only("shrink_universal", every, unusable=("cup_2",))
    assert clause_of(usable).text() == "all cups but not cup_2 are on table_2"


def test_a_named_thing_becomes_any_of_its_class(relax: Relaxer) -> None:
    (some,) = relax.only("constant_to_type", Clause("on", ALL, Selector(names=("cup_2",)), TABLE_2))
    assert clause_of(some).things == CUPS
    assert clause_of(some).quantifier == at_least(1)


def test_relations_generalise(relax: Relaxer) -> None:
    (wider,) = relax.only("generalise_predicate", Clause("in", ALL, CUPS, SINK))
    assert clause_of(wider).predicate == "to"
    (clean,) = relax.only("generalise_predicate", Clause("washed", ALL, CUPS))
    assert clause_of(clean).predicate == "clean"
    assert not relax.only("generalise_predicate", Clause("washed", ALL, CUPS, SINK))


def test_targets_widen_from_instance_to_class_and_from_place_to_anywhere(relax: Relaxer) -> None:
    instance = relax.only("widen_target", Clause("on", ALL, CUPS, TABLE_2))
    assert clause_of(instance[0]).targets == Selector(cls="table")
    here = Selector(cls="sink", where=Located("in", Selector(cls="kitchen")))
    anywhere = relax.only("widen_target", Clause("in", ALL, CUPS, here))
    assert clause_of(anywhere[0]).targets == SINK


def test_targets_widen_to_what_plays_the_same_role(relax: Relaxer) -> None:
    cupboard = Selector(cls="cupboard")
    wider = relax.only("widen_target", Clause("in", ALL, CUPS, cupboard))
    assert wider
    targets = clause_of(wider[-1]).targets
    assert targets is not None and targets.any_of[0] == cupboard
    assert Selector(cls="shelf") in targets.any_of
    assert not any(part.cls in ("kitchen", "apple", "sock") for part in targets.any_of)


def test_rooms_do_not_widen_to_any_room(relax: Relaxer) -> None:
    assert not relax.only("widen_target", Clause("at", ALL, CUPS, Selector(cls="bathroom")))


def test_things_widen_only_where_so_many_are_asked(relax: Relaxer) -> None:
    red = Selector(cls="cup", attributes=(("colour", "red"),))
    (plain, *_) = relax.only("widen_things", Clause("on", at_least(2), red, TABLE_2))
    assert clause_of(plain).things == CUPS
    fruit = relax.only("widen_things", Clause("on", at_least(3), Selector(cls="apple"), TABLE_2))
    assert any(clause_of(c).things.cls == "fruit" for c in fruit)
    assert not relax.only("widen_things", Clause("on", ALL, red, TABLE_2))


@pytest.mark.parametrize("cls", ["aspirin", "key", "passport"])
def test_what_has_no_substitute_is_not_widened(cls: str, relax: Relaxer) -> None:
    asked = Clause("on", at_least(1), Selector(cls=cls), TABLE_2)
    assert not relax.only("widen_things", asked)


def test_what_is_thrown_away_is_not_widened(relax: Relaxer) -> None:
    for things in (Selector(names=("cup_2",)), Selector(cls="apple")):
        found = relax(Clause("disposed", at_least(1), things))
        assert {c.operator for c in found} <= {"lower_count"}


def test_a_place_may_become_its_room(relax: Relaxer) -> None:
    (either,) = relax.only("disjunction", Clause("in", ALL, CUPS, Selector(cls="cupboard")))
    item = either.goal.clauses[0]
    assert isinstance(item, AnyOf)
    assert item.clauses[1].targets == Selector(names=("kitchen",))
    assert item.clauses[1].predicate == "at"
    again = [c for c in relax(either.goal) if c.operator == "generalise_predicate"]
    assert all(isinstance(c.goal.clauses[0], AnyOf) for c in again) and again


def test_a_clause_is_dropped_at_last_and_never_the_last_one(relax: Relaxer) -> None:
    one, two = Clause("on", ALL, CUPS, TABLE_2), Clause("clean", ALL, CUPS)
    soft = Clause("open", ALL, SINK, soft=True)
    assert not relax.only("drop_conjunct", one)
    assert not relax.only("drop_conjunct", Goal((one, soft)))
    found = relax(Goal((one, two)))
    assert found[-1].operator == "drop_conjunct"
    assert found[-1].goal.clauses == (two,)


def test_a_wish_is_dropped_alone_and_for_no_other_clause(relax: Relaxer) -> None:
    one, soft = Clause("on", ALL, CUPS, TABLE_2), Clause("clean", ALL, CUPS, soft=True)
    assert not relax.only("drop_soft", Goal((one, soft)))
    (dropped,) = relax.only("drop_soft", Goal((soft, one)))
    assert dropped.goal.clauses == (one,)


def test_order_is_dropped_where_that_is_weaker(relax: Relaxer) -> None:
    first = Clause("clean", ALL, CUPS)
    then = Clause("on", ALL, CUPS, TABLE_2, stage=1)
    (merged,) = relax.only("drop_order", Goal((first, then)))
    assert merged.goal.stages() == (0,)
    emptied = Clause("in", Quantifier("at_most", 0), CUPS, SINK, transient=True)
    back = Clause("in", ALL, CUPS, SINK, stage=1)
    assert not relax.only("drop_order", Goal((emptied, back)))
    ordered = Goal((first,), order=(Immediately(first, Clause("clean", ALL, SINK)),))
    (free,) = relax.only("drop_order", ordered)
    assert free.goal.order == ()


def test_one_target_for_all_may_become_one_each(relax: Relaxer) -> None:
    asked = Clause("in", ALL, CUPS, SINK, same_target=True)
    (free,) = relax.only("drop_same_target", asked)
    assert not clause_of(free).same_target


def test_what_leaves_the_same_thing_missing_is_not_offered(relax: Relaxer) -> None:
    nowhere = Clause("in", at_least(2), CUPS, Selector(cls="dishwasher"))
    operators = {c.operator for c in relax(nowhere)}
    assert "generalise_predicate" not in operators
    assert "lower_count" not in operators


THINGS = st.sampled_from(
    [
        CUPS,
        SNACKS,
        Selector(cls="apple"),
        Selector(cls="unicorn"),
        Selector(names=("cup_1", "cup_2")),
        Selector(names=("book_1", "book_9")),
        Selector(cls="shirt", states=frozenset({"dirty"})),
        Selector(any_of=(CUPS, Selector(cls="glass"))),
        Selector(collective="clothes"),
    ]
)
TARGETS = st.sampled_from(
    [
        TABLE_2,
        SINK,
        Selector(cls="cupboard"),
        Selector(cls="kitchen"),
        Selector(cls="dishwasher"),
        Selector(cls="sink", where=Located("in", Selector(cls="bathroom"))),
    ]
)
NUMBERS = st.just(ALL) | st.builds(
    Quantifier, st.sampled_from(["at_least", "at_most", "exactly"]), st.integers(0, 4)
)


@settings(max_examples=80)
@given(
    st.lists(
        st.builds(
            Clause,
            st.sampled_from(["in", "on", "at", "to"]),
            NUMBERS,
            THINGS,
            TARGETS,
            stage=st.integers(0, 1),
            transient=st.booleans(),
            soft=st.booleans(),
            same_target=st.booleans(),
        ),
        min_size=1,
        max_size=3,
    ),
    st.frozensets(
        st.sampled_from(["cup_1", "snack_3", "shirt_1", "sink_2", "table_2"]), max_size=3
    ),
)
def test_every_relaxation_is_proved_cheapest_first(
    scene: SceneGraph, knowledge: Knowledge, clauses: list[Clause], unusable: frozenset[str]
) -> None:
    goal = Goal(tuple(clauses))
    for index in range(len(clauses)):
        found = list(relaxations(goal, index, scene, knowledge, unusable))
        assert [c.cost for c in found] == sorted(c.cost for c in found)
        for candidate in found:
            assert candidate.kind == "relax"
            assert candidate.goal != goal
            assert candidate.proof == entails(goal, candidate.goal, scene, knowledge)
            assert candidate.proof is not None
            assert candidate.before and candidate.after and candidate.reason
            assert candidate.goal.hard() or not goal.hard()


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        (Clause("on", at_least(3), SNACKS, TABLE_2), []),
        (Clause("on", at_least(4), SNACKS, TABLE_2), ["there are 3 of 4 snacks"]),
        (Clause("in", ALL, CUPS, Selector(cls="dishwasher")), ["there is no dishwasher"]),
        (Clause("clean", ALL, Selector(cls="unicorn")), ["there is no unicorn"]),
        (Clause("clean", Quantifier("at_most", 0), Selector(cls="unicorn")), []),
        (
            Clause("clean", ALL, Selector(any_of=(CUPS, Selector(cls="unicorn")))),
            ["there is no unicorn"],
        ),
        (
            Clause("clean", ALL, Selector(names=("cup_1", "cup_7"))),
            ["there is 1 of 2 cup_1 and cup_7"],
        ),
    ],
)
def test_what_is_missing_is_said(
    clause: Clause, expected: list[str], scene: SceneGraph, knowledge: Knowledge
) -> None:
    assert [fault.text for fault in faults(clause, scene, knowledge)] == expected


def test_what_is_out_of_reach_is_told_from_what_is_not_there(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    clause = Clause("on", at_least(3), SNACKS, TABLE_2)
    lacks = faults(clause, scene, knowledge, frozenset({"snack_3", "table_2"}))
    assert [fault.text for fault in lacks] == [
        "there are 2 of 3 snacks within reach",
        "there is no table_2 within reach",
    ]


def test_alternatives_lack_only_what_the_best_of_them_lacks(
    scene: SceneGraph, knowledge: Knowledge
) -> None:
    missing = Clause("in", ALL, CUPS, Selector(cls="dishwasher"))
    there = Clause("in", ALL, CUPS, SINK)
    assert faults(AnyOf((missing, there)), scene, knowledge) == ()
    assert len(faults(AnyOf((missing,)), scene, knowledge)) == 1
