"""Clauses over the names that they mean in one scene, and when a state satisfies them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gist.goals.goal import Clause, Item, Quantifier, Selector
from gist.goals.predicates import implies, predicate
from gist.scene.graph import SceneGraph

if TYPE_CHECKING:
    from gist.knowledge import Knowledge

Fact = tuple[str, ...]
State = frozenset[Fact]


@dataclass(frozen=True)
class GroundClause:
    """A clause whose things and targets are sets of names (`targets` None: a unary predicate)."""

    predicate: str
    quantifier: Quantifier
    things: frozenset[str]
    targets: frozenset[str] | None
    same_target: bool
    source: Clause

    def least(self) -> int:
        """Return how many of the things must satisfy the predicate."""
        if self.quantifier.kind == "all":
            return len(self.things)
        return 0 if self.quantifier.kind == "at_most" else self.quantifier.n

    def most(self) -> int:
        """Return how many of the things may satisfy the predicate."""
        bounded = self.quantifier.kind in ("at_most", "exactly")
        return min(self.quantifier.n, len(self.things)) if bounded else len(self.things)

    def holds(self, state: State) -> bool:
        """Tell whether a state, given as its facts with all that they imply, satisfies it."""
        if self.targets is None:
            return self._admits({x for x in self.things if (self.predicate, x) in state})
        reached = [
            {x for x in self.things if (self.predicate, x, t) in state} for t in self.targets
        ]
        if self.same_target:
            return any(self._admits(xs) for xs in reached)
        return self._admits(set().union(*reached))

    def _admits(self, satisfied: set[str]) -> bool:
        return self.quantifier.admits(len(satisfied), len(self.things))


@dataclass
class Grounder:
    """Resolves selectors of one scene, each of them once.

    Names that the scene does not have stay in as constants, so that a goal that names a missing
    thing can still be compared with another that names it.
    """

    scene: SceneGraph
    knowledge: Knowledge
    _known: dict[Selector, frozenset[str]] = field(default_factory=dict)

    def names(self, selector: Selector) -> frozenset[str]:
        """Return the names a selector means."""
        found = self._known.get(selector)
        if found is None:
            present = selector.members(self.scene, self.knowledge)
            found = self._known[selector] = frozenset(present) | missing_names(selector, self.scene)
        return found

    def present(self, selector: Selector) -> frozenset[str]:
        """Return the names a selector means that the scene has."""
        return frozenset(name for name in self.names(selector) if name in self.scene)

    def clause(self, clause: Clause) -> GroundClause:
        """Return a clause over names."""
        targets = None if clause.targets is None else self.names(clause.targets)
        return GroundClause(
            clause.predicate,
            clause.quantifier,
            self.names(clause.things),
            targets,
            clause.same_target and targets is not None and len(targets) != 1,
            clause,
        )

    def item(self, item: Item) -> tuple[GroundClause, ...]:
        """Return the alternatives of a clause or disjunction; one for a plain clause."""
        clauses = (item,) if isinstance(item, Clause) else item.clauses
        return tuple(self.clause(clause) for clause in clauses)


def missing_names(selector: Selector, scene: SceneGraph) -> frozenset[str]:
    """Return the labels that a selector names and the scene does not have."""
    own = {name for name in selector.names or () if name not in scene}
    return frozenset(own).union(*(missing_names(part, scene) for part in selector.any_of))


def closure(facts: State, generalisations: Mapping[str, tuple[str, ...]]) -> State:
    """Return the facts with all that they imply (`generalisations`: name -> wider names).

    A fact P(x, t) of a predicate that may stand without targets implies P(x).
    """
    found = set(facts)
    front = list(facts)
    while front:
        name, *args = front.pop()
        wider = [(general, *args) for general in generalisations.get(name, ())]
        if len(args) == 2 and 1 in predicate(name).arity:
            wider.append((name, args[0]))
        new = set(wider) - found
        found |= new
        front.extend(new)
    return frozenset(found)


def serves(strong: GroundClause, weak: GroundClause) -> bool:
    """Tell whether the fact that `strong` asks for implies the fact that `weak` asks for."""
    if not implies(strong.predicate, weak.predicate):
        return False
    if weak.targets is None:
        return strong.targets is None or 1 in predicate(strong.predicate).arity
    return strong.targets is not None
