"""From PDDL text to domains and problems.

Reads STRIPS, typing (with `either`), negative preconditions, equality, disjunction, quantifiers,
conditional effects, derived predicates and constants. Upper case is folded to lower case. Costs
and metrics are left out with a warning. Whatever cannot be read raises PddlError with the line,
the column and the offending piece.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from gist.pddl.domain import Action, Derived, Domain, Effect, Predicate
from gist.pddl.findings import Finding, PddlError, Position
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
    atoms,
    conjunction,
    rebuild,
)
from gist.pddl.problem import Problem, Step

MAX_DEPTH = 100
MAX_SNIPPET = 60
_TOKEN = re.compile(r"(?P<space>[\s\ufeff]+|;[^\n]*)|(?P<paren>[()])|(?P<word>[^\s();\ufeff]+)")
_NAME = re.compile(r"[^\s()?:;=\"'-][^\s()?:;=\"']*\Z")
_VARIABLE = re.compile(r"\?[^\s()?:;=\"']+\Z")
_KEYWORDS = frozenset(["and", "or", "not", "imply", "forall", "exists", "when", "=", "either"])
_DOMAIN_SECTIONS = (
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":derived",
    ":action",
)
_PROBLEM_SECTIONS = (
    ":domain",
    ":requirements",
    ":objects",
    ":init",
    ":goal",
    ":metric",
)


@dataclass(frozen=True)
class _Word:
    text: str
    at: Position

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class _List:
    items: tuple[_Node, ...]
    at: Position

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.items))})"


_Node = _Word | _List


def parse_domain(text: str) -> Domain:
    """Read a domain; raises PddlError where the text is no domain.

    Mended with a warning in `Domain.warnings`: a derived predicate that is not declared among
    the predicates (it is declared from the rule's head), and functions and costs (left out).
    """
    return _DomainReader(_define(text, "domain", _DOMAIN_SECTIONS)).read()


def parse_problem(text: str) -> Problem:
    """Read a problem; raises PddlError where the text is no problem."""
    return _ProblemReader(_define(text, "problem", _PROBLEM_SECTIONS)).read()


def parse_formula(text: str) -> Formula:
    """Read one formula, such as a goal; raises PddlError where the text is none."""
    return _Formulas("formula").formula(_single(text))


def parse_plan(text: str) -> tuple[Step, ...]:
    """Read a plan, one `(action arg ...)` after the other; raises PddlError."""
    steps = []
    for node in _nodes(text):
        words = [_name(item, "an action or object") for item in _list(node, "a step").items]
        if not words:
            _fail(node, "a step names its action")
        steps.append(Step(words[0], tuple(words[1:])))
    return tuple(steps)


def _fail(node: _Node, message: str, code: str = "syntax") -> NoReturn:
    snippet = str(node)
    if len(snippet) > MAX_SNIPPET:
        snippet = snippet[: MAX_SNIPPET - 3] + "..."
    raise PddlError([Finding("error", code, message, node.at.line, node.at.column, snippet)])


def _tokens(text: str) -> Iterator[_Word]:
    line, start = 1, 0
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "space":
            yield _Word(match.group().lower(), Position(line, match.start() - start + 1))
        breaks = match.group().count("\n")
        if breaks:
            line += breaks
            start = match.start() + match.group().rindex("\n") + 1


def _nodes(text: str) -> list[_Node]:
    """Return the expressions of a text; raises PddlError for parentheses that do not match."""
    stack: list[tuple[Position, list[_Node]]] = [(Position(1, 1), [])]
    for token in _tokens(text):
        if token.text == "(":
            stack.append((token.at, []))
            if len(stack) > MAX_DEPTH:
                _fail(token, f"nested more than {MAX_DEPTH} deep", "depth")
        elif token.text == ")":
            if len(stack) == 1:
                _fail(token, "this ')' closes nothing", "parenthesis")
            at, items = stack.pop()
            stack[-1][1].append(_List(tuple(items), at))
        else:
            stack[-1][1].append(token)
    if len(stack) > 1:
        at, items = stack[-1]
        _fail(_List(tuple(items), at), "this '(' is never closed", "parenthesis")
    return stack[0][1]


def _single(text: str) -> _Node:
    nodes = _nodes(text)
    if not nodes:
        raise PddlError([Finding("error", "empty", "there is nothing to read", 1, 1)])
    if len(nodes) > 1:
        _fail(nodes[1], "something stands after the end", "trailing")
    return nodes[0]


def _define(text: str, what: str, sections: Sequence[str]) -> _List:
    """Return `(define (what name) section...)` after a look at its outline."""
    root = _list(_single(text), f"(define ({what} ...) ...)")
    head = root.items[:2]
    if not head or not isinstance(head[0], _Word) or head[0].text != "define":
        _fail(root, "expected 'define' here")
    if len(head) < 2:
        _fail(root, f"expected ({what} name) after 'define'")
    title = _list(head[1], f"({what} name)")
    if len(title.items) != 2 or str(title.items[0]) != what:
        _fail(title, f"expected ({what} name)")
    _name(title.items[1], f"the {what}'s name")
    for node in root.items[2:]:
        keyword = _section_name(node)
        if keyword not in sections:
            near = difflib.get_close_matches(keyword, sections, n=1)
            hint = f"did you mean {near[0]}?" if near else f"a {what} has {', '.join(sections)}"
            _fail(node, f"unknown section {keyword}; {hint}", "section")
    return root


def _section_name(node: _Node) -> str:
    section = _list(node, "a section such as (:init ...)")
    if not section.items or not isinstance(section.items[0], _Word):
        _fail(section, "a section begins with its keyword, such as :init")
    return section.items[0].text


def _list(node: _Node, what: str) -> _List:
    if isinstance(node, _Word):
        _fail(node, f"expected {what}, found the word '{node}'")
    return node


def _name(node: _Node, what: str) -> str:
    if isinstance(node, _List):
        _fail(node, f"expected {what}, found a list")
    if not _NAME.match(node.text) or node.text in _KEYWORDS:
        _fail(node, f"'{node}' is no name for {what}", "name")
    return node.text


def _variable(node: _Node) -> str:
    if isinstance(node, _List) or not _VARIABLE.match(node.text):
        _fail(node, "expected a variable such as ?x", "variable")
    return node.text


def _typed(nodes: Iterable[_Node]) -> Iterator[tuple[_Node, tuple[str, ...]]]:
    """Yield each entry of a typed list with its types; the default is `object`."""
    pending: list[_Node] = []
    rest = iter(nodes)
    for node in rest:
        if str(node) != "-":
            pending.append(node)
            continue
        kind = next(rest, None)
        if kind is None:
            _fail(node, "a type is missing after '-'", "type")
        if not pending:
            _fail(node, "nothing stands before '-'", "type")
        types = _types(kind)
        yield from ((entry, types) for entry in pending)
        pending = []
    yield from ((entry, ("object",)) for entry in pending)


def _types(node: _Node) -> tuple[str, ...]:
    if isinstance(node, _Word):
        return (_name(node, "a type"),)
    if len(node.items) < 2 or str(node.items[0]) != "either":
        _fail(node, "expected a type or (either type type)", "type")
    return tuple(dict.fromkeys(_name(item, "a type") for item in node.items[1:]))


def _params(node: _Node) -> tuple[Param, ...]:
    entries = _list(node, "a list of typed variables").items
    params = tuple(Param(_variable(entry), types) for entry, types in _typed(entries))
    if len({param.name for param in params}) < len(params):
        _fail(node, "a variable occurs twice in this list", "duplicate")
    return params


def _named(section: _List, what: str) -> dict[str, str]:
    """Return name -> type of a typed list of names, each name once and with one type."""
    named: dict[str, str] = {}
    for entry, types in _typed(section.items[1:]):
        name = _name(entry, what)
        if len(types) > 1:
            _fail(entry, f"{what} '{name}' has one type, not (either ...)", "type")
        if named.setdefault(name, types[0]) != types[0]:
            _fail(
                entry,
                f"{what} '{name}' is both {named[name]} and {types[0]}",
                "duplicate",
            )
    return named


class _Formulas:
    """Reads formulas and remembers where their atoms stand within `context`."""

    def __init__(self, context: str, positions: dict[tuple[str, str], Position] | None = None):
        self.context = context
        self.positions = {} if positions is None else positions

    def atom(self, node: _Node) -> Atom:
        items = _list(node, "(predicate argument ...)").items
        if not items:
            _fail(node, "expected (predicate argument ...)")
        atom = Atom(_name(items[0], "a predicate"), tuple(_term(item) for item in items[1:]))
        self.positions.setdefault((self.context, str(atom)), node.at)
        return atom

    def formula(self, node: _Node) -> Formula:
        items = _list(node, "a condition").items
        if not items:
            return TRUE
        word, rest = str(items[0]), items[1:]
        if word == "and":
            return And(tuple(map(self.formula, rest)))
        if word == "or":
            return Or(tuple(map(self.formula, rest)))
        if word == "not":
            return Not(self.formula(*_exactly(node, rest, 1)))
        if word == "imply":
            condition, conclusion = _exactly(node, rest, 2)
            return Imply(self.formula(condition), self.formula(conclusion))
        if word == "=":
            left, right = _exactly(node, rest, 2)
            return Equals(_term(left), _term(right))
        if word in ("forall", "exists"):
            params, body = _exactly(node, rest, 2)
            kind = Forall if word == "forall" else Exists
            return kind(_params(params), self.formula(body))
        return self.atom(node)

    def effects(self, node: _Node, warnings: list[Finding]) -> Iterator[Effect]:
        items = _list(node, "an effect").items
        if not items:
            return
        word, rest = str(items[0]), items[1:]
        if word == "and":
            for part in rest:
                yield from self.effects(part, warnings)
        elif word == "not":
            yield Effect(self.atom(*_exactly(node, rest, 1)), add=False)
        elif word == "when":
            condition, body = _exactly(node, rest, 2)
            guard = self.formula(condition)
            used = {arg for atom in atoms(guard) for arg in atom.args}
            for effect in self.effects(body, warnings):
                if used & {param.name for param in effect.params}:
                    _fail(node, "a quantified variable hides another one of the same name")
                both = conjunction((guard, effect.condition))
                yield replace(effect, condition=guard if effect.condition == TRUE else both)
        elif word == "forall":
            params, body = _exactly(node, rest, 2)
            outer = _params(params)
            for effect in self.effects(body, warnings):
                yield _under(outer, effect, node)
        elif word in ("increase", "decrease", "assign"):
            warnings.append(_left_out(node, f"'{word}' is left out: Gist plans without costs"))
        else:
            yield Effect(self.atom(node))


def _under(outer: tuple[Param, ...], effect: Effect, node: _Node) -> Effect:
    """Put an effect under a quantifier; raises PddlError where it hides a variable."""
    if {param.name for param in outer} & {param.name for param in effect.params}:
        _fail(
            node,
            "a quantified variable hides another one of the same name",
            "duplicate",
        )
    return replace(effect, params=(*outer, *effect.params))


def _term(node: _Node) -> str:
    if isinstance(node, _Word) and node.text.startswith("?"):
        return _variable(node)
    return _name(node, "an object")


def _exactly(node: _Node, rest: tuple[_Node, ...], count: int) -> tuple[_Node, ...]:
    if len(rest) != count:
        head = str(_list(node, "").items[0])
        _fail(node, f"'{head}' takes {count} part{'s' * (count > 1)}, found {len(rest)}")
    return rest


def _left_out(node: _Node, message: str) -> Finding:
    return Finding("warning", "left-out", message, node.at.line, node.at.column, str(node)[:60])


class _DomainReader:
    def __init__(self, root: _List) -> None:
        self.root = root
        self.positions: dict[tuple[str, str], Position] = {}
        self.warnings: list[Finding] = []
        self.types: dict[str, str] = {}
        self.predicates: dict[str, Predicate] = {}
        self.constants: dict[str, str] = {}
        self.requirements: list[str] = []
        self.actions: dict[str, Action] = {}
        self.derived: list[Derived] = []

    def read(self) -> Domain:
        title = self.root.items[1]
        assert isinstance(title, _List)
        for node in self.root.items[2:]:
            assert isinstance(node, _List)
            getattr(self, "_" + _section_name(node)[1:])(node)
        self._declare_derived()
        self.derived = [self._typed(rule) for rule in self.derived]
        return Domain(
            name=str(title.items[1]),
            types=self.types,
            predicates=self.predicates,
            actions=self.actions,
            constants=self.constants,
            derived=tuple(self.derived),
            requirements=tuple(self.requirements),
            warnings=tuple(self.warnings),
            positions=self.positions,
        )

    def _requirements(self, section: _List) -> None:
        self.requirements.extend(map(str, section.items[1:]))
        for item in section.items[1:]:
            if isinstance(item, _List) or not re.match(r":[a-z][a-z-]*\Z", item.text):
                _fail(item, "expected a requirement such as :strips", "requirement")

    def _types(self, section: _List) -> None:
        for name, parent in _named(section, "a type").items():
            if name != "object":
                self.types[name] = parent
        for parent in list(self.types.values()):
            if parent != "object":
                self.types.setdefault(parent, "object")
        for name in self.types:
            seen = {name}
            while (name := self.types.get(name, "object")) != "object":
                if name in seen:
                    _fail(section, f"type '{name}' descends from itself", "type-cycle")
                seen.add(name)

    def _constants(self, section: _List) -> None:
        self.constants.update(_named(section, "a constant"))
        for item in section.items[1:]:
            self.positions.setdefault(("constants", str(item)), item.at)

    def _functions(self, section: _List) -> None:
        self.warnings.append(_left_out(section, "functions are left out: Gist plans without costs"))

    def _predicates(self, section: _List) -> None:
        for node in section.items[1:]:
            predicate = self._head(node)
            if self.predicates.setdefault(predicate.name, predicate) != predicate:
                _fail(node, f"predicate '{predicate.name}' is declared twice", "duplicate")
            self.positions.setdefault(("predicates", predicate.name), node.at)

    def _head(self, node: _Node) -> Predicate:
        items = _list(node, "(predicate ?variable - type ...)").items
        if not items:
            _fail(node, "expected (predicate ?variable - type ...)")
        name = _name(items[0], "a predicate")
        return Predicate(name, _params(_List(items[1:], node.at)))

    def _derived(self, section: _List) -> None:
        head, body = _exactly(section, section.items[1:], 2)
        predicate = self._head(head)
        context = f"derived {predicate.name}"
        self.positions.setdefault(("derived", predicate.name), section.at)
        rule = Derived(predicate, _Formulas(context, self.positions).formula(body))
        self.derived.append(rule)

    def _typed(self, rule: Derived) -> Derived:
        """Give a rule's untyped quantified variables the type that the predicates ask of them.

        It says the same, since the predicate holds for nothing of another type, and strict tools
        such as VAL read it.
        """
        body = self._narrowed(rule.body)
        if body == rule.body:
            return rule
        at = self.positions[("derived", rule.head.name)]
        message = (
            f"a variable in the rule of '{rule.head.name}' is wider than its predicates; typed"
        )
        self.warnings.append(Finding("warning", "wide-type", message, *at, str(rule.head)))
        return Derived(rule.head, body)

    def _narrowed(self, formula: Formula) -> Formula:
        inner = rebuild(formula, self._narrowed)
        if not isinstance(inner, (Forall, Exists)):
            return inner
        asked: dict[str, set[tuple[str, ...]]] = {}
        for atom in _needed_atoms(inner):
            declared = self.predicates.get(atom.predicate)
            for arg, param in zip(atom.args, declared.params if declared else (), strict=False):
                asked.setdefault(arg, set()).add(param.types)
        params = tuple(
            Param(param.name, next(iter(asked[param.name])))
            if param.types == ("object",) and len(asked.get(param.name, ())) == 1
            else param
            for param in inner.params
        )
        return type(inner)(params, inner.body)

    def _declare_derived(self) -> None:
        for rule in self.derived:
            name = rule.head.name
            declared = self.predicates.get(name)
            if declared is None:
                at = self.positions[("derived", name)]
                message = f"the derived predicate '{name}' is not declared among the predicates; "
                self.warnings.append(
                    Finding(
                        "warning",
                        "undeclared",
                        message + "declared",
                        *at,
                        str(rule.head),
                    )
                )
                self.predicates[name] = rule.head
            elif len(declared.params) != len(rule.head.params):
                at = self.positions[("derived", name)]
                message = (
                    f"the derived predicate '{name}' has {len(rule.head.params)} parameters here, "
                    f"{len(declared.params)} where it is declared"
                )
                raise PddlError([Finding("error", "arity", message, *at, str(rule.head))])

    def _action(self, section: _List) -> None:
        if len(section.items) < 2:
            _fail(section, "the action has no name")
        name = _name(section.items[1], "an action")
        if name in self.actions:
            _fail(section, f"action '{name}' is defined twice", "duplicate")
        self.positions.setdefault(("actions", name), section.at)
        parts = _action_parts(section)
        formulas = _Formulas(f"action {name}", self.positions)
        self.actions[name] = Action(
            name,
            _params(parts[":parameters"]) if ":parameters" in parts else (),
            formulas.formula(parts[":precondition"]) if ":precondition" in parts else TRUE,
            tuple(formulas.effects(parts[":effect"], self.warnings)) if ":effect" in parts else (),
        )


def _action_parts(section: _List) -> dict[str, _Node]:
    parts: dict[str, _Node] = {}
    rest = section.items[2:]
    for key, value in zip(rest[::2], rest[1::2], strict=False):
        if str(key) not in (":parameters", ":precondition", ":effect"):
            _fail(key, "an action has :parameters, :precondition and :effect", "section")
        if str(key) in parts:
            _fail(key, f"{key} is given twice", "duplicate")
        parts[str(key)] = value
    if len(rest) % 2:
        _fail(rest[-1], "this has no value, or stands where it does not belong")
    return parts


class _ProblemReader:
    def __init__(self, root: _List) -> None:
        self.root = root
        self.positions: dict[tuple[str, str], Position] = {}
        self.warnings: list[Finding] = []
        self.domain = ""
        self.objects: dict[str, str] = {}
        self.init: set[Atom] = set()
        self.goal: Formula | None = None

    def read(self) -> Problem:
        title = self.root.items[1]
        assert isinstance(title, _List)
        for node in self.root.items[2:]:
            assert isinstance(node, _List)
            getattr(self, "_" + _section_name(node)[1:])(node)
        if self.goal is None:
            _fail(title, "the problem has no (:goal ...)", "missing")
        return Problem(
            name=str(title.items[1]),
            domain=self.domain,
            objects=self.objects,
            init=frozenset(self.init),
            goal=self.goal,
            warnings=tuple(self.warnings),
            positions=self.positions,
        )

    def _domain(self, section: _List) -> None:
        (node,) = _exactly(section, section.items[1:], 1)
        self.domain = _name(node, "the domain")
        self.positions.setdefault(("domain", self.domain), node.at)

    def _requirements(self, section: _List) -> None:
        """A problem's requirements add nothing to its domain's."""

    def _metric(self, section: _List) -> None:
        self.warnings.append(_left_out(section, "the metric is left out: Gist counts steps"))

    def _objects(self, section: _List) -> None:
        for name, kind in _named(section, "an object").items():
            if self.objects.setdefault(name, kind) != kind:
                _fail(section, f"object '{name}' has two types", "duplicate")
        for item in section.items[1:]:
            self.positions.setdefault(("objects", str(item)), item.at)

    def _init(self, section: _List) -> None:
        formulas = _Formulas("init", self.positions)
        for node in section.items[1:]:
            items = _list(node, "a fact such as (at mug_1 kitchen)").items
            word = str(items[0]) if items else ""
            if word == "not":
                formulas.atom(*_exactly(node, items[1:], 1))
            elif word == "=":
                self.warnings.append(_left_out(node, "a number is left out: Gist has no costs"))
            else:
                self.init.add(_ground(formulas.atom(node), node))

    def _goal(self, section: _List) -> None:
        if self.goal is not None:
            _fail(section, "the problem has two goals", "duplicate")
        (node,) = _exactly(section, section.items[1:], 1)
        self.goal = _Formulas("goal", self.positions).formula(node)


def _ground(atom: Atom, node: _Node) -> Atom:
    if any(arg.startswith("?") for arg in atom.args):
        _fail(node, "a fact of the initial state has no variables", "variable")
    return atom


def _needed_atoms(formula: Forall | Exists) -> tuple[Atom, ...]:
    """Return the atoms that decide for things outside a type: one that fails, or all must hold."""
    body = formula.body
    if isinstance(formula, Forall):
        return (body.body,) if isinstance(body, Not) and isinstance(body.body, Atom) else ()
    parts = body.parts if isinstance(body, And) else (body,)
    return tuple(part for part in parts if isinstance(part, Atom))
