"""The bench's own check finds what is not so, wherever it is put."""

from __future__ import annotations

from dataclasses import replace

import pytest

import gist
from gist.bench.grounding import faults
from gist.goals import Clause, Goal, Quantifier, Selector
from gist.pddl.problem import Step
from gist.planning import Answer, TaskPlanner
from gist.scene import Kind, Node, Place, Relation, SceneGraph

DOMAIN = gist.load_domain("household")
SCENE = SceneGraph(
    [
        Node("hall", Kind.ROOM, "hall"),
        Node("kitchen", Kind.ROOM, "kitchen"),
        Node("robot", Kind.ROBOT, "robot"),
        Node("table", Kind.FURNITURE, "table"),
        Node("cupboard", Kind.FURNITURE, "cupboard", states=frozenset({"closed"})),
        Node("cup 1", Kind.OBJECT, "cup"),
    ],
    {
        "robot": Place(Relation.AT, "hall"),
        "table": Place(Relation.AT, "hall"),
        "cupboard": Place(Relation.AT, "kitchen"),
        "cup 1": Place(Relation.IN, "cupboard"),
    },
)


@pytest.fixture(scope="module")
def answer() -> Answer:
    cup = Clause("on", Quantifier("at_least", 1), Selector(cls="cup"), Selector(names=("table",)))
    return TaskPlanner().plan(Goal((cup,)), SCENE, DOMAIN)


def changed(answer: Answer, old: str, new: str) -> Answer:
    whole = answer.problems[0]
    assert old in whole.problem
    problem = replace(whole, problem=whole.problem.replace(old, new))
    return replace(answer, problems=(problem, *answer.problems[1:]))


def test_what_agrees_with_the_scene_is_grounded(answer: Answer) -> None:
    assert answer.plan
    assert faults(answer, SCENE, DOMAIN) == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(in cup_1 cupboard)", "(at cup_1 hall)", "is not so in the scene"),
        ("(in cup_1 cupboard)", "", "does not say where cup 1 is"),
        ("(at robot__2 hall)", "(at robot__2 kitchen)", "(at robot__2 kitchen) is not so"),
        ("(closed cupboard)", "(open cupboard)", "cupboard is closed"),
        ("(closed cupboard)", "(closed cupboard) (open cupboard)", "both closed and open"),
    ],
)
def test_a_false_fact_is_found(answer: Answer, old: str, new: str, said: str) -> None:
    assert any(said in fault for fault in faults(changed(answer, old, new), SCENE, DOMAIN))


def test_a_thing_that_is_not_there_is_found(answer: Answer) -> None:
    assert "cup_1 is not in the scene" in faults(answer, SCENE.without("cup 1"), DOMAIN)


def test_another_class_or_place_is_found(answer: Answer) -> None:
    mug = SCENE.without("cup 1").with_node(
        Node("cup 1", Kind.OBJECT, "mug"), Place(Relation.IN, "cupboard")
    )
    assert any("the scene has a mug" in fault for fault in faults(answer, mug, DOMAIN))
    moved = SCENE.moved("cup 1", Place(Relation.ON, "table"))
    assert any("is said to be in cupboard" in fault for fault in faults(answer, moved, DOMAIN))


def test_a_plan_that_fails_is_found(answer: Answer) -> None:
    short = replace(answer, plan=answer.plan[:-1])
    assert any("goal does not hold" in fault for fault in faults(short, SCENE, DOMAIN))
    wrong = replace(answer, plan=(Step("drive", ("robot", "kitchen", "hall")), *answer.plan))
    assert any("step 1" in fault for fault in faults(wrong, SCENE, DOMAIN))
