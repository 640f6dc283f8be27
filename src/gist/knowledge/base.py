"""What Gist knows of everyday things; one object that answers every question about classes.

Class words may be singular or plural, in any case, with "_" or spaces between words. Facts of words
that Gist does not know as a whole are those of their head noun ("blue snack bowl": bowl).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from gist.knowledge import morphology, sets, substitution, vetoes
from gist.knowledge._data import load
from gist.knowledge.sets import Member
from gist.knowledge.substitution import Described, Substitute
from gist.knowledge.taxonomy import Taxonomy

NOTHING: Mapping[str, str] = MappingProxyType({})
NO_STATES: frozenset[str] = frozenset()
ANY_CONTEXT: frozenset[str] = frozenset()


class Knowledge:
    """Taxonomy, roles, vetoes, sets and the forms of nouns. It never changes once made.

    Args:
        similarity: how near two classes are in meaning, higher is nearer; it breaks ties between
            equally good substitutes. `gist.knowledge.embeddings.similarity` is one.
    """

    def __init__(self, similarity: Callable[[str, str], float] | None = None) -> None:
        self.taxonomy = Taxonomy()
        self._similarity = similarity

    # words

    def canonical(self, words: str) -> str | None:
        """Return the concept that the words as a whole name, or None ("fridges": "refrigerator").

        It does not fall back to the head noun as the facts below do; head() does.
        """
        return self.taxonomy.find(words)

    def head(self, words: str) -> str | None:
        """Return the concept of the words or of their head noun ("old red chair": "chair")."""
        return self.taxonomy.head(words)

    def known(self, words: str) -> bool:
        """Tell whether the words as a whole are a noun that Gist or its lexicon has."""
        return self.taxonomy.find(words) is not None

    def singular(self, words: str) -> str:
        """Return the singular of a noun or compound ("dining tables": "dining table")."""
        return self.taxonomy.singular(words)

    def plural(self, words: str) -> str:
        """Return the plural of a noun or compound; mass nouns stay as they are."""
        return morphology.plural(words)

    def is_plural(self, words: str) -> bool:
        """Tell whether the words can be read as a plural; mass nouns can."""
        one = self.singular(words)
        return one != morphology.plain(words) or self.plural(one) == one

    # kinds of things

    def is_a(self, cls: str, concept: str) -> bool:
        """Tell whether things of a class are of a concept, too (a wine bottle: wine, bottle)."""
        above = self.taxonomy.find(concept)
        if above is None or self.taxonomy.head(cls) is None:
            return morphology.plain(cls) == morphology.plain(concept)
        readings = self.taxonomy.readings(cls)
        return above in readings and (self.taxonomy.head_noun(concept) or above) in readings

    def ancestors(self, cls: str) -> tuple[str, ...]:
        """Return the concepts above a class, nearest first; empty for unknown words."""
        return tuple(self.taxonomy.readings(cls))[1:]

    def kind(self, cls: str) -> str:
        """Return room, furniture, object, robot, person or group (a collective such as "toys")."""
        if morphology.plain(cls) not in self.taxonomy.concepts and self.is_collective(cls):
            return "group"
        name = self.taxonomy.head(cls)
        concept = self.taxonomy.concept(name) if name else None
        return "object" if concept is None else concept.kind

    def _able(self, cls: str, ability: str) -> bool | None:
        name = self.taxonomy.head(cls)
        concept = self.taxonomy.concept(name) if name else None
        return None if concept is None else ability in concept.able

    def portable(self, cls: str) -> bool:
        """Tell whether a robot arm can carry such a thing; unknown things are taken as portable."""
        return self._able(cls, "portable") is not False

    def surface(self, cls: str) -> bool:
        """Tell whether things can stand on it."""
        return bool(self._able(cls, "surface"))

    def container(self, cls: str) -> bool:
        """Tell whether things can be put into it."""
        return bool(self._able(cls, "container"))

    def openable(self, cls: str) -> bool:
        """Tell whether it has a door, lid or drawer to open."""
        return bool(self._able(cls, "openable"))

    def pushable(self, cls: str) -> bool:
        """Tell whether a robot can push it over the floor."""
        return bool(self._able(cls, "pushable"))

    def usual_rooms(self, cls: str) -> tuple[str, ...]:
        """Return the rooms where such a thing is usually kept, likeliest first."""
        name = self.taxonomy.head(cls)
        concept = self.taxonomy.concept(name) if name else None
        return () if concept is None else concept.rooms

    def classes(self) -> tuple[str, ...]:
        """Return the names of all concepts of Gist's own data, general ones first."""
        return tuple(self.taxonomy.concepts)

    def edible(self, cls: str, states: frozenset[str] = NO_STATES) -> bool:
        """Tell whether a person can eat or drink it in these states."""
        spoiled = states & (substitution.SPOILED | {"empty"})
        return self.is_a(cls, "ingestible") and not spoiled

    def alcoholic(self, cls: str) -> bool:
        """Tell whether it is a drink with alcohol."""
        return self.is_a(cls, "alcoholic drink")

    def materials(self, cls: str, attributes: Mapping[str, str] = NOTHING) -> tuple[str, ...]:
        """Return what it is made of, the main material first; empty when nothing is known."""
        return sets.materials(self.taxonomy, cls, attributes)

    def opposite(self, state: str) -> str | None:
        """Return the state that cannot hold together with this one, or None."""
        pairs: dict[str, str] = load("words.yaml")["opposites"]
        return pairs.get(state)

    # roles and substitutes

    def roles(self, cls: str) -> frozenset[str]:
        """Return what such a thing serves as: "drinking vessel", "seat"; those of roles.yaml."""
        return frozenset(substitution.roles(self.taxonomy, cls))

    def wider(self, cls: str) -> tuple[str, ...]:
        """Return the concepts above a class whose members all serve as it does, nearest first.

        "cup" gives drinkware, but not artifact, and "umbrella" nothing.
        """
        return substitution.wider(self.taxonomy, cls)

    def substitutes(
        self,
        cls: str,
        candidates: Sequence[Described],
        context: frozenset[str] = ANY_CONTEXT,
        states: frozenset[str] = NO_STATES,
    ) -> tuple[Substitute, ...]:
        """Return the things that can stand in for a missing one, best first, no vetoed one.

        Args:
            cls: the class that is missing.
            candidates: the things at hand as (name, class, states, attributes).
            context: tags such as "children" that forbid more.
            states: the states in which the missing thing is wanted. Without them nothing rotting,
                broken or burnt stands in, and nothing dirty where clean things are needed.
        """
        return substitution.substitutes(
            self.taxonomy, cls, candidates, context, states, self._similarity
        )

    def room_substitutes(self, cls: str, rooms: Iterable[Described]) -> tuple[Substitute, ...]:
        """Return rooms to put things into where there is no room of the class, best first.

        For work on the room itself (mopping it) no other room will do; do not ask then.
        """
        return substitution.room_substitutes(self.taxonomy, cls, rooms)

    def veto(
        self, original: str, substitute: str, context: frozenset[str] = ANY_CONTEXT
    ) -> str | None:
        """Return why one class must not stand in for another, or None when it may."""
        return vetoes.veto(self.taxonomy, original, substitute, context)

    def no_substitute(self, cls: str) -> str | None:
        """Return why nothing can stand in for a class (medicine, keys ...), or None."""
        return vetoes.no_substitute(self.taxonomy, cls)

    def context_of(self, words: str) -> frozenset[str]:
        """Return the tags that words call for: "snacks for the kids" gives {"children"}."""
        return vetoes.context_of(words)

    # sets and collectives

    def is_set(self, words: str) -> bool:
        """Tell whether the words name a set of things, such as "place setting"."""
        return sets.name_of("sets", words) is not None

    def set_names(self) -> tuple[str, ...]:
        """Return all names of sets, other names included."""
        return tuple(sets.names("sets"))

    def members(self, set_name: str) -> tuple[Member, ...]:
        """Return the parts of a set; empty for words that name none."""
        return sets.members(set_name)

    def collective(self, words: str) -> str | None:
        """Return the collective that the words name ("trash": "rubbish"), or None."""
        return sets.name_of("collectives", words)

    def is_collective(self, words: str) -> bool:
        """Tell whether the words name many kinds of things at once, such as "groceries"."""
        return self.collective(words) is not None

    def collective_names(self) -> tuple[str, ...]:
        """Return all names of collectives, other names included."""
        return tuple(sets.names("collectives"))

    def is_member(
        self,
        collective: str,
        cls: str,
        states: frozenset[str] = NO_STATES,
        attributes: Mapping[str, str] = NOTHING,
    ) -> bool:
        """Tell whether a thing belongs to a collective: a full bottle is no rubbish."""
        return sets.matching(self.taxonomy, collective, cls, states, attributes) is not None

    def doubt(
        self,
        collective: str,
        cls: str,
        states: frozenset[str] = NO_STATES,
        attributes: Mapping[str, str] = NOTHING,
    ) -> str | None:
        """Return what was assumed to count a thing in ("it is taken as empty"), or None."""
        entry = sets.matching(self.taxonomy, collective, cls, states, attributes)
        return None if entry is None else entry.get("doubt")

    def recycling_bin(
        self,
        cls: str,
        states: frozenset[str] = NO_STATES,
        attributes: Mapping[str, str] = NOTHING,
    ) -> tuple[str, ...]:
        """Return the classes of bins that a thing may be thrown into, best first."""
        return sets.recycling_bins(self.taxonomy, cls, states, attributes)


@cache
def default() -> Knowledge:
    """Return the knowledge that every part of Gist shares, made at the first call."""
    return Knowledge()
