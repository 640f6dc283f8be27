"""The model of a PDDL domain: types, predicates, derived predicates, actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from gist.errors import unknown
from gist.pddl.findings import Finding, Position
from gist.pddl.formula import TRUE, Atom, Formula, Param, atoms, typed_list

Positions = Mapping[tuple[str, str], Position]


@dataclass(frozen=True)
class Predicate:
    """A declared predicate and its typed parameters."""

    name: str
    params: tuple[Param, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join(filter(None, (self.name, typed_list(self.params))))})"


@dataclass(frozen=True)
class Derived:
    """A rule: the head holds wherever the body does. Several rules of one head are alternatives."""

    head: Predicate
    body: Formula


@dataclass(frozen=True)
class Effect:
    """One literal that an action makes true (`add`) or false.

    It happens for every object of `params` (a `forall` effect) for which `condition` holds in
    the state before the action (a `when` effect).
    """

    atom: Atom
    add: bool = True
    condition: Formula = TRUE
    params: tuple[Param, ...] = ()


@dataclass(frozen=True)
class Action:
    """An action schema."""

    name: str
    params: tuple[Param, ...] = ()
    precondition: Formula = TRUE
    effects: tuple[Effect, ...] = ()

    @property
    def head(self) -> str:
        """The name and parameters in words: `(grab ?who ?what ?where)`."""
        return f"({' '.join((self.name, *(param.name for param in self.params)))})"


@dataclass(frozen=True)
class Domain:
    """A planning domain. Names are lower case; `types` maps each type to its parent.

    `warnings` says what the parser had to mend, `positions` where in the text things stand;
    neither takes part in comparison.
    """

    name: str
    types: Mapping[str, str] = field(default_factory=dict)
    predicates: Mapping[str, Predicate] = field(default_factory=dict)
    actions: Mapping[str, Action] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    derived: tuple[Derived, ...] = ()
    requirements: tuple[str, ...] = (":strips", ":typing")
    warnings: tuple[Finding, ...] = field(default=(), compare=False, repr=False)
    positions: Positions = field(default_factory=dict, compare=False, repr=False)

    def supertypes(self, name: str) -> tuple[str, ...]:
        """Return the type and its ancestors, nearest first, `object` last.

        Raises BadInput when the type does not exist.
        """
        chain: list[str] = []
        while name != "object" and name not in chain:
            if name not in self.types:
                raise unknown("type", name, ("object", *self.types))
            chain.append(name)
            name = self.types[name]
        return (*chain, "object")

    def is_a(self, name: str, ancestor: str) -> bool:
        """Say whether a type is `ancestor` or descends from it."""
        return ancestor in self.supertypes(name)

    def fits(self, name: str, types: Iterable[str]) -> bool:
        """Say whether an object of type `name` may stand where one of `types` is asked for."""
        above = self.supertypes(name)
        return any(kind in above for kind in types)

    def subtypes(self, name: str) -> tuple[str, ...]:
        """Return the type and all that descend from it, as declared."""
        return (
            name,
            *(kind for kind in self.types if kind != name and self.is_a(kind, name)),
        )

    def predicate(self, name: str) -> Predicate:
        """Return a predicate; raises BadInput with near names when it is not declared."""
        if name not in self.predicates:
            raise unknown("predicate", name, self.predicates)
        return self.predicates[name]

    def action(self, name: str) -> Action:
        """Return an action; raises BadInput with near names when there is none."""
        if name not in self.actions:
            raise unknown("action", name, self.actions)
        return self.actions[name]

    @cached_property
    def derived_names(self) -> frozenset[str]:
        """The predicates that rules define."""
        return frozenset(rule.head.name for rule in self.derived)

    @cached_property
    def fluents(self) -> frozenset[str]:
        """The predicates that some action changes, directly or through a derived predicate."""
        changed = {e.atom.predicate for a in self.actions.values() for e in a.effects}
        grown = True
        while grown:
            grown = False
            for rule in self.derived:
                uses = {atom.predicate for atom in atoms(rule.body)}
                if rule.head.name not in changed and uses & changed:
                    changed.add(rule.head.name)
                    grown = True
        return frozenset(changed)

    @cached_property
    def static(self) -> frozenset[str]:
        """The declared predicates that no action changes and no rule derives."""
        return frozenset(self.predicates) - self.fluents - self.derived_names
