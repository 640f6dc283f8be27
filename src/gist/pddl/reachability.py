"""Proofs that a goal can never hold, in time linear in the number of objects.

The delete relaxation is explored on a quotient of the problem: objects that neither the goal nor
an action names are merged when they have the same type and the same part in the static facts.
Merging and ignoring negative conditions only add possibilities, so what cannot be reached there
cannot be reached in the problem. The converse does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from gist.pddl.compile import Reach, Schema, unify
from gist.pddl.domain import Domain
from gist.pddl.formula import (
    And,
    Atom,
    Equals,
    Exists,
    Forall,
    Formula,
    Not,
    Or,
    atoms,
    is_variable,
    substitute,
)
from gist.pddl.normal import Inliner, inline, nnf, recursive_predicates
from gist.pddl.problem import Problem, Universe

MAX_CHAIN = 6


@dataclass(frozen=True)
class Proof:
    """Why a goal can never hold: the goal atoms out of reach, and for each the reason in words."""

    atoms: tuple[Atom, ...]
    reasons: tuple[str, ...]

    @property
    def text(self) -> str:
        """All reasons in one text."""
        return "; ".join(self.reasons)


def unreachable(domain: Domain, problem: Problem) -> Proof | None:
    """Return a proof that the goal cannot be reached, None where this method finds none."""
    if recursive_predicates(domain):
        return None
    goal = nnf(Inliner(domain)(problem.goal)) if domain.derived else nnf(problem.goal)
    search = _Search(inline(domain), problem, goal)
    blocked = search.blocked(goal, {})
    if blocked is None:
        return None
    found = tuple(dict.fromkeys(blocked))
    return Proof(found, tuple(search.why(atom) for atom in found))


class _Search:
    def __init__(self, domain: Domain, problem: Problem, goal: Formula) -> None:
        self.domain = domain
        self.init = problem.init
        self.objects = {**domain.constants, **problem.objects}
        self.stand_in = _quotient(domain, problem, goal)
        self.universe = Universe(domain, problem)
        self.reach = Reach(domain, _merged(problem, self.stand_in), merged=True)
        effects = (e for action in domain.actions.values() for e in action.effects)
        self.deleted = frozenset(effect.atom.predicate for effect in effects if not effect.add)

    def blocked(self, formula: Formula, binding: Mapping[str, str]) -> tuple[Atom, ...] | None:
        """Return the atoms that keep a formula from ever holding, None where it might hold."""
        if isinstance(formula, Atom):
            atom = _instance(formula, binding)
            return None if self._merge(atom) in self.reach.known else (atom,)
        if isinstance(formula, Not):
            return self._stuck(formula.body, binding)
        if isinstance(formula, Equals):
            names = [binding.get(term, term) for term in (formula.left, formula.right)]
            return None if names[0] == names[1] else (Atom("=", tuple(names)),)
        if isinstance(formula, And):
            return _any_blocked(self.blocked(part, binding) for part in formula.parts)
        if isinstance(formula, Or):
            return _all_blocked(self.blocked(part, binding) for part in formula.parts)
        assert isinstance(formula, (Forall, Exists))
        join = _any_blocked if isinstance(formula, Forall) else _all_blocked
        return join(self.blocked(formula.body, bound) for bound in self._bindings(formula, binding))

    def _stuck(self, body: Formula, binding: Mapping[str, str]) -> tuple[Atom, ...] | None:
        """Return the atom that holds at the start and that no action makes false."""
        if isinstance(body, Atom):
            atom = _instance(body, binding)
            if atom in self.init and atom.predicate not in self.deleted:
                return (atom,)
        if isinstance(body, Equals):
            names = [binding.get(term, term) for term in (body.left, body.right)]
            return (Atom("=", tuple(names)),) if names[0] == names[1] else None
        return None

    def _bindings(
        self, formula: Forall | Exists, binding: Mapping[str, str]
    ) -> Iterator[Mapping[str, str]]:
        names = [param.name for param in formula.params]
        for values in product(*(self.universe.of(param.types) for param in formula.params)):
            yield {**binding, **dict(zip(names, values, strict=True))}

    def _merge(self, atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple([self.stand_in.get(arg, arg) for arg in atom.args]))

    def why(self, atom: Atom) -> str:
        """Return in words why an atom is out of reach."""
        if atom.predicate == "=":
            return f"{atom} can never change"
        if self._merge(atom) in self.reach.known:
            return f"{atom} holds at the start and no action makes it false"
        return f"{atom} {self._source(atom, ())}"

    def _source(self, pattern: Atom, above: tuple[str, ...]) -> str:
        """Return what keeps every action from making a pattern true, as the rest of a sentence."""
        ways = list(self._ways(pattern))
        if not ways:
            return f"can never become true: {self._misfit(pattern)}"
        if pattern.predicate in above or len(above) == MAX_CHAIN:
            return "cannot be reached"
        chain = (*above, pattern.predicate)
        lacks = [
            f"'{schema.action.name}', which needs {self._lack(schema, bound, chain)}"
            for schema, bound in ways
        ]
        return f"needs {' or '.join(dict.fromkeys(lacks))}"

    def _misfit(self, pattern: Atom) -> str:
        for schema in self.reach.schemas:
            types = _types(schema)
            for effect in schema.action.effects:
                if effect.add and effect.atom.predicate == pattern.predicate:
                    types.update((param.name, param.types) for param in effect.params)
                    for term, name in zip(effect.atom.args, pattern.args, strict=False):
                        kind = self.objects.get(name)
                        if kind and term in types and not self.domain.fits(kind, types[term]):
                            wanted = " or ".join(types[term])
                            return f"'{schema.action.name}' takes a {wanted}, {name} is a {kind}"
        return "no action makes it true"

    def _ways(self, pattern: Atom) -> Iterator[tuple[Schema, dict[str, str]]]:
        """Yield the actions that could add the pattern, with what it says of their parameters."""
        for schema in self.reach.schemas:
            for effect in schema.action.effects:
                if effect.add and effect.atom.predicate == pattern.predicate:
                    params = {**_types(schema), **{p.name: p.types for p in effect.params}}
                    bound = self._bind(effect.atom, pattern, params)
                    if bound is not None:
                        yield schema, bound

    def _bind(
        self, effect: Atom, pattern: Atom, params: Mapping[str, tuple[str, ...]]
    ) -> dict[str, str] | None:
        bound: dict[str, str] = {}
        if len(effect.args) != len(pattern.args):
            return None
        for term, wanted in zip(effect.args, pattern.args, strict=True):
            if is_variable(wanted):
                continue
            fits = wanted in self.objects and (
                not is_variable(term) or self.domain.fits(self.objects[wanted], params[term])
            )
            if not fits or bound.setdefault(term, wanted) != wanted:
                return None
        return {term: value for term, value in bound.items() if is_variable(term)}

    def _lack(self, schema: Schema, bound: dict[str, str], above: tuple[str, ...]) -> str:
        """Return what one action lacks."""
        types = _types(schema)
        for param in schema.params:
            if not self.reach.of(param.types):
                return f"a {' or '.join(param.types)}, and there is none"
        merged = {term: self.stand_in.get(value, value) for term, value in bound.items()}
        for join in schema.joins:
            rows = self.reach.table(join, types).matching(join, merged)
            if not any(unify(join, row, merged) is not None for row in rows):
                pattern = _instance(join, bound)
                source = self._source(pattern, above)
                return f"{_said(pattern, types)}, which {source}"
        return "a choice of objects that satisfies all its conditions at once, and there is none"


def _types(schema: Schema) -> dict[str, tuple[str, ...]]:
    return {param.name: param.types for param in schema.params}


def _said(pattern: Atom, types: Mapping[str, tuple[str, ...]]) -> str:
    """Write a pattern with `any <type>` for its variables."""
    named = {v: f"any-{types[v][0]}" for v in pattern.args if v in types}
    return str(substitute(pattern, named))


def _instance(atom: Atom, binding: Mapping[str, str]) -> Atom:
    return Atom(atom.predicate, tuple([binding.get(arg, arg) for arg in atom.args]))


def _any_blocked(parts: Iterable[tuple[Atom, ...] | None]) -> tuple[Atom, ...] | None:
    found = [part for part in parts if part is not None]
    return tuple(atom for part in found for atom in part) if found else None


def _all_blocked(parts: Iterable[tuple[Atom, ...] | None]) -> tuple[Atom, ...] | None:
    found: list[Atom] = []
    for part in parts:
        if part is None:
            return None
        found.extend(part)
    return tuple(found)


def _quotient(domain: Domain, problem: Problem, goal: Formula) -> dict[str, str]:
    """Return for each object the one that stands for it."""
    named = {arg for atom in _named(domain, goal) for arg in atom.args}
    static = domain.static
    part: dict[str, set[tuple[str, int, tuple[str, ...]]]] = {}
    for atom in problem.init:
        if atom.predicate in static:
            others = tuple([arg if arg in named else "" for arg in atom.args])
            for place, arg in enumerate(atom.args):
                part.setdefault(arg, set()).add((atom.predicate, place, others))
    stand_in: dict[str, str] = {}
    first: dict[tuple[str, frozenset[tuple[str, int, tuple[str, ...]]]], str] = {}
    for name, kind in {**domain.constants, **problem.objects}.items():
        key = (kind, frozenset(part.get(name, ())))
        stand_in[name] = name if name in named else first.setdefault(key, name)
    return stand_in


def _named(domain: Domain, goal: Formula) -> Iterator[Atom]:
    """Yield the atoms whose objects keep their identity, equalities as atoms too."""
    formulas = [goal, *(action.precondition for action in domain.actions.values())]
    for action in domain.actions.values():
        for effect in action.effects:
            formulas += [effect.atom, effect.condition]
    for formula in formulas:
        yield from atoms(formula)
        yield from _equalities(formula)


def _equalities(formula: Formula) -> Iterator[Atom]:
    if isinstance(formula, Equals):
        yield Atom("=", (formula.left, formula.right))
    elif isinstance(formula, (And, Or)):
        for part in formula.parts:
            yield from _equalities(part)
    elif isinstance(formula, (Not, Forall, Exists)):
        yield from _equalities(formula.body)


def _merged(problem: Problem, stand_in: Mapping[str, str]) -> Problem:
    objects = {name: kind for name, kind in problem.objects.items() if stand_in[name] == name}
    init = frozenset(
        Atom(atom.predicate, tuple([stand_in.get(arg, arg) for arg in atom.args]))
        for atom in problem.init
    )
    return replace(problem, objects=objects, init=init)
