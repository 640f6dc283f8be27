r"""The text form of goals: typed, readable, and parsed back into the same goal.

    goal "Bring 4 kid snacks to table_2" for "children"
    0: at least 4 [class "snack", for "children"] to [named "table_2"] @0:29 "Bring 4 kid snacks"
    1: soft all [state "dirty", collective "clothes", were in [class "bathroom"]] washed
    2: either all [class "cup"] in [class "sink"] or all [class "cup"] at [class "kitchen"]
    after all [class "room"] mopped immediately all [class "mop"] clean
    assume choice "table_2 is the dining table" @26:33

Each line is a statement: the goal's own words and context; clauses by stage with the marks `soft`,
`transient` and `same` (one target for all); what must follow immediately; assumptions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from gist.errors import BadInput, unknown
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
    Span,
)
from gist.goals.predicates import predicate, predicates

_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[A-Za-z][\w-]*|\d+|[\[\],:@])')
_MARKS = {"soft": "soft", "transient": "transient", "same": "same_target"}
T = TypeVar("T")


def render(goal: Goal) -> str:
    """Return the goal in its text form."""
    lines = [f"goal {_quoted(goal.text)}{_context(goal.context, ' ')}"]
    lines += [f"{item.stage}: {_item(item)}" for item in goal.clauses]
    lines += [f"after {_ordered(o.after)} immediately {_ordered(o.then)}" for o in goal.order]
    lines += [f"assume {a.kind} {_quoted(a.text)}{_span(a.span)}" for a in goal.assumptions]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _list(words: Iterable[str]) -> str:
    return " ".join(_quoted(word) for word in words)


def _context(context: frozenset[str], lead: str) -> str:
    return f"{lead}for {_list(sorted(context))}" if context else ""


def _span(span: Span | None) -> str:
    return f" @{span[0]}:{span[1]}" if span else ""


def _item(item: Item) -> str:
    marks = [word for word, name in _MARKS.items() if name != "same_target" and getattr(item, name)]
    if isinstance(item, Clause):
        return " ".join([*marks, _clause(item)])
    return " ".join([*marks, "either", " or ".join(_clause(clause) for clause in item.clauses)])


def _ordered(clause: Clause) -> str:
    return f"{clause.stage}: {_item(clause)}"


def _clause(clause: Clause) -> str:
    same = "same " if clause.same_target else ""
    kind, n = clause.quantifier.kind, clause.quantifier.n
    amount = "all" if kind == "all" else f"{kind.replace('_', ' ')} {n}"
    targets = "" if clause.targets is None else f" {_selector(clause.targets)}"
    words = f" {_quoted(clause.words)}" if clause.words else ""
    body = f"{same}{amount} {_selector(clause.things)} {clause.predicate}{targets}"
    return f"{body}{_span(clause.span)}{words}"


def _selector(selector: Selector) -> str:
    fields = []
    if selector.cls is not None:
        fields.append(f"class {_quoted(selector.cls)}")
    if selector.names is not None:
        fields.append(f"named {_list(selector.names)}".rstrip())
    if selector.states:
        fields.append(f"state {_list(sorted(selector.states))}")
    fields += [f"with {_quoted(key)} {_quoted(value)}" for key, value in selector.attributes]
    if selector.where is not None:
        fields.append(f"were {selector.where.relation} {_selector(selector.where.target)}")
    if selector.collective is not None:
        fields.append(f"collective {_quoted(selector.collective)}")
    if selector.but_not is not None:
        fields.append(f"not {_selector(selector.but_not)}")
    if selector.any_of:
        fields.append(f"any {' '.join(_selector(part) for part in selector.any_of)}")
    if selector.context:
        fields.append(_context(selector.context, ""))
    return f"[{', '.join(fields)}]"


def parse(text: str) -> Goal:
    """Return the goal that a text form says.

    Raises:
        BadInput: the text is no goal; the message has the line, column and what was expected.
    """
    return _Parser(text).goal()


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, int]] = []
        self.next = 0
        at, end = 0, len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None:
                start = len(text) - len(text[at:].lstrip())
                raise self._error(start, "a word, number or string")
            self.tokens.append((match[1], match.start(1)))
            at = match.end()

    def _error(self, at: int, expected: str) -> BadInput:
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        found = self.text[at : at + 20].split("\n")[0] or "the end"
        return BadInput(f"line {line}, column {column}: expected {expected}, found '{found}'")

    def _expected(self, what: str) -> BadInput:
        at = self.tokens[self.next][1] if self.next < len(self.tokens) else len(self.text)
        return self._error(at, what)

    def _peek(self) -> str:
        return self.tokens[self.next][0] if self.next < len(self.tokens) else ""

    def _take(self, *words: str) -> bool:
        """Take these tokens if they come next."""
        upcoming = [token for token, _ in self.tokens[self.next : self.next + len(words)]]
        if upcoming != list(words):
            return False
        self.next += len(words)
        return True

    def _need(self, word: str) -> None:
        if not self._take(word):
            raise self._expected(f"'{word}'")

    def _string(self) -> str:
        token = self._peek()
        if not token.startswith('"'):
            raise self._expected("a string in quotes")
        try:
            value: str = json.loads(token, strict=False)
        except json.JSONDecodeError as error:
            raise self._expected("a string in quotes") from error
        self.next += 1
        return value

    def _number(self) -> int:
        token = self._peek()
        if not token.isdigit():
            raise self._expected("a number")
        self.next += 1
        return int(token)

    def _strings(self) -> tuple[str, ...]:
        return self._while('"', self._string)

    def _while(self, start: str, read: Callable[[], T]) -> tuple[T, ...]:
        found = []
        while self._peek().startswith(start):
            found.append(read())
        return tuple(found)

    def goal(self) -> Goal:
        self._need("goal")
        text = self._string()
        context = frozenset(self._strings()) if self._take("for") else frozenset()
        clauses: list[Item] = []
        order: list[Immediately] = []
        assumptions: list[Assumption] = []
        while self._peek():
            if self._take("after"):
                after = self._plain_clause()
                self._need("immediately")
                order.append(Immediately(after, self._plain_clause()))
            elif self._take("assume"):
                assumptions.append(self._assumption())
            else:
                clauses.append(self._staged())
        return Goal(tuple(clauses), tuple(order), tuple(assumptions), text, context)

    def _assumption(self) -> Assumption:
        for kind in ("reading", "choice", "default", "vocabulary"):
            if self._take(kind):
                text = self._string()
                return Assumption(text, self._span(), kind)
        raise self._expected("reading, choice, default or vocabulary")

    def _plain_clause(self) -> Clause:
        item = self._staged()
        if not isinstance(item, Clause):
            raise self._expected("a single clause")
        return item

    def _staged(self) -> Item:
        stage = self._number()
        self._need(":")
        marks = {"stage": stage, **{m: True for m in ("soft", "transient") if self._take(m)}}
        if not self._take("either"):
            return self._clause(marks)
        clauses = [self._clause(marks)]
        while self._take("or"):
            clauses.append(self._clause(marks))
        return AnyOf(tuple(clauses))

    def _clause(self, marks: dict[str, Any]) -> Clause:
        same_target = self._take("same")
        quantifier = self._quantifier()
        things = self._selector()
        name = self._predicate()
        targets = self._selector() if self._peek() == "[" else None
        if targets is None and predicate(name).arity == (2,):
            raise self._expected("targets in brackets")
        span = self._span()
        words = self._string() if self._peek().startswith('"') else ""
        marks = {**marks, "same_target": same_target, "span": span, "words": words}
        return Clause(name, quantifier, things, targets, **marks)

    def _quantifier(self) -> Quantifier:
        if self._take("all"):
            return ALL
        if self._take("exactly"):
            return Quantifier("exactly", self._number())
        if self._take("at", "least"):
            return Quantifier("at_least", self._number())
        if self._take("at", "most"):
            return Quantifier("at_most", self._number())
        raise self._expected("all, at least, at most or exactly")

    def _predicate(self) -> str:
        two_words = [name for name in predicates() if " " in name]
        for name in (*two_words, self._peek()):
            if name in predicates() and self._take(*name.split()):
                return name
        raise unknown("predicate", self._peek(), predicates())

    def _span(self) -> Span | None:
        if not self._take("@"):
            return None
        start = self._number()
        self._need(":")
        return start, self._number()

    def _selector(self) -> Selector:
        self._need("[")
        fields: dict[str, Any] = {}
        while not self._take("]"):
            if fields:
                self._need(",")
            self._field(fields)
        return Selector(**fields)

    def _field(self, fields: dict[str, Any]) -> None:
        readers: dict[str, tuple[str, Callable[[], Any]]] = {
            "class": ("cls", self._string),
            "named": ("names", self._strings),
            "state": ("states", lambda: frozenset(self._strings())),
            "were": ("where", self._located),
            "collective": ("collective", self._string),
            "not": ("but_not", self._selector),
            "any": ("any_of", lambda: self._while("[", self._selector)),
            "for": ("context", lambda: frozenset(self._strings())),
        }
        if self._take("with"):
            pair = (self._string(), self._string())
            fields["attributes"] = (*fields.get("attributes", ()), pair)
            return
        word = self._peek()
        if word not in readers:
            raise self._expected(f"'with' or one of {', '.join(readers)}")
        self.next += 1
        name, read = readers[word]
        if name in fields:
            raise self._expected(f"'{word}' only once")
        fields[name] = read()

    def _located(self) -> Located:
        for relation in ("in", "on", "at", "to"):
            if self._take(relation):
                return Located(relation, self._selector())
        raise self._expected("in, on, at or to")
