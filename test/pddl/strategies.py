"""Small random domains and problems that use every construct Gist reads."""

from __future__ import annotations

from hypothesis import strategies as st

from gist.pddl.domain import Action, Derived, Domain, Effect, Predicate
from gist.pddl.formula import (
    TRUE,
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
)
from gist.pddl.problem import Problem

TYPES = {"thing": "object", "box": "thing", "room": "object"}
SIGNATURES = {"lit": (), "clean": ("thing",), "at": ("thing", "room"), "on": ("thing", "box")}
DERIVED = Predicate("busy", (Param("?x", ("room",)),))
OBJECTS = {"b1": "box", "t1": "thing", "t2": "thing", "r1": "room", "r2": "room"}
CONSTANTS = {"b0": "box"}


def _fits(kind: str, wanted: str) -> bool:
    return kind == wanted or (kind == "box" and wanted == "thing")


def atom(terms: dict[str, str], derived: bool = False) -> st.SearchStrategy[Atom]:
    """Return atoms over typed terms, of the derived predicate too where asked."""
    signatures = {**SIGNATURES, "busy": ("room",)} if derived else SIGNATURES
    choices = []
    for name, kinds in signatures.items():
        fitting = [[t for t, kind in terms.items() if _fits(kind, wanted)] for wanted in kinds]
        if all(fitting):
            rows = st.tuples(*map(st.sampled_from, fitting))
            choices.append(st.builds(Atom, st.just(name), rows))
    return st.one_of(choices)


def formula(
    terms: dict[str, str], depth: int = 2, derived: bool = False
) -> st.SearchStrategy[Formula]:
    """Return formulas whose free terms are `terms`."""
    leaf: list[st.SearchStrategy[Formula]] = [atom(terms, derived)]
    if terms:
        names = st.sampled_from(sorted(terms))
        leaf.append(st.builds(Equals, names, names))
    if depth == 0:
        return st.one_of(leaf)
    inner = formula(terms, depth - 1, derived)
    parts = st.lists(inner, min_size=0, max_size=2).map(tuple)
    kinds = st.sampled_from(["thing", "box", "room"])

    def quantified(kind: str) -> st.SearchStrategy[Formula]:
        name = f"?q{depth}"
        body = formula({**terms, name: kind}, depth - 1, derived)
        maker = st.sampled_from([Forall, Exists])
        return st.builds(lambda m, b: m((Param(name, (kind,)),), b), maker, body)

    return st.one_of(
        *leaf,
        st.builds(Not, inner),
        st.builds(And, parts),
        st.builds(Or, parts),
        st.builds(Imply, inner, inner),
        kinds.flatmap(quantified),
    )


@st.composite
def effects(draw: st.DrawFn, terms: dict[str, str], conditional: bool) -> Effect:
    """Draw an effect, at times conditional or for all things."""
    if conditional and draw(st.booleans()):
        params = draw(st.sampled_from([(), (Param("?e", ("thing",)),)]))
        inner = {**terms, **{param.name: param.types[0] for param in params}}
        return Effect(draw(atom(inner)), draw(st.booleans()), draw(formula(inner, 1)), params)
    return Effect(draw(atom(terms)), draw(st.booleans()))


@st.composite
def actions(draw: st.DrawFn, name: str, conditional: bool) -> Action:
    """Draw an action with up to two parameters."""
    kinds = draw(st.lists(st.sampled_from(["thing", "box", "room"]), max_size=2))
    params = tuple(Param(f"?p{n}", (kind,)) for n, kind in enumerate(kinds))
    terms = {**CONSTANTS, **{param.name: param.types[0] for param in params}}
    precondition = draw(formula(terms, 2, derived=True))
    found = draw(st.lists(effects(terms, conditional), min_size=1, max_size=3))
    return Action(name, params, precondition, tuple(found))


@st.composite
def domains(draw: st.DrawFn, conditional: bool = True) -> Domain:
    """Draw a domain with one derived predicate."""
    predicates = {
        name: Predicate(name, tuple(Param(f"?x{n}", (k,)) for n, k in enumerate(kinds)))
        for name, kinds in SIGNATURES.items()
    }
    body = draw(formula({"?x": "room"}, 1))
    return Domain(
        name="random",
        types=TYPES,
        predicates={**predicates, "busy": DERIVED},
        actions={name: draw(actions(name, conditional)) for name in ("act", "do", "go")},
        constants=CONSTANTS,
        derived=(Derived(DERIVED, body),),
        requirements=(":adl", ":derived-predicates"),
    )


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Draw a problem of such a domain."""
    terms = {**OBJECTS, **CONSTANTS}
    init = draw(st.frozensets(atom(terms), max_size=6))
    goal = draw(formula(terms, 2, derived=True))
    return Problem("random-1", "random", OBJECTS, init, goal if goal != TRUE else Atom("lit"))
