"""From a scene graph and what a goal asks to a planning problem, deterministically."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from gist.knowledge import Knowledge
from gist.pddl.domain import Domain, Predicate
from gist.pddl.formula import TRUE, Atom, Formula, substitute
from gist.pddl.names import NameTable
from gist.pddl.problem import Problem
from gist.pddl.vocabulary import Vocabulary, data
from gist.scene import Kind, Place, Relation, SceneGraph

Types = tuple[str, ...]
Demands = Mapping[str, frozenset[Types]]
"""For each scene name the type choices that its PDDL type has to fit."""


@dataclass(frozen=True)
class Restriction:
    """An action's argument that must be one of ``allowed`` whenever its ``thing`` is ``name``.

    It stands for what a domain's goals cannot say but its actions can do: into which bin.
    """

    action: str
    thing: str
    name: str
    argument: str
    allowed: frozenset[str]


@dataclass(frozen=True)
class Literal:
    """One fact as the domain says it; the atom's arguments are scene names.

    Attributes:
        thing: the scene name that the fact is about.
        demands: (scene name, types) pairs that the names have to meet.
        note: what the domain had to say differently, in words, or empty.
        weaker: the atom says less than was asked (a thing's room instead of its furniture).
        restrictions: what the actions that make it true are bound to.
    """

    atom: Atom
    meaning: str
    thing: str
    demands: tuple[tuple[str, Types], ...] = ()
    note: str = ""
    weaker: bool = False
    restrictions: tuple[Restriction, ...] = ()


@dataclass(frozen=True)
class Encoding:
    """A problem together with the names and types it was written with."""

    problem: Problem
    names: NameTable
    assumptions: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)

    def with_goal(self, goal: Formula, init: frozenset[Atom] | None = None) -> Problem:
        """Return the problem with another goal (over scene names) and, if given, another start."""
        return Problem(
            self.problem.name,
            self.problem.domain,
            self.problem.objects,
            self.problem.init if init is None else init,
            substitute(goal, self.names.to_pddl),
        )


class Encoder:
    """Writes problems of one domain for any scene."""

    def __init__(self, domain: Domain, knowledge: Knowledge) -> None:
        self.domain = domain
        self.vocabulary = Vocabulary(domain, knowledge)
        rules = data("defaults")["defaults"]
        self._forms: dict[tuple[str, ...], tuple[str, bool] | None] = {}
        self._silent = {rule["meaning"] for rule in rules if rule.get("silent")}

    # --- what a goal asks, in the domain's words

    def express(
        self, scene: SceneGraph, meaning: str, thing: str, target: str | None = None
    ) -> Literal | None:
        """Return the atom by which the domain says it of these names, or None if it cannot."""
        for choice, note in self._meanings(scene, meaning, target):
            for predicate in self.vocabulary.predicates(choice):
                literal = self._literal(scene, predicate, choice, thing, target, note)
                if literal is not None:
                    return literal
        if target is not None and meaning in ("in", "on", "to"):
            return self._in_same_room(scene, meaning, thing, target)
        return None

    def can_say(self, scene: SceneGraph, meaning: str, target: str | None = None) -> bool:
        """Say whether the domain has a predicate for it at all, whoever it is about."""
        choices = self._meanings(scene, meaning, target)
        return any(self.vocabulary.predicates(choice) for choice, _ in choices)

    def _meanings(
        self, scene: SceneGraph, meaning: str, target: str | None
    ) -> Iterator[tuple[str, str]]:
        if target is not None and meaning in ("in", "on", "at", "to"):
            node = scene.node(target)
            if node.kind is Kind.ROOM:
                yield "at", ""
                return
            if meaning in ("to", "at"):
                into = self.vocabulary.able(node, "container")
                yield from (("in", ""), ("on", "")) if into else (("on", ""), ("in", ""))
                return
        yield meaning, ""
        for other in self.vocabulary.instead(meaning):
            yield other, f"the domain has no word for '{meaning}' here; '{other}' says it"

    def _literal(
        self,
        scene: SceneGraph,
        predicate: Predicate,
        meaning: str,
        thing: str,
        target: str | None,
        note: str,
    ) -> Literal | None:
        args = self._arguments(scene, predicate, thing, target)
        if args is None:
            return None
        demands = [(name, param.types) for name, param in zip(args, predicate.params, strict=True)]
        restrictions: tuple[Restriction, ...] = ()
        if meaning == "at" and not self._is_there(scene, thing, target):
            demands.append((thing, self._mover_types(scene, predicate, thing)))
        if target is not None and target not in args:
            restrictions = self._restrictions(scene, predicate, thing, target)
            if not restrictions:
                return None
            demands += [
                (target, param.types)
                for one in restrictions
                for param in self.domain.action(one.action).params
                if param.name == one.argument
            ]
        if not self._can_meet(scene, demands):
            return None
        atom = Atom(predicate.name, args)
        return Literal(atom, meaning, thing, tuple(demands), note, False, restrictions)

    def _arguments(
        self, scene: SceneGraph, predicate: Predicate, thing: str, target: str | None
    ) -> tuple[str, ...] | None:
        if len(predicate.params) == 1:
            return (thing,)
        robots = [node.name for node in scene.robots()]
        other = target if target is not None else next(iter(robots), None)
        if len(predicate.params) != 2 or other is None:
            return None
        for args in ((thing, other), (other, thing)):
            pairs = zip(args, predicate.params, strict=True)
            if all(self._may_be(scene, name, param.types) for name, param in pairs):
                return args
        return None

    def _may_be(self, scene: SceneGraph, name: str, types: Types) -> bool:
        node = scene.node(name)
        return any(self.vocabulary.may_be(node, kind) for kind in types)

    def _can_meet(self, scene: SceneGraph, demands: Iterable[tuple[str, Types]]) -> bool:
        asked: dict[str, list[Types]] = {}
        for name, types in demands:
            asked.setdefault(name, []).append(types)
        return all(
            self.vocabulary.type_of(scene.node(name), choices) is not None
            for name, choices in asked.items()
        )

    def _is_there(self, scene: SceneGraph, thing: str, target: str | None) -> bool:
        return scene.place_of(thing) == Place(Relation.AT, target or "")

    def _mover_types(self, scene: SceneGraph, predicate: Predicate, thing: str) -> Types:
        """Return the types by which the thing can be moved: carried if portable, else pushed."""
        node = scene.node(thing)
        movers = self.vocabulary.mover_types(predicate.name)
        carried = tuple(
            kind
            for kind, pushed in movers.items()
            if not pushed and self._may_be(scene, thing, (kind,))
        )
        if carried and (node.kind is Kind.ROBOT or self.vocabulary.able(node, "portable")):
            return carried
        return tuple(kind for kind, pushed in movers.items() if pushed)

    def _restrictions(
        self, scene: SceneGraph, predicate: Predicate, thing: str, target: str
    ) -> tuple[Restriction, ...]:
        found = []
        for action in self.vocabulary.achievers(predicate.name):
            things = {
                e.atom.args[0]
                for e in action.effects
                if e.add and e.atom.predicate == predicate.name and e.atom.args
            }
            for param in action.params:
                if param.name not in things and self._may_be(scene, target, param.types):
                    found += [
                        Restriction(action.name, about, thing, param.name, frozenset({target}))
                        for about in things
                    ]
                    break
        return tuple(found)

    def _in_same_room(
        self, scene: SceneGraph, meaning: str, thing: str, target: str
    ) -> Literal | None:
        room = scene.room_of(target)
        if room is None or room == target or self.vocabulary.predicates("in", 2):
            return None
        if self.vocabulary.predicates("on", 2):
            return None
        literal = self.express(scene, "at", thing, room)
        if literal is None:
            return None
        note = f"the domain cannot say '{meaning}'; being in {room} with {target} is all it can say"
        return replace(literal, note=note, weaker=True)

    # --- what the scene gives, in the domain's words

    def encode(
        self,
        scene: SceneGraph,
        names: Iterable[str],
        demands: Demands | None = None,
        wanted: frozenset[tuple[str, str]] = frozenset(),
        stand_ins: Mapping[str, str] | None = None,
    ) -> Encoding:
        """Return the problem over these scene names, without a goal yet.

        Args:
            demands: the types that a goal asks of some of the names.
            wanted: (meaning, name) pairs that the goal asks for; some defaults depend on them.
            stand_ins: name -> the type of things that it stands in for.
        """
        listed = tuple(dict.fromkeys(names))
        asked = demands or {}
        types: dict[str, str] = {}
        for name in listed:
            node = scene.node(name)
            wanted_types = asked.get(name, frozenset())
            holds = self._holding_types(scene, name)
            choices = (wanted_types | holds, wanted_types, frozenset[Types]())
            found = (self.vocabulary.type_of(node, choice) for choice in choices)
            types[name] = next((kind for kind in found if kind), "object")
        types.update(stand_ins or {})
        init: set[Atom] = set()
        for name in listed:
            init |= self._facts(scene, name, types)
        defaults = self._defaults(scene, listed, types, wanted)
        for atoms in defaults.values():
            init.update(atoms)
        table = NameTable(listed, reserved=(*self.domain.types, *self.domain.constants))
        to_pddl = table.to_pddl
        problem = Problem(
            f"{self.domain.name}-problem",
            self.domain.name,
            {to_pddl[name]: types[name] for name in listed},
            frozenset(Atom(a.predicate, tuple(to_pddl[x] for x in a.args)) for a in init),
            TRUE,
        )
        notes = tuple(
            f"{_listing([a.args[0] for a in atoms])} taken as {meaning}: the scene does not say"
            for meaning, atoms in defaults.items()
            if meaning not in self._silent
        )
        return Encoding(problem, table, notes, types)

    def _holding_types(self, scene: SceneGraph, name: str) -> frozenset[Types]:
        """Return the types that a thing needs for what stands on it and lies in it."""
        found = set()
        for relation in (Relation.ON, Relation.IN):
            predicates = self.vocabulary.predicates(relation.value, 2)
            if predicates and scene.children(name, relation):
                found.add(predicates[0].params[1].types)
        return frozenset(found)

    def _facts(self, scene: SceneGraph, name: str, types: Mapping[str, str]) -> set[Atom]:
        node = scene.node(name)
        facts = {self._fact(types, state, name) for state in node.states}
        if node.kind is not Kind.ROOM:
            facts.add(self._place_fact(scene, name, types))
        if node.kind is Kind.ROBOT and not scene.children(name, Relation.HELD):
            facts.add(self._fact(types, "free", name))
        return {fact for fact in facts if fact is not None}

    def _place_fact(self, scene: SceneGraph, name: str, types: Mapping[str, str]) -> Atom | None:
        place = scene.place_of(name)
        if place is None:
            return None
        if place.relation is Relation.HELD:
            return self._fact(types, "held", name, place.target)
        if place.target in types and place.relation is not Relation.AT:
            for meaning in (place.relation.value, *self.vocabulary.instead(place.relation.value)):
                fact = self._fact(types, meaning, name, place.target)
                if fact is not None:
                    return fact
        room = scene.room_of(name)
        return self._fact(types, "at", name, room) if room in types else None

    def _fact(self, types: Mapping[str, str], meaning: str, *names: str | None) -> Atom | None:
        args = tuple(name for name in names if name is not None)
        key = (meaning, *(types[name] for name in args))
        if key not in self._forms:
            self._forms[key] = self._form(*key)
        form = self._forms[key]
        if form is None:
            return None
        predicate, turned = form
        return Atom(predicate, args[::-1] if turned else args)

    def _form(self, meaning: str, *kinds: str) -> tuple[str, bool] | None:
        """Return the predicate that says it of things of these types, and whether turned round."""
        for predicate in self.vocabulary.predicates(meaning, len(kinds)):
            if predicate.name in self.domain.derived_names:
                continue
            for order in (kinds, kinds[::-1]):
                pairs = zip(order, predicate.params, strict=True)
                if all(self.domain.fits(kind, param.types) for kind, param in pairs):
                    return predicate.name, order != kinds
        return None

    def _defaults(
        self,
        scene: SceneGraph,
        names: tuple[str, ...],
        types: Mapping[str, str],
        wanted: frozenset[tuple[str, str]],
    ) -> dict[str, list[Atom]]:
        found: dict[str, list[Atom]] = {}
        given: dict[str, set[str]] = {}
        for rule in data("defaults")["defaults"]:
            if not self.vocabulary.predicates(rule["meaning"]):
                continue
            unless = frozenset(rule["unless"])
            for name in names:
                node = scene.node(name)
                if "wanted" in rule and (rule["wanted"], name) not in wanted:
                    continue
                if unless & (node.states | given.get(name, set())):
                    continue
                if "contents" in unless and scene.children(name):
                    continue
                fact = self._fact(types, rule["meaning"], name)
                if fact is not None and self.vocabulary.passes(node, rule["for"]):
                    found.setdefault(rule["meaning"], []).append(fact)
                    given.setdefault(name, set()).add(rule["meaning"])
        return found


def _listing(names: list[str]) -> str:
    if len(names) > 3:
        return f"{names[0]}, {names[1]} and {len(names) - 2} more are"
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'}"
