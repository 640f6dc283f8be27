"""State words: which adjectives before a class say a state ("dirty shirt", "empty glass bottle").

The words stand in data/states.yaml.
"""

from __future__ import annotations

from functools import cache

from gist.scene._data import load
from gist.scene.graph import class_words


@cache
def _canonical() -> dict[str, str]:
    words: dict[str, str] = {}
    for state, facts in load("states.yaml")["states"].items():
        words[state] = state
        words.update(dict.fromkeys(facts["words"], state))
    return words


@cache
def _compounds() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(compound.split()) for compound in load("states.yaml")["compounds"])


def state_of(word: str) -> str | None:
    """Return the state that a word names ("rotten": "rotting"), or None when it names none."""
    return _canonical().get(word.lower())


def opposite(state: str) -> str | None:
    """Return the state that cannot hold together with this one ("dirty": "clean"), or None."""
    facts = load("states.yaml")["states"].get(state)
    return None if facts is None else facts.get("opposite")


def split_states(words: str) -> tuple[frozenset[str], str]:
    """Split the state words off the front of a class, which is returned in class words.

    "dirty_drinking_glass" gives ({"dirty"}, "drinking glass"). Known compounds ("empty room",
    "hot dog") and a state word that stands alone are kept whole.
    """
    parts = class_words(words).split()
    states: set[str] = set()
    start = 0
    while start < len(parts) - 1 and tuple(parts[start : start + 2]) not in _compounds():
        state = state_of(parts[start])
        if state is None:
            break
        states.add(state)
        start += 1
    return frozenset(states), " ".join(parts[start:])
