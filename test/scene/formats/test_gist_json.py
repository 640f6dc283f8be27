from __future__ import annotations

import json
import math
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gist.errors import BadInput
from gist.scene import Kind, Node, Pose, SceneGraph, check, load_scene
from gist.scene.formats import gist_json

from ..strategies import scenes
from .test_task_json import json_values

SCHEMA = json.loads((files("gist.scene") / "data" / "scene.schema.json").read_text("utf-8"))


def scene_of(*nodes: Any, **more: Any) -> str:
    return json.dumps({"format": "gist-scene", "version": 1, "nodes": nodes, **more})


@given(scenes())
def test_what_is_written_fits_the_schema_and_reads_back_the_same(scene: SceneGraph) -> None:
    text = gist_json.write(scene)
    jsonschema.validate(json.loads(text), SCHEMA)
    again, findings = gist_json.read(text)
    assert again == scene
    assert findings == check(scene)


def test_a_node_with_a_broken_pose_cannot_be_written() -> None:
    broken = Node("cup", Kind.OBJECT, "cup", pose=Pose((math.nan, 0.0, 0.0)))
    with pytest.raises(BadInput, match="pose of 'cup'"):
        gist_json.write(SceneGraph([broken]))


@pytest.mark.parametrize(
    ("node", "code"),
    [
        ({"name": "a", "kind": "object", "class": "cup", "stats": ["dirty"]}, "unknown-key"),
        ({"name": "a", "kind": "thing", "class": "cup"}, "bad-kind"),
        ({"name": "a", "kind": "object"}, "bad-class"),
        ({"name": "a", "kind": "object", "class": "cup", "place": {"under": "hall"}}, "bad-place"),
        ({"name": "a", "kind": "object", "class": "cup", "place": {"on": "moon"}}, "unknown-place"),
        ({"name": "a", "kind": "object", "class": "cup", "place": {"on": "a"}}, "place-cycle"),
        ({"name": "a", "kind": "object", "class": "cup", "states": "dirty"}, "bad-states"),
        ({"name": "a", "kind": "object", "class": "cup", "attributes": {"n": 1}}, "bad-attributes"),
        ({"name": "a", "kind": "object", "class": "cup", "size": [1, 2]}, "bad-size"),
        ({"name": "a", "kind": "object", "class": "cup", "pose": {}}, "bad-pose"),
        (
            {"name": "a", "kind": "object", "class": "cup", "pose": {"position": [1e999, 0, 0]}},
            "bad-pose",
        ),
        (
            {"name": "a", "kind": "object", "class": "cup",
             "pose": {"position": [0, 0, 0], "orientation": [0, 0, 0, 0]}},
            "bad-orientation",
        ),
    ],
)  # fmt: skip
def test_a_broken_fact_is_named_and_the_node_kept(node: dict[str, Any], code: str) -> None:
    hall = {"name": "hall", "kind": "room", "class": "hallway"}
    robot = {"name": "robot", "kind": "robot", "class": "robot", "place": {"at": "hall"}}
    scene, findings = gist_json.read(scene_of(hall, robot, node))
    assert "a" in scene
    told = [(found.node, found.code) for found in findings if found.code != "no-room"]
    assert told == [("a", code)]


def test_a_name_given_twice_gets_a_suffix() -> None:
    cup = {"name": "cup", "kind": "object", "class": "cup"}
    scene, findings = gist_json.read(scene_of(cup, cup, {**cup, "name": "c\nup"}))
    assert scene.things() == ("c up", "cup", "cup_2")
    assert {(f.node, f.code) for f in findings} >= {
        ("cup_2", "duplicate-name"),
        ("c up", "bad-name"),
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{}", "gist-scene"),
        ('{"format": "gist-scene", "version": 7, "nodes": []}', "version 7.*reads version 1"),
        ('{"format": "gist-scene", "version": 1}', "list 'nodes'"),
    ],
)
def test_what_is_no_gist_scene_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        gist_json.read(text)


node_like = st.fixed_dictionaries(
    {},
    optional={
        "name": json_values | st.sampled_from("ab"),
        "kind": json_values | st.sampled_from(["room", "object", "robot"]),
        "class": json_values,
        "place": json_values | st.sampled_from([{"on": "a"}, {"in": "b"}, {"at": "c"}]),
        **dict.fromkeys(["attributes", "affordances", "states", "size", "pose"], json_values),
    },
)


@given(st.lists(node_like | json_values))
def test_any_nodes_give_a_scene_that_can_be_written(nodes: list[Any]) -> None:
    scene, findings = gist_json.read(scene_of(*nodes))
    unreadable = [found for found in findings if found.code == "unreadable"]
    assert len(scene) + len(unreadable) == len(nodes)
    again, _ = gist_json.read(gist_json.write(scene))
    assert again == scene


def test_the_authored_scenes_are_sound(repository: Path) -> None:
    paths = sorted((repository / "config" / "scenes").glob("*.json"))
    assert len(paths) >= 4
    for path in paths:
        jsonschema.validate(json.loads(path.read_text("utf-8")), SCHEMA)
        result = load_scene(path)
        assert result.findings == (), path.name
        assert all(node.size and node.pose for node in result.scene.nodes.values())
        assert result.scene.robots()


def test_the_kid_snacks_scene_has_what_the_story_needs(repository: Path) -> None:
    scene = load_scene(repository / "config" / "scenes" / "kid_snacks.json").scene
    assert {"snack_3", "snack_4", "snack_5", "cola_can_13"} < set(scene.children("table_3"))
    assert scene.of_class("snack") == ("snack_3", "snack_4", "snack_5")
    assert [scene.room_of(table) for table in ("table_2", "table_3")] == [
        "living_room_3",
        "kitchen_1",
    ]
    assert scene.place_of(scene.of_class("wine bottle")[0]) == scene.place_of("snack_3")
