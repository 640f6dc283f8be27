from __future__ import annotations

import pytest

from gist.scene.states import opposite, split_states, state_of


@pytest.mark.parametrize(
    ("words", "states", "rest"),
    [
        ("dirty_shirt", {"dirty"}, "shirt"),
        ("Dirty drinking glass", {"dirty"}, "drinking glass"),
        ("empty_glass_bottle", {"empty"}, "glass bottle"),
        ("rotten apples", {"rotting"}, "apples"),
        ("wet dirty towel", {"wet", "dirty"}, "towel"),
        ("empty_room", set(), "empty room"),
        ("dirty hot dog", {"dirty"}, "hot dog"),
        ("wet floor sign", set(), "wet floor sign"),
        ("banana_peel", set(), "banana peel"),
        ("open", set(), "open"),
        ("", set(), ""),
    ],
)
def test_states_are_split_off_the_class(words: str, states: set[str], rest: str) -> None:
    assert split_states(words) == (states, rest)


def test_words_lead_to_states_and_states_to_opposites() -> None:
    assert state_of("Soiled") == "dirty" and state_of("table") is None
    assert opposite("dirty") == "clean" and opposite("burnt") is None and opposite("table") is None
