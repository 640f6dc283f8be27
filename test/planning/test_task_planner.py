from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from gist.errors import BadInput
from gist.goals import ALL, Clause, Goal, Located, Quantifier, Selector
from gist.pddl.parser import parse_domain
from gist.planning import Answer, PlanLimits, Status, TaskPlanner
from gist.scene import Kind, Node, Place, Relation, SceneGraph

from .scenes import DOMAIN_TEXT, LAUNDRY_TEXT, bring, scene_of, snacks

DOMAIN = parse_domain(DOMAIN_TEXT)


@pytest.fixture(scope="module")
def planner() -> TaskPlanner:
    return TaskPlanner()


def actions(answer: Answer) -> list[str]:
    return [step.action for step in answer.plan]


def test_a_goal_that_can_be_reached_is_not_changed(planner: TaskPlanner) -> None:
    answer = planner.plan(bring(3, "snack", "table_2"), snacks(), DOMAIN)
    assert answer.status is Status.SOLVED
    assert answer.steps == ()
    assert actions(answer).count("put-on") == 3
    assert {"(is-on snack_3 table_2)", "(is-on snack_5 table_2)"} <= set(answer.final_state)
    assert answer.objects["snack_3"]["place"] == "table_3"


def test_the_missing_snack_for_children_is_the_cola_and_never_the_wine(
    planner: TaskPlanner,
) -> None:
    goal = bring(4, "snack", "table_2", context=frozenset({"children"}))
    answer = planner.plan(replace(goal, context=frozenset({"children"})), snacks(), DOMAIN)
    assert answer.status is Status.SOLVED
    (step,) = answer.steps
    assert (step.kind, step.operator) == ("shift", "substitute_things")
    assert "(is-on cola_can_13 table_2)" in answer.final_state
    assert "wine" not in " ".join(map(str, answer.plan))


def test_with_nothing_to_stand_in_the_count_is_lowered_with_a_proof(planner: TaskPlanner) -> None:
    scene = snacks().without("cola_can_13").without("wine_bottle_7")
    answer = planner.plan(bring(4, "snack", "table_2"), scene, DOMAIN)
    assert answer.status is Status.SOLVED
    (step,) = answer.steps
    assert (step.kind, step.operator) == ("relax", "lower_count")
    assert step.proof


def test_what_is_not_there_and_has_no_stand_in_is_infeasible(planner: TaskPlanner) -> None:
    answer = planner.plan(bring(None, "key", "table_2"), snacks(), DOMAIN)
    assert answer.status is Status.INFEASIBLE
    assert "key" in answer.summary
    assert answer.plan == ()


def test_a_thing_behind_a_door_that_nobody_can_open_is_left_out(planner: TaskPlanner) -> None:
    scene = scene_of(
        ["kitchen_1"],
        {
            "cupboard_1": ("cupboard", "at", "kitchen_1"),
            "table_1": ("table", "at", "kitchen_1"),
            "cup_1": ("cup", "in", "cupboard_1"),
            "cup_2": ("cup", "at", "kitchen_1"),
        },
    )
    shut = (
        "\n".join(line for line in DOMAIN_TEXT.split("(:action open")[0:1])
        + "(:action throw-away"
        + DOMAIN_TEXT.split("(:action throw-away")[1]
    )
    answer = planner.plan(bring(2, "cup", "table_1"), scene, parse_domain(shut))
    assert answer.status is Status.SOLVED
    (step,) = answer.steps
    assert step.operator == "lower_count"
    assert "(is-on cup_2 table_1)" in answer.final_state
    whole = planner.plan(bring(2, "cup", "table_1"), scene, DOMAIN)
    assert whole.steps == () and "open" in actions(whole)


def test_stages_are_done_in_order(planner: TaskPlanner) -> None:
    scene = scene_of(
        ["kitchen_1", "hall_1"],
        {
            "table_1": ("table", "at", "kitchen_1"),
            "table_2": ("table", "at", "hall_1"),
            "cup_1": ("cup", "on", "table_1"),
        },
    )
    cup = Selector(cls="cup")
    there = Clause("on", ALL, cup, Selector(names=("table_2",)), transient=True)
    back = Clause("on", ALL, cup, Selector(names=("table_1",)), stage=1)
    answer = planner.plan(Goal((there, back)), scene, DOMAIN)
    targets = [step.args[2] for step in answer.plan if step.action == "put-on"]
    assert targets == ["table_2", "table_1"]


def test_a_limit_is_a_limit_and_never_infeasible(planner: TaskPlanner) -> None:
    answer = planner.plan(bring(3, "snack", "table_2"), snacks(), DOMAIN, PlanLimits(time_s=1e-6))
    assert answer.status is Status.UNKNOWN
    assert "time" in answer.summary


