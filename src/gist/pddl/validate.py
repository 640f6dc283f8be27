"""What is wrong with a domain and a problem, in words, with lines where they came from a text."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gist.pddl.domain import Action, Domain, Positions
from gist.pddl.findings import Finding, Severity
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
    is_variable,
)
from gist.pddl.problem import Problem

_PORTABLE_NAME = re.compile(r"[a-z][a-z0-9_-]*\Z")
Types = Mapping[str, tuple[str, ...]]


def validate(domain: Domain, problem: Problem | None = None) -> tuple[Finding, ...]:
    """Return every error and warning of a domain and, where one is given, of a problem in it.

    Errors: unknown types, predicates, objects and variables, wrong numbers of arguments, wrong
    types, facts of derived predicates, an object named like a type. Warnings: a type wider than
    its predicate takes, unused predicates and parameters, names that not every planner reads.
    """
    checks = [_DomainCheck(domain).run()]
    if problem is not None:
        checks.append(_ProblemCheck(domain, problem).run())
    return tuple(dict.fromkeys(finding for found in checks for finding in found))


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings that keep a problem from being planned."""
    return tuple(finding for finding in findings if finding.severity == "error")


@dataclass
class _Check:
    domain: Domain
    positions: Positions
    found: list[Finding] = field(default_factory=list)

    def say(
        self, code: str, message: str, context: str, snippet: str, severity: Severity = "error"
    ) -> None:
        at = self.positions.get((context, snippet))
        line, column = (at.line, at.column) if at else (None, None)
        self.found.append(Finding(severity, code, message, line, column, snippet))

    def types(self, kinds: Iterable[str], what: str, context: str, snippet: str) -> bool:
        """Say which types do not exist; return whether all do."""
        unknown = [kind for kind in kinds if kind != "object" and kind not in self.domain.types]
        for kind in unknown:
            message = f"{what} has the unknown type '{kind}'{_near(kind, self.domain.types)}"
            self.say("unknown-type", message, context, snippet)
        return not unknown

    def formula(self, formula: Formula, types: Types, context: str) -> None:
        """Check every atom and equality; `types` has the types of variables and objects."""
        if isinstance(formula, Atom):
            self.atom(formula, types, context)
        elif isinstance(formula, Equals):
            for term in (formula.left, formula.right):
                self.term(term, types, context, str(formula))
        elif isinstance(formula, Not):
            self.formula(formula.body, types, context)
        elif isinstance(formula, (And, Or)):
            for part in formula.parts:
                self.formula(part, types, context)
        elif isinstance(formula, Imply):
            self.formula(formula.condition, types, context)
            self.formula(formula.conclusion, types, context)
        elif isinstance(formula, (Forall, Exists)):
            for param in formula.params:
                self.types(param.types, f"{param.name} in {context}", context, str(formula))
            inner = {**types, **{param.name: param.types for param in formula.params}}
            self.formula(formula.body, inner, context)

    def term(self, term: str, types: Types, context: str, snippet: str) -> bool:
        if term in types:
            return True
        what = "variable" if is_variable(term) else "object"
        near = _near(term, (name for name in types if is_variable(name) == is_variable(term)))
        self.say(f"unknown-{what}", f"unknown {what} '{term}' in {context}{near}", context, snippet)
        return False

    def atom(self, atom: Atom, types: Types, context: str) -> None:
        predicate = self.domain.predicates.get(atom.predicate)
        if predicate is None:
            near = _near(atom.predicate, self.domain.predicates)
            message = f"unknown predicate '{atom.predicate}' in {context}{near}"
            self.say("unknown-predicate", message, context, str(atom))
            return
        if len(predicate.params) != len(atom.args):
            takes, given = len(predicate.params), len(atom.args)
            words = "argument" if takes == 1 else "arguments"
            message = f"{predicate} takes {takes} {words}, {given} given in {context}"
            self.say("arity", message, context, str(atom))
            return
        for place, (param, arg) in enumerate(zip(predicate.params, atom.args, strict=True)):
            if self.term(arg, types, context, str(atom)):
                self._fit(atom, place, param, types[arg], context)

    def _fit(
        self, atom: Atom, place: int, param: Param, given: tuple[str, ...], context: str
    ) -> None:
        known = {"object", *self.domain.types}
        if not known.issuperset(param.types) or not known.issuperset(given):
            return
        arg = atom.args[place]
        wanted, found = " or ".join(param.types), " or ".join(given)
        words = (
            f"argument {place + 1} of '{atom.predicate}' must be of type {wanted}, "
            f"'{arg}' is of type {found} in {context}"
        )
        if all(self.domain.fits(kind, param.types) for kind in given):
            return
        may = any(
            self.domain.fits(kind, param.types)
            or any(self.domain.is_a(t, kind) for t in param.types)
            for kind in given
        )
        if may and is_variable(arg):
            self.say("wide-type", words, context, str(atom), "warning")
        else:
            self.say("type", words, context, str(atom))


