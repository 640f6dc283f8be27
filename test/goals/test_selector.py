"""Which things a selector means, in a small kitchen and in a scene of 10,000 objects."""

from __future__ import annotations

import pytest

from gist.errors import BadInput
from gist.goals import Located, Selector
from gist.knowledge import Knowledge
from gist.scene.graph import Kind, Node, Place, Relation, SceneGraph

CUP = Selector(cls="cup")
TABLE_2 = Selector(names=("table_2",))


def at(relation: str, cls: str) -> Located:
    return Located(relation, Selector(cls=cls))


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (Selector(cls="apple"), ["apple_9", "apple_10"]),
        (Selector(cls="fruit"), ["apple_9", "apple_10", "banana_1"]),
        (Selector(cls="kitchen"), ["kitchen"]),
        (Selector(names=("snack_5", "snack_3", "snack_99")), ["snack_3", "snack_5"]),
        (Selector(states=frozenset({"dirty"})), ["shirt_1", "sock_1"]),
        (Selector(cls="shirt", states=frozenset({"dirty"})), ["shirt_1"]),
        (Selector(collective="clothes"), ["shirt_1", "shirt_2", "sock_1"]),
        (Selector(cls="cup", attributes=(("colour", "red"),)), ["cup_1"]),
        (Selector(cls="cup", attributes=(("material", "Ceramic"),)), ["cup_1"]),
        (Selector(cls="cup", attributes=(("colour", "re"),)), []),
        (Selector(any_of=(CUP, Selector(cls="glass"))), ["cup_1", "cup_2", "glass_1"]),
        (
            Selector(any_of=(CUP, Selector(cls="glass")), where=at("in", "kitchen")),
            ["cup_1", "glass_1"],
        ),
        (Selector(cls="cup", but_not=Selector(names=("cup_2",))), ["cup_1"]),
        (Selector(cls="unicorn"), []),
    ],
)
def test_what_is_meant(
    selector: Selector, expected: list[str], scene: SceneGraph, knowledge: Knowledge
) -> None:
    assert list(selector.resolve(scene, knowledge)) == expected


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (Selector(cls="apple", where=at("in", "kitchen")), ["apple_9"]),
        (Selector(cls="apple", where=Located("on", TABLE_2)), ["apple_9"]),
        (Selector(cls="apple", where=Located("in", TABLE_2)), []),
        (Selector(cls="sink", where=at("in", "bathroom")), ["sink_2"]),
        (Selector(cls="cup", where=at("on", "kitchen")), []),
        (Selector(where=Located("on", TABLE_2)), ["banana_1", "bowl_1", "cup_1"]),
        (Selector(where=at("in", "shelf")), ["book_1"]),
        (Selector(where=at("on", "shelf")), []),
        (Selector(where=at("to", "shelf")), ["book_1"]),
        (
            Selector(where=at("in", "kitchen")),
            ["apple_9", "banana_1", "bowl_1", "cup_1", "glass_1"],
        ),
        (Selector(where=at("on", "kitchen")), []),
    ],
)
def test_where_things_are_at_the_start(
    selector: Selector, expected: list[str], scene: SceneGraph, knowledge: Knowledge
) -> None:
    """Named things are found through what carries them; bare contents are those right there."""
    assert list(selector.resolve(scene, knowledge)) == expected


def test_bare_selectors_mean_movable_objects_only(scene: SceneGraph, knowledge: Knowledge) -> None:
    found = Selector().resolve(scene, knowledge)
    assert {scene.nodes[name].kind for name in found} == {Kind.OBJECT}


def test_a_context_leaves_out_what_it_forbids(scene: SceneGraph, knowledge: Knowledge) -> None:
    drinks = Selector(cls="drink")
    assert list(drinks.resolve(scene, knowledge)) == ["cola can_13", "wine_1"]
    for_children = Selector(cls="drink", context=frozenset({"children"}))
    assert list(for_children.resolve(scene, knowledge)) == ["cola can_13"]


def test_an_unknown_relation_is_refused() -> None:
    with pytest.raises(BadInput, match="unknown relation 'under'"):
        Located("under", CUP)


def test_a_class_is_found_among_ten_thousand_objects(knowledge: Knowledge) -> None:
    classes = ["apple", "cup", "plate", "book", "towel", "chair", "snack", "pen", "lamp", "box"]
    nodes = [Node("kitchen", Kind.ROOM, "kitchen")]
    nodes += [Node(f"thing_{i}", Kind.OBJECT, f"{classes[i % 10]}") for i in range(10_000)]
    scene = SceneGraph(nodes, {f"thing_{i}": Place(Relation.AT, "kitchen") for i in range(10_000)})
    selector = Selector(names=None, cls="apple")
    assert len(selector.resolve(scene, knowledge)) == 1000
