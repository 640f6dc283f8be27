from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gist.errors import BadInput
from gist.pddl.names import RESERVED, NameTable, legal_name


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("sports ball_2", "sports_ball_2"),
        ("Dining Table_1", "dining_table_1"),
        ("2nd shelf", "o_2nd_shelf"),
        ("café crème", "cafe_creme"),
        ("book into the shelf_23", "book_into_the_shelf_23"),
        ("机器人", "o"),
        ("--", "o"),
    ],
)
def test_legal_name(label: str, name: str) -> None:
    assert legal_name(label) == name


@given(st.lists(st.text(max_size=12)), st.sets(st.sampled_from(["robot", "room", "a", "o"])))
def test_names_are_legal_and_reversible(labels: list[str], reserved: set[str]) -> None:
    table = NameTable(labels, reserved)
    names = [table.name(label) for label in labels]
    assert [table.label(name) for name in names] == labels
    assert len(set(names)) == len(set(labels))
    for name in names:
        assert re.fullmatch(r"[a-z][a-z0-9_-]*", name)
        assert name not in reserved | RESERVED


def test_unknown_names_are_refused_with_near_ones() -> None:
    table = NameTable(["apple 1"])
    with pytest.raises(BadInput, match="apple 1"):
        table.name("apple 2")
    with pytest.raises(BadInput, match="apple_1"):
        table.label("apple_2")
