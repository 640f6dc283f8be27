"""From a domain and a problem to a ground task that any classical planner can take.

Derived predicates are inlined, quantifiers expanded, implications, disjunctions, equalities and
`either` types resolved. Only actions that the delete relaxation can reach are kept (Hoffmann and
Nebel, The FF planning system, 2001), facts that never change are dropped from conditions, and a
quantifier runs only over the objects for which its atoms can ever be true.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count, product

from gist.errors import BadInput
from gist.pddl.domain import Action, Domain, Effect, Predicate
from gist.pddl.findings import Finding, PddlError
from gist.pddl.formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    Equals,
    Exists,
    Forall,
    Formula,
    Not,
    Or,
    Param,
    conjunction,
    disjunction,
)
from gist.pddl.normal import Inliner, fresh, inline, nnf
from gist.pddl.problem import Problem, Step, Universe

MAX_ALTERNATIVES = 64
MAX_SPLIT = 16
Binding = dict[str, str]
FINISHING = Atom("~finishing")


@dataclass(frozen=True)
class Condition:
    """A conjunction of ground facts that are true (`holds`) or false (`fails`), by number."""

    holds: frozenset[int] = frozenset()
    fails: frozenset[int] = frozenset()


@dataclass(frozen=True)
class GroundEffect:
    """A fact that becomes true (`add`) or false where `when` held before."""

    fact: int
    add: bool
    when: Condition = Condition()


@dataclass(frozen=True)
class Operator:
    """A ground action; `step` is the original action, None for one that the compiler added."""

    step: Step | None
    pre: Condition
    effects: tuple[GroundEffect, ...]


@dataclass(frozen=True)
class GroundTask:
    """A planning task over numbered facts.

    `goal` is None when the delete relaxation proves that it can never hold.
    """

    facts: tuple[Atom, ...]
    init: frozenset[int]
    goal: Condition | None
    operators: tuple[Operator, ...]

    def plan(self, numbers: Iterable[int]) -> tuple[Step, ...]:
        """Return the original plan for a sequence of operator numbers."""
        steps = (self.operators[number].step for number in numbers)
        return tuple(step for step in steps if step is not None)


def ground(domain: Domain, problem: Problem) -> GroundTask:
    """Compile a problem to a ground task.

    Raises PddlError for recursive derived predicates and for a precondition that has more than
    MAX_ALTERNATIVES alternatives.
    """
    return _Compiler(domain, problem).compile()


def restrict(
    domain: Domain,
    action: str,
    params: Collection[str],
    allowed: Iterable[tuple[str, ...]],
) -> tuple[Domain, frozenset[Atom]]:
    """Allow an action only for some objects: return the domain and the facts to add to `init`.

    The action gets a static precondition over `params` (names such as "?from"), true for the
    tuples of `allowed`, so every plan of the restricted domain is a plan of the original one.
    Raises BadInput when the action or a parameter does not exist.
    """
    schema = domain.action(action)
    known = {param.name: param for param in schema.params}
    for name in params:
        if name not in known:
            raise BadInput(f"action {schema.head} has no parameter {name}")
    predicate = f"allowed-{action}"
    while predicate in domain.predicates:
        predicate += "-"
    declared = Predicate(predicate, tuple(known[name] for name in params))
    extra = conjunction((schema.precondition, Atom(predicate, tuple(params))))
    restricted = replace(
        domain,
        predicates={**domain.predicates, predicate: declared},
        actions={**domain.actions, action: replace(schema, precondition=extra)},
    )
    return restricted, frozenset(Atom(predicate, tuple(row)) for row in allowed)


@dataclass
class Schema:
    """One alternative of an action's precondition; `joins` are the positive atoms it needs."""

    action: Action
    params: tuple[Param, ...]
    joins: tuple[Atom, ...]
    equalities: tuple[Formula, ...]
    rest: Formula
    tables: list[Table] = field(default_factory=list)
    instances: dict[tuple[str, ...], Binding] = field(default_factory=dict)


def _schemas(action: Action) -> list[Schema]:
    """Return the action once for each alternative of its precondition."""
    precondition = fresh(nnf(action.precondition), count())
    return [_schema(action, params, parts) for params, parts in _lifted(precondition)]


