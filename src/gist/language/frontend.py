"""The port through which a sentence becomes a goal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from gist.goals.goal import Goal
from gist.scene.graph import SceneGraph


@dataclass(frozen=True)
class Understood:
    """The sentence was read as a goal; what was taken for granted is in goal.assumptions."""

    goal: Goal


@dataclass(frozen=True)
class NotUnderstood:
    """The sentence, or a part of it, has no reading.

    words: (start, end, word) for each word that stood in the way; the spans count characters of
        the sentence. message: one sentence for a person. suggestions: what may have been meant.
    """

    words: tuple[tuple[int, int, str], ...]
    message: str
    suggestions: tuple[str, ...] = ()


class FrontEnd(Protocol):
    """Reads sentences; an implementation is the grammar, another a language model."""

    @property
    def name(self) -> str:
        """The name under which an answer says which front end read it."""

    def interpret(
        self, text: str, scene: SceneGraph, vocabulary: Iterable[str] | None = None
    ) -> Understood | NotUnderstood:
        """Read a sentence as a goal over a scene.

        Args:
            vocabulary: further class words that may be spoken of though the scene has none.
        """
