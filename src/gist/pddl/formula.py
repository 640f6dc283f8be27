"""Formulas of PDDL as plain immutable data.

Names that begin with "?" are variables, all others are objects or constants. The truth is
`And(())`, falsity `Or(())`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Param(NamedTuple):
    """A typed variable; more than one type means `(either ...)`."""

    name: str
    types: tuple[str, ...] = ("object",)


class Atom(NamedTuple):
    """A predicate with its arguments: `Atom("on", ("mug_1", "?table"))`."""

    predicate: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.args))})"


@dataclass(frozen=True)
class Equals:
    """Both terms are the same object."""

    left: str
    right: str

    def __str__(self) -> str:
        return f"(= {self.left} {self.right})"


@dataclass(frozen=True)
class Not:
    """The body does not hold."""

    body: Formula

    def __str__(self) -> str:
        return f"(not {self.body})"


@dataclass(frozen=True)
class And:
    """All parts hold; without parts it is the truth."""

    parts: tuple[Formula, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join(('and', *map(str, self.parts)))})"


@dataclass(frozen=True)
class Or:
    """At least one part holds; without parts it is falsity."""

    parts: tuple[Formula, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join(('or', *map(str, self.parts)))})"


@dataclass(frozen=True)
class Imply:
    """The conclusion holds wherever the condition does."""

    condition: Formula
    conclusion: Formula

    def __str__(self) -> str:
        return f"(imply {self.condition} {self.conclusion})"


@dataclass(frozen=True)
class Forall:
    """The body holds for every object of the parameters' types."""

    params: tuple[Param, ...]
    body: Formula

    def __str__(self) -> str:
        return f"(forall ({typed_list(self.params)}) {self.body})"


@dataclass(frozen=True)
class Exists:
    """The body holds for at least one object of the parameters' types."""

    params: tuple[Param, ...]
    body: Formula

    def __str__(self) -> str:
        return f"(exists ({typed_list(self.params)}) {self.body})"


Formula = Atom | Equals | Not | And | Or | Imply | Forall | Exists

TRUE = And(())
FALSE = Or(())


def typed_list(params: Iterable[Param]) -> str:
    """Write parameters as a PDDL typed list: `?a - room ?b - (either bin box)`."""
    return " ".join(f"{param.name} - {types_text(param.types)}" for param in params)


def types_text(types: tuple[str, ...]) -> str:
    """Write the types of one parameter: `room`, or `(either bin box)` for several."""
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"


def is_variable(term: str) -> bool:
    """Say whether a term is a variable."""
    return term.startswith("?")


def conjunction(parts: Iterable[Formula]) -> Formula:
    """Return the conjunction with nested ones flattened; a single part stands alone."""
    flat: list[Formula] = []
    for part in parts:
        if part == FALSE:
            return FALSE
        flat.extend(part.parts if isinstance(part, And) else (part,))
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def disjunction(parts: Iterable[Formula]) -> Formula:
    """Return the disjunction with nested ones flattened; a single part stands alone."""
    flat: list[Formula] = []
    for part in parts:
        if part == TRUE:
            return TRUE
        flat.extend(part.parts if isinstance(part, Or) else (part,))
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


def substitute(formula: Formula, binding: Mapping[str, str]) -> Formula:
    """Replace free variables by the terms that `binding` gives for them."""
    if isinstance(formula, Atom):
        return Atom(formula.predicate, tuple(binding.get(arg, arg) for arg in formula.args))
    if isinstance(formula, Equals):
        return Equals(
            binding.get(formula.left, formula.left),
            binding.get(formula.right, formula.right),
        )
    if isinstance(formula, (Forall, Exists)):
        inner = dict(binding)
        for param in formula.params:
            inner.pop(param.name, None)
        return type(formula)(formula.params, substitute(formula.body, inner))
    return rebuild(formula, lambda part: substitute(part, binding))


def rebuild(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """Return the formula with `change` applied to each of its direct parts."""
    if isinstance(formula, Not):
        return Not(change(formula.body))
    if isinstance(formula, And):
        return And(tuple(change(part) for part in formula.parts))
    if isinstance(formula, Or):
        return Or(tuple(change(part) for part in formula.parts))
    if isinstance(formula, Imply):
        return Imply(change(formula.condition), change(formula.conclusion))
    if isinstance(formula, (Forall, Exists)):
        return type(formula)(formula.params, change(formula.body))
    return formula


def atoms(formula: Formula) -> Iterator[Atom]:
    """Yield every atom of the formula, in order of appearance."""
    if isinstance(formula, Atom):
        yield formula
    elif isinstance(formula, (And, Or)):
        for part in formula.parts:
            yield from atoms(part)
    elif isinstance(formula, (Not, Forall, Exists)):
        yield from atoms(formula.body)
    elif isinstance(formula, Imply):
        yield from atoms(formula.condition)
        yield from atoms(formula.conclusion)
