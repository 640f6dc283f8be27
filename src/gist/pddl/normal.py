"""Rewriting of formulas: negation normal form and derived predicates inlined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from gist.pddl.domain import Derived, Domain
from gist.pddl.findings import Finding, PddlError
from gist.pddl.formula import (
    And,
    Atom,
    Equals,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    Param,
    atoms,
    conjunction,
    disjunction,
    rebuild,
    substitute,
)


def nnf(formula: Formula, positive: bool = True) -> Formula:
    """Return the negation normal form: `Not` stands only before atoms and equalities."""
    if isinstance(formula, (Atom, Equals)):
        return formula if positive else Not(formula)
    if isinstance(formula, Not):
        return nnf(formula.body, not positive)
    if isinstance(formula, Imply):
        return nnf(Or((Not(formula.condition), formula.conclusion)), positive)
    if isinstance(formula, (Forall, Exists)):
        kind = Forall if isinstance(formula, Forall) == positive else Exists
        return kind(formula.params, nnf(formula.body, positive))
    parts = [nnf(part, positive) for part in formula.parts]
    return conjunction(parts) if isinstance(formula, And) == positive else disjunction(parts)


def fresh(formula: Formula, numbers: Iterator[int]) -> Formula:
    """Return the formula with every quantified variable renamed to a name of its own."""
    formula = rebuild(formula, lambda part: fresh(part, numbers))
    if not isinstance(formula, (Forall, Exists)):
        return formula
    names = {param.name: f"{param.name}~{next(numbers)}" for param in formula.params}
    params = tuple(Param(names[param.name], param.types) for param in formula.params)
    return type(formula)(params, substitute(formula.body, names))


def recursive_predicates(domain: Domain) -> frozenset[str]:
    """Return the derived predicates whose rules lead back to themselves."""
    uses: dict[str, set[str]] = {}
    for rule in domain.derived:
        found = {atom.predicate for atom in atoms(rule.body)}
        uses.setdefault(rule.head.name, set()).update(found)
    return frozenset(name for name in uses if name in _reached(uses, name))


def _reached(uses: dict[str, set[str]], start: str) -> set[str]:
    reached: set[str] = set()
    pending = list(uses[start])
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending.extend(uses.get(name, ()))
    return reached


class Inliner:
    """Replaces the derived predicates of a domain by the bodies of their rules.

    Raises PddlError when a rule leads back to itself.
    """

    def __init__(self, domain: Domain) -> None:
        self.numbers = count()
        self.rules: dict[str, list[Derived]] = {}
        for rule in domain.derived:
            self.rules.setdefault(rule.head.name, []).append(rule)
        recursive = recursive_predicates(domain)
        if recursive:
            names = ", ".join(sorted(recursive))
            message = f"derived predicates that lead back to themselves cannot be grounded: {names}"
            raise PddlError([Finding("error", "recursive", message)])

    def __call__(self, formula: Formula) -> Formula:
        """Return the formula with every derived atom replaced."""
        if isinstance(formula, Atom) and formula.predicate in self.rules:
            return Or(tuple(self._body(rule, formula) for rule in self.rules[formula.predicate]))
        return rebuild(formula, self)

    def _body(self, rule: Derived, atom: Atom) -> Formula:
        binding = {param.name: arg for param, arg in zip(rule.head.params, atom.args, strict=True)}
        body = substitute(fresh(rule.body, self.numbers), binding)
        return self(body)


def inline(domain: Domain) -> Domain:
    """Return the domain without derived predicates; raises PddlError for recursive rules."""
    if not domain.derived:
        return domain
    inliner = Inliner(domain)
    actions = {
        name: replace(
            action,
            precondition=inliner(action.precondition),
            effects=tuple(replace(e, condition=inliner(e.condition)) for e in action.effects),
        )
        for name, action in domain.actions.items()
    }
    predicates = {n: p for n, p in domain.predicates.items() if n not in domain.derived_names}
    return replace(domain, actions=actions, predicates=predicates, derived=())