def test_a_cancelled_request_ends_as_unknown(planner: TaskPlanner) -> None:
    cancel = threading.Event()
    cancel.set()
    answer = planner.plan(bring(3, "snack", "table_2"), snacks(), DOMAIN, cancel=cancel)
    assert answer.status is Status.UNKNOWN


def test_the_limit_of_relaxations_is_told(planner: TaskPlanner) -> None:
    scene = snacks().without("cola_can_13").without("wine_bottle_7")
    limits = PlanLimits(relaxations=0)
    answer = planner.plan(bring(4, "snack", "table_2"), scene, DOMAIN, limits)
    assert answer.status is Status.UNKNOWN
    assert "relaxations" in answer.summary


def test_words_that_are_not_understood_are_named(planner: TaskPlanner) -> None:
    answer = planner.plan("bring the glorp to table_2", snacks(), DOMAIN)
    assert answer.status is Status.NOT_UNDERSTOOD
    assert [word.word for word in answer.refused] == ["glorp"]


def test_a_scene_without_a_robot_is_bad_input(planner: TaskPlanner) -> None:
    scene = SceneGraph([Node("hall_1", Kind.ROOM, "hall")])
    with pytest.raises(BadInput, match="robot"):
        planner.plan(bring(1, "cup", "table_1"), scene, DOMAIN)


def test_a_robot_that_holds_something_puts_it_down_first(planner: TaskPlanner) -> None:
    scene = snacks().moved("cola_can_13", Place(Relation.HELD, "robot"))
    answer = planner.plan(bring(1, "snack", "table_2"), scene, DOMAIN)
    assert answer.status is Status.SOLVED
    assert "(is-on snack_3 table_2)" in answer.final_state


def test_contents_are_put_back_where_they_were(planner: TaskPlanner) -> None:
    scene = scene_of(
        ["kitchen_1"],
        {
            "cupboard_1": ("cupboard", "at", "kitchen_1"),
            "cup_1": ("cup", "in", "cupboard_1"),
        },
    )
    inside = Selector(where=Located("in", Selector(cls="cupboard")))
    cupboard = Selector(cls="cupboard")
    out = Clause("in", Quantifier("at_most", 0), inside, cupboard, transient=True)
    back = Clause("in", ALL, inside, cupboard, stage=1)
    answer = planner.plan(Goal((out, back)), scene, DOMAIN)
    assert actions(answer) == ["open", "take-out", "drop", "grab", "put-in"]


