"""Which things can stand in for a missing one: the same role first, then neighbouring roles.

The published method lets a language model propose functional equivalents (Context Matters, goal
shift); here a table of roles decides (roles.yaml), joined by the vetoes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from gist.knowledge._data import load
from gist.knowledge.morphology import natural_key, plain, plural, with_article
from gist.knowledge.taxonomy import Taxonomy
from gist.knowledge.vetoes import is_one_of, no_substitute, veto

Described = tuple[str, str, frozenset[str], Mapping[str, str]]
"""A thing: its name, class, states and attributes."""

SPOILED = frozenset({"rotting", "mouldy", "broken", "burnt"})
UNCLEAN = frozenset({"dirty", "used"})


@dataclass(frozen=True)
class Substitute:
    """A thing that can stand in for a missing one.

    Attributes:
        tier: 1 same role, 2 neighbouring role, 3 weak.
        reason: why, in words about its class: "a cup is a drinking vessel too".
        caution: what to mind, or None.
    """

    name: str
    cls: str
    tier: int
    reason: str
    caution: str | None = None


@dataclass(frozen=True)
class _Fit:
    tier: int
    reason: str
    caution: str | None = None
    distance: int = 0


@cache
def _memberships() -> dict[str, dict[str, bool]]:
    """Return concept -> roles it has, with whether it has them loosely only."""
    found: dict[str, dict[str, bool]] = {}
    for role, facts in load("roles.yaml")["roles"].items():
        for concept in facts.get("loosely", ()):
            found.setdefault(concept, {})[role] = True
        for concept in facts["members"]:
            found.setdefault(concept, {})[role] = False
    return found


def roles(taxonomy: Taxonomy, cls: str) -> dict[str, bool]:
    """Return the roles of a class, its own before inherited ones; the value: loosely only."""
    name = taxonomy.head(cls)
    found: dict[str, bool] = {}
    if name is None:
        return found
    concept = taxonomy.concepts.get(name)
    model = (concept.like,) if concept else ()
    for above in (name, *model, *taxonomy.ancestors(name)):
        for role, loosely in _memberships().get(above, {}).items():
            if not is_one_of(taxonomy, name, load("roles.yaml")["roles"][role].get("not", ())):
                found.setdefault(role, loosely)
    return found


def wider(taxonomy: Taxonomy, cls: str) -> tuple[str, ...]:
    """Return the concepts above a class that serve one of its roles as a whole, nearest first."""
    name = taxonomy.head(cls)
    own = roles(taxonomy, cls)
    return tuple(
        above
        for above in (taxonomy.ancestors(name) if name else ())
        if any(
            not loosely and role in own for role, loosely in _memberships().get(above, {}).items()
        )
    )


def substitutes(
    taxonomy: Taxonomy,
    cls: str,
    candidates: Sequence[Described],
    context: frozenset[str],
    states: frozenset[str],
    similarity: Callable[[str, str], float] | None = None,
) -> tuple[Substitute, ...]:
    """Return the candidates that can stand in for a class, best first; see Knowledge."""
    if no_substitute(taxonomy, cls):
        return ()
    ranked = []
    for name, other, has, _ in candidates:
        found = fit(taxonomy, cls, other, context)
        if found is None or not _fit_state(taxonomy, other, has, states):
            continue
        caution = found.caution
        if has & UNCLEAN - states:
            caution = "; ".join(filter(None, (caution, f"it is {min(has & UNCLEAN - states)}")))
        nearness = similarity(plain(cls), plain(other)) if similarity else 0.0
        unclean = bool(has & UNCLEAN - states)
        order = (found.tier, found.distance, unclean, -nearness, natural_key(name))
        ranked.append((order, Substitute(name, other, found.tier, found.reason, caution)))
    return tuple(substitute for _, substitute in sorted(ranked, key=lambda pair: pair[0]))


def _fit_state(taxonomy: Taxonomy, cls: str, has: frozenset[str], wanted: frozenset[str]) -> bool:
    """Tell whether a thing's states allow it to stand in for one wanted in the given states."""
    if not wanted & (SPOILED | UNCLEAN) <= has:
        return False
    if has & SPOILED - wanted:
        return False
    never_in = load("roles.yaml")["never_in"]
    if any(not has.isdisjoint(never_in.get(state, ())) for state in wanted):
        return False
    name = taxonomy.head(cls)
    must_be_clean = load("roles.yaml")["must_be_clean"]
    if has & UNCLEAN - wanted and is_one_of(taxonomy, name, must_be_clean):
        return False
    holds = is_one_of(taxonomy, name, ("ingestible",))
    return not (holds and "empty" in has)


