"""The offline front end: household English, read by a grammar that uses every word or refuses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gist.goals.goal import Assumption
from gist.knowledge import Knowledge
from gist.knowledge import default as default_knowledge
from gist.language.frontend import NotUnderstood, Understood
from gist.language.knowledge.lexicon import lexicon
from gist.language.knowledge.parser import Parser
from gist.language.knowledge.phrases import Refusal
from gist.language.knowledge.reader import Reader
from gist.language.knowledge.tokens import Token, tokenise
from gist.language.knowledge.vocabulary import Vocabulary
from gist.scene.graph import SceneGraph

MOST_CHARACTERS = 2000
MOST_WORDS = 250
MOST_UNKNOWN = 6


class Grammar:
    """Interprets household and office requests without a network or a model."""

    name = "knowledge"

    def __init__(self, knowledge: Knowledge | None = None) -> None:
        self.knowledge = knowledge or default_knowledge()
        self.lexicon = lexicon()
        self._latest: tuple[SceneGraph, tuple[str, ...], Vocabulary] | None = None

    def interpret(
        self, text: str, scene: SceneGraph, vocabulary: Iterable[str] | None = None
    ) -> Understood | NotUnderstood:
        """Read a request; see FrontEnd. Time is linear in its length, which is limited."""
        if not text.strip():
            return NotUnderstood((), "The request is empty.")
        if len(text) > MOST_CHARACTERS:
            return NotUnderstood(
                (), f"The request has {len(text)} characters; at most {MOST_CHARACTERS} are read."
            )
        tokens = tokenise(text)
        if len(tokens) > MOST_WORDS:
            return NotUnderstood(
                (), f"The request has {len(tokens)} words and marks; at most {MOST_WORDS} are read."
            )
        words = self._vocabulary(scene, tuple(vocabulary or ()))
        tokens, mended, refused = self._mend(tokens, words)
        if refused is not None:
            return refused
        try:
            parser = Parser(words, self.lexicon, tokens)
            commands = parser.parse()
            reader = Reader(words, text)
            goal = reader.read(commands, parser.notes)
        except Refusal as refusal:
            return self._refused(refusal, tokens, mended)
        return Understood(replace(goal, assumptions=(*mended, *goal.assumptions)))

    def _vocabulary(self, scene: SceneGraph, extra: tuple[str, ...]) -> Vocabulary:
        if self._latest is None or self._latest[0] is not scene or self._latest[1] != extra:
            words = Vocabulary(scene, self.knowledge, self.lexicon, extra)
            self._latest = (scene, extra, words)
        return self._latest[2]

    def _mend(
        self, tokens: list[Token], words: Vocabulary
    ) -> tuple[list[Token], tuple[Assumption, ...], NotUnderstood | None]:
        """Mend misspelt words; refuse the sentence where some are not known at all."""
        unknown = [token for token in tokens if token.is_word and not words.knows(token)]
        assumptions: list[Assumption] = []
        refused: list[Token] = []
        suggestions: list[str] = []
        better: dict[Token, Token] = {}
        for token in unknown[:MOST_UNKNOWN]:
            meant, near = words.mend(token.low)
            if meant is None:
                refused.append(token)
                suggestions += near[:3]
            else:
                better[token] = replace(token, low=meant)
                text = f"'{token.text}' is read as '{meant}'"
                assumptions.append(Assumption(text, (token.start, token.end), "vocabulary"))
        refused += unknown[MOST_UNKNOWN:]
        if refused:
            named = ", ".join(f"'{token.text}'" for token in refused[:8])
            message = f"Not known: {named}."
            if suggestions:
                message += f" Did you mean {' or '.join(suggestions)}?"
            return tokens, (), NotUnderstood(_spans(refused), message, tuple(suggestions))
        return [better.get(token, token) for token in tokens], tuple(assumptions), None

    def _refused(
        self, refusal: Refusal, tokens: list[Token], mended: tuple[Assumption, ...]
    ) -> NotUnderstood:
        """Name the words of a refusal, or the phrase that no goal can hold and is its cause."""
        named, reason = refusal.tokens, refusal.reason
        for at in range(len(tokens)):
            length = self.lexicon.unsupported.length_at(tokens, at)
            used = max(
                table.length_at(tokens, at)
                for table in (self.lexicon.bounds, self.lexicon.exceptions, self.lexicon.courtesy)
            )
            if length > used:
                named, reason = tokens[at : at + length], "no goal can say this"
                break
        words = " ".join(token.text for token in named)
        message = f"'{words}' was not understood: {reason}."
        if mended:
            message += f" ({'; '.join(m.text for m in mended)})"
        return NotUnderstood(_spans(named), message)


def _spans(tokens: Iterable[Token]) -> tuple[tuple[int, int, str], ...]:
    return tuple((token.start, token.end, token.text) for token in tokens)