def _schema(action: Action, params: tuple[Param, ...], parts: Iterable[Formula]) -> Schema:
    joins: list[Atom] = []
    equalities: list[Formula] = []
    rest: list[Formula] = []
    for part in parts:
        inner = part.body if isinstance(part, Not) else part
        if isinstance(part, Atom):
            joins.append(part)
        elif isinstance(inner, Equals):
            equalities.append(part)
        else:
            rest.append(part)
    whole = (*action.params, *params)
    return Schema(action, whole, tuple(joins), tuple(equalities), conjunction(rest))


def _lifted(formula: Formula) -> list[tuple[tuple[Param, ...], tuple[Formula, ...]]]:
    """Return the alternatives of a formula: each with its existential variables and its parts.

    A conjunction that would have more than MAX_SPLIT alternatives stays one part.
    """
    if isinstance(formula, Or):
        return [row for part in formula.parts for row in _lifted(part)]
    if isinstance(formula, Exists):
        return [((*formula.params, *params), parts) for params, parts in _lifted(formula.body)]
    if not isinstance(formula, And):
        return [((), (formula,))]
    found: list[tuple[tuple[Param, ...], tuple[Formula, ...]]] = [((), ())]
    for part in formula.parts:
        rows = _lifted(part)
        if len(found) * len(rows) > MAX_SPLIT:
            rows = [((), (part,))]
        found = [(left[0] + right[0], left[1] + right[1]) for left in found for right in rows]
    return found


class Table:
    """The reached facts of one predicate whose objects are of given types, indexed by object."""

    def __init__(self, members: tuple[frozenset[str] | None, ...]) -> None:
        self.members = members
        self.users: list[tuple[Schema, int]] = []
        self._rows: list[Atom] = []
        self._at: dict[tuple[int, str], list[Atom]] = {}

    def add(self, fact: Atom) -> bool:
        """Take a fact in and say whether it belongs here."""
        if len(fact.args) != len(self.members):
            return False
        for arg, members in zip(fact.args, self.members, strict=True):
            if members is not None and arg not in members:
                return False
        self._rows.append(fact)
        for key in enumerate(fact.args):
            self._at.setdefault(key, []).append(fact)
        return True

    def matching(self, pattern: Atom, binding: Mapping[str, str]) -> list[Atom]:
        """Return a small list that holds every fact of the table that fits the pattern."""
        best = self._rows
        for place, term in enumerate(pattern.args):
            value = binding.get(term) if term[0] == "?" else term
            if value is not None:
                rows = self._at.get((place, value), _NO_ROWS)
                if len(rows) < len(best):
                    best = rows
        return best


_NO_ROWS: list[Atom] = []


def unify(pattern: Atom, fact: Atom, binding: Binding) -> Binding | None:
    """Return the binding extended so that the pattern is the fact, None where it cannot be."""
    if len(pattern.args) != len(fact.args):
        return None
    extended = binding
    for term, value in zip(pattern.args, fact.args, strict=True):
        if term[0] != "?":
            if term != value:
                return None
            continue
        bound = extended.get(term)
        if bound is None:
            if extended is binding:
                extended = dict(binding)
            extended[term] = value
        elif bound != value:
            return None
    return extended


def _equal_holds(formula: Formula, binding: Mapping[str, str]) -> bool:
    if isinstance(formula, Not):
        return not _equal_holds(formula.body, binding)
    assert isinstance(formula, Equals)
    return binding.get(formula.left, formula.left) == binding.get(formula.right, formula.right)


def _instance(atom: Atom, binding: Mapping[str, str]) -> Atom:
    return Atom(atom.predicate, tuple([binding.get(arg, arg) for arg in atom.args]))


