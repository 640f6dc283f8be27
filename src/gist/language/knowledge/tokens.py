"""Words and marks of a sentence, each with its place in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(r"[^\W_]+(?:[_'\u2019\-/]+[^\W_]+)*(?:_|['\u2019](?=\s|$))?|\S")
_SEPARATED = re.compile(r"[_\s]+|(?<=[a-z])(?=[0-9])")
MARKS = frozenset(',;:.!?()"')


@dataclass(frozen=True)
class Token:
    """A word or mark: as written, as read (lower case, spelling mended), and its characters."""

    text: str
    low: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        return self.text not in MARKS


def tokenise(text: str) -> list[Token]:
    """Return the tokens of a sentence; every character but white space is in one of them."""
    return [
        Token(m.group(), m.group().lower().replace("\u2019", "'"), m.start(), m.end())
        for m in _TOKEN.finditer(text)
    ]


@lru_cache(maxsize=16384)
def spoken(name: str) -> str:
    """Return a scene's label as it may be said: "Sports ball_2" -> "sports ball 2"."""
    return " ".join(part for part in _SEPARATED.split(name.lower()) if part)
