from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gist.errors import BadInput
from gist.scene import Kind, Node, Place, Relation, SceneGraph, class_words, natural_key

from .strategies import scenes

KITCHEN = Node("kitchen_1", Kind.ROOM, "kitchen")
HALL = Node("hall_2", Kind.ROOM, "hallway")
TABLE = Node("table_3", Kind.FURNITURE, "dining_table")
MUG = Node("mug_10", Kind.OBJECT, "Mug")
APPLE = Node("apple_9", Kind.OBJECT, "apple", {"colour": "red"}, states=frozenset({"fresh"}))
ROBOT = Node("robot", Kind.ROBOT, "robot")


def at(target: str) -> Place:
    return Place(Relation.AT, target)


def on(target: str) -> Place:
    return Place(Relation.ON, target)


@pytest.fixture
def scene() -> SceneGraph:
    places = {
        "table_3": at("kitchen_1"),
        "mug_10": on("table_3"),
        "apple_9": Place(Relation.IN, "mug_10"),
        "robot": at("hall_2"),
    }
    return SceneGraph([KITCHEN, HALL, TABLE, MUG, APPLE, ROBOT], places)


def test_class_words_are_lower_case_with_single_spaces() -> None:
    assert class_words("  Dining_Table ") == "dining table"
    assert TABLE.cls == "dining table"


def test_names_sort_by_their_numbers() -> None:
    names = ["apple_10", "apple_9", "Apple_2", "apple", "b1", "a²"]
    assert sorted(names, key=natural_key) == ["apple", "Apple_2", "apple_9", "apple_10", "a²", "b1"]


@given(st.lists(st.text(max_size=6)))
def test_natural_keys_always_compare(names: list[str]) -> None:
    backwards = names[::-1]
    assert sorted(backwards, key=natural_key) == sorted(names, key=natural_key)


def test_room_is_found_through_all_that_carries(scene: SceneGraph) -> None:
    assert scene.room_of("apple_9") == "kitchen_1"
    assert scene.room_of("kitchen_1") == "kitchen_1"
    held = scene.moved("mug_10", Place(Relation.HELD, "robot"))
    assert held.room_of("apple_9") == "hall_2"
    assert scene.moved("robot", None).room_of("robot") is None


def test_indexes_answer_in_natural_order(scene: SceneGraph) -> None:
    assert scene.things() == ("apple_9", "mug_10", "table_3")
    assert [node.name for node in scene.objects()] == ["apple_9", "mug_10", "table_3"]
    assert scene.furniture() == (TABLE,)
    assert [room.name for room in scene.rooms()] == ["hall_2", "kitchen_1"]
    assert scene.robots() == (ROBOT,)
    assert scene.of_class("Dining_table") == ("table_3",)
    assert scene.of_class("spoon") == ()
    assert scene.classes() == ("apple", "dining table", "hallway", "kitchen", "mug", "robot")
    assert len(scene) == 6 and "robot" in scene and "cat" not in scene


def test_children_can_be_asked_by_relation(scene: SceneGraph) -> None:
    more = scene.with_node(Node("box_2", Kind.OBJECT, "box"), Place(Relation.IN, "table_3"))
    assert more.children("table_3") == ("box_2", "mug_10")
    assert more.children("table_3", Relation.ON) == ("mug_10",)
    assert scene.children("table_3") == ("mug_10",)


def test_updates_leave_the_old_graph_as_it_was(scene: SceneGraph) -> None:
    before = pickle.dumps((dict(scene.nodes), dict(scene.places)))
    after = scene.moved("mug_10", at("hall_2")).with_states("apple_9", ["dirty"], ["fresh"])
    after = after.without("table_3").with_node(Node("cup", Kind.OBJECT, "cup"), at("hall_2"))
    assert (dict(scene.nodes), dict(scene.places)) == pickle.loads(before)
    assert scene.things() == ("apple_9", "mug_10", "table_3")
    assert after.things() == ("apple_9", "cup", "mug_10")
    assert after.node("apple_9").states == {"dirty"}
    assert after.version == scene.version + 4


