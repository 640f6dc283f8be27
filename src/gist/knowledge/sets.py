"""Things that belong together, words for many kinds of things at once, and bins (sets.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from gist.knowledge._data import load
from gist.knowledge.morphology import plain, singular
from gist.knowledge.taxonomy import Taxonomy
from gist.knowledge.vetoes import is_one_of


@dataclass(frozen=True)
class Member:
    """A part of a set.

    Attributes:
        cls: its class, a concept.
        per_person: how many for each person, or None where the set has a fixed number.
        optional: whether the set is a whole without it.
        count: how many in the set where the number is fixed.
    """

    cls: str
    per_person: int | None = None
    optional: bool = False
    count: int = 1


@cache
def names(kind: str) -> dict[str, str]:
    """Return each name of a "sets" or "collectives" entry with the entry's main name."""
    found = {}
    for name, facts in load("sets.yaml")[kind].items():
        found.update(dict.fromkeys((name, *facts.get("also", ())), name))
    return found


def name_of(kind: str, words: str) -> str | None:
    """Return the main name of the set or collective that the words name, or None."""
    known = names(kind)
    whole = plain(words)
    return known.get(whole) or known.get(singular(whole, known.__contains__))


def members(set_name: str) -> tuple[Member, ...]:
    """Return the parts of a set; empty for words that name no set."""
    name = name_of("sets", set_name)
    if name is None:
        return ()
    return tuple(
        Member(m["cls"], m.get("per_person"), m.get("optional", False), m.get("count", 1))
        for m in load("sets.yaml")["sets"][name]["members"]
    )


def matching(
    taxonomy: Taxonomy,
    collective: str,
    cls: str,
    states: frozenset[str],
    attributes: Mapping[str, str],
) -> Mapping[str, Any] | None:
    """Return the first entry of a collective that a thing fits, or None."""
    name = name_of("collectives", collective)
    if name is None:
        return None
    concept = taxonomy.head(cls)
    for entry in load("sets.yaml")["collectives"][name]["any"]:
        if (
            is_one_of(taxonomy, concept, entry["is"])
            and not is_one_of(taxonomy, concept, entry.get("not", ()))
            and (not entry.get("states") or states & set(entry["states"]))
            and not states & set(entry.get("not_states", ()))
            and _attributes_fit(entry, attributes)
        ):
            return entry  # type: ignore[no-any-return]
    return None


def _attributes_fit(entry: Mapping[str, Any], attributes: Mapping[str, str]) -> bool:
    return all(value in attributes.get(key, "") for key, value in entry.get("with", {}).items())


def materials(taxonomy: Taxonomy, cls: str, attributes: Mapping[str, str]) -> tuple[str, ...]:
    """Return what a thing is made of, its main material first.

    What the class says ("glass bottle") goes before what the attributes say, and these before what
    such things are usually made of.
    """
    known: dict[str, str] = load("sets.yaml")["materials"]
    name = taxonomy.head(cls)
    concept = taxonomy.concept(name) if name else None
    usual = concept.material if concept else ""
    words = [
        *plain(cls).split(),
        *attributes.get("material", "").lower().split(),
        *usual.split(),
    ]
    return tuple(
        dict.fromkeys(known[w] for w in (word.strip(",.") for word in words) if w in known)
    )


def recycling_bins(
    taxonomy: Taxonomy, cls: str, states: frozenset[str], attributes: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the classes of bins that a thing may be thrown into, best first."""
    data = load("sets.yaml")["recycling"]
    concept = taxonomy.head(cls)
    for entry in data["classes"]:
        exempt = states & set(entry.get("not_states", ()))
        if is_one_of(taxonomy, concept, entry["is"]) and not exempt:
            return tuple(entry["bins"])
    for material in materials(taxonomy, cls, attributes):
        if material in data["materials"]:
            return (*data["materials"][material], *data["otherwise"])
    return tuple(data["otherwise"])
