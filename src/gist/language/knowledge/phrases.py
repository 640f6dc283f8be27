"""What the parser makes of the words: noun phrases, places, commands (no meaning yet)."""

from __future__ import annotations

from dataclasses import dataclass, field

from gist.language.knowledge.lexicon import Sense
from gist.language.knowledge.tokens import Token


class Refusal(Exception):
    """A sentence has no reading; it names the tokens that stand in the way and why."""

    def __init__(self, tokens: list[Token], reason: str) -> None:
        super().__init__(reason)
        self.tokens = tokens
        self.reason = reason


@dataclass
class NounPhrase:
    """Things as they were said: "the two dirty plates that are in the kitchen".

    determiner: a kind of words.yaml (the, all, each, any, one, some, couple, few, both, none) or
        "". bound, number: "at least", 4; more: on top of those that are there already. The rest
        says what: a label of the scene, a class, a collective, a set, a pronoun, whatever there is
        (generic), or contents.
    """

    tokens: list[Token]
    determiner: str = ""
    bound: str = ""
    number: int | None = None
    names: tuple[str, ...] = ()
    cls: str = ""
    collective: str = ""
    set_name: str = ""
    pronoun: str = ""
    generic: bool = False
    contents: bool = False
    floor: bool = False
    plural: bool = False
    states: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str], ...] = ()
    context: frozenset[str] = frozenset()
    not_states: frozenset[str] = frozenset()
    room: str = ""
    earlier: bool = False
    other: bool = False
    more: bool = False
    owner: list[NounPhrase] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    spoken_of: bool = False
    origin: bool = False
    but_not: list[NounPhrase] = field(default_factory=list)
    for_eating: bool = False

    @property
    def text(self) -> str:
        return " ".join(token.text for token in self.tokens)

    @property
    def span(self) -> tuple[int, int]:
        return self.tokens[0].start, self.tokens[-1].end


@dataclass
class Place:
    """A preposition and what it leads to; `any_one`: joined by "or"; `origin`: where it was.

    source: it says where the things are, for who gets them is named ("bring me X on Y").
    """

    preposition: str
    things: list[NounPhrase]
    tokens: list[Token]
    any_one: bool = False
    origin: bool = False
    whole: bool = False
    source: bool = False


@dataclass
class Item:
    """One object of a command and the places said right after it."""

    thing: NounPhrase
    places: list[Place] = field(default_factory=list)


@dataclass
class Command:
    """One verb and all that goes with it; `subs`: (when, command) said with after or before.

    to_person: who gets the things is named; `given`: right
    after the verb ("give the kids X"); `receiver`: it in words, unless it is the speaker.
    """

    tokens: list[Token]
    sense: Sense
    items: list[Item] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    origin: bool = False
    kept: bool = False
    soft: bool = False
    later: bool = False
    people: int | None = None
    occasion: str = ""
    for_two: bool = False
    context: frozenset[str] = frozenset()
    to_person: bool = False
    given: bool = False
    receiver: str = ""
    purpose: NounPhrase | None = None
    tool: list[NounPhrase] = field(default_factory=list)
    shares: bool = False
    states: frozenset[str] = frozenset()
    subs: list[tuple[str, Command]] = field(default_factory=list)

    @property
    def span(self) -> tuple[int, int]:
        return self.tokens[0].start, self.tokens[-1].end