def test_replacing_a_node_keeps_its_place_and_moves_it_between_classes(scene: SceneGraph) -> None:
    cup = scene.with_node(Node("mug_10", Kind.FURNITURE, "cup"))
    assert cup.place_of("mug_10") == on("table_3")
    assert cup.of_class("mug") == () and cup.of_class("cup") == ("mug_10",)
    assert [node.name for node in cup.furniture()] == ["mug_10", "table_3"]


def test_what_stood_on_a_removed_node_takes_its_place(scene: SceneGraph) -> None:
    gone = scene.without("mug_10")
    assert gone.place_of("apple_9") == on("table_3")
    assert scene.without("kitchen_1").place_of("table_3") is None


def test_graphs_are_equal_by_content_not_by_history(scene: SceneGraph) -> None:
    back = scene.moved("mug_10", at("hall_2")).moved("mug_10", on("table_3"))
    assert back == scene and hash(back) == hash(scene) and back.version != scene.version
    assert pickle.loads(pickle.dumps(scene)) == scene
    assert scene != "scene"
    assert repr(scene) == "<SceneGraph version 0: 6 nodes>"


def test_unknown_names_are_answered_with_near_ones(scene: SceneGraph) -> None:
    with pytest.raises(BadInput, match=r"'tabel_3'.*table_3"):
        scene.node("tabel_3")
    for call in (scene.place_of, scene.room_of, scene.children, scene.without):
        with pytest.raises(BadInput, match="cat"):
            call("cat")
    with pytest.raises(BadInput, match="'moon'"):
        scene.moved("mug_10", on("moon"))
    with pytest.raises(BadInput, match="'moon'"):
        SceneGraph([MUG], {"mug_10": on("moon")})


def test_nothing_can_stand_on_itself(scene: SceneGraph) -> None:
    for target in ("table_3", "mug_10", "apple_9"):
        with pytest.raises(BadInput, match="part of itself"):
            scene.moved("table_3", on(target))
    with pytest.raises(BadInput, match="cycle"):
        SceneGraph([MUG, APPLE], {"mug_10": on("apple_9"), "apple_9": on("mug_10")})
    with pytest.raises(BadInput, match="unique"):
        SceneGraph([MUG, MUG])


@given(scenes(), st.data())
def test_updates_agree_with_a_graph_built_anew(scene: SceneGraph, data: st.DataObject) -> None:
    for _ in range(4):
        name = data.draw(st.sampled_from([*sorted(scene.nodes), "new"]))
        place = Place(Relation.ON, data.draw(st.sampled_from([*sorted(scene.nodes), "new"])))
        change = data.draw(st.sampled_from(["moved", "without", "states", "add"]))
        try:
            if change == "moved":
                scene = scene.moved(name, place)
            elif change == "without":
                scene = scene.without(name)
            elif change == "states":
                scene = scene.with_states(name, ["dirty"])
            else:
                scene = scene.with_node(Node(name, Kind.FURNITURE, "shelf"))
        except BadInput:
            continue
    anew = SceneGraph(scene.nodes.values(), scene.places)
    assert anew == scene
    assert anew.things() == scene.things() and anew.classes() == scene.classes()
    for name, node in scene.nodes.items():
        assert anew.children(name) == scene.children(name)
        assert anew.of_class(node.cls) == scene.of_class(node.cls)
        assert anew.room_of(name) == scene.room_of(name)


def test_updates_of_a_large_scene_add_up() -> None:
    nodes = [KITCHEN, HALL, *(Node(f"apple_{i}", Kind.OBJECT, "apple") for i in range(10_000))]
    places = {node.name: at("kitchen_1") for node in nodes[2:]}
    scene = SceneGraph(nodes, places)
    for number in range(100):
        scene = scene.moved(f"apple_{number}", at("hall_2"))
        scene = scene.with_node(Node(f"pear_{number}", Kind.OBJECT, "pear"), at("hall_2"))
    assert len(scene.children("hall_2")) == 200
