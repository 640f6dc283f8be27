from __future__ import annotations

from gist.planning.selection import already, rank_targets, rank_things

from .scenes import scene_of

SCENE = scene_of(
    ["hall_1", "kitchen_1", "bedroom_1"],
    {
        "table_1": ("table", "at", "kitchen_1"),
        "table_2": ("table", "at", "bedroom_1"),
        "cup_1": ("cup", "at", "bedroom_1"),
        "cup_2": ("cup", "on", "table_1"),
        "cup_3": ("cup", "at", "kitchen_1"),
        "cup_4": ("cup", "at", "hall_1"),
        "cup_5": ("cup", "at", "bedroom_1"),
    },
)
CUPS = SCENE.of_class("cup")


def test_what_is_there_already_comes_first_then_the_same_room_then_the_robots() -> None:
    assert rank_things(SCENE, "on", CUPS, ["table_1"]) == [
        "cup_2",
        "cup_3",
        "cup_4",
        "cup_1",
        "cup_5",
    ]


def test_a_thing_without_a_place_comes_last() -> None:
    scene = SCENE.moved("cup_3", None)
    assert rank_things(scene, "on", CUPS, ["table_1"])[-1] == "cup_3"


def test_the_target_near_most_things_comes_first() -> None:
    assert rank_targets(SCENE, CUPS, ["table_1", "table_2"]) == ["table_1", "table_2"]
    fewer = ("cup_1", "cup_5", "cup_2")
    assert rank_targets(SCENE, fewer, ["table_1", "table_2"]) == ["table_2", "table_1"]


def test_already_follows_the_relation() -> None:
    assert already(SCENE, "on", "cup_2", "table_1")
    assert already(SCENE, "to", "cup_2", "table_1")
    assert not already(SCENE, "in", "cup_2", "table_1")
    assert already(SCENE, "at", "cup_2", "kitchen_1")
    assert not already(SCENE, "at", "cup_2", "bedroom_1")
