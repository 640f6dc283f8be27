"""What is wanted: typed goals, the proof that one is weaker than another, and the operators."""

from __future__ import annotations

from gist.goals.codec import from_json, to_json
from gist.goals.entailment import Proof, ProofStep, entails
from gist.goals.faults import Fault, faults
from gist.goals.goal import (
    ALL,
    AnyOf,
    Assumption,
    Clause,
    Goal,
    Immediately,
    Item,
    Located,
    Quantifier,
    Selector,
)
from gist.goals.ground import GroundClause, Grounder
from gist.goals.operators import Candidate, relaxations
from gist.goals.predicates import Predicate, predicate, predicates
from gist.goals.shifts import shifts
from gist.goals.text import parse, render
from gist.goals.words import describe

__all__ = [
    "ALL",
    "AnyOf",
    "Assumption",
    "Candidate",
    "Clause",
    "Fault",
    "Goal",
    "GroundClause",
    "Grounder",
    "Immediately",
    "Item",
    "Located",
    "Predicate",
    "Proof",
    "ProofStep",
    "Quantifier",
    "Selector",
    "describe",
    "entails",
    "faults",
    "from_json",
    "parse",
    "predicate",
    "predicates",
    "relaxations",
    "render",
    "shifts",
    "to_json",
]