class Reach:
    """The delete relaxation of a problem: every fact and action instance it can reach.

    `merged` says that one object may stand for several, so that two equal names may be different
    objects and inequalities prove nothing.
    """

    def __init__(self, domain: Domain, problem: Problem, merged: bool = False) -> None:
        self._merged = merged
        self.universe = Universe(domain, problem)
        self.known: set[Atom] = set()
        self.schemas = [schema for action in domain.actions.values() for schema in _schemas(action)]
        self._members: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._sets: dict[tuple[str, ...], frozenset[str]] = {}
        self._tables: dict[str, dict[tuple[tuple[str, ...] | None, ...], Table]] = {}
        self._pending = sorted(problem.init)
        self._queued = set(self._pending)
        for schema in self.schemas:
            types = {param.name: param.types for param in schema.params}
            for place, atom in enumerate(schema.joins):
                table = self.table(atom, types)
                table.users.append((schema, place))
                schema.tables.append(table)
        self._run()

    def table(self, pattern: Atom, types: Mapping[str, tuple[str, ...]]) -> Table:
        """Return the table of the facts that fit a pattern whose variables have types."""
        key = tuple([types.get(term) for term in pattern.args])
        tables = self._tables.setdefault(pattern.predicate, {})
        if key not in tables:
            members = [None if kind is None else self.set_of(kind) for kind in key]
            tables[key] = Table(tuple(members))
            for fact in self.known:
                if fact.predicate == pattern.predicate:
                    tables[key].add(fact)
        return tables[key]

    def of(self, types: tuple[str, ...]) -> tuple[str, ...]:
        """Return the objects of any of the types."""
        if types not in self._members:
            self._members[types] = self.universe.of(types)
        return self._members[types]

    def set_of(self, types: tuple[str, ...]) -> frozenset[str]:
        """Return the objects of any of the types as a set."""
        if types not in self._sets:
            self._sets[types] = frozenset(self.of(types))
        return self._sets[types]

    def _run(self) -> None:
        for schema in self.schemas:
            if not schema.joins:
                self._complete(schema, {})
        done = 0
        while done < len(self._pending):
            fact = self._pending[done]
            done += 1
            self.known.add(fact)
            fitting = [t for t in self._tables.get(fact.predicate, {}).values() if t.add(fact)]
            for table in fitting:
                for schema, place in table.users:
                    binding = unify(schema.joins[place], fact, {})
                    if binding is not None:
                        others = [n for n in range(len(schema.joins)) if n != place]
                        self._join(schema, others, binding)

    def _join(self, schema: Schema, open_: list[int], binding: Binding) -> None:
        """Complete a binding by every choice of facts for the open joins, smallest choice first."""
        if not open_:
            self._complete(schema, binding)
            return
        rows, place = min(
            ((schema.tables[n].matching(schema.joins[n], binding), n) for n in open_),
            key=lambda choice: len(choice[0]),
        )
        others = [n for n in open_ if n != place]
        for fact in rows:
            extended = unify(schema.joins[place], fact, binding)
            if extended is not None:
                self._join(schema, others, extended)

    def _complete(self, schema: Schema, binding: Binding) -> None:
        names = [param.name for param in schema.params]
        domains = [
            (binding[param.name],) if param.name in binding else self.of(param.types)
            for param in schema.params
        ]
        for values in product(*domains):
            if values not in schema.instances:
                full = dict(zip(names, values, strict=True))
                if all(self._passes(test, full) for test in schema.equalities):
                    schema.instances[values] = full
                    self._apply(schema, full)

    def _passes(self, test: Formula, binding: Binding) -> bool:
        return (self._merged and isinstance(test, Not)) or _equal_holds(test, binding)

    def _apply(self, schema: Schema, binding: Binding) -> None:
        for effect in schema.action.effects:
            if effect.add:
                for extended in self.expand(effect, binding):
                    fact = _instance(effect.atom, extended)
                    if fact not in self._queued:
                        self._queued.add(fact)
                        self._pending.append(fact)

    def expand(self, effect: Effect, binding: Binding) -> Iterator[Binding]:
        """Yield the bindings of an effect's own quantified variables."""
        if not effect.params:
            yield binding
            return
        names = [param.name for param in effect.params]
        for values in product(*(self.of(param.types) for param in effect.params)):
            yield {**binding, **dict(zip(names, values, strict=True))}


