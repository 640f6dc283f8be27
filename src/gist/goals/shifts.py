"""The goal shift: the same intent with what the scene has instead of what it lacks (METHODS.md A).

A shift replaces; it is never called weaker. Things that are there stay asked for, and only what is
missing is filled by substitutes. The knowledge decides what may stand in for what: nothing it
vetoes, and nothing at all for medicine, documents, keys and the like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from gist.goals.faults import faults
from gist.goals.goal import ALL, AnyOf, Clause, Goal
from gist.goals.ground import Grounder
from gist.goals.operators import Candidate, suits
from gist.goals.predicates import predicate
from gist.goals.selector import Selector
from gist.goals.words import list_names, list_words, selector_words
from gist.scene.graph import Kind, SceneGraph

if TYPE_CHECKING:
    from gist.knowledge import Described, Knowledge, Substitute

WEAK = 3
CHOICES = 5
"""How many alternatives are offered for one missing part."""


@dataclass(frozen=True)
class _Choice:
    """A clause that uses a substitute, with its tier and why."""

    clause: Clause
    operator: str
    tier: int
    reason: str
    caution: str | None = None


@dataclass(frozen=True)
class _Need:
    """A clause with a part missing, and all that is needed to fill it."""

    clause: Clause
    unusable: frozenset[str]
    reserved: frozenset[str]
    context: frozenset[str]
    ground: Grounder


def shifts(
    goal: Goal,
    clause_index: int,
    scene: SceneGraph,
    knowledge: Knowledge,
    unusable: frozenset[str] = frozenset(),
    grounder: Grounder | None = None,
) -> Iterator[Candidate]:
    """Yield goals in which substitutes fill what one clause lacks, nearest in role first.

    Args:
        scene: the scene at the start.
        unusable: things known to be out of reach, which count as missing and never substitute.
        grounder: of the same scene; shares resolved selectors between calls.

    Nothing is yielded for a clause that lacks nothing, nor for a mere wish. Raises IndexError for
    no such clause.
    """
    ground = grounder or Grounder(scene, knowledge)
    item = goal.clauses[clause_index]
    if item.soft:
        return
    clauses = (item,) if isinstance(item, Clause) else item.clauses
    reserved = _reserved(goal, clause_index, ground)
    found: list[Candidate] = []
    for i, clause in enumerate(clauses):
        context = goal.context | clause.things.context
        need = _Need(clause, unusable, reserved, context, ground)
        for choice in _choices(need):
            changed = (
                choice.clause
                if isinstance(item, Clause)
                else AnyOf((*clauses[:i], choice.clause, *clauses[i + 1 :]))
            )
            found.append(
                Candidate(
                    goal.with_clause(clause_index, changed),
                    choice.operator,
                    clause.text(),
                    choice.clause.text(),
                    choice.reason,
                    cost=float(choice.tier),
                    kind="shift",
                    tier=choice.tier,
                    caution=choice.caution,
                )
            )
    yield from sorted(found, key=lambda candidate: candidate.cost)


def _reserved(goal: Goal, index: int, ground: Grounder) -> frozenset[str]:
    """Return what the other clauses need for themselves, be it as things or as targets.

    A wish keeps nothing back from a clause that must hold.
    """
    kept: set[str] = set()
    for other, item in enumerate(goal.clauses):
        if item.soft and not goal.clauses[index].soft:
            continue
        for clause in (item,) if isinstance(item, Clause) else item.clauses:
            if clause.targets is not None:
                kept |= ground.present(clause.targets)
            if other == index:
                continue
            quantifier = clause.quantifier
            named = clause.things.resolve(ground.scene, ground.knowledge)
            kept.update(named if quantifier.kind == "all" else named[: quantifier.n])
    return frozenset(kept)


def _choices(need: _Need) -> Iterator[_Choice]:
    ground = need.ground
    missing = faults(need.clause, ground.scene, ground.knowledge, need.unusable, ground)
    parts = {fault.part: fault for fault in missing}
    if "things" in parts and not _about_these_very_things(need):
        fault = parts["things"]
        yield from _loosen_things(need, fault.asked, fault.text)
        yield from _replace_things(need, fault.asked - fault.found, fault.text)
    if "targets" in parts:
        yield from _replace_targets(need, parts["targets"].text)


def _about_these_very_things(need: _Need) -> bool:
    """Tell whether no other thing will do.

    So it is for what cannot be undone, for what has no substitute, and where all things of a class
    are meant and there are some, though out of reach.
    """
    clause, knowledge = need.clause, need.ground.knowledge
    original = _wanted_class(clause.things, need)
    if predicate(clause.predicate).irreversible or (original and knowledge.no_substitute(original)):
        return True
    universal = clause.quantifier.kind == "all" and clause.things.names is None
    return universal and bool(need.ground.present(clause.things))


def _loosen_things(need: _Need, asked: int, lack: str) -> Iterator[_Choice]:
    """Offer the same class with other states, or from elsewhere, where that fills the need.

    Other states only where the scene never speaks of them: in a scene that calls a plate dirty, a
    shirt that it does not call so is none to wash.
    """
    things = need.clause.things
    anywhere = replace(things, where=None)
    if things.where is not None:
        yield from _loosened(need, anywhere, asked, f"{lack}; there are some elsewhere", 1)
    if not things.states or _speaks_of(need.ground.scene, things.states):
        return
    states = list_words(sorted(things.states), "and")
    caution = f"they may not be {states}"
    for tier, plain in (2, things), (3, anywhere):
        words = selector_words(replace(plain, states=frozenset()))
        reason = f"{lack}; the scene does not say of the {words} whether they are {states}"
        yield from _loosened(need, _without_opposites(plain, need), asked, reason, tier, caution)
        if things.where is None:
            return


def _loosened(
    need: _Need, things: Selector, asked: int, reason: str, tier: int, caution: str | None = None
) -> Iterator[_Choice]:
    if len(need.ground.present(things) - need.unusable) >= asked:
        changed = replace(need.clause, things=things)
        yield _Choice(changed, "substitute_things", tier, reason, caution)


def _speaks_of(scene: SceneGraph, states: frozenset[str]) -> bool:
    return any(states & node.states for node in scene.objects())


def _without_opposites(things: Selector, need: _Need) -> Selector:
    knowledge = need.ground.knowledge
    opposites = [o for state in sorted(things.states) if (o := knowledge.opposite(state))]
    plain = replace(things, states=frozenset())
    for opposite in opposites:
        said = replace(plain, states=frozenset({opposite}))
        if need.ground.present(said):
            excluded = (said,) if plain.but_not is None else (said, plain.but_not)
            plain = replace(plain, but_not=Selector(any_of=excluded))
    return plain


def _replace_things(need: _Need, count: int, lack: str) -> Iterator[_Choice]:
    clause, ground = need.clause, need.ground
    original = _wanted_class(clause.things, need)
    if original is None or ground.knowledge.kind(original) in ("room", "person"):
        return
    ranked = _ranked_things(need, original)
    if ground.present(clause.things) - need.unusable:
        ranked = [s for s in ranked if s.tier < WEAK]  # fewer of the real ones are better
    if clause.quantifier.kind == "all" and clause.things.names is None:
        yield from _every_of_class(need, ranked, lack)
        return
    offered: set[tuple[str, ...]] = set()
    for start in range(0, len(ranked), max(1, count)):
        chosen = ranked[start : start + count]
        names = tuple(s.name for s in chosen)
        if len(offered) == CHOICES or names in offered:
            return
        offered.add(names)
        changed = replace(clause, things=_filled(clause, names, need))
        reason = _reason(lack, chosen)
        yield _Choice(changed, "substitute_things", _tier(chosen), reason, _caution(chosen))


def _filled(clause: Clause, names: tuple[str, ...], need: _Need) -> Selector:
    """Return the things that are there together with the substitutes."""
    things, ground = clause.things, need.ground
    if things.names is not None:
        kept = [n for n in things.names if n in ground.scene and n not in need.unusable]
        return Selector(names=(*kept, *names), context=things.context)
    whole = (things,) if ground.present(things) else ()
    return Selector(any_of=(*whole, Selector(names=names))) if whole else Selector(names=names)


def _every_of_class(need: _Need, ranked: Sequence[Substitute], lack: str) -> Iterator[_Choice]:
    """Offer, for "all x" where there is no x, all things of one substitute class."""
    by_class: dict[str, list[Substitute]] = {}
    for substitute in ranked:
        by_class.setdefault(substitute.cls, []).append(substitute)
    for cls, members in islice(by_class.items(), CHOICES):
        things = Selector(cls=cls, context=need.clause.things.context)
        if need.ground.present(things) != frozenset(m.name for m in members):
            things = Selector(names=tuple(m.name for m in members))
        changed = replace(need.clause, things=things, quantifier=ALL)
        reason = _reason(lack, members)
        yield _Choice(changed, "substitute_things", _tier(members), reason, _caution(members))


def _ranked_things(need: _Need, original: str) -> list[Substitute]:
    """Return substitutes for a class; those that keep the asked states and place come first."""
    scene, knowledge = need.ground.scene, need.ground.knowledge
    taken = need.ground.present(need.clause.things) | need.unusable | need.reserved
    pool = [
        _described(name, scene)
        for name in scene.things()
        if name not in taken
        and scene.nodes[name].kind is Kind.OBJECT
        and scene.room_of(name) is not None
        and need.clause.things.states <= scene.nodes[name].states
    ]
    states = need.clause.things.states
    ranked = list(knowledge.substitutes(original, pool, need.context, states))
    where = need.clause.things.where
    if where is None:
        return ranked
    near = need.ground.names(Selector(names=tuple(s.name for s in ranked), where=where))
    return sorted(ranked, key=lambda s: (s.tier, s.name not in near))


def _described(name: str, scene: SceneGraph) -> Described:
    node = scene.nodes[name]
    return name, node.cls, node.states, node.attributes


def _wanted_class(selector: Selector, need: _Need) -> str | None:
    """Return the one class that is missing, or None; the first part of a union is the original."""
    if selector.cls is not None:
        return selector.cls
    if selector.names is not None:
        scene = need.ground.scene
        lacking = [n for n in selector.names if n not in scene or n in need.unusable]
        classes = {_class_of(name, need.ground) for name in lacking}
        return classes.pop() if len(classes) == 1 else None
    return _wanted_class(selector.any_of[0], need) if selector.any_of else None


def _class_of(name: str, ground: Grounder) -> str:
    """Return the class of a thing, or what its label says when the scene does not have it."""
    if name in ground.scene:
        return ground.scene.node(name).cls
    return re.sub(r"[_ ]*\d+$", "", name).replace("_", " ").lower()


def _replace_targets(need: _Need, lack: str) -> Iterator[_Choice]:
    targets, ground = need.clause.targets, need.ground
    assert targets is not None
    yield from _same_class_elsewhere(need, targets, lack)
    original = _wanted_class(targets, need)
    if original is None or ground.knowledge.no_substitute(original):
        return
    by_class: dict[str, list[Substitute]] = {}
    for substitute in _ranked_targets(need, original):
        by_class.setdefault(substitute.cls, []).append(substitute)
    for members in islice(by_class.values(), CHOICES):
        names = tuple(m.name for m in members if m.tier == members[0].tier)
        if ground.knowledge.kind(original) == "room":
            names = names[:1]  # what belongs together is not spread over several rooms
        changed = replace(need.clause, targets=Selector(names=names))
        reason = _reason(lack, members[:1])
        tier, caution = members[0].tier, members[0].caution
        yield _Choice(changed, "substitute_target", tier, reason, caution)


def _same_class_elsewhere(need: _Need, targets: Selector, lack: str) -> Iterator[_Choice]:
    """Offer a target of the asked class with another place, colour, state or number."""
    original = _wanted_class(targets, need)
    if original is None:
        return
    plain = Selector(cls=original)
    usable = need.ground.present(plain) - need.unusable
    if usable and plain != targets:
        names = Selector(names=tuple(usable)).resolve(need.ground.scene, need.ground.knowledge)
        chosen = plain if usable == need.ground.present(plain) else Selector(names=names)
        verb = "is" if len(names) == 1 else "are"
        reason = f"{lack}; there {verb} {list_names(names, 'and')}"
        yield _Choice(replace(need.clause, targets=chosen), "substitute_target", 1, reason)


def _ranked_targets(need: _Need, original: str) -> Sequence[Substitute]:
    scene, knowledge = need.ground.scene, need.ground.knowledge
    same = {c for c in scene.classes() if knowledge.is_a(c, original)}
    if knowledge.kind(original) == "room":
        rooms = [_described(n.name, scene) for n in scene.rooms() if _free(n.name, need, same)]
        return knowledge.room_substitutes(original, rooms)
    moved = need.ground.present(need.clause.things)
    pool = [
        _described(name, scene)
        for cls in scene.classes()
        if cls not in same and suits(cls, need.clause.predicate, need.ground)
        for name in scene.of_class(cls)
        if name not in moved and name not in need.unusable
    ]
    return knowledge.substitutes(original, pool, need.context)


def _free(name: str, need: _Need, same: set[str]) -> bool:
    return name not in need.unusable and need.ground.scene.nodes[name].cls not in same


def _tier(chosen: Sequence[Substitute]) -> int:
    return max(substitute.tier for substitute in chosen)


def _reason(lack: str, chosen: Sequence[Substitute]) -> str:
    by_reason: dict[str, list[str]] = {}
    for substitute in chosen:
        by_reason.setdefault(substitute.reason, []).append(substitute.name)
    said = [f"{list_names(names, 'and')}: {why}" for why, names in by_reason.items()]
    return "; ".join([lack, *said])


def _caution(chosen: Sequence[Substitute]) -> str | None:
    return "; ".join(dict.fromkeys(s.caution for s in chosen if s.caution)) or None