def test_several_requests_at_once_do_not_disturb_each_other(planner: TaskPlanner) -> None:
    answers: dict[int, Answer] = {}

    def ask(count: int) -> None:
        answers[count] = planner.plan(bring(count, "snack", "table_2"), snacks(), DOMAIN)

    threads = [threading.Thread(target=ask, args=(count,)) for count in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert {count: actions(answer).count("put-on") for count, answer in answers.items()} == {
        1: 1,
        2: 2,
        3: 3,
    }


def test_times_add_up(planner: TaskPlanner) -> None:
    began = time.monotonic()
    times = planner.plan(bring(1, "snack", "table_2"), snacks(), DOMAIN).times
    assert 0 < times.plan < times.total <= time.monotonic() - began


def test_a_missing_tool_is_replaced_by_name_or_the_wash_stops_at_its_last_lasting_step(
    planner: TaskPlanner,
) -> None:
    things = {
        "shirt_1": ("shirt", "at", "bathroom_1"),
        "washing_machine_1": ("washing machine", "at", "bathroom_1"),
        "dish_soap_1": ("dish soap", "at", "bathroom_1"),
    }
    scene = scene_of(["bathroom_1"], things)
    goal = Goal((Clause("washed", ALL, Selector(cls="shirt")),))
    laundry = parse_domain(LAUNDRY_TEXT)
    (step,) = planner.plan(goal, scene, laundry).steps
    assert (step.operator, step.after) == ("substitute_tool", "dish_soap_1")
    assert step.caution
    answer = planner.plan(goal, scene.without("dish_soap_1"), laundry)
    (step,) = answer.steps
    assert (step.kind, step.operator) == ("relax", "landmark")
    assert "(inside shirt_1 washing_machine_1)" in answer.final_state


def test_clauses_that_want_the_same_class_get_things_of_their_own(planner: TaskPlanner) -> None:
    scene = scene_of(
        ["kitchen_1"],
        {
            "table_1": ("table", "at", "kitchen_1"),
            "table_2": ("table", "at", "kitchen_1"),
            "cup_1": ("cup", "at", "kitchen_1"),
            "cup_2": ("cup", "at", "kitchen_1"),
        },
    )
    one, two = bring(1, "cup", "table_1"), bring(1, "cup", "table_2")
    answer = planner.plan(Goal((*one.clauses, *two.clauses)), scene, DOMAIN)
    assert answer.steps == ()
    assert actions(answer).count("put-on") == 2
    more = bring(2, "cup", "table_2")
    answer = planner.plan(Goal((*one.clauses, *more.clauses)), scene, DOMAIN)
    assert [step.operator for step in answer.steps] == ["lower_count"]


def test_what_stands_in_the_room_already_is_not_put_on_the_floor(planner: TaskPlanner) -> None:
    answer = planner.plan(bring(None, "snack", "kitchen_1", "at"), snacks(), DOMAIN)
    assert answer.status is Status.SOLVED
    assert answer.plan == ()


@pytest.mark.parametrize(
    ("limits", "named"),
    [
        ({"time_s": -1.0}, "time_s"),
        ({"time_s": float("inf")}, "time_s"),
        ({"memory_mb": 1}, "memory_mb"),
    ],
)
def test_a_limit_that_makes_no_sense_is_bad_input(limits: dict[str, float], named: str) -> None:
    with pytest.raises(BadInput, match=named):
        PlanLimits(**limits)  # type: ignore[arg-type]


def test_a_domain_with_an_error_is_bad_input_with_its_line(planner: TaskPlanner) -> None:
    broken = DOMAIN_TEXT.replace("(is-free ?who) (at ?x ?r)))", "(is-free ?who) (at ?x ?rom)))")
    assert broken != DOMAIN_TEXT
    with pytest.raises(BadInput, match=r"line \d+.*\?rom"):
        planner.plan(bring(1, "snack", "table_2"), snacks(), parse_domain(broken))


def test_a_domain_whose_words_are_not_known_leaves_it_open(planner: TaskPlanner) -> None:
    goal = Goal((Clause("cooked", ALL, Selector(cls="snack")),))
    answer = planner.plan(goal, snacks(), DOMAIN)
    assert answer.status is Status.UNKNOWN
    assert "'cooked'" in answer.summary


def test_what_is_in_a_thing_already_is_at_it(planner: TaskPlanner) -> None:
    scene = scene_of(
        ["kitchen_1"],
        {"shelf_1": ("shelf", "at", "kitchen_1"), "book_1": ("book", "in", "shelf_1")},
    )
    for predicate in ("to", "on"):
        answer = planner.plan(bring(None, "book", "shelf_1", predicate), scene, DOMAIN)
        assert (answer.status, answer.plan) == (Status.SOLVED, ())


def test_what_is_taken_out_is_put_down(planner: TaskPlanner) -> None:
    scene = scene_of(
        ["kitchen_1"],
        {"table_1": ("table", "at", "kitchen_1"), "cup_1": ("cup", "on", "table_1")},
    )
    table = Selector(names=("table_1",))
    goal = Goal((Clause("on", Quantifier("at_most", 0), Selector(cls="cup"), table),))
    assert actions(planner.plan(goal, scene, DOMAIN)) == ["take-from", "drop"]


def test_what_one_thing_cannot_be_at_once_is_found_and_the_later_wish_given_up(
    planner: TaskPlanner,
) -> None:
    things = {f"shirt_{n}": ("shirt", "at", "bathroom_1") for n in range(1, 7)}
    things["washing_machine_1"] = ("washing machine", "at", "bathroom_1")
    things["detergent_1"] = ("detergent", "at", "bathroom_1")
    scene = scene_of(["bathroom_1", "closet_1"], things)
    shirts = Selector(cls="shirt")
    washed = Clause("washed", ALL, shirts)
    away = Clause("at", ALL, shirts, Selector(names=("closet_1",)), stage=1)
    answer = planner.plan(Goal((washed, away)), scene, parse_domain(LAUNDRY_TEXT))
    assert answer.status is Status.SOLVED
    (step,) = answer.steps
    assert (step.operator, step.before) == ("drop_conjunct", away.text())
    assert "(is-clean shirt_6)" in answer.final_state


def test_a_thing_asked_to_be_of_two_types_says_so(planner: TaskPlanner) -> None:
    things = {
        "shelf_1": ("shelf", "at", "kitchen_1"),
        "book_1": ("book", "at", "kitchen_1"),
        "cup_1": ("cup", "at", "kitchen_1"),
    }
    on = bring(None, "book", "shelf_1", "on").clauses
    inside = bring(None, "cup", "shelf_1", "in").clauses
    scene = scene_of(["kitchen_1"], things).with_states("shelf_1", add=["open"])
    answer = planner.plan(Goal((*on, *inside)), scene, DOMAIN)
    assert answer.status is Status.SOLVED
    (step,) = answer.steps
    assert (step.kind, step.operator) == ("relax", "generalise_predicate")
    assert "both container and surface" in step.reason
