from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gist.errors import BadInput
from gist.scene import Finding, Kind, Place, Relation, SceneGraph
from gist.scene.formats import task_json
from gist.scene.formats.tables import Shape

ROOMS = {"1": {"id": 1, "category": "living_room", "label": "living_room_1"},
         "2": {"id": 2, "category": "empty_room", "label": "empty_room_2"}}  # fmt: skip


def load(*objects: dict[str, Any], rooms: Any = ROOMS) -> tuple[SceneGraph, list[Finding]]:
    table = {str(row.get("id", number)): row for number, row in enumerate(objects)}
    scene, findings = task_json.read(json.dumps({"rooms": rooms, "objects": table}))
    return scene, [finding for finding in findings if finding.code != "no-robot"]


def thing(number: int, cls: str, room: object = 1, **more: Any) -> dict[str, Any]:
    return {"id": number, "class": cls, "label": f"{cls}_{number}", "parent_room": room, **more}


def test_rooms_keep_their_category_as_class() -> None:
    scene, findings = load()
    assert [(room.name, room.cls) for room in scene.rooms()] == [
        ("empty_room_2", "empty room"),
        ("living_room_1", "living room"),
    ]
    assert findings == []


def test_states_are_split_off_the_class_and_the_label_stays() -> None:
    scene, findings = load(thing(17, "dirty_shirt"), thing(3, "empty_glass_bottle"))
    shirt = scene.node("dirty_shirt_17")
    assert (shirt.cls, shirt.states, shirt.kind) == ("shirt", {"dirty"}, Kind.OBJECT)
    bottle = scene.node("empty_glass_bottle_3")
    assert (bottle.cls, bottle.states) == ("glass bottle", {"empty"})
    assert findings == []


def test_a_description_and_affordances_are_read() -> None:
    text = "Red apple made of fruit, used for eating."
    scene, _ = load(thing(1, "apple", description=text, action_affordance=["pick up", "eat"]))
    apple = scene.node("apple_1")
    assert apple.attributes["colour"] == "red" and apple.attributes["material"] == "fruit"
    assert apple.affordances == ("pick up", "eat")


def test_the_callers_classifier_tells_furniture() -> None:
    text = json.dumps({"rooms": ROOMS, "objects": {"1": thing(1, "dirty_table")}})
    scene, _ = task_json.read(
        text, classify=lambda cls: Kind.FURNITURE if cls == "table" else Kind.OBJECT
    )
    assert [node.name for node in scene.furniture()] == ["dirty_table_1"]


def test_what_is_named_after_its_container_is_in_it() -> None:
    scene, findings = load(thing(21, "shelf", 2), thing(23, "book into the shelf", 1))
    assert scene.node("book into the shelf_23").cls == "book"
    assert scene.place_of("book into the shelf_23") == Place(Relation.IN, "shelf_21")
    assert scene.room_of("book into the shelf_23") == "empty_room_2"
    assert [(found.code, found.node) for found in findings] == [
        ("container-room", "book into the shelf_23")
    ]


def test_on_is_told_from_in_and_other_words_are_left_alone() -> None:
    scene, findings = load(
        thing(1, "wall_shelf"), thing(2, "dirty cup on the shelf"), thing(3, "built in oven")
    )
    assert scene.place_of("dirty cup on the shelf_2") == Place(Relation.ON, "wall_shelf_1")
    assert scene.node("dirty cup on the shelf_2").states == {"dirty"}
    assert scene.node("built in oven_3").cls == "built in oven"
    assert findings == []


@pytest.mark.parametrize("shelves", [(), (2, 2), (1, 1)])
def test_an_unclear_container_leaves_the_parent_room(shelves: tuple[int, ...]) -> None:
    rows = [thing(number, "shelf", room) for number, room in enumerate(shelves, start=10)]
    scene, findings = load(*rows, thing(23, "book into the shelf", 1))
    assert scene.node("book into the shelf_23").cls == "book"
    assert scene.place_of("book into the shelf_23") == Place(Relation.AT, "living_room_1")
    assert [found.code for found in findings] == ["unclear-container"]


