"""When each clause is to hold: what undoes another comes later, and the other holds for a while."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gist.goals.goal import Clause, Selector
from gist.goals.predicates import predicate

PLACES = frozenset({"in", "on", "at", "to", "held", "disposed"})
Names = Callable[[Selector], frozenset[str]]


@dataclass
class _Timed:
    """A clause, the key of its group (the same for a pronoun), and the names of the things."""

    clause: Clause
    key: int
    things: frozenset[str]


def in_time(clauses: Sequence[Clause], keys: Sequence[int], names: Names) -> tuple[Clause, ...]:
    """Return the clauses by stage; what a later one undoes is marked as transient.

    Clauses of one stage that contradict each other ("open the box ... close it") were said in
    order: the one said later, and all of its stage after it, moves to a stage of its own.
    """
    placed: list[_Timed] = []
    shift = 0
    for index in sorted(range(len(clauses)), key=lambda i: clauses[i].stage):
        clause = replace(clauses[index], stage=clauses[index].stage + shift)
        later = _Timed(clause, keys[index], names(clause.things))
        undone = [old for old in placed if _undoes(later, old, names)]
        if any(old.clause.stage == clause.stage for old in undone):
            shift += 1
            later.clause = replace(clause, stage=clause.stage + 1)
        for old in undone:
            old.clause = replace(old.clause, transient=True)
        placed.append(later)
    return _numbered([timed.clause for timed in placed])


def _undoes(later: _Timed, earlier: _Timed, names: Names) -> bool:
    new, old = later.clause, earlier.clause
    same_things = later.key == earlier.key or (new.things == old.things and new.stage > old.stage)
    if new.soft or old.soft or not (same_things or later.things & earlier.things):
        return False
    if predicate(new.predicate).opposite == old.predicate:
        return True
    if not {new.predicate, old.predicate} <= PLACES or new.quantifier.kind == "at_most":
        return False
    if old.quantifier.kind == "at_most":
        return bool(_target_names(new, names) & _target_names(old, names))
    if "all" not in (new.quantifier.kind, old.quantifier.kind) and not same_things:
        return False
    return (new.targets, new.predicate) != (old.targets, old.predicate)


def _target_names(clause: Clause, names: Names) -> frozenset[str]:
    return names(clause.targets) if clause.targets is not None else frozenset()


def _numbered(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """Number the stages in use from 0."""
    stages = {stage: i for i, stage in enumerate(sorted({c.stage for c in clauses}))}
    ordered = sorted(clauses, key=lambda c: c.stage)
    return tuple(replace(clause, stage=stages[clause.stage]) for clause in ordered)
