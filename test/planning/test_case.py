from __future__ import annotations

from dataclasses import replace

from gist import knowledge
from gist.goals import ALL, Clause, Goal, Grounder, Immediately, Quantifier, Selector
from gist.pddl.encode import Encoder
from gist.pddl.formula import And, Atom
from gist.pddl.parser import parse_domain
from gist.planning.case import Case
from gist.scene import SceneGraph

from .scenes import DOMAIN_TEXT, bring, scene_of, snacks

KNOWLEDGE = knowledge.default()
ENCODER = Encoder(parse_domain(DOMAIN_TEXT), KNOWLEDGE)


def case_of(goal: Goal, scene: SceneGraph, lost: dict[Atom, str] | None = None) -> Case:
    return Case(goal, scene, ENCODER, Grounder(scene, KNOWLEDGE), lost or {})


def test_facts_are_chosen_for_as_many_things_as_asked() -> None:
    case = case_of(bring(2, "snack", "table_2"), snacks())
    assert not case.blockers
    assert [str(lit.atom) for lit in case.choices[0].hold] == [
        "(is-on snack_3 table_2)",
        "(is-on snack_4 table_2)",
    ]


def test_too_few_things_block_and_say_how_many_are_short() -> None:
    (blocker,) = case_of(bring(5, "snack", "table_2"), snacks()).blockers
    assert (blocker.index, blocker.short) == (0, 2)
    assert "3" in blocker.reason and "5" in blocker.reason


def test_no_things_and_no_target_block() -> None:
    assert case_of(bring(None, "apple", "table_2"), snacks()).blockers[0].reason == (
        "there is no apple"
    )
    (blocker,) = case_of(bring(None, "snack", "table_9"), snacks()).blockers
    assert "table_9" in blocker.reason


def test_a_fact_out_of_reach_is_not_chosen() -> None:
    lost = {Atom("is-on", ("snack_3", "table_2")): "it is glued"}
    case = case_of(bring(2, "snack", "table_2"), snacks(), lost)
    assert [lit.thing for lit in case.choices[0].hold] == ["snack_4", "snack_5"]
    (blocker,) = case_of(bring(None, "snack", "table_2"), snacks(), lost).blockers
    assert blocker.unusable == {"snack_3"}
    assert "no action" in blocker.reason and "glued" in blocker.proof


def test_stages_keep_what_lasts_and_drop_what_passes() -> None:
    first = bring(1, "cola can", "table_2").clauses[0]
    second = bring(1, "snack", "table_2").clauses[0]
    assert isinstance(first, Clause) and isinstance(second, Clause)
    later = replace(second, stage=1)
    kept = case_of(Goal((first, later)), snacks()).stages()
    assert [len(s.parts) if isinstance(s, And) else 1 for s in kept] == [1, 2]
    passing = case_of(Goal((replace(first, transient=True), later)), snacks()).stages()
    assert [str(s) for s in passing] == ["(is-on cola_can_13 table_2)", "(is-on snack_3 table_2)"]


def test_exactly_keeps_the_others_away() -> None:
    goal = Goal(
        (
            Clause(
                "on",
                Quantifier("exactly", 1),
                Selector(cls="snack"),
                Selector(names=("table_3",)),
            ),
        )
    )
    (choice,) = case_of(goal, snacks()).choices
    assert len(choice.hold) == 1 and len(choice.avoid) == 2


def test_an_ordering_rule_follows_each_thing_by_what_comes_next() -> None:
    scene = scene_of(
        ["hall_1"],
        {
            "plate_1": ("plate", "at", "hall_1"),
            "plate_2": ("plate", "at", "hall_1"),
            "cup_1": ("cup", "at", "hall_1"),
            "table_1": ("table", "at", "hall_1"),
        },
    )
    plates = Clause("on", ALL, Selector(cls="plate"), Selector(cls="table"))
    then = Clause("held", ALL, Selector(cls="cup"))
    goal = Goal((plates,), order=(Immediately(plates, then),))
    stages = [str(stage) for stage in case_of(goal, scene).stages()]
    assert stages[:4] == [
        "(is-on plate_1 table_1)",
        "(and (is-on plate_1 table_1) (holding robot cup_1))",
        "(and (is-on plate_1 table_1) (is-on plate_2 table_1))",
        "(and (is-on plate_1 table_1) (is-on plate_2 table_1) (holding robot cup_1))",
    ]


def test_which_bin_is_a_restriction_of_the_action() -> None:
    scene = scene_of(
        ["hall_1"],
        {
            "cola_can_1": ("cola can", "at", "hall_1"),
            "metal_bin_1": ("metal bin", "at", "hall_1"),
            "paper_bin_1": ("paper bin", "at", "hall_1"),
        },
    )
    goal = Goal(
        (Clause("disposed", ALL, Selector(cls="cola can"), Selector(names=("metal_bin_1",))),)
    )
    case = case_of(goal, scene)
    (restriction,) = case.restrictions()
    assert restriction.action == "throw-away"
    assert restriction.argument == "?in"
    assert restriction.allowed == {"metal_bin_1"}
