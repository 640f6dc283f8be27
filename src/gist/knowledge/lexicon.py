"""The nouns of WordNet 3.0 that name everyday things (see tools/build_lexicon.py).

WordNet's licence stands in data/lexicon.LICENSE.txt.
"""

from __future__ import annotations

import gzip
from functools import cache

from gist.knowledge._data import load_bytes


class Lexicon:
    """Noun synsets as a tree over their first hypernyms; a synset is told by its index.

    Attributes:
        words: index -> the synset's words, the usual one first.
        above: index -> index of the hypernym, -1 at the root.
        plurals: irregular plural -> singular.
    """

    def __init__(self, text: str) -> None:
        tree, _, irregular = text.partition("\n\n")
        self.words: list[tuple[str, ...]] = []
        self.above: list[int] = []
        senses: dict[str, list[tuple[int, int]]] = {}
        path: list[int] = [-1] * 32
        for index, line in enumerate(tree.split("\n")):
            depth = ord(line[0]) - 64
            path[depth] = index
            self.above.append(path[depth - 1])
            names = []
            for word in line[1:].split(";"):
                name, _, number = word.partition("#")
                names.append(name)
                senses.setdefault(name, []).append((int(number or 1), index))
            self.words.append(tuple(names))
        self._senses = {word: tuple(sorted(found)) for word, found in senses.items()}
        self.plurals = dict(
            pair for line in irregular.split("\n") if len(pair := line.split()) == 2
        )

    def __contains__(self, word: str) -> bool:
        return word in self._senses

    def senses(self, word: str) -> tuple[int, ...]:
        """Return the synsets of a word, the most frequent sense first."""
        return tuple(index for _, index in self._senses.get(word, ()))

    def sense(self, word: str, number: int) -> int | None:
        """Return the synset of a word's sense by WordNet's own number, or None."""
        return dict(self._senses.get(word, ())).get(number)

    def chain(self, index: int) -> tuple[int, ...]:
        """Return the hypernyms of a synset, nearest first."""
        found = []
        while (index := self.above[index]) >= 0:
            found.append(index)
        return tuple(found)


@cache
def lexicon() -> Lexicon:
    """Return the lexicon, read at the first call."""
    return Lexicon(gzip.decompress(load_bytes("lexicon.txt.gz")).decode("ascii"))
