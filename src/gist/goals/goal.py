"""The typed goal: clauses over sets of things, in stages, with what was assumed (DESIGN.md 1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from gist.errors import BadInput
from gist.goals.predicates import predicate
from gist.goals.selector import Located, Selector

__all__ = [
    "ALL",
    "AnyOf",
    "Assumption",
    "Clause",
    "Goal",
    "Immediately",
    "Item",
    "Located",
    "Quantifier",
    "Selector",
]

Span = tuple[int, int]
QuantifierKind = Literal["all", "at_least", "at_most", "exactly"]
_KINDS = ("all", "at_least", "at_most", "exactly")


@dataclass(frozen=True)
class Quantifier:
    """How many of the things; `all` presupposes that there is at least one."""

    kind: QuantifierKind
    n: int = 0

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise BadInput(f"unknown quantifier '{self.kind}'; there is {', '.join(_KINDS)}")
        if self.n < 0 or (self.kind == "all" and self.n):
            raise BadInput(f"a quantifier '{self.kind}' cannot have the number {self.n}")

    def admits(self, count: int, total: int) -> bool:
        """Tell whether `count` satisfied things out of `total` are as many as asked."""
        if self.kind == "all":
            return 0 < total == count
        if self.kind == "at_least":
            return count >= self.n
        return count <= self.n if self.kind == "at_most" else count == self.n


ALL = Quantifier("all")


@dataclass(frozen=True)
class Clause:
    """Q x in `things`: there is a t in `targets` with predicate(x, t), or predicate(x).

    Args:
        predicate: a name of data/predicates.yaml; binary ones take targets, unary ones may not.
        stage: 0 is first; what a stage asks is true when the stage ends and stays true to the end.
        transient: true only when its stage ends; a later stage may undo it.
        soft: a preference; the first thing to be given up.
        same_target: one target for all the things.
        span: the characters of the sentence it came from, and `words` the words.
    """

    predicate: str
    quantifier: Quantifier
    things: Selector
    targets: Selector | None = None
    stage: int = 0
    transient: bool = False
    soft: bool = False
    same_target: bool = False
    span: Span | None = None
    words: str = ""

    def __post_init__(self) -> None:
        arity = predicate(self.predicate).arity
        if self.targets is None and arity == (2,):
            raise BadInput(f"the predicate '{self.predicate}' needs targets")
        if self.targets is not None and 2 not in arity:
            raise BadInput(f"the predicate '{self.predicate}' takes no targets")
        if self.stage < 0:
            raise BadInput(f"a stage cannot be negative: {self.stage}")

    def text(self) -> str:
        """Return the clause in words: "all cups are on table_2"."""
        from gist.goals.words import clause_words

        return clause_words(self)


@dataclass(frozen=True)
class AnyOf:
    """At least one of the clauses; they share stage, transience and softness."""

    clauses: tuple[Clause, ...]

    def __post_init__(self) -> None:
        if not self.clauses:
            raise BadInput("a disjunction needs at least one clause")
        if len({(c.stage, c.transient, c.soft) for c in self.clauses}) > 1:
            raise BadInput("the clauses of a disjunction must share stage, transient and soft")

    @property
    def stage(self) -> int:
        return self.clauses[0].stage

    @property
    def transient(self) -> bool:
        return self.clauses[0].transient

    @property
    def soft(self) -> bool:
        return self.clauses[0].soft

    def text(self) -> str:
        """Return the alternatives in words, joined by "or"."""
        return " or ".join(clause.text() for clause in self.clauses)


Item = Clause | AnyOf


@dataclass(frozen=True)
class Assumption:
    """Something that was taken for granted when the goal was read, in words for a person."""

    text: str
    span: Span | None = None
    kind: Literal["reading", "choice", "default", "vocabulary"] = "reading"


@dataclass(frozen=True)
class Immediately:
    """Each time a thing of `after` comes to satisfy its predicate, `then` comes true next.

    Next means: before any other thing of `after` does, and also after the last one ("clean the mop
    immediately after mopping each room"). The quantifier of `after` plays no part.
    """

    after: Clause
    then: Clause


@dataclass(frozen=True)
class Goal:
    """What is wanted: every hard clause, in the order of the stages.

    A run of states satisfies the goal when there are times t_0 <= t_1 <= ... <= the end, one for
    each stage, such that every clause of stage k holds at t_k and, unless it is transient, in
    every state from t_k to the end. Soft clauses ask for nothing.
    """

    clauses: tuple[Item, ...]
    order: tuple[Immediately, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    text: str = ""
    context: frozenset[str] = frozenset()

    def stages(self) -> tuple[int, ...]:
        """Return the numbers of the stages in use, in order."""
        return tuple(sorted({item.stage for item in self.clauses}))

    def at_stage(self, stage: int) -> tuple[Item, ...]:
        """Return the clauses of one stage, in the order they were given."""
        return tuple(item for item in self.clauses if item.stage == stage)

    def hard(self) -> tuple[Item, ...]:
        """Return the clauses that are not mere preferences."""
        return tuple(item for item in self.clauses if not item.soft)

    def with_clause(self, index: int, item: Item) -> Goal:
        """Return the goal with one clause replaced."""
        return replace(self, clauses=(*self.clauses[:index], item, *self.clauses[index + 1 :]))

    def without_clause(self, index: int) -> Goal:
        """Return the goal with one clause dropped."""
        return replace(self, clauses=self.clauses[:index] + self.clauses[index + 1 :])
