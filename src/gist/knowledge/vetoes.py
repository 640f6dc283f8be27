"""What must not stand in for what, and what has no substitute at all (vetoes.yaml)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from gist.knowledge._data import load
from gist.knowledge.morphology import plain
from gist.knowledge.taxonomy import Taxonomy

_PERSONAL = re.compile(
    r"(\b(my|your|his|her|our|their|favou?rite)\b|['\u2019]s\b|s['\u2019] )", re.I
)


def no_substitute(taxonomy: Taxonomy, cls: str) -> str | None:
    """Return why nothing may stand in for a class, or None when something may."""
    data = load("vetoes.yaml")
    if _PERSONAL.search(cls):
        return str(data["personal"])
    name = taxonomy.head(cls)
    for entry in data["never_substitute"]:
        if is_one_of(taxonomy, name, entry["is"]) and not is_one_of(
            taxonomy, name, entry.get("not", ())
        ):
            return str(entry["because"])
    return None


@lru_cache(maxsize=1 << 16)
def veto(taxonomy: Taxonomy, original: str, substitute: str, context: frozenset[str]) -> str | None:
    """Return why a substitute must not stand in for the original, or None when it may.

    What the context forbids is forbidden even where it was asked for by its own name.
    """
    wanted, given = taxonomy.head(original), taxonomy.head(substitute)
    for rule in load("vetoes.yaml")["contexts"]:
        if rule["context"] in context and _applies(taxonomy, rule, wanted, given):
            return str(rule["because"])
    accepted = frozenset() if "children" in context else spoiled(original)
    if is_one_of(taxonomy, given, ("ingestible",)) and spoiled(substitute) - accepted:
        return str(load("vetoes.yaml")["spoiled"]["because"])
    same = plain(original) == plain(substitute) or (
        given is not None and wanted is not None and wanted in taxonomy.lineage(given)
    )
    if same:
        return None
    why = no_substitute(taxonomy, original)
    if why is not None:
        return why
    apart = load("vetoes.yaml")["apart"]
    groups = [_group(taxonomy, name, apart["groups"]) for name in (wanted, given)]
    if None not in groups and groups[0] != groups[1]:
        return str(apart["because"])
    for rule in load("vetoes.yaml")["rules"]:
        if _applies(taxonomy, rule, wanted, given):
            return str(rule["because"])
    return None


def spoiled(words: str) -> frozenset[str]:
    """Return those of the words that say that food is unfit to eat ("rotten apple")."""
    return frozenset(plain(words).split()) & frozenset(load("vetoes.yaml")["spoiled"]["words"])


def _group(taxonomy: Taxonomy, name: str | None, groups: Iterable[Iterable[str]]) -> int | None:
    return next((i for i, group in enumerate(groups) if is_one_of(taxonomy, name, group)), None)


def context_of(words: str) -> frozenset[str]:
    """Return the tags that the words call for: "snacks for the kids" gives {"children"}."""
    text = re.sub(r"[^a-z' -]+", " ", words.lower().replace("_", " "))
    return frozenset(
        tag for pattern, tags in _context_words() if pattern.search(text) for tag in tags
    )


@cache
def _context_words() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    found = []
    for tag, facts in load("vetoes.yaml")["tags"].items():
        either = "|".join(re.escape(word) for word in facts["words"])
        found.append((re.compile(rf"\b(?:{either})\b"), (tag, *facts.get("implies", ()))))
    return tuple(found)


def is_one_of(taxonomy: Taxonomy, name: str | None, concepts: Iterable[str]) -> bool:
    """Tell whether a name that head() gave is one of the concepts, below one or like one."""
    return name is not None and not taxonomy.kinship(name).isdisjoint(concepts)


def _applies(
    taxonomy: Taxonomy, rule: Mapping[str, Any], wanted: str | None, given: str | None
) -> bool:
    """Tell whether all the conditions hold that a rule names."""
    return all(
        is_one_of(taxonomy, name, rule[key]) is expected
        for key, name, expected in (
            ("original", wanted, True),
            ("original_not", wanted, False),
            ("substitute", given, True),
            ("substitute_not", given, False),
        )
        if key in rule
    )
