"""Plan small, prove large: which of the scene's names a problem needs (DESIGN.md 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gist.knowledge import Substitute
from gist.pddl.domain import Action
from gist.pddl.encode import Demands, Encoder
from gist.pddl.formula import Forall, Formula, Not, atoms, rebuild
from gist.scene import Kind, SceneGraph

NEAREST = 3
"""How many things of a type that only serves as a tool are offered at first."""


class Relevance:
    """Finds the names that matter for reaching facts in one domain."""

    def __init__(self, encoder: Encoder) -> None:
        self.domain = encoder.domain
        self.encoder = encoder
        self._blocking = any(map(self._looks_around, self.domain.actions.values()))

    def select(
        self, scene: SceneGraph, named: Iterable[str], predicates: Iterable[str], demands: Demands
    ) -> tuple[str, ...]:
        """Return the names to plan with: those named, what carries them, robots, rooms and tools.

        Args:
            named: the scene names that the goal is about.
            predicates: the domain's predicates that the goal asks for.
            demands: the types that the goal asks of names.
        """
        chosen = dict.fromkeys(named)
        for robot in scene.robots():
            chosen[robot.name] = None
            chosen.update(dict.fromkeys(scene.children(robot.name)))
        self._add_places(scene, chosen)
        self._add_tools(scene, chosen, predicates, demands)
        self._add_places(scene, chosen)
        if self._blocking:
            self._add_contents(scene, chosen)
        return tuple(chosen)

    def stand_ins(
        self, scene: SceneGraph, predicates: Iterable[str], context: frozenset[str]
    ) -> dict[str, tuple[str, Substitute]]:
        """Return substitutes for tools of which the scene has none: name -> (type, why).

        A tool is a thing that an action needs and the goal does not speak of: a detergent, a mop.
        """
        vocabulary, found = self.encoder.vocabulary, {}
        for types in self._needed_types(predicates, _holding(scene)):
            concepts = {kind: vocabulary.class_of(kind) for kind in types}
            if None in concepts.values() or any(
                vocabulary.knowledge.is_a(cls, str(concept))
                for cls in scene.classes()
                for concept in concepts.values()
            ):
                continue
            things = [(n.name, n.cls, n.states, n.attributes) for n in scene.objects()]
            for kind, concept in concepts.items():
                for one in vocabulary.knowledge.substitutes(str(concept), things, context)[:1]:
                    found[one.name] = (kind, one)
        return found

    def whole(self, scene: SceneGraph) -> tuple[str, ...]:
        """Return every name that a problem can hold."""
        return tuple(node.name for node in (*scene.rooms(), *scene.robots(), *scene.objects()))

    def _looks_around(self, action: Action) -> bool:
        """Say whether an action depends on things that its arguments do not name."""
        derived = {atom.predicate for atom in atoms(action.precondition)}
        return _has_negation(action.precondition) or bool(derived & self.domain.derived_names)

    def _add_places(self, scene: SceneGraph, chosen: dict[str, None]) -> None:
        for name in tuple(chosen):
            place = scene.place_of(name)
            while place is not None and scene.node(place.target).kind is not Kind.BUILDING:
                chosen[place.target] = None
                place = scene.place_of(place.target)

    def _add_contents(self, scene: SceneGraph, chosen: dict[str, None]) -> None:
        for name in tuple(chosen):
            if scene.node(name).kind is not Kind.ROOM:
                chosen.update(dict.fromkeys(scene.children(name)))

    def _add_tools(
        self,
        scene: SceneGraph,
        chosen: dict[str, None],
        predicates: Iterable[str],
        demands: Demands,
    ) -> None:
        types = {
            self.encoder.vocabulary.type_of(scene.node(name), demands.get(name, frozenset()))
            for name in chosen
        }
        have = {above for kind in types if kind for above in self.domain.supertypes(kind)}
        for needed in self._needed_types(predicates, _holding(scene)):
            if have.isdisjoint(needed):
                chosen.update(dict.fromkeys(self._nearest(scene, needed, chosen)))

    def _needed_types(
        self, predicates: Iterable[str], holding: bool
    ) -> tuple[tuple[str, ...], ...]:
        """Return the parameter types of every action that may help to make a predicate true.

        A hand that is empty at the start can be emptied again where it put the thing before, so
        that only a hand that holds something asks for more places to put things.
        """
        open_, seen = list(predicates), set(predicates)
        if not holding:
            seen |= {p.name for p in self.encoder.vocabulary.predicates("free")}
        needed: dict[tuple[str, ...], None] = {}
        while open_:
            for action in self.encoder.vocabulary.achievers(open_.pop()):
                needed.update(dict.fromkeys(param.types for param in action.params))
                for atom in atoms(action.precondition):
                    if atom.predicate not in seen:
                        seen.add(atom.predicate)
                        open_.append(atom.predicate)
        return tuple(needed)

    def _nearest(
        self, scene: SceneGraph, types: tuple[str, ...], chosen: Mapping[str, None]
    ) -> list[str]:
        rooms = {scene.room_of(name) for name in chosen}
        found = [
            node.name
            for cls in scene.classes()
            for node in map(scene.node, scene.of_class(cls)[: NEAREST * 8])
            if self.domain.fits(self.encoder.vocabulary.type_of(node) or "object", types)
        ]
        return sorted(found, key=lambda name: scene.room_of(name) not in rooms)[:NEAREST]


def _has_negation(formula: Formula) -> bool:
    found = isinstance(formula, (Not, Forall))

    def look(part: Formula) -> Formula:
        nonlocal found
        found = found or _has_negation(part)
        return part

    rebuild(formula, look)
    return found


def _holding(scene: SceneGraph) -> bool:
    return any(scene.children(robot.name) for robot in scene.robots())