@lru_cache(maxsize=1 << 16)
def fit(taxonomy: Taxonomy, cls: str, other: str, context: frozenset[str]) -> _Fit | None:
    """Return how well a class can stand in for another, or None when it cannot or must not."""
    if veto(taxonomy, cls, other, context):
        return None
    wanted, given = taxonomy.head(cls), taxonomy.head(other)
    if wanted is None or given is None:
        return None
    found = list(_fits(taxonomy, cls, other))
    if not found:
        return None
    best = min(found, key=lambda fit: (fit.tier, fit.distance))
    if context and is_one_of(taxonomy, given, ("ingestible",)):
        who = load("vetoes.yaml")["tags"]
        may = [who[tag]["may_have"] for tag in sorted(context) if "may_have" in who.get(tag, {})]
        best = replace(best, reason=" ".join([best.reason, *may[:1]]))
    return replace(best, reason=_agree(best.reason, _spoken(taxonomy, other)))


def _agree(reason: str, it: str) -> str:
    """Return the sentence with its verb in the plural where its subject is a plural noun."""
    start, verb, rest = reason.partition(f"{it} ")
    if start or not verb or not it.endswith("s") or plural(it) != it:
        return reason
    says = re.split(r"\W", rest, maxsplit=1)[0]
    rest = rest.removeprefix(says)
    if says == "is" and rest.startswith((" a ", " an ")) and not rest.startswith(" a kind"):
        return f"{it} serve as{rest}"
    many = {"is": "are", "has": "have", "goes": "go", "does": "do"}.get(says)
    return f"{it} {many or says.removesuffix('s')}{rest}"


def _spoken(taxonomy: Taxonomy, cls: str) -> str:
    return with_article(taxonomy.singular(cls))


def _fits(taxonomy: Taxonomy, cls: str, other: str) -> Iterator[_Fit]:
    wanted, given = taxonomy.head(cls), taxonomy.head(other)
    assert wanted is not None and given is not None
    it = _spoken(taxonomy, other)
    if wanted in taxonomy.lineage(given):
        yield _Fit(1, f"{it} is a kind of {wanted}")
    yield from _pairs(taxonomy, wanted, given, it)
    theirs = roles(taxonomy, other)
    closeness = _distance(taxonomy, wanted, given)
    for role, loosely in roles(taxonomy, cls).items():
        facts = load("roles.yaml")["roles"][role]
        if role in theirs and not facts.get("near_only"):
            tier = 1 + (loosely or theirs[role])
            same = "{it} serves the same purpose"
            usual = same if with_article(role) == it else f"{{it}} is {with_article(role)}, too"
            reason = facts.get("because", usual).format(it=it)
            yield _Fit(tier, reason, None, 1 + closeness)
        for near in facts.get("near", ()):
            if near["role"] in theirs:
                tier = min(3, near["tier"] + theirs[near["role"]])
                reason = near.get("because", f"{it} is {with_article(near['role'])}")
                yield _Fit(tier, reason.format(it=it), near.get("caution"), 1 + closeness)


def _pairs(taxonomy: Taxonomy, wanted: str, given: str, it: str) -> Iterator[_Fit]:
    for pair in load("roles.yaml")["pairs"]:
        excluded = is_one_of(taxonomy, given, pair.get("not", ()))
        if is_one_of(taxonomy, wanted, pair["for"]) and not excluded:
            for place, use in enumerate(pair["use"]):
                if is_one_of(taxonomy, given, (use,)):
                    reason = pair["because"].format(it=it)
                    yield _Fit(
                        pair["tier"], reason, pair.get("caution"), 2 * place + (given != use)
                    )


def _distance(taxonomy: Taxonomy, wanted: str, given: str) -> int:
    """Return how far up from the wanted concept the first one stands that covers both."""
    for steps, above in enumerate((wanted, *taxonomy.ancestors(wanted))):
        if is_one_of(taxonomy, given, (above,)):
            return steps
    return 99


def room_substitutes(
    taxonomy: Taxonomy, cls: str, rooms: Iterable[Described]
) -> tuple[Substitute, ...]:
    """Return rooms to put things into when there is none of the class, best first."""
    wanted = taxonomy.head(cls)
    entries: Sequence[Mapping[str, Any]] = (
        load("rooms.yaml")["substitutes"].get(wanted) or load("rooms.yaml")["otherwise"]
    )
    ranked = []
    for name, other, _, _ in rooms:
        given = taxonomy.head(other)
        for place, entry in enumerate(entries):
            if given == entry["room"] and given != wanted:
                reason = entry["because"].format(it=with_article(plain(other)))
                found = Substitute(name, other, entry["tier"], reason)
                ranked.append(((entry["tier"], place, natural_key(name)), found))
                break
    return tuple(substitute for _, substitute in sorted(ranked, key=lambda pair: pair[0]))
