"""When each clause is to hold: what undoes another comes later, and the other holds for a while."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gist.goals.goal import Clause
from gist.goals.predicates import predicate
from gist.knowledge import Knowledge
from gist.scene.graph import SceneGraph

PLACES = frozenset({"in", "on", "at", "to", "held", "disposed"})


def in_time(
    clauses: Sequence[Clause], scene: SceneGraph, knowledge: Knowledge
) -> tuple[Clause, ...]:
    """Return the clauses by stage; what a later one undoes is marked as transient.

    Clauses of one stage that contradict each other ("open the box ... close it") were said in
    order: the one said later, and all of its stage after it, moves to a stage of its own.
    """
    placed: list[Clause] = []
    shift = 0
    things = {c: frozenset(c.things.resolve(scene, knowledge)) for c in clauses}
    for clause in sorted(clauses, key=lambda c: c.stage):
        moved = replace(clause, stage=clause.stage + shift)
        mine = things[clause]
        undone = [
            i for i, old in enumerate(placed) if _undoes(moved, mine, old, things, scene, knowledge)
        ]
        if any(placed[i].stage == moved.stage for i in undone):
            shift += 1
            moved = replace(moved, stage=moved.stage + 1)
        for i in undone:
            names = things[placed[i]]
            placed[i] = replace(placed[i], transient=True)
            things[placed[i]] = names
        things[moved] = mine
        placed.append(moved)
    return _numbered(placed)


def _undoes(
    later: Clause,
    mine: frozenset[str],
    earlier: Clause,
    things: dict[Clause, frozenset[str]],
    scene: SceneGraph,
    knowledge: Knowledge,
) -> bool:
    if later.soft or earlier.soft:
        return False
    shared = bool(mine & things[earlier]) or later.things == earlier.things
    if not shared:
        return False
    if predicate(later.predicate).opposite == earlier.predicate:
        return True
    if later.predicate not in PLACES or earlier.predicate not in PLACES:
        return False
    if later.quantifier.kind == "at_most":
        return False
    same = later.targets == earlier.targets and later.predicate == earlier.predicate
    if earlier.quantifier.kind == "at_most":
        return _overlap(later, earlier, scene, knowledge)
    if earlier.quantifier.kind != "all" and later.things != earlier.things:
        return False
    return not same


def _overlap(later: Clause, earlier: Clause, scene: SceneGraph, knowledge: Knowledge) -> bool:
    if later.targets is None or earlier.targets is None:
        return False
    mine = set(later.targets.resolve(scene, knowledge))
    return bool(mine & set(earlier.targets.resolve(scene, knowledge)))


def _numbered(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """Number the stages in use from 0."""
    stages = {stage: i for i, stage in enumerate(sorted({c.stage for c in clauses}))}
    ordered = sorted(clauses, key=lambda c: c.stage)
    return tuple(replace(clause, stage=stages[clause.stage]) for clause in ordered)