class _Compiler:
    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.problem = problem
        goal = Inliner(domain)(problem.goal) if domain.derived else problem.goal
        self.goal = nnf(goal)
        self.reach = Reach(inline(domain), problem)
        self.deletable = self._deletable()
        self.numbers: dict[Atom, int] = {}
        self.memo: dict[tuple[int, tuple[str, ...]], Formula] = {}
        self.conditions: dict[Formula, Formula] = {}

    def compile(self) -> GroundTask:
        operators = [op for schema in self.reach.schemas for op in self._operators(schema)]
        goal, extra = self._goal(self.simplify(self.goal, {}))
        if FINISHING in self.numbers:
            operators = [_before_finish(op, self.numbers[FINISHING]) for op in operators]
        init = frozenset(n for atom, n in self.numbers.items() if atom in self.problem.init)
        return GroundTask(tuple(self.numbers), init, goal, (*operators, *extra))

    def number(self, atom: Atom) -> int:
        return self.numbers.setdefault(atom, len(self.numbers))

    def _deletable(self) -> set[Atom]:
        found: set[Atom] = set()
        for schema in self.reach.schemas:
            deletes = [effect for effect in schema.action.effects if not effect.add]
            for binding in schema.instances.values():
                for effect in deletes:
                    for extended in self.reach.expand(effect, binding):
                        found.add(_instance(effect.atom, extended))
        return found & self.reach.known

    def simplify(self, formula: Formula, binding: Binding) -> Formula:
        """Return a normal form over ground atoms that can change, or TRUE or FALSE."""
        if isinstance(formula, Atom):
            atom = _instance(formula, binding)
            if atom not in self.reach.known:
                return FALSE
            if atom in self.problem.init and atom not in self.deletable:
                return TRUE
            return atom
        if isinstance(formula, Equals):
            return TRUE if _equal_holds(formula, binding) else FALSE
        if isinstance(formula, Not):
            body = self.simplify(formula.body, binding)
            return FALSE if body == TRUE else TRUE if body == FALSE else Not(body)
        if isinstance(formula, And):
            return conjunction(_until(FALSE, (self.simplify(p, binding) for p in formula.parts)))
        if isinstance(formula, Or):
            return disjunction(_until(TRUE, (self.simplify(p, binding) for p in formula.parts)))
        assert isinstance(formula, (Forall, Exists))
        return self._quantified(formula, binding)

    def _quantified(self, formula: Forall | Exists, binding: Binding) -> Formula:
        key = (id(formula), tuple(binding.values()))
        if key not in self.memo:
            every = isinstance(formula, Forall)
            bodies = (self.simplify(formula.body, b) for b in self._bindings(formula, binding))
            stop, join = (FALSE, conjunction) if every else (TRUE, disjunction)
            self.memo[key] = join(dict.fromkeys(_until(stop, bodies)))
        return self.memo[key]

    def _bindings(self, formula: Forall | Exists, binding: Binding) -> Iterator[Binding]:
        """Yield the bindings for which the body is not trivial for lack of a reachable atom."""
        inner = {k: v for k, v in binding.items() if k not in {p.name for p in formula.params}}
        names = [param.name for param in formula.params]
        guard = _guard(formula)
        if guard is None:
            for values in product(*(self.reach.of(param.types) for param in formula.params)):
                yield {**inner, **dict(zip(names, values, strict=True))}
            return
        types = {param.name: param.types for param in formula.params}
        for fact in self.reach.table(guard, types).matching(guard, inner):
            extended = unify(guard, fact, inner)
            if extended is not None:
                yield extended

    def _operators(self, schema: Schema) -> Iterator[Operator]:
        whole = conjunction((*schema.joins, schema.rest))
        where = f"the precondition of action {schema.action.name}"
        for binding in schema.instances.values():
            condition = self.simplify(whole, binding)
            if condition == FALSE:
                continue
            effects = tuple(self._effects(schema.action, binding))
            args = tuple(binding[param.name] for param in schema.action.params)
            for pre in self.alternatives(condition, where):
                useful = tuple(e for e in effects if not _idle(e, pre))
                if useful:
                    yield Operator(Step(schema.action.name, args), pre, useful)

    def _effects(self, action: Action, binding: Binding) -> Iterator[GroundEffect]:
        adds: dict[Atom, list[Formula]] = {}
        deletes: dict[Atom, list[Formula]] = {}
        for effect in action.effects:
            for extended in self.reach.expand(effect, binding):
                atom = _instance(effect.atom, extended)
                condition = self._effect_condition(effect, extended)
                if condition != FALSE and self.simplify(atom, {}) not in (TRUE, FALSE):
                    (adds if effect.add else deletes).setdefault(atom, []).append(condition)
        where = f"an effect of action {action.name}"
        for atom, conditions in adds.items():
            for when in self.alternatives(disjunction(conditions), where):
                yield GroundEffect(self.number(atom), True, when)
        for atom, conditions in deletes.items():
            kept = nnf(And((disjunction(conditions), Not(disjunction(adds.get(atom, ()))))))
            for when in self.alternatives(kept, where):
                yield GroundEffect(self.number(atom), False, when)

    def _effect_condition(self, effect: Effect, binding: Binding) -> Formula:
        if effect.condition == TRUE:
            return TRUE
        normal = self.conditions.setdefault(effect.condition, nnf(effect.condition))
        return self.simplify(normal, binding)

    def alternatives(self, formula: Formula, where: str) -> list[Condition]:
        """Return the disjunctive normal form of a simplified formula."""
        conditions = [_merge(parts) for parts in _dnf(formula, where)]
        return [
            Condition(
                frozenset(self.number(a) for a in holds), frozenset(self.number(a) for a in fails)
            )
            for holds, fails in dict.fromkeys(conditions)
            if not holds & fails
        ]

    def _goal(self, goal: Formula) -> tuple[Condition | None, list[Operator]]:
        """Return the goal and the operators that decide its disjunctions at the end of a plan."""
        if goal == FALSE:
            return None, []
        extra: list[Operator] = []
        plain = self._chosen(goal, extra)
        if extra:
            finish = GroundEffect(self.number(FINISHING), True)
            extra.append(Operator(None, Condition(), (finish,)))
        conditions = self.alternatives(plain, "the goal")
        return (conditions[0] if conditions else None), extra

    def _chosen(self, formula: Formula, extra: list[Operator]) -> Formula:
        """Replace each disjunction by a fact that an added operator makes true, if it holds."""
        if isinstance(formula, And):
            return conjunction([self._chosen(part, extra) for part in formula.parts])
        if not isinstance(formula, Or):
            return formula
        choice = Atom("~choice", (str(len(extra)),))
        extra.append(Operator(None, Condition(), ()))
        place = len(extra) - 1
        effect = (GroundEffect(self.number(choice), True),)
        for index, part in enumerate(formula.parts):
            condition = conjunction((FINISHING, self._chosen(part, extra)))
            for pre in self.alternatives(condition, "the goal"):
                operator = Operator(None, pre, effect)
                if index == 0:
                    extra[place] = operator
                else:
                    extra.append(operator)
        return choice