class _DomainCheck(_Check):
    def __init__(self, domain: Domain) -> None:
        super().__init__(domain, domain.positions)
        self.constants = {name: (kind,) for name, kind in domain.constants.items()}

    def run(self) -> list[Finding]:
        self.found.extend(self.domain.warnings)
        for name, kind in self.domain.constants.items():
            self.types((kind,), f"constant '{name}'", "constants", name)
        for predicate in self.domain.predicates.values():
            for param in predicate.params:
                what = f"{param.name} of predicate '{predicate.name}'"
                self.types(param.types, what, "predicates", predicate.name)
        for rule in self.domain.derived:
            types = {param.name: param.types for param in rule.head.params}
            self.formula(rule.body, {**self.constants, **types}, f"derived {rule.head.name}")
        for action in self.domain.actions.values():
            self._action(action)
        self._unused()
        return self.found

    def _action(self, action: Action) -> None:
        context = f"action {action.name}"
        for param in action.params:
            self.types(param.types, f"{param.name} of {context}", "actions", action.name)
        types = {**self.constants, **{param.name: param.types for param in action.params}}
        self.formula(action.precondition, types, context)
        used = {arg for atom in atoms(action.precondition) for arg in atom.args}
        for effect in action.effects:
            inner = {**types, **{param.name: param.types for param in effect.params}}
            self.formula(effect.condition, inner, context)
            self.atom(effect.atom, inner, context)
            used.update(effect.atom.args, *(atom.args for atom in atoms(effect.condition)))
            if effect.atom.predicate in self.domain.derived_names:
                message = f"{context} changes the derived predicate '{effect.atom.predicate}'"
                self.say("derived", message, context, str(effect.atom))
        for param in action.params:
            if param.name not in used and param.name not in str(action.precondition).split():
                message = f"{param.name} of {context} is not used"
                self.say("unused", message, "actions", action.name, "warning")

    def _unused(self) -> None:
        formulas: list[Formula] = [rule.body for rule in self.domain.derived]
        for action in self.domain.actions.values():
            formulas.append(action.precondition)
            formulas.extend(effect.atom for effect in action.effects)
            formulas.extend(e.condition for e in action.effects if e.condition != TRUE)
        used = {atom.predicate for formula in formulas for atom in atoms(formula)}
        for name in self.domain.predicates:
            if name not in used and name not in self.domain.derived_names:
                message = f"predicate '{name}' is used by no action"
                self.say("unused", message, "predicates", name, "warning")


class _ProblemCheck(_Check):
    def __init__(self, domain: Domain, problem: Problem) -> None:
        super().__init__(domain, problem.positions)
        self.problem = problem

    def run(self) -> list[Finding]:
        self.found.extend(self.problem.warnings)
        if self.problem.domain != self.domain.name:
            message = f"the problem is of domain '{self.problem.domain}', not '{self.domain.name}'"
            self.say("domain", message, "domain", self.problem.domain)
        for name, kind in self.problem.objects.items():
            self._object(name, kind)
        objects = {**self.domain.constants, **self.problem.objects}
        types = {name: (kind,) for name, kind in objects.items()}
        for fact in sorted(self.problem.init):
            self.atom(fact, types, "init")
            if fact.predicate in self.domain.derived_names:
                message = f"'{fact.predicate}' is derived; the initial state cannot set it"
                self.say("derived", message, "init", str(fact))
        self.formula(self.problem.goal, types, "goal")
        return self.found

    def _object(self, name: str, kind: str) -> None:
        self.types((kind,), f"object '{name}'", "objects", name)
        if name in self.domain.types or name == "object":
            self.say("name", f"object '{name}' is named like a type", "objects", name)
        elif self.domain.constants.get(name, kind) != kind:
            other = self.domain.constants[name]
            message = f"object '{name}' is a {kind}, the constant of that name a {other}"
            self.say("name", message, "objects", name)
        elif not _PORTABLE_NAME.match(name):
            message = f"object '{name}' does not begin with a letter or has odd characters"
            self.say("name", message, "objects", name, "warning")


def _near(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(close)}?" if close else ""
