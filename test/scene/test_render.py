from __future__ import annotations

from hypothesis import given

from gist.scene import Kind, Node, Place, Relation, SceneGraph
from gist.scene.render import mermaid, tree

from .strategies import scenes

SCENE = SceneGraph(
    [
        Node("kitchen_1", Kind.ROOM, "kitchen"),
        Node("table_3", Kind.FURNITURE, "table", {"material": "wood"}),
        Node("book into the shelf_4", Kind.OBJECT, "book"),
        Node("shirt_5", Kind.OBJECT, "shirt", states=frozenset({"wet", "dirty"})),
        Node('the "cup"', Kind.OBJECT, "cup"),
    ],
    {
        "table_3": Place(Relation.AT, "kitchen_1"),
        "book into the shelf_4": Place(Relation.ON, "table_3"),
        "shirt_5": Place(Relation.AT, "kitchen_1"),
    },
)


def test_the_tree_shows_places_states_and_what_has_no_place() -> None:
    assert tree(SCENE).splitlines() == [
        "kitchen_1",
        "├─ shirt_5 (dirty, wet)",
        "└─ table_3 (wood)",
        "   └─ on book into the shelf_4",
        'the "cup" (cup, no place known)',
    ]


def test_mermaid_has_a_line_for_each_node_and_place() -> None:
    assert mermaid(SCENE).splitlines() == [
        "flowchart LR",
        '    n0["book into the shelf_4"]',
        '    n1["kitchen_1"]',
        '    n2["shirt_5, dirty, wet"]',
        '    n3["table_3"]',
        '    n4["the #quot;cup#quot;"]',
        "    n0 -- on --> n3",
        "    n2 -- at --> n1",
        "    n3 -- at --> n1",
    ]


@given(scenes())
def test_every_node_is_shown_once(scene: SceneGraph) -> None:
    assert len(tree(scene).splitlines()) == len(scene)
    assert len(mermaid(scene).splitlines()) == 1 + len(scene) + len(scene.places)


def test_a_long_chain_is_shown_without_recursion() -> None:
    nodes = [Node(f"box_{number}", Kind.OBJECT, "box") for number in range(3000)]
    places = {f"box_{n}": Place(Relation.ON, f"box_{n - 1}") for n in range(1, 3000)}
    assert len(tree(SceneGraph(nodes, places)).splitlines()) == 3000
