"""What kinds of things there are: the classes of things.yaml, and WordNet's nouns below them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gist.errors import BadInput
from gist.knowledge._data import load
from gist.knowledge.lexicon import lexicon
from gist.knowledge.morphology import head_span, plain, singular

MOST_GENERAL = 4
"""Hypernyms with fewer than these above them ("object", "whole") say nothing of a thing."""


@dataclass(frozen=True)
class Concept:
    """A class of things and what holds for its members unless the scene says otherwise.

    Attributes:
        parents: names of the concepts right above, the main one first.
        able: what it can be used as: portable, surface, container, openable, pushable.
        rooms: where it is usually kept.
        material: what it is made of when nothing else is said, or "".
        also: other names.
        like: a concept of other things whose roles these have, too, or "".
        sense: its synset in WordNet as "word#number", "none", or "" to have it found.
    """

    name: str
    parents: tuple[str, ...]
    kind: str
    able: frozenset[str]
    rooms: tuple[str, ...]
    material: str
    also: tuple[str, ...]
    sense: str
    like: str = ""


def _words(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(word.strip() for word in value.split(",") if word.strip())
    return tuple(value)


def _concepts(groups: Iterable[Mapping[str, Any]]) -> dict[str, Concept]:
    """Read the groups of things.yaml; facts that a class leaves out come from what is above it."""
    found: dict[str, Concept] = {}
    for group in groups:
        for name, value in group["classes"].items():
            own: Mapping[str, Any] = value if isinstance(value, dict) else {"also": value}
            facts = {**group, **own}
            shared = _words(group.get("is"))
            parents = tuple(dict.fromkeys((*_words(own.get("is")), *shared)))
            above = found[shared[0]] if shared else None
            if name in found:
                raise BadInput(f"things.yaml names '{name}' twice")
            able = facts.get("able", above.able if above else ())
            found[name] = Concept(
                name,
                parents,
                facts.get("kind", above.kind if above else "object"),
                frozenset(_words(able)) | frozenset(_words(own.get("plus"))),
                _words(facts.get("rooms", above.rooms if above else ())),
                facts.get("material", above.material if above else ""),
                _words(own.get("also")),
                own.get("sense", ""),
            )
            for other in _words(own.get("kinds")):
                _add(found, other, replace(found[name], parents=(name,)))
            for other in _words(own.get("like")):
                _add(found, other, replace(found[name], like=name))
    return found


def _add(found: dict[str, Concept], names: str, facts: Concept) -> None:
    """Add the concept "name|other name" with the facts of another one."""
    name, *also = names.split("|")
    found[name] = replace(facts, name=name, also=tuple(also), sense="")


class Taxonomy:
    """Finds the concept that words name, and what stands above it.

    A name is either one of things.yaml or a lemma of WordNet.
    """

    def __init__(self) -> None:
        data = load("things.yaml")
        self.concepts = _concepts(data["groups"])
        self._privative: dict[str, str] = data["privative"]
        self._measures = frozenset(data["measures"])
        self._other_than_head = frozenset(data["other_than_head"])
        self._names = {name: name for name in self.concepts}
        for concept in self.concepts.values():
            for other in concept.also:
                self._names.setdefault(other, concept.name)
        self._found: dict[str, str | None] = {}
        self._heads: dict[str, str | None] = {}
        self._ancestors: dict[str, tuple[str, ...]] = {}
        self._lineages: dict[str, frozenset[str]] = {}
        self._kinships: dict[str, frozenset[str]] = {}
        self._head_nouns: dict[str, str | None] = {}
        self._readings: dict[str, dict[str, None]] = {}

    def find(self, words: str) -> str | None:
        """Return the name of the concept that the words as a whole name, or None."""
        if words not in self._found:
            self._found[words] = self._find(plain(words))
        return self._found[words]

    def _find(self, words: str) -> str | None:
        for form in dict.fromkeys((words, words.replace("-", " "), words.replace(" ", ""))):
            if form in self._names:
                return self._names[form]
        one = singular(words, self._names.__contains__)
        if one in self._names:
            return self._names[one]
        for form in (one, words):
            if form in lexicon():
                return self._lemma(form)
        return None

    def _lemma(self, word: str) -> str:
        """Return the concept linked to the word's first sense, else the word itself."""
        return self._linked.get(lexicon().senses(word)[0], word)

    def head(self, words: str) -> str | None:
        """Return what the words name, or their head noun where the whole is unknown.

        "blue snack bowl" gives "bowl"; words such as "toy" before a noun make it another thing
        ("toy hammer" gives "toy").
        """
        if words not in self._heads:
            self._heads[words] = self._head(plain(words))
        return self._heads[words]

    def _head(self, words: str) -> str | None:
        whole = self.find(words)
        if whole is not None:
            return whole
        parts = words.split()
        for word in parts[:-1]:
            if word in self._privative:
                return self._privative[word]
        reach = head_span(parts)
        if parts[reach : reach + 1] == ["of"] and parts[reach - 1] in self._measures:
            content = self._head(" ".join(parts[reach + 1 :]))
            if content is not None and "ingestible" in (content, *self.ancestors(content)):
                return content
        parts = parts[:reach]
        for start in range(len(parts)):
            found = self.find(" ".join(parts[start:]))
            if found is not None:
                return found
        return None

    def head_noun(self, words: str) -> str | None:
        """Return the concept that the last noun of a compound names, or None.

        "wine bottle" gives "bottle" though as a whole it names wine. None, too, for compounds that
        are no such thing ("peanut butter", "toy hammer") and for one word.
        """
        if words not in self._head_nouns:
            self._head_nouns[words] = self._head_noun(plain(words))
        return self._head_nouns[words]

    def _head_noun(self, whole: str) -> str | None:
        parts = whole.split()
        reach = head_span(parts)
        if whole in self._other_than_head or any(part in self._privative for part in parts[:-1]):
            return None
        for start in range(0 if reach < len(parts) else 1, reach):
            tail = " ".join(parts[start:reach])
            if tail in self._other_than_head:
                return None
            found = self.find(tail)
            if found in (tail, singular(tail, self._names.__contains__)):
                return found if found in self.concepts else None
        return None

    def readings(self, words: str) -> dict[str, None]:
        """Return all that things of a class are, nearest first.

        These are what the words name, what is above it, and what the head nouns of these say.
        """
        if words not in self._readings:
            found: dict[str, None] = {}
            front = [name for name in (self.head(words), self.head_noun(words)) if name]
            while front:
                name = front.pop(0)
                for above in (name, *self.ancestors(name)):
                    head = self.head_noun(above) if above in self.concepts else None
                    if head is not None and head not in found:
                        front.append(head)
                    found[above] = None
            self._readings[words] = found
        return self._readings[words]

    @cached_property
    def _linked(self) -> dict[int, str]:
        """Map synsets to the concepts of things.yaml that they are.

        Where things.yaml names no sense it is the first one that WordNet, too, places below one of
        the concept's own ancestors.
        """
        links: dict[int, str] = {}
        for concept in self.concepts.values():
            sense = self._sense_of(concept, links)
            if sense is not None:
                links.setdefault(sense, concept.name)
        return links

    def _sense_of(self, concept: Concept, links: Mapping[int, str]) -> int | None:
        if concept.sense == "none":
            return None
        if concept.sense:
            word, _, number = concept.sense.partition("#")
            return lexicon().sense(word, int(number or 1))
        above = set(self._own_ancestors(concept.name))
        for name in (concept.name, *concept.also):
            for index in lexicon().senses(name):
                if any(links.get(higher) in above for higher in lexicon().chain(index)):
                    return index
        return None

    @cached_property
    def _synset_of(self) -> dict[str, int]:
        return {name: index for index, name in self._linked.items()}

    def ancestors(self, name: str) -> tuple[str, ...]:
        """Return what stands above a name that find() or head() gave, nearest first."""
        if name not in self._ancestors:
            self._ancestors[name] = self._compute_ancestors(name)
        return self._ancestors[name]

    def _own_ancestors(self, name: str) -> tuple[str, ...]:
        found: dict[str, None] = {}
        front = list(self.concepts[name].parents)
        while front:
            above = front.pop(0)
            if above not in found:
                found[above] = None
                front += self.concepts[above].parents
        return tuple(found)

    def _compute_ancestors(self, name: str) -> tuple[str, ...]:
        if name in self.concepts:
            own = self._own_ancestors(name)
            index = self._synset_of.get(name)
            return own if index is None else self._with_wordnet(name, own, index)
        if name not in lexicon():
            return ()
        return self._with_wordnet(name, (), lexicon().senses(name)[0])

    def _with_wordnet(self, name: str, own: tuple[str, ...], index: int) -> tuple[str, ...]:
        """Append WordNet's hypernyms; the first that is a concept brings the concept's ancestors.

        Words that things.yaml uses otherwise are left out: its own taxonomy wins.
        """
        found = dict.fromkeys(own)
        for higher in lexicon().chain(index):
            linked = self._linked.get(higher)
            if linked is not None and not own:
                found[linked] = None
                found.update(dict.fromkeys(self.ancestors(linked)))
                break
            if len(lexicon().chain(higher)) < MOST_GENERAL:
                continue
            for word in lexicon().words[higher]:
                if word not in self._names and lexicon().senses(word)[0] == higher:
                    found[word] = None
        found.pop(name, None)
        return tuple(found)

    def lineage(self, name: str) -> frozenset[str]:
        """Return a name that find() or head() gave together with all that stands above it."""
        if name not in self._lineages:
            self._lineages[name] = frozenset((name, *self.ancestors(name)))
        return self._lineages[name]

    def kinship(self, name: str) -> frozenset[str]:
        """Return the lineage of a name and the concept whose facts and roles it shares."""
        if name not in self._kinships:
            concept = self.concepts.get(name)
            model = (concept.like,) if concept and concept.like else ()
            self._kinships[name] = self.lineage(name).union(model)
        return self._kinships[name]

    def concept(self, name: str) -> Concept | None:
        """Return the concept of things.yaml that a name is or is nearest below, or None."""
        if name in self.concepts:
            return self.concepts[name]
        for above in self.ancestors(name):
            if above in self.concepts:
                return self.concepts[above]
        return None

    def known(self, words: str) -> bool:
        """Tell whether the words as a whole are a noun of Gist's data or of the lexicon."""
        return self.find(words) is not None

    def singular(self, words: str) -> str:
        """Return the singular form of a noun or compound in class words."""
        return singular(words, self._names.__contains__)
