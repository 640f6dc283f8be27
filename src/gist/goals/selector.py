"""Which things of the scene a goal speaks of, as they were at the start."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gist.errors import BadInput
from gist.scene.graph import Kind, Node, Relation, SceneGraph, natural_key

if TYPE_CHECKING:
    from gist.knowledge import Knowledge

RELATIONS = ("in", "on", "at", "to")


@dataclass(frozen=True)
class Located:
    """Where a thing is at the start; "to" stands for in, on or at."""

    relation: str
    target: Selector

    def __post_init__(self) -> None:
        if self.relation not in RELATIONS:
            raise BadInput(f"unknown relation '{self.relation}'; there is {', '.join(RELATIONS)}")


@dataclass(frozen=True)
class Selector:
    """A set of things, told by the scene at the start and by what Gist knows.

    Every field that is set narrows the selection; `any_of` narrows it to the union of its
    selectors. With neither `cls`, `names` nor `any_of` only movable objects are meant (no rooms,
    robots or furniture).

    Args:
        cls: a concept in words; things of its subclasses are included.
        names: labels of the scene.
        states: states that a thing must have, e.g. "dirty".
        attributes: (attribute, value) pairs; a value matches as a whole word.
        where: where the thing is at the start. Contents are followed through containers and
            surfaces (the apple in a bowl on the table is on the table), except where no class or
            name says what is meant ("the contents of the shelf" are the things right in it).
        collective: a collective noun the knowledge defines, e.g. "rubbish".
        but_not: what is excluded.
        context: tags such as "children"; things that are vetoed in that context are left out.
    """

    cls: str | None = None
    names: tuple[str, ...] | None = None
    states: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str], ...] = ()
    where: Located | None = None
    collective: str | None = None
    but_not: Selector | None = None
    any_of: tuple[Selector, ...] = ()
    context: frozenset[str] = frozenset()

    def resolve(self, scene: SceneGraph, knowledge: Knowledge) -> tuple[str, ...]:
        """Return the names of the things meant, in natural order; empty when there are none."""
        return tuple(sorted(self.members(scene, knowledge), key=natural_key))

    def members(self, scene: SceneGraph, knowledge: Knowledge) -> set[str]:
        """Return the names of the things meant, in no order."""
        found = _candidates(self, scene, knowledge)
        if self.where is not None and _says_what(self):
            targets = self.where.target.members(scene, knowledge)
            found = {n for n in found if located(scene, n, self.where.relation, targets)}
        if self.states or self.attributes or self.collective or self.context:
            fits = _test(self, knowledge)
            found = {name for name in found if fits(scene.nodes[name])}
        if self.but_not is not None:
            found -= self.but_not.members(scene, knowledge)
        return found

    def text(self, plural: bool = True) -> str:
        """Return the selection in words: "dirty clothes in the bathroom"."""
        from gist.goals.words import selector_words

        return selector_words(self, plural)


def _says_what(selector: Selector) -> bool:
    return bool(selector.cls or selector.names is not None or selector.any_of)


def _candidates(selector: Selector, scene: SceneGraph, knowledge: Knowledge) -> set[str]:
    """Return the things that the naming fields allow, or all movable objects (right) there."""
    sets: list[set[str]] = []
    if selector.names is not None:
        sets.append({name for name in selector.names if name in scene})
    if selector.cls is not None:
        classes = [c for c in scene.classes() if _is_a(knowledge, c, selector.cls)]
        sets.append({name for cls in classes for name in scene.of_class(cls)})
    if selector.any_of:
        sets.append(set().union(*(s.members(scene, knowledge) for s in selector.any_of)))
    if sets:
        return set.intersection(*sets)
    if selector.where is None:
        return {name for name in scene.things() if scene.nodes[name].kind is Kind.OBJECT}
    return {
        name
        for target in selector.where.target.members(scene, knowledge)
        for name in _contents(scene, target, selector.where.relation)
        if scene.nodes[name].kind is Kind.OBJECT
    }


def _is_a(knowledge: Knowledge, cls: str, concept: str) -> bool:
    return cls == concept or knowledge.is_a(cls, concept)


def _contents(scene: SceneGraph, target: str, relation: str) -> set[str]:
    """Return what is right in/on/at a thing, or everything within a room."""
    if scene.nodes[target].kind not in (Kind.ROOM, Kind.BUILDING):
        wanted = None if relation == "to" else Relation(relation)
        return set(scene.children(target, wanted))
    if relation == "on":
        return set()
    found: set[str] = set()
    front = [target]
    while front:
        below = scene.children(front.pop())
        found.update(below)
        front.extend(below)
    return found


def located(scene: SceneGraph, name: str, relation: str, targets: set[str]) -> bool:
    """Tell whether a thing is in/on/at one of the targets, followed through what carries it."""
    place = scene.places.get(name)
    while place is not None:
        if place.target in targets and _link_fits(scene, place.relation, place.target, relation):
            return True
        place = scene.places.get(place.target)
    return False


def _link_fits(scene: SceneGraph, link: Relation, target: str, relation: str) -> bool:
    if relation == "to" or link.value == relation:
        return True
    return relation != "on" and scene.nodes[target].kind in (Kind.ROOM, Kind.BUILDING)


def _test(selector: Selector, knowledge: Knowledge) -> Callable[[Node], bool]:
    """Return the test of a node's own qualities; nodes that are alike are tested once."""
    known: dict[Hashable, bool] = {}

    def fits(node: Node) -> bool:
        if not selector.states <= node.states:
            return False
        alike = (node.cls, node.states, node.attributes)
        if alike not in known:
            known[alike] = _fits(selector, node, knowledge)
        return known[alike]

    return fits


def _fits(selector: Selector, node: Node, knowledge: Knowledge) -> bool:
    for key, value in selector.attributes:
        if not _has_word(node.attributes.get(key, ""), value):
            return False
    if selector.context and knowledge.veto(selector.cls or node.cls, node.cls, selector.context):
        return False
    return selector.collective is None or knowledge.is_member(
        selector.collective, node.cls, node.states, node.attributes
    )


def _has_word(text: str, value: str) -> bool:
    return re.search(rf"\b{re.escape(value)}\b", text, re.IGNORECASE) is not None
