"""Mending of misspelt words: the nearest known word within two slips of the pen."""

from __future__ import annotations

from collections.abc import Iterable

SHORTEST = 5


class Spelling:
    """Known words, found by what remains of them and of a misspelt word without a letter or two."""

    def __init__(self, words: Iterable[str]) -> None:
        self._by_shortened: dict[str, set[str]] = {}
        for word in words:
            for short in _shortened(word, 1):
                self._by_shortened.setdefault(short, set()).add(word)

    def nearest(self, word: str) -> tuple[int, tuple[str, ...]]:
        """Return the distance to the nearest known words and these; none for short words.

        The first letter must be right: a slip there is rare, and "kill" is not meant as "fill".
        """
        if len(word) < SHORTEST or not word.isalpha() or len(word) > 24:
            return 0, ()
        near: dict[int, set[str]] = {}
        for short in _shortened(word, _slips(word)):
            for known in self._by_shortened.get(short, ()):
                if known[0] == word[0]:
                    near.setdefault(distance(word, known), set()).add(known)
        best = min(near, default=9)
        return (best, tuple(sorted(near[best]))) if best <= _slips(word) else (0, ())


def _slips(word: str) -> int:
    return 2 if len(word) >= 7 else 1


def _shortened(word: str, slips: int) -> set[str]:
    found = {word}
    front = {word}
    for _ in range(slips):
        front = {w[:i] + w[i + 1 :] for w in front for i in range(len(w))}
        found |= front
    return found


def distance(a: str, b: str) -> int:
    """Return how many letters differ, counting two swapped neighbours once."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]