def test_the_one_shelf_in_the_parent_room_is_meant() -> None:
    rows = [thing(10, "shelf", 1), thing(11, "shelf", 2)]
    scene, findings = load(*rows, thing(23, "book into the shelf", 2))
    assert scene.place_of("book into the shelf_23") == Place(Relation.IN, "shelf_11")
    assert findings == []


def test_broken_objects_are_kept_and_named() -> None:
    twin = {**thing(2, "kite"), "label": "kite_1"}
    scene, findings = load(
        thing(1, "kite"), twin, thing(3, "kite", None), thing(4, "kite", 99), {"id": 5}
    )
    assert scene.things() == ("kite_1", "kite_1_2", "kite_3", "kite_4", "object_5")
    assert [(found.node, found.code) for found in findings] == [
        ("kite_1_2", "duplicate-name"),
        ("kite_4", "unknown-room"),
        ("object_5", "no-class"),
        ("kite_3", "no-room"),
        ("object_5", "no-room"),
    ]


def test_the_rooms_list_helps_out_and_conflicts_are_told() -> None:
    listing = {**ROOMS, "1": {**ROOMS["1"], "objects_in_room": [1, 2, 3]}}
    scene, findings = load(
        thing(1, "kite", None), thing(2, "kite", 2), thing(3, "kite", 99), rooms=listing
    )
    assert [scene.room_of(f"kite_{n}") for n in (1, 2, 3)] == [
        "living_room_1",
        "empty_room_2",
        "living_room_1",
    ]
    assert [found.code for found in findings] == ["listed-room", "two-rooms", "unknown-room"]


def test_poses_that_are_no_numbers_are_named() -> None:
    shapes = {
        ("object", "1"): Shape([1, 2, float("nan")], [1, 1, 1]),
        ("object", "2"): Shape([1, 2], ["a", 1, 1]),
        ("object", "3"): Shape([1, 2, 3], [10**400, -1, 1]),
    }
    text = json.dumps({"rooms": ROOMS, "objects": {str(n): thing(n, "cup") for n in (1, 2, 3)}})
    scene, findings = task_json.read(text, shapes=shapes)
    assert [scene.node(f"cup_{n}").pose is None for n in (1, 2, 3)] == [True, True, False]
    assert [(found.node, found.code) for found in findings if found.node] == [
        ("cup_1", "bad-pose"),
        ("cup_2", "bad-pose"),
        ("cup_2", "bad-size"),
        ("cup_3", "bad-size"),
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "line 1, column 2"),
        ("[]", "'rooms' and 'objects'"),
        ('{"rooms": 1}', "'rooms' is int"),
        ('{"objects": {"1": {}, "1": {}}}', "'1' stands twice"),
        ("[" * 100_000, "nested too deeply"),
        (b"\xff\xfe{}", "not"),
        ('{"rooms": {"1": %s}}' % ("9" * 5000), "cannot be read"),
    ],
)
def test_what_is_no_scene_is_refused_in_words(text: str | bytes, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        task_json.read(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
rows = st.fixed_dictionaries(
    {},
    optional={
        key: json_values | st.sampled_from(["book into the shelf", "shelf", "dirty_cup", 1, "1"])
        for key in (
            *("id", "class", "label", "category", "parent_room", "objects_in_room"),
            *("description", "action_affordance", "material", "floor"),
        )
    },
)
tables = st.dictionaries(st.sampled_from("123"), rows | json_values) | st.lists(rows | json_values)


@given(st.fixed_dictionaries({"rooms": tables | json_values, "objects": tables | json_values}))
def test_any_tables_give_a_scene_or_a_named_error(content: dict[str, Any]) -> None:
    try:
        scene, findings = task_json.read(json.dumps(content))
    except BadInput as error:
        assert str(error)
        return
    rows = [row for name in ("rooms", "objects") for row in _rows(content[name])]
    unreadable = [found for found in findings if found.code == "unreadable"]
    assert len(scene) + len(unreadable) == len(rows)
    assert all(name.isprintable() and name for name in scene.nodes)


def _rows(table: Any) -> list[Any]:
    return list(table.values() if isinstance(table, dict) else table)
