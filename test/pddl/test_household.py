from __future__ import annotations

from importlib import resources

import pytest

from gist.pddl.domain import Domain
from gist.pddl.parser import parse_domain, parse_formula, parse_plan, parse_problem
from gist.pddl.planners import FastDownward, Limits
from gist.pddl.problem import Problem
from gist.pddl.reachability import unreachable
from gist.pddl.simulate import simulate
from gist.pddl.validate import validate

from .val import judge

HOME = """(define (problem home) (:domain household)
  (:objects kitchen bath living - room bot - robot table - fixed-surface
    fridge chest - surface-container
    bowl basket - portable-container tray_1 - portable-surface
    mug apple apple_2 soap can - item bin_1 - bin lamp - furniture)
  (:init (at bot living) (gripper-free bot) (at table kitchen) (at fridge kitchen) (closed fridge)
    (front-door fridge) (at chest bath) (closed chest) (on mug chest) (in soap chest)
    (on bowl table) (in apple bowl) (at apple_2 living) (at bin_1 kitchen) (on can table)
    (at tray_1 living) (at basket bath) (on lamp table))
  (:goal (and)))"""


@pytest.fixture(scope="module")
def domain() -> Domain:
    return parse_domain((resources.files("gist.pddl") / "data" / "household.pddl").read_text())


@pytest.fixture(scope="module")
def planner() -> FastDownward:
    return FastDownward(workers=1)


def home(goal: str) -> Problem:
    problem = parse_problem(HOME)
    return Problem(problem.name, problem.domain, problem.objects, problem.init, parse_formula(goal))


@pytest.mark.parametrize(
    ("goal", "needed"),
    [
        ("(in soap fridge)", ["drive", "pick_from", "put_down", "open", "take_out"]),
        ("(on soap table)", ["pick_from mug", "open chest", "take_out soap", "place_on soap"]),
        ("(and (in apple_2 fridge) (closed fridge))", ["open", "place_in", "close"]),
        ("(in apple_2 bowl)", ["pick_up apple_2", "place_in apple_2 bowl kitchen"]),
        ("(and (at bowl living) (in apple bowl))", ["pick_from bowl", "put_down bowl"]),
        ("(and (disposed can) (in can bin_1))", ["throw_away can bin_1"]),
        ("(exists (?i - item) (on ?i tray_1))", ["place_on"]),
        ("(forall (?i - item) (imply (on ?i table) (= ?i bowl)))", ["pick_from can"]),
    ],
)
def test_plans_are_valid_and_take_what_is_needed(
    domain: Domain, planner: FastDownward, goal: str, needed: list[str]
) -> None:
    problem = home(goal)
    assert not [f for f in validate(domain, problem) if f.severity == "error"]
    result = planner.solve(domain, problem, Limits(20))
    assert result.status == "solved", result.message
    assert simulate(domain, problem, result.plan).goal_holds
    assert judge(domain, problem, result.plan).valid
    for words in needed:
        action, *args = words.split()
        assert any(s.action == action and set(args) <= set(s.args) for s in result.plan), words


@pytest.mark.parametrize(
    ("goal", "why"),
    [
        ("(on lamp chest)", "'place_on' takes a item, lamp is a furniture"),
        ("(in mug table)", "table is a fixed-surface"),
        ("(holding bot fridge)", "fridge is a surface-container"),
    ],
)
def test_what_furniture_cannot_do_is_proved(
    domain: Domain, planner: FastDownward, goal: str, why: str
) -> None:
    proof = unreachable(domain, home(goal))
    assert proof is not None and why in proof.text
    assert planner.solve(domain, home(goal)).status == "unsolvable"


def test_the_lid_opens_only_when_nothing_stands_on_it(domain: Domain) -> None:
    blind = parse_plan("(drive bot living bath) (open bot chest bath)")
    blocked = simulate(domain, home("(open chest)"), blind)
    assert blocked.failure is not None and blocked.failure.index == 1
    free = parse_plan(
        "(drive bot living bath) (pick_from bot mug chest bath) (put_down bot mug bath)"
        " (open bot chest bath)"
    )
    assert simulate(domain, home("(open chest)"), free).goal_holds