def _before_finish(operator: Operator, finishing: int) -> Operator:
    pre = Condition(operator.pre.holds, operator.pre.fails | {finishing})
    return replace(operator, pre=pre)


def _until(stop: Formula, formulas: Iterable[Formula]) -> Iterator[Formula]:
    """Yield formulas up to the first that decides the whole."""
    for formula in formulas:
        yield formula
        if formula == stop:
            return


def _guard(formula: Forall | Exists) -> Atom | None:
    """Return an atom that must be reachable for the body to matter and that binds all variables."""
    negative, kind = isinstance(formula, Forall), Or if isinstance(formula, Forall) else And
    body = formula.body
    parts = body.parts if isinstance(body, kind) else (body,)
    names = {param.name for param in formula.params}
    for part in parts:
        atom = part.body if negative and isinstance(part, Not) else part
        if isinstance(part, Not) == negative and isinstance(atom, Atom) and names <= set(atom.args):
            return atom
    return None


def _idle(effect: GroundEffect, pre: Condition) -> bool:
    return effect.fact in (pre.holds if effect.add else pre.fails)


def _dnf(formula: Formula, where: str) -> list[tuple[Formula, ...]]:
    if isinstance(formula, Or):
        found = [row for part in formula.parts for row in _dnf(part, where)]
    elif isinstance(formula, And):
        found = [()]
        for part in formula.parts:
            rows = _dnf(part, where)
            _check_size(len(found) * len(rows), where)
            found = [left + right for left in found for right in rows]
    else:
        found = [(formula,)]
    _check_size(len(found), where)
    return found


def _check_size(size: int, where: str) -> None:
    if size > MAX_ALTERNATIVES:
        message = f"{where} has more than {MAX_ALTERNATIVES} alternatives"
        raise PddlError([Finding("error", "too-many-alternatives", message)])


def _merge(literals: tuple[Formula, ...]) -> tuple[frozenset[Atom], frozenset[Atom]]:
    holds = frozenset(part for part in literals if isinstance(part, Atom))
    negated = (part.body for part in literals if isinstance(part, Not))
    return holds, frozenset(body for body in negated if isinstance(body, Atom))
