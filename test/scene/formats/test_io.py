from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gist.errors import BadInput
from gist.scene import (
    Kind,
    Node,
    Place,
    Relation,
    SceneGraph,
    generate,
    load_scene,
    read_scene,
    save_scene,
)

TASK = json.dumps(
    {
        "rooms": {"1": {"id": 1, "category": "kitchen", "label": "kitchen_1"}},
        "objects": {"1": {"id": 1, "class": "cup", "label": "robot", "parent_room": 1}},
    }
).encode()


def test_the_robot_is_put_in_its_room() -> None:
    result = read_scene(TASK.replace(b'"robot"', b'"cup_1"'), "kitchen_1")
    assert result.scene.robots()[0].name == "robot"
    assert result.scene.place_of("robot") == Place(Relation.AT, "kitchen_1")
    assert result.findings == ()


def test_a_robot_without_a_room_has_no_place_and_a_finding() -> None:
    result = read_scene(TASK)
    (robot,) = result.scene.robots()
    assert robot.name == "robot_" and result.scene.place_of("robot_") is None
    assert [(found.node, found.code) for found in result.findings] == [("robot_", "no-robot-place")]


def test_a_room_that_does_not_exist_is_refused_with_near_ones() -> None:
    for wrong in ("kitchen_2", "robot"):
        with pytest.raises(BadInput, match=f"'{wrong}'.*kitchen_1"):
            read_scene(TASK, wrong)


def test_a_saved_scene_loads_the_same_and_the_robot_can_be_moved(tmp_path: Path) -> None:
    scene = generate(40, seed=2)
    save_scene(scene, tmp_path / "scene.json")
    assert load_scene(tmp_path / "scene.json").scene == scene
    moved = load_scene(tmp_path / "scene.json", "living_room_2").scene
    assert moved.place_of("robot") == Place(Relation.AT, "living_room_2")


def test_files_that_cannot_be_read_or_written_are_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json", "a\0b"):
        with pytest.raises(BadInput, match="cannot read"):
            load_scene(path)
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(BadInput, match=r"list\.json: this is no scene graph"):
        load_scene(tmp_path / "list.json")
    with pytest.raises(BadInput, match="cannot write"):
        save_scene(SceneGraph(), tmp_path / "none" / "scene.json")
    with pytest.raises(BadInput, match="not Unicode"):
        save_scene(SceneGraph([Node("\ud800", Kind.OBJECT, "cup")]), tmp_path / "a.json")


@given(st.binary(max_size=60) | st.binary(max_size=60).map(lambda data: b"PK\x03\x04" + data))
def test_any_bytes_give_a_scene_or_a_named_error(data: bytes) -> None:
    try:
        read_scene(data)
    except BadInput as error:
        assert str(error)


TEXT = json.dumps(json.loads(TASK)).encode()


@given(st.lists(st.tuples(st.integers(0, len(TEXT) - 1), st.integers(0, 255)), max_size=4))
def test_any_flipped_byte_in_a_task_gives_a_scene_or_a_named_error(
    flips: list[tuple[int, int]],
) -> None:
    data = bytearray(TEXT)
    for position, byte in flips:
        data[position] = byte
    try:
        scene = read_scene(bytes(data)).scene
    except BadInput as error:
        assert str(error)
    else:
        assert len(scene.robots()) == 1


def test_the_task_set_is_read_whole(tasks_dir: Path) -> None:
    tasks = json.loads((tasks_dir / "tasks.json").read_text("utf-8"))
    assert len(tasks) >= 100
    lost = 0
    for task in tasks:
        result = load_scene(tasks_dir / task["graph"], task["robot_room"])
        raw = json.loads((tasks_dir / task["graph"]).read_text("utf-8"))
        labels = {row["label"] for table in ("rooms", "objects") for row in raw[table].values()}
        assert set(result.scene.nodes) == labels | {"robot"}
        assert all(node.pose for node in (*result.scene.objects(), *result.scene.rooms()))
        assert all("material" in node.attributes for node in result.scene.objects())
        assert result.scene.room_of("robot") == task["robot_room"]
        assert {found.code for found in result.findings} <= {"no-room", "container-room"}
        lost += sum(found.code == "no-room" for found in result.findings)
        archive = load_scene(tasks_dir / task["graph_npz"], task["robot_room"]).scene
        assert set(archive.nodes) == labels | {"robot"}
    assert lost == sum(
        row["parent_room"] is None
        for task in tasks
        for row in json.loads((tasks_dir / task["graph"]).read_text())["objects"].values()
    )
