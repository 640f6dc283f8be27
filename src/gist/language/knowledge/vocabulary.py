"""What can be spoken of: the labels and classes of a scene, and the nouns that Gist knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from gist.goals.selector import Selector
from gist.knowledge import Knowledge
from gist.language.knowledge.lexicon import Lexicon
from gist.language.knowledge.spelling import Spelling
from gist.language.knowledge.tokens import Token, spoken
from gist.scene._data import load as scene_data
from gist.scene.graph import SceneGraph
from gist.scene.states import split_states, state_of

LONGEST_NOUN = 5
LONGEST_NAME = 8
MOST_RESOLVED = 512


@dataclass(frozen=True)
class Noun:
    """A noun of one or more words: a class, a collective or a set, and how it was said."""

    words: str
    length: int
    cls: str | None = None
    collective: str | None = None
    set_name: str | None = None
    plural: bool = False


@cache
def looks() -> dict[str, tuple[str, str]]:
    """Return each colour and material word with the attribute and value that it means."""
    data = scene_data("attributes.yaml")
    found = {word: ("material", value) for word, value in data["materials"].items()}
    found.update({word: ("colour", value) for word, value in data["colours"].items()})
    return found


@lru_cache(maxsize=16384)
def singular(knowledge: Knowledge, words: str) -> str:
    """Return the singular of a noun or compound; asked for again and again while parsing."""
    return knowledge.singular(words)


class Vocabulary:
    """The names and nouns that a sentence over one scene may use."""

    def __init__(
        self, scene: SceneGraph, knowledge: Knowledge, lexicon: Lexicon, extra: Iterable[str] = ()
    ) -> None:
        self.scene = scene
        self.knowledge = knowledge
        self.lexicon = lexicon
        self.classes = frozenset(scene.classes()) | {word.lower() for word in extra}
        self._names: dict[str, list[str]] = {}
        for name in scene.nodes:
            self._names.setdefault(spoken(name), []).append(name)
        self._longest = max((key.count(" ") + 1 for key in self._names), default=0)
        self._class_words = {word for cls in self.classes for word in cls.split()}
        self._nouns: dict[str, Noun | None] = {}
        self._spelling: Spelling | None = None
        self._resolved: dict[Selector, tuple[str, ...]] = {}
        self._states: frozenset[str] | None = None

    def resolve(self, selector: Selector) -> tuple[str, ...]:
        """Return the names that a selector means, in natural order; each is found once."""
        found = self._resolved.get(selector)
        if found is None:
            if len(self._resolved) >= MOST_RESOLVED:
                self._resolved.clear()
            found = self._resolved[selector] = selector.resolve(self.scene, self.knowledge)
        return found

    def states(self) -> frozenset[str]:
        """Return every state that some thing of the scene has."""
        if self._states is None:
            self._states = frozenset().union(*(node.states for node in self.scene.nodes.values()))
        return self._states

    def name_at(self, tokens: Sequence[Token], start: int) -> tuple[tuple[str, ...], int] | None:
        """Return the labels that the longest run of words there names, and its length."""
        limit = min(self._longest, LONGEST_NAME, len(tokens) - start)
        for length in range(limit, 0, -1):
            words = " ".join(spoken(token.text) for token in tokens[start : start + length])
            found = self._names.get(words)
            if found and not self._is_plural_of_others(words, found):
                return tuple(sorted(found)), length
        return None

    def _is_plural_of_others(self, words: str, names: Sequence[str]) -> bool:
        """Tell whether the words name a label, but as a plural mean things of another class."""
        if words in self.classes or words[-1:].isdigit():
            return False
        one = singular(self.knowledge, words)
        others = one != words and one in self.classes
        return others and all(self.scene.nodes[name].cls != one for name in names)

    def names(self, words: str) -> tuple[str, ...]:
        """Return the labels that are spoken so."""
        return tuple(sorted(self._names.get(words, ())))

    def noun_at(self, tokens: Sequence[Token], start: int) -> Noun | None:
        """Return the longest noun there, or None."""
        if start >= len(tokens) or not tokens[start].is_word:
            return None
        for length in range(min(LONGEST_NOUN, len(tokens) - start), 0, -1):
            run = tokens[start : start + length]
            if all(token.is_word for token in run):
                found = self.noun(" ".join(token.low.replace("_", " ") for token in run), length)
                if found is not None and not self._splits(run, found):
                    return found
        return None

    def _splits(self, run: Sequence[Token], noun: Noun) -> bool:
        """Tell whether the first of several words is a state of the rest ("dirty dishes")."""
        if len(run) == 1:
            return False
        states, rest = split_states(noun.words)
        whole = {noun.words, singular(self.knowledge, noun.words)} & self.classes
        return bool(states) and rest != noun.words and not whole

    def noun(self, words: str, length: int = 1) -> Noun | None:
        """Return what the words as a whole mean as a noun, or None."""
        if words not in self._nouns:
            self._nouns[words] = self._look_up(words, length)
        return self._nouns[words]

    def _look_up(self, words: str, length: int) -> Noun | None:
        knowledge = self.knowledge
        if " " not in words and words in self.lexicon.closed and words not in self.classes:
            return None
        if self._is_colour(words):
            return None
        if " and " in words or (" " in words and words.rsplit(" ", 1)[1] in self.lexicon.closed):
            return None
        if self._names_parts(words):
            return Noun(words, length, set_name=words, plural=True)
        one = singular(knowledge, words)
        canonical = knowledge.canonical(one)
        if one != words and (one in self.classes or words in self.classes):
            return Noun(words, length, cls=one, plural=True)
        if words in self.classes:
            return Noun(words, length, cls=words, plural=knowledge.plural(words) == words)
        collective = knowledge.collective(words)
        if collective is not None and self._means_many(words, collective):
            return Noun(words, length, collective=collective, plural=True)
        if canonical is not None and not self._falls_apart(words, canonical):
            cls = canonical if knowledge.kind(canonical) == "room" else one
            return Noun(words, length, cls=cls, plural=one != words or knowledge.is_plural(words))
        if canonical is None and knowledge.is_set(words):
            return Noun(words, length, set_name=words, plural=one != words)
        return None

    def _is_colour(self, words: str) -> bool:
        """Tell whether the word is a colour and no thing ("white", but not "orange")."""
        look = looks().get(words)
        if look is None or look[0] != "colour" or words in self.classes:
            return False
        return not any(self.knowledge.is_a(words, kind) for kind in ("food", "plant"))

    def _names_parts(self, words: str) -> bool:
        last = singular(self.knowledge, words).rsplit(" ", 1)[-1]
        return (
            " " in words
            and last in ("part", "component", "setting", "set")
            and self.knowledge.is_set(words)
            and singular(self.knowledge, words) not in self.classes
        )

    def _falls_apart(self, words: str, canonical: str) -> bool:
        """Tell whether a first word only says where or for whom ("kitchen sink", "kid snack")."""
        first, _, rest = words.partition(" ")
        if not rest or self.knowledge.canonical(rest) is None:
            return False
        if self.knowledge.kind(first) == "room":
            whole = self.knowledge.kind(canonical)
            return whole == "furniture" and self.knowledge.is_a(canonical, rest)
        same = self.knowledge.canonical(singular(self.knowledge, rest)) == canonical
        return same and bool(self.knowledge.context_of(first))

    def _means_many(self, words: str, collective: str) -> bool:
        """A singular class that is also another name of a collective stays a class."""
        if words == collective:
            return True
        canonical = self.knowledge.canonical(words)
        return canonical is None or self.knowledge.kind(canonical) == "group"

    def state(self, word: str) -> str | None:
        """Return the state that an adjective names, or None."""
        return state_of(word)

    def look(self, word: str) -> tuple[str, str] | None:
        """Return the attribute and value of a colour or material word, or None."""
        return looks().get(word)

    def knows(self, token: Token) -> bool:
        """Tell whether the word has any use at all in a sentence over this scene."""
        word = token.low
        if word.isdigit() or word in _fixed_words(self.lexicon, self.knowledge):
            return True
        if spoken(token.text) in self._names or word.replace("_", " ") in self.classes:
            return True
        if any(ch.isdigit() or ch == "_" for ch in word):
            parts = spoken(token.text).split()
            nouns = [part for part in parts if not part.isdigit()]
            return bool(nouns) and self.noun(" ".join(nouns), len(nouns)) is not None
        if word in self._class_words or state_of(word) is not None or word in looks():
            return True
        return self.noun(word.removesuffix("'s").removesuffix("'")) is not None

    def mend(self, word: str) -> tuple[str | None, tuple[str, ...]]:
        """Return the known word that was meant, where that is clear, and the nearest ones."""
        if self._spelling is None:
            self._spelling = Spelling({w for w in self._class_words if len(w) > 3})
        here, near = self._spelling.nearest(word)
        far, common = _common_spelling(self.lexicon, self.knowledge).nearest(word)
        if near and (not common or here <= far):
            return (near[0] if len(near) == 1 else None), tuple(dict.fromkeys(near + common))
        return (common[0] if len(common) == 1 else None), common


@cache
def _fixed_words(lexicon: Lexicon, knowledge: Knowledge) -> frozenset[str]:
    names = (*knowledge.classes(), *knowledge.set_names(), *knowledge.collective_names())
    return lexicon.known_words() | {word for name in names for word in name.lower().split()}


@cache
def _common_spelling(lexicon: Lexicon, knowledge: Knowledge) -> Spelling:
    words = set(_fixed_words(lexicon, knowledge)) | set(looks())
    plurals = {knowledge.plural(word) for word in knowledge.classes() if " " not in word}
    misspelt = {word for word in words if word in ("rubbsih", "rubish", "garbadge")}
    return Spelling(w for w in (words | plurals) - misspelt if len(w) > 3 and w.isalpha())
