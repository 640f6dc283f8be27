"""The mending of words."""

from __future__ import annotations

import pytest

from gist.language.knowledge.spelling import Spelling, distance


@pytest.mark.parametrize(
    ("a", "b", "slips"),
    [
        ("rubbsih", "rubbish", 1),
        ("cup", "cup", 0),
        ("aple", "apple", 1),
        ("abc", "xyz", 3),
        ("", "ab", 2),
    ],
)
def test_distance_counts_slips(a: str, b: str, slips: int) -> None:
    assert distance(a, b) == distance(b, a) == slips


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("rubbsih", ("rubbish",)),
        ("refridgerator", ("refrigerator",)),
        ("kicthen", ("kitchen",)),
        ("tble", ()),
        ("xkitchen", ()),
    ],
)
def test_nearest_words(word: str, meant: tuple[str, ...]) -> None:
    assert Spelling(["rubbish", "refrigerator", "kitchen", "table"]).nearest(word)[1] == meant


def test_the_first_letter_must_be_right() -> None:
    assert Spelling(["filled"]).nearest("killed") == (0, ())
