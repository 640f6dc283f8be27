"""Collects what a file says, mends what is broken, and tells what was mended."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gist.errors import BadInput
from gist.scene.check import check, geometry
from gist.scene.findings import Finding, Severity
from gist.scene.graph import Kind, Node, Place, SceneGraph

Classify = Callable[[str], Kind]
"""Tells the kind of a class given in class words."""

Vector = tuple[float, float, float]

_TOLD_BY = {
    "no-room": ("unknown-room", "unknown-place", "place-cycle", "bad-place"),
    "no-robot-place": ("unknown-place", "place-cycle", "bad-place"),
    "no-class": ("bad-class", "no-class"),
}
"""What `check` finds need not be said again where a reader told the cause."""


def as_object(_cls: str) -> Kind:
    """Take every class for an object: the files say nothing of furniture."""
    return Kind.OBJECT


class Draft:
    """A scene in the making: nodes and places as the file gives them, and findings.

    Nothing given is dropped without a finding that names it.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.places: dict[str, Place] = {}
        self.findings: list[Finding] = []

    def report(
        self, severity: Severity, node: str, code: str, message: str, hint: str = ""
    ) -> None:
        """Note a finding."""
        self.findings.append(Finding(severity, node, code, message, hint))

    def free_name(self, wanted: object, fallback: str) -> str:
        """Return a printable name that no node has yet, and report where it is not the wanted."""
        given = wanted if isinstance(wanted, str) else ""
        name = printable(given) or printable(fallback) or "unnamed"
        if not given:
            self.report("warning", name, "no-name", f"a node without a name is called '{name}'")
        elif name != given:
            message = f"the name {given!r} has characters that cannot be shown; it is now '{name}'"
            self.report("warning", name, "bad-name", message)
        if name not in self.nodes:
            return name
        number = 2
        while f"{name}_{number}" in self.nodes:
            number += 1
        free = f"{name}_{number}"
        self.report(
            "error",
            free,
            "duplicate-name",
            f"the name '{name}' is given twice; the second is now '{free}'",
            "give every node a name of its own",
        )
        return free

    def add(self, node: Node) -> None:
        """Add a node, whose name must be free; a pose or size that is unusable is taken off."""
        for finding in geometry(node):
            self.findings.append(finding)
            if finding.code == "bad-size":
                node = replace(node, size=None)
            else:
                node = replace(node, pose=None)
        self.nodes[node.name] = node

    def vector(self, value: object, length: int, node: str, what: str) -> tuple[float, ...] | None:
        """Return that many floats, or None and a finding; None gives None."""
        if value is None:
            return None
        numbers = list(value) if isinstance(value, (list, tuple)) else []
        if len(numbers) != length or not all(_is_number(number) for number in numbers):
            message = f"the {what} of '{node}' is not {length} numbers: {shortened(value)}"
            self.report("error", node, f"bad-{what}", message)
            return None
        try:
            return tuple(map(float, numbers))
        except OverflowError:
            self.report("error", node, f"bad-{what}", f"the {what} of '{node}' is not finite")
            return None

    def vector3(self, value: object, node: str, what: str) -> Vector | None:
        """Return (x, y, z), or None and a finding; None gives None."""
        numbers = self.vector(value, 3, node, what)
        return None if numbers is None else (numbers[0], numbers[1], numbers[2])

    def finish(self) -> tuple[SceneGraph, tuple[Finding, ...]]:
        """Return the scene, without places that cannot be, and all findings with `check`'s."""
        for name, place in list(self.places.items()):
            if place.target not in self.nodes:
                del self.places[name]
                message = f"'{name}' is {place.relation.value} '{place.target}', which is not there"
                self.report("error", name, "unknown-place", message)
        for name in list(self.places):
            self._break_cycle(name)
        scene = SceneGraph(self.nodes.values(), self.places)
        told = {(finding.node, finding.code) for finding in self.findings}
        found = (
            finding
            for finding in check(scene)
            if not any((finding.node, code) in told for code in _TOLD_BY.get(finding.code, ()))
        )
        return scene, (*self.findings, *found)

    def _break_cycle(self, start: str) -> None:
        seen: set[str] = set()
        name = start
        while name in self.places:
            if name in seen:
                place = self.places.pop(name)
                message = f"'{name}' is {place.relation.value} '{place.target}', which is on it"
                self.report("error", name, "place-cycle", message)
                return
            seen.add(name)
            name = self.places[name].target


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def shortened(value: object) -> str:
    """Return a value's text, cut where it is long; of a container only its type."""
    if isinstance(value, int) and value.bit_length() > 64:
        return "a huge number"
    text = repr(value) if isinstance(value, (str, int, float, bool)) else type(value).__name__
    return text if len(text) <= 60 else f"{text[:57]}..."


def printable(text: str) -> str:
    """Return the text with every character that cannot be shown as one space, trimmed."""
    if text.isprintable() and text == text.strip():
        return text
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def words(value: object) -> tuple[str, ...]:
    """Return the non-empty texts of a list, each printable; () for anything else."""
    items = value if isinstance(value, (list, tuple)) else ()
    texts = (printable(item) for item in items if isinstance(item, str))
    return tuple(text for text in texts if text)


def parse_json(data: bytes | str) -> Any:
    """Parse JSON. Raises BadInput, with line and column, for text that is none."""
    try:
        return json.loads(data, object_pairs_hook=_no_duplicates)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadInput(f"this is not JSON: {error.msg} at {where}") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"this is not text in UTF-8: {error.reason} at byte {error.start}") from None
    except RecursionError:
        raise BadInput("this JSON is nested too deeply") from None
    except ValueError as error:
        raise BadInput(f"this JSON cannot be read: {error}") from None


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadInput(f"the key {twice!r} stands twice in one JSON object")
    return result
