"""Is a plan grounded? The problem and the plan compared with the scene graph, fact by fact.

Nothing of the encoder is used here: the PDDL text is read back and held against the scene.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gist.pddl.domain import Domain
from gist.pddl.formula import Atom
from gist.pddl.parser import parse_domain, parse_problem
from gist.pddl.problem import Problem
from gist.pddl.simulate import simulate
from gist.planning import Answer
from gist.scene import Kind, Node, Relation, SceneGraph
from gist.scene.states import opposite


def faults(answer: Answer, scene: SceneGraph, given: Domain) -> tuple[str, ...]:
    """Return in words what of a solved answer is not so in the scene; () for a grounded plan.

    Every object of the problem must exist in the scene with its class and place, every place
    fact must be the scene's, no state may contradict it, and the plan must run to its goal.

    Args:
        given: the domain that was given; facts of predicates it does not have are not judged, nor
            what its actions never change of one thing (that a cupboard has a front door).
    """
    written = answer.problems[0]
    domain, problem = parse_domain(written.domain), parse_problem(written.problem)
    found = [*_objects(answer.objects, problem, scene)]
    if not found:
        labels = {name: str(answer.objects[name]["label"]) for name in problem.objects}
        facts = [atom for atom in sorted(problem.init) if atom.predicate in given.predicates]
        states = [atom for atom in facts if atom.predicate in _changing(given)]
        found += _kinds(problem, labels, scene)
        found += _places(facts, labels, scene)
        found += _states(states, labels, scene, answer)
    found += [
        f"step {step} speaks of {name}, which the problem does not have"
        for step in answer.plan
        for name in step.args
        if name not in problem.objects and name not in domain.constants
    ]
    trace = simulate(domain, problem, answer.plan)
    if trace.failure is not None:
        found.append(str(trace.failure))
    elif not trace.goal_holds:
        found.append(f"the goal does not hold at the end: {trace.unmet[0]}")
    return tuple(found)


def _changing(domain: Domain) -> frozenset[str]:
    """Return the predicates that actions change; the others say what a thing is by its class."""
    return frozenset(e.atom.predicate for a in domain.actions.values() for e in a.effects)


def _objects(
    objects: Mapping[str, Mapping[str, Any]], problem: Problem, scene: SceneGraph
) -> Iterator[str]:
    seen: dict[str, str] = {}
    for name in problem.objects:
        facts = objects.get(name)
        if facts is None or facts["label"] not in scene:
            yield f"{name} is not in the scene"
            continue
        label, node = facts["label"], scene.node(facts["label"])
        place = scene.place_of(label)
        if seen.setdefault(label, name) != name:
            yield f"{name} and {seen[label]} are both {label}"
        if facts["class"] != node.cls:
            yield f"{name} is said to be a {facts['class']}, the scene has a {node.cls}"
        said = (facts["relation"], facts["place"])
        if said != ((place.relation.value, place.target) if place else (None, None)):
            yield f"{name} is said to be {said[0]} {said[1]}, in the scene it is {place}"


def _kinds(problem: Problem, labels: Mapping[str, str], scene: SceneGraph) -> Iterator[str]:
    for name, kind in problem.objects.items():
        node = scene.node(labels[name])
        for only in (Kind.ROOM, Kind.ROBOT):
            if (kind == only.value) != (node.kind is only):
                yield f"{name} has the type {kind}, in the scene it is a {node.kind.value}"


def _places(facts: list[Atom], labels: Mapping[str, str], scene: SceneGraph) -> Iterator[str]:
    placed: set[str] = set()
    for atom in facts:
        if len(atom.args) != 2:
            continue
        one, other = (labels[arg] for arg in atom.args)
        about = next((a for a, b in ((one, other), (other, one)) if _is_at(scene, a, b)), None)
        if about is None:
            yield f"{atom} is not so in the scene"
        else:
            placed.add(about)
    for label in labels.values():
        place = scene.place_of(label)
        known = scene.node(label).kind is not Kind.ROOM and place is not None
        if known and scene.room_of(label) is not None and label not in placed:
            yield f"the problem does not say where {label} is"


def _is_at(scene: SceneGraph, label: str, where: str) -> bool:
    place = scene.place_of(label)
    return place is not None and where in (place.target, scene.room_of(label))


def _states(
    facts: list[Atom], labels: Mapping[str, str], scene: SceneGraph, answer: Answer
) -> Iterator[str]:
    said = " ".join(a.text for a in answer.assumptions if a.kind == "default")
    words_of: dict[str, set[str]] = {}
    for atom in facts:
        if len(atom.args) != 1:
            continue
        node = scene.node(labels[atom.args[0]])
        words = {word for word in atom.predicate.replace("_", "-").split("-") if word != "is"}
        words_of.setdefault(node.name, set()).update(words)
        if contradicted := {w for w in words if opposite(w) in node.states}:
            yield f"{atom} contradicts the scene: {node.name} is {opposite(min(contradicted))}"
        elif not words & (node.states | _hands(node, scene)) and not any(w in said for w in words):
            yield f"{atom} is neither in the scene nor a stated assumption"
    for name, words in words_of.items():
        for word in sorted(words):
            if (other := opposite(word)) in words and word < str(other):
                yield f"{name} is said to be both {word} and {other}"


def _hands(node: Node, scene: SceneGraph) -> frozenset[str]:
    """Return the words that may be said of a robot with empty hands."""
    if node.kind is not Kind.ROBOT or scene.children(node.name, Relation.HELD):
        return frozenset()
    return frozenset({"free", "empty", "handempty"})
