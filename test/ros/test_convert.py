"""What goes through a message comes out as it was, and what is broken is named."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
from builtin_interfaces.msg import Time
from gist_ros import msg
from hypothesis import given
from hypothesis import strategies as st

from gist.errors import BadInput
from gist.goals import Assumption, Clause, Goal, Quantifier, Selector, render
from gist.pddl.planners import Step
from gist.planning import Answer, PlanLimits
from gist.planning.answer import ChangeStep, RefusedWord, Status, Times
from gist.ros import convert
from gist.scene import Kind, Node, Place, Pose, Relation, SceneGraph, natural_key
from gist.scene.findings import Finding

pytestmark = pytest.mark.ros

words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
numbers = st.floats(-1e6, 1e6)
poses = st.builds(
    Pose,
    st.tuples(numbers, numbers, numbers),
    st.tuples(numbers, numbers, numbers, numbers),
    st.sampled_from(["map", "odom", "camera"]),
)
nodes = st.builds(
    Node,
    name=words.filter(bool),
    kind=st.sampled_from(Kind),
    cls=words,
    attributes=st.dictionaries(words, words, max_size=3),
    affordances=st.lists(words, max_size=3).map(tuple),
    states=st.frozensets(words, max_size=3),
    size=st.none() | st.tuples(numbers, numbers, numbers),
    pose=st.none() | poses,
)


@st.composite
def scenes(draw: st.DrawFn) -> SceneGraph:
    found = draw(st.lists(nodes, max_size=8, unique_by=lambda node: node.name))
    places = {}
    for i, node in enumerate(found[1:]):
        relation = draw(st.none() | st.sampled_from(Relation))
        if relation is not None:
            places[node.name] = Place(relation, found[draw(st.integers(0, i))].name)
    return SceneGraph(found, places)


@given(scenes())
def test_a_scene_comes_back_as_it_was(scene: SceneGraph) -> None:
    message = convert.scene_to_msg(scene, Time(sec=3), "map")
    assert message.version == scene.version
    assert message.header.stamp.sec == 3
    assert convert.scene_from_msg(message) == scene
    assert [node.name for node in message.nodes] == sorted(scene.nodes, key=natural_key)


def test_a_pose_without_a_frame_is_in_the_frame_of_the_header() -> None:
    message = msg.SceneGraph()
    message.header.frame_id = "odom"
    message.nodes = [msg.SceneNode(name="cup_1", class_name="cup", has_pose=True)]
    pose = convert.scene_from_msg(message).node("cup_1").pose
    assert pose is not None
    assert pose.frame == "odom"


def _node(**fields: Any) -> msg.SceneNode:
    return msg.SceneNode(**{"name": "cup_1", "class_name": "cup", **fields})


def _bent(what: str) -> msg.SceneNode:
    node = _node(has_pose=True, has_size=True)
    if what == "pose":
        node.pose.position.x = math.nan
    else:
        node.size.z = math.inf
    return node


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ([_node(name="")], "a node of class 'cup' has no name"),
        ([_node(), _node()], "cup_1"),
        ([_node(kind=9)], "'cup_1' is of kind 9"),
        ([_node(relation=9, target="cup_1")], "'cup_1' has the relation 9"),
        ([_node(relation=1, target="hall")], "hall"),
        ([_node(target="hall")], "'cup_1' has the target 'hall' but no relation"),
        ([_node(relation=1, target="cup_1")], "cup_1"),
        ([_bent("pose")], "the pose of node 'cup_1' is not finite"),
        ([_bent("size")], "the size of node 'cup_1' is not finite"),
    ],
)
def test_a_broken_scene_is_refused_by_name(broken: list[msg.SceneNode], says: str) -> None:
    with pytest.raises(BadInput, match=re.escape(says)):
        convert.scene_from_msg(msg.SceneGraph(nodes=broken))


GOAL = Goal(
    (
        Clause(
            "on",
            Quantifier("at_least", 4),
            Selector(cls="snack", context=frozenset({"children"})),
            Selector(names=("table_2",)),
            span=(0, 29),
        ),
    ),
    assumptions=(Assumption("table_2 is the dining table", (22, 29), "choice"),),
    text="Bring 4 kid snacks to table_2",
    context=frozenset({"children"}),
)
SOLVED = Answer(
    Status.SOLVED,
    GOAL.text,
    frontend="knowledge",
    planner="fast-downward",
    goal=GOAL,
    final_goal=GOAL,
    goal_text=render(GOAL),
    final_goal_text=render(GOAL),
    final_goal_pddl="(on snack_3 table_2)",
    steps=(
        ChangeStep("shift", "substitute", "4 snacks", "3 snacks and a cola", "few", 2, "", "cold"),
        ChangeStep("relax", "lower_count", "4", "3", "too few", None, "at least 4 entails 3"),
    ),
    plan=(Step("drive", ("robot", "kitchen_1")), Step("wait", ())),
    objects={
        "snack_3": {
            "label": "Snack 3",
            "class": "snack",
            "place": "table_3",
            "relation": "on",
            "states": ["clean"],
            "type": "item",
        },
        "hall": {
            "label": "hall",
            "class": "hall",
            "place": None,
            "relation": None,
            "states": [],
            "type": "room",
        },
    },
    final_state=("(on snack_3 table_2)",),
    assumptions=(*GOAL.assumptions, Assumption("the lid is closed", kind="default")),
    kept=("4 snacks on table_2",),
    lost=("4 -> 3",),
    reasons=("there are 3 snacks",),
    summary="Three snacks and a cola.",
    refused=(RefusedWord(3, 6, "foo"),),
    suggestions=("say bar",),
    times=Times(0.1, 0.2, 0.3, 0.6),
    expanded=12,
)


@pytest.mark.parametrize("answer", [SOLVED, Answer(Status.NOT_UNDERSTOOD, "blah")])
def test_an_answer_comes_back_as_it_was(answer: Answer) -> None:
    message = convert.answer_to_msg(answer)
    assert json.loads(message.json) == answer.to_json()
    assert convert.answer_from_msg(message) == answer


@pytest.mark.parametrize("status", Status)
def test_every_status_has_its_own_number(status: Status) -> None:
    message = convert.answer_to_msg(Answer(status, "x"))
    assert getattr(msg.Answer, f"STATUS_{status.name}") == message.status
    assert convert.answer_from_msg(message).status is status


def test_limits_left_open_come_from_the_default() -> None:
    default = PlanLimits(1.0, 200, 3, 4)
    assert convert.limits_from_msg(msg.Limits(), default) == default
    own = PlanLimits(9.0, 800, 0, 0)
    assert convert.limits_from_msg(convert.limits_to_msg(own), default) == own


@pytest.mark.parametrize(
    "broken", [{"time_s": math.inf}, {"time_s": math.nan}, {"time_s": -1.0}, {"relaxations": -2}]
)
def test_limits_that_are_none_are_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=next(iter(broken))):
        convert.limits_from_msg(msg.Limits(**broken), PlanLimits())


@pytest.mark.parametrize("severity", ["info", "warning", "error"])
def test_a_finding_comes_back_as_it_was(severity: Any) -> None:
    finding = Finding(severity, "cup_1", "no-room", "cup_1 has no room", "give it one")
    assert convert.finding_from_msg(convert.finding_to_msg(finding)) == finding
