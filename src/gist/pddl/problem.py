"""The model of a PDDL problem, and the writer of both problem and domain texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gist.pddl.domain import Action, Domain, Effect, Positions
from gist.pddl.findings import Finding
from gist.pddl.formula import TRUE, And, Atom, Formula, typed_list


@dataclass(frozen=True)
class Problem:
    """A planning problem: `objects` maps each object to its type, `init` holds the true atoms.

    `warnings` and `positions` are as in Domain.
    """

    name: str
    domain: str
    objects: Mapping[str, str] = field(default_factory=dict)
    init: frozenset[Atom] = frozenset()
    goal: Formula = TRUE
    warnings: tuple[Finding, ...] = field(default=(), compare=False, repr=False)
    positions: Positions = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True)
class Step:
    """One action of a plan with its objects."""

    action: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.action, *self.args))})"


class Universe:
    """The objects of a problem and the constants of its domain, by type.

    Objects of a type that the domain does not have belong to `object` only.
    """

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.types: dict[str, str] = {**domain.constants, **problem.objects}
        self._of: dict[str, list[str]] = {}
        chains: dict[str, tuple[str, ...]] = {}
        for name, kind in self.types.items():
            if kind not in chains:
                chains[kind] = domain.supertypes(kind) if kind in domain.types else ("object",)
            for above in chains[kind]:
                self._of.setdefault(above, []).append(name)

    def of(self, types: Iterable[str]) -> tuple[str, ...]:
        """Return the objects of any of the types, each once, in order of declaration."""
        kinds = tuple(types)
        if len(kinds) == 1:
            return tuple(self._of.get(kinds[0], ()))
        return tuple(dict.fromkeys(name for kind in kinds for name in self._of.get(kind, ())))


def write_domain(domain: Domain) -> str:
    """Write a domain as PDDL text that `parse_domain` reads back to an equal domain."""
    lines = [f"(define (domain {domain.name})"]
    if domain.requirements:
        lines.append(f"  (:requirements {' '.join(domain.requirements)})")
    if domain.types:
        lines.append(_section(":types", _by_type(domain.types)))
    if domain.constants:
        lines.append(_section(":constants", _by_type(domain.constants)))
    if domain.predicates:
        lines.append(_section(":predicates", map(str, domain.predicates.values())))
    lines.extend(f"  (:derived {rule.head}\n    {rule.body})" for rule in domain.derived)
    lines.extend(map(_write_action, domain.actions.values()))
    return "\n".join(lines) + "\n)\n"


def write_problem(problem: Problem) -> str:
    """Write a problem as PDDL text that `parse_problem` reads back to an equal problem."""
    lines = [f"(define (problem {problem.name})", f"  (:domain {problem.domain})"]
    if problem.objects:
        lines.append(_section(":objects", _by_type(problem.objects)))
    lines.append(_section(":init", map(str, sorted(problem.init))))
    lines.append(f"  (:goal {_layout(problem.goal)})")
    return "\n".join(lines) + "\n)\n"


def write_plan(plan: Iterable[Step]) -> str:
    """Write a plan in the IPC form that VAL reads, one step a line."""
    return "".join(f"{step}\n" for step in plan)


def _section(head: str, lines: Iterable[str]) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f"  ({head}\n{body})" if body else f"  ({head})"


def _by_type(typed: Mapping[str, str]) -> list[str]:
    """Return typed-list lines; only neighbours share a line, so that the order survives."""
    groups: list[tuple[str, list[str]]] = []
    for name, kind in typed.items():
        if not groups or groups[-1][0] != kind or len(groups[-1][1]) == 8:
            groups.append((kind, []))
        groups[-1][1].append(name)
    return [f"{' '.join(names)} - {kind}" for kind, names in groups]


def _layout(goal: Formula) -> str:
    if isinstance(goal, And) and len(goal.parts) > 1:
        return "(and\n" + "\n".join(f"    {part}" for part in goal.parts) + ")"
    return str(goal)


def _write_action(action: Action) -> str:
    effects = " ".join(map(_write_effect, action.effects))
    return (
        f"  (:action {action.name}\n"
        f"    :parameters ({typed_list(action.params)})\n"
        f"    :precondition {action.precondition}\n"
        f"    :effect (and {effects}))"
    )


def _write_effect(effect: Effect) -> str:
    text = str(effect.atom) if effect.add else f"(not {effect.atom})"
    if effect.condition != TRUE:
        text = f"(when {effect.condition} {text})"
    if effect.params:
        text = f"(forall ({typed_list(effect.params)}) {text})"
    return text
