"""The closed words and the verbs that the grammar knows (data/words.yaml, data/verbs.yaml)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Generic, Literal, TypeVar

import yaml

from gist.language.knowledge.tokens import Token

T = TypeVar("T")
Form = Literal["base", "gerund", "past", "participle"]


class Phrases(Generic[T]):
    """Phrases of one or more words, found by the longest that stands at a place."""

    def __init__(self, entries: Mapping[str, T]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], T]]] = {}
        self.words: set[str] = set()
        for phrase, value in entries.items():
            parts = tuple(phrase.split())
            self.words.update(parts)
            self._by_first.setdefault(parts[0], []).append((parts, value))
        for found in self._by_first.values():
            found.sort(key=lambda entry: -len(entry[0]))

    def at(self, tokens: Sequence[Token], start: int) -> tuple[T, int] | None:
        """Return the value and the number of words of the longest phrase there, or None."""
        if start >= len(tokens):
            return None
        for parts, value in self._by_first.get(tokens[start].low, ()):
            ahead = tokens[start : start + len(parts)]
            if len(ahead) == len(parts) and all(
                token.low == part for token, part in zip(ahead, parts, strict=True)
            ):
                return value, len(parts)
        return None

    def length_at(self, tokens: Sequence[Token], start: int) -> int:
        """Return the number of words of the longest phrase there, 0 for none."""
        found = self.at(tokens, start)
        return found[1] if found else 0


@dataclass(frozen=True)
class Sense:
    """One use of a verb: how it is read (frame) and the words that go with it."""

    verb: str
    frame: str
    particle: tuple[str, ...] = ()
    joined: bool = False
    predicate: str = ""
    assumes: str = ""


@cache
def _load(name: str) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (files("gist.language.knowledge") / "data" / name).read_text("utf-8")
    return yaml.load(text, loader)


def _listed(words: Iterable[str]) -> Phrases[str]:
    return Phrases({word: word for word in words})


class Lexicon:
    """Every table of the two data files, ready to be matched against tokens."""

    def __init__(self) -> None:
        words = _load("words.yaml")
        self.numbers: dict[str, int] = words["numbers"]
        self.amounts: dict[str, int] = words["amounts"]
        self.quantifiers: Phrases[str] = Phrases(words["quantifiers"])
        self.bounds: Phrases[str] = Phrases(words["bounds"])
        self.prepositions: Phrases[str] = Phrases(words["prepositions"])
        self.pronouns: Phrases[str] = Phrases(words["pronouns"])
        self.joints: Phrases[str] = Phrases(words["joints"])
        self.unsupported = _listed(words["unsupported"])
        self.persons = _listed(words["persons"])
        self.whole = _listed(words["whole"])
        self.courtesy = _listed(words["courtesy"])
        self.manner = _listed(words["manner"])
        self.loose = _listed(words["loose"])
        self.earlier = _listed(words["earlier"])
        self.location = _listed(words["location"])
        self.times = _listed(words["times"])
        self.soft = _listed(words["soft"])
        self.make_sure = _listed(words["make_sure"])
        self.modals = _listed(words["modals"])
        self.exceptions = _listed(words["except"])
        self.after = _listed(words["after"])
        self.before = _listed(words["before"])
        self.at_once = _listed(words["immediately"])
        self.origins = _listed(words["origins"])
        self.people = _listed(words["people"])
        self.occasions: Phrases[str] = Phrases(words["occasions"])
        self.for_two = Phrases(dict.fromkeys(words["for_two"], True))
        self.fillers = _listed(words["fillers"])
        self.questions = frozenset(words["questions"])
        self.generic = frozenset(words["generic"])
        self.contents = frozenset(words["contents"])
        self.floors = frozenset(words["floors"])
        self.parts = frozenset(words["parts"])
        self.unsaid_states = frozenset(words["unsaid_states"])
        self.grammatical = frozenset(words["grammatical"])
        self.fitting = frozenset(words["fitting"])
        self.belongs = _listed(words["belongs"])
        self.homes: list[dict[str, Any]] = _load("homes.yaml")["homes"]
        self._read_verbs(_load("verbs.yaml")["verbs"])
        self.closed = self._closed_words()

    def _read_verbs(self, entries: Sequence[Mapping[str, Any]]) -> None:
        self.senses: dict[str, list[Sense]] = {}
        self.forms: dict[str, list[tuple[str, Form]]] = {}
        irregular: dict[str, dict[str, str]] = {}
        for entry in entries:
            facts = dict(entry)
            own: dict[str, str] = {
                form: facts.pop(form) for form in ("past", "participle", "gerund") if form in facts
            }
            facts["particle"] = tuple(facts.get("particle", "").split())
            self.senses.setdefault(facts["verb"], []).append(Sense(**facts))
            irregular.setdefault(facts["verb"], {}).update(own)
        for verb, own in irregular.items():
            self.senses[verb].sort(key=lambda sense: -len(sense.particle))
            for form, word in _conjugated(verb, own):
                self.forms.setdefault(word, []).append((verb, form))

    def _closed_words(self) -> frozenset[str]:
        """Return the words that cannot be nouns, whatever a dictionary says."""
        tables = (self.quantifiers, self.bounds, self.prepositions, self.pronouns, self.joints)
        one_word: set[str] = set()
        for table in tables:
            one_word |= table.words
        for more in (self.persons, self.unsupported, self.modals, self.at_once, self.after):
            one_word |= more.words
        particles = {
            word for found in self.senses.values() for sense in found for word in sense.particle
        }
        counting = set(self.numbers) - {"one"}
        return frozenset(one_word | particles | counting | self.grammatical) - {
            "top",
            "help",
            "minimum",
        }

    def verb(self, word: str, form: Form) -> str | None:
        """Return the verb of which the word is that form, or None."""
        for verb, found in self.forms.get(word, ()):
            if found == form:
                return verb
        return None

    def known_words(self) -> frozenset[str]:
        """Return every single word of the tables."""
        found: set[str] = set(self.forms) | set(self.numbers) | self.closed | self.questions
        found |= self.generic | self.contents | self.floors | self.parts
        for table in vars(self).values():
            if isinstance(table, Phrases):
                found |= table.words
        return frozenset(found)


def _conjugated(verb: str, own: Mapping[str, str]) -> list[tuple[Form, str]]:
    past = own.get("past") or (verb + "d" if verb.endswith("e") else verb + "ed")
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    return [
        ("base", verb),
        ("gerund", own.get("gerund") or stem + "ing"),
        ("past", past),
        ("participle", own.get("participle") or past),
    ]


@cache
def lexicon() -> Lexicon:
    """Return the lexicon, read at the first call."""
    return Lexicon()
