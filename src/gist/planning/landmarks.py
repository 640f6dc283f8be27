"""Partial achievement: what every way to an unreachable fact needs first, and nothing undoes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gist.goals import Candidate, Clause, Goal, Grounder, Proof, ProofStep, Selector
from gist.goals.predicates import predicates as goal_predicates
from gist.pddl.domain import Action
from gist.pddl.encode import Encoder
from gist.pddl.formula import And, Atom, Formula
from gist.scene import SceneGraph, natural_key

COST = 8.0
"""Below giving a clause up (10), above every other relaxation of gist.goals.operators."""


def landmarks(
    goal: Goal, index: int, scene: SceneGraph, encoder: Encoder, grounder: Grounder
) -> Iterator[Candidate]:
    """Yield goals in which a clause asks only for a lasting precondition of what it asked.

    Weaker in every state that the domain's actions can lead to: each action that makes the fact
    true needs the precondition, and no action makes it false again. (Landmarks: Porteous, Sebastia
    and Hoffmann 2001.)
    """
    clause = goal.clauses[index]
    if not isinstance(clause, Clause) or clause.quantifier.kind == "at_most":
        return
    things = sorted(grounder.present(clause.things), key=natural_key)
    targets = sorted(grounder.present(clause.targets), key=natural_key) if clause.targets else []
    for thing in things[:1]:
        literal = encoder.express(scene, clause.predicate, thing, next(iter(targets), None))
        if literal is None:
            return
        for meaning, types in _lasting_needs(encoder, literal.atom, thing):
            names = tuple(
                name
                for name in scene.things()
                if any(encoder.vocabulary.may_be(scene.node(name), kind) for kind in types)
            )
            if not names or meaning == clause.predicate:
                continue
            weaker = replace(clause, predicate=meaning, targets=Selector(names=names))
            rule = f"every action that leads to '{clause.predicate}' needs it, and none undoes it"
            yield Candidate(
                goal.with_clause(index, weaker),
                "landmark",
                clause.text(),
                weaker.text(),
                "it is as far as the robot can get towards it",
                COST,
                proof=Proof((ProofStep(weaker.text(), rule),)),
            )


def _lasting_needs(
    encoder: Encoder, fact: Atom, thing: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (meaning, types of the other argument) of what all ways to the fact need to last."""
    achievers = encoder.vocabulary.achievers(fact.predicate)
    if not achievers:
        return
    undone = {
        effect.atom.predicate
        for action in encoder.domain.actions.values()
        for effect in action.effects
        if not effect.add
    }
    first = _needs(achievers[0], fact, thing)
    for predicate, types in first.items():
        if predicate in undone or not all(
            predicate in _needs(action, fact, thing) for action in achievers[1:]
        ):
            continue
        meaning = encoder.vocabulary.meaning(predicate)
        if meaning is not None and 2 in goal_predicates()[meaning].arity:
            yield meaning, types


def _needs(action: Action, fact: Atom, thing: str) -> dict[str, tuple[str, ...]]:
    """Return the binary preconditions on the thing: predicate -> types of the other argument."""
    types = {param.name: param.types for param in action.params}
    abouts = {
        effect.atom.args[fact.args.index(thing)]
        for effect in action.effects
        if effect.add and effect.atom.predicate == fact.predicate
    }
    return {
        atom.predicate: types[atom.args[1]]
        for atom in _conjuncts(action.precondition)
        if len(atom.args) == 2 and atom.args[0] in abouts and atom.args[1] in types
    }


def _conjuncts(formula: Formula) -> Iterator[Atom]:
    if isinstance(formula, Atom):
        yield formula
    elif isinstance(formula, And):
        for part in formula.parts:
            yield from _conjuncts(part)
