"""What a domain's names mean: its predicates and types read as the words of goals and scenes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import yaml

from gist.knowledge import Knowledge
from gist.pddl.domain import Action, Domain, Predicate
from gist.scene import Kind, Node


@cache
def data(name: str) -> Mapping[str, Any]:
    """Return one data file of this room by its stem."""
    text = resources.files("gist.pddl").joinpath(f"data/{name}.yaml").read_text("utf-8")
    loaded: Mapping[str, Any] = yaml.safe_load(text)
    return loaded


def plain_name(name: str) -> str:
    """Return a PDDL name as vocabulary.yaml writes it: "is_on" and "on" are the same."""
    words = name.lower().replace("_", "-")
    for prefix in ("is-", "are-"):
        if words.startswith(prefix):
            return words[len(prefix) :]
    return words


class Vocabulary:
    """One domain's predicates by meaning, and which things can be of which of its types."""

    def __init__(self, domain: Domain, knowledge: Knowledge) -> None:
        self.domain = domain
        self.knowledge = knowledge
        self._by_meaning = self._read_predicates()
        self._tests = {name: self._test_of(name) for name in domain.types}
        self._telling_first = sorted(domain.types, key=self._vagueness)
        self._usual: dict[tuple[object, ...], str] = {}

    def _read_predicates(self) -> dict[str, list[Predicate]]:
        found: dict[str, list[Predicate]] = {}
        for meaning, names in data("vocabulary")["predicates"].items():
            for predicate in self.domain.predicates.values():
                if plain_name(predicate.name) in names:
                    found.setdefault(meaning, []).append(predicate)
        return found

    def predicates(self, meaning: str, arity: int | None = None) -> tuple[Predicate, ...]:
        """Return the domain's predicates of that meaning, those of one arity if it is given."""
        found = self._by_meaning.get(meaning, ())
        return tuple(p for p in found if arity is None or len(p.params) == arity)

    def meaning(self, predicate: str) -> str | None:
        """Return what one of the domain's predicates means, or None if nobody knows."""
        plain = plain_name(predicate)
        names = data("vocabulary")["predicates"]
        return next((meaning for meaning in names if plain in names[meaning]), None)

    def instead(self, meaning: str) -> tuple[str, ...]:
        """Return the meanings that may stand for one that the domain has no predicate for."""
        return tuple(data("vocabulary")["instead"].get(meaning, ()))

    def achievers(self, predicate: str) -> tuple[Action, ...]:
        """Return the actions that can make a predicate true."""
        return tuple(
            action
            for action in self.domain.actions.values()
            if any(e.add and e.atom.predicate == predicate for e in action.effects)
        )

    def mover_types(self, predicate: str) -> dict[str, bool]:
        """Return the types of things whose place an action can change, and whether by pushing."""
        found: dict[str, bool] = {}
        for action in self.achievers(predicate):
            quantified = (param for effect in action.effects for param in effect.params)
            types = {param.name: param.types for param in (*action.params, *quantified)}
            pushing = plain_name(action.name).split("-")[0] in data("vocabulary")["pushing"]
            for effect in action.effects:
                if effect.add and effect.atom.predicate == predicate:
                    for kind in types.get(effect.atom.args[0], ()):
                        found[kind] = found.get(kind, True) and pushing
        return found

    def _test_of(self, name: str) -> Mapping[str, Any] | None:
        plain = plain_name(name)
        for entry in data("vocabulary")["types"]:
            if plain in entry["names"]:
                return {"usually": entry["test"], **entry}
        if plain in data("vocabulary")["general"]:
            return None
        concept = self.knowledge.canonical(plain.replace("-", " "))
        if concept is None:
            return None
        return {"test": {"class": concept}, "usually": {"class": concept}}

    def _vagueness(self, name: str) -> tuple[int, int]:
        """Order types: a class tells more than capabilities, a leaf more than its parent."""
        test = self._tests[name]
        capabilities = test["usually"].get("capability", ()) if test is not None else ()
        return (-len(capabilities) if capabilities else -9), -len(self.domain.supertypes(name))

    def _is_asked(self, name: str) -> bool:
        test = self._tests[name]
        return test is not None and test.get("asked", False)

    def class_of(self, kind: str) -> str | None:
        """Return the class of things that a type stands for, or None where it is no class."""
        test = self._tests.get(kind)
        concept: str | None = test["test"].get("class") if test is not None else None
        return concept

    def may_be(self, node: Node, kind: str) -> bool:
        """Say whether a thing can be of a type, if a goal asks for it."""
        test = self._tests.get(kind)
        if test is None:
            below = [name for name in self.domain.subtypes(kind) if name != kind]
            return not below or any(self.may_be(node, name) for name in below)
        return self.passes(node, test["test"], lenient=True)

    def passes(self, node: Node, test: Mapping[str, Any], lenient: bool = False) -> bool:
        """Say whether a thing passes a test of vocabulary.yaml or defaults.yaml.

        A lenient test lets anything be a surface or a container: a goal that puts something there
        says that it is one.
        """
        if "kind" in test:
            return bool(node.kind.value == test["kind"])
        if node.kind in (Kind.ROOM, Kind.ROBOT, Kind.BUILDING):
            return False
        if "class" in test:
            return self.knowledge.is_a(node.cls, test["class"])
        if "collective" in test:
            return self.knowledge.is_member(
                test["collective"], node.cls, node.states, node.attributes
            )
        lenient = lenient and self.knowledge.kind(node.cls) != "person"
        return all(
            self.able(node, one) or (lenient and one in ("surface", "container"))
            for one in test["capability"]
        )

    def able(self, node: Node, capability: str) -> bool:
        """Say whether a thing is portable (or fixed), a surface, a container or openable."""
        if node.kind in (Kind.ROOM, Kind.ROBOT, Kind.BUILDING):
            return False
        if capability == "fixed":
            return not self.able(node, "portable")
        if self.knowledge.known(node.cls) or capability not in ("portable", "surface"):
            return bool(getattr(self.knowledge, capability)(node.cls))
        return (node.kind is Kind.OBJECT) is (capability == "portable")

    def type_of(self, node: Node, demands: Iterable[Sequence[str]] = ()) -> str | None:
        """Return the type that a thing gets, or None where it cannot meet the demands.

        Each demand is a choice of types, of which the thing's type must fit one.
        """
        asked = tuple(tuple(choice) for choice in demands)
        key = (node.cls, node.kind, node.states, tuple(sorted(node.attributes.items())), asked)
        if key not in self._usual:
            self._usual[key] = self._choose_type(node, asked) or ""
        return self._usual[key] or None

    def _choose_type(self, node: Node, asked: tuple[tuple[str, ...], ...]) -> str | None:
        fitting = [
            kind
            for kind in self._telling_first
            if all(self.domain.fits(kind, choice) for choice in asked)
        ]
        for kind in sorted(fitting, key=self._is_asked):
            test = self._tests[kind]
            if test is not None and self.passes(node, test["usually"]):
                return kind
        for kind in fitting:
            if asked and self.may_be(node, kind):
                return kind
        bare = [kind for kind in reversed(fitting) if self._tests[kind] is None]
        if not asked or all("object" in choice for choice in asked):
            return bare[0] if bare else "object"
        return None
