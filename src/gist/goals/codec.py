"""Goals as JSON, there and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gist.errors import BadInput
from gist.goals.goal import (
    AnyOf,
    Assumption,
    Clause,
    Goal,
    Immediately,
    Item,
    Located,
    Quantifier,
    Selector,
)

VERSION = 1


def to_json(goal: Goal) -> dict[str, Any]:
    """Return the goal as plain data; fields at their defaults are left out."""
    return {
        "version": VERSION,
        "text": goal.text,
        "context": sorted(goal.context),
        "clauses": [_item_data(item) for item in goal.clauses],
        "order": [
            {"after": _clause_data(rule.after), "then": _clause_data(rule.then)}
            for rule in goal.order
        ],
        "assumptions": [
            _without_none({"text": a.text, "kind": a.kind, "span": _list(a.span)})
            for a in goal.assumptions
        ],
    }


def from_json(data: Mapping[str, Any]) -> Goal:
    """Return the goal that `to_json` wrote.

    Raises:
        BadInput: the data is no goal; the message says what is wrong.
    """
    try:
        if data["version"] != VERSION:
            raise BadInput(
                f"goal version {data['version']!r} is unknown; this is version {VERSION}"
            )
        return Goal(
            tuple(_item(entry) for entry in data["clauses"]),
            tuple(
                Immediately(_clause(rule["after"]), _clause(rule["then"]))
                for rule in data.get("order", ())
            ),
            tuple(
                Assumption(a["text"], _span(a.get("span")), a.get("kind", "reading"))
                for a in data.get("assumptions", ())
            ),
            data.get("text", ""),
            frozenset(data.get("context", ())),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadInput(f"this is no goal in JSON: {type(error).__name__} {error}") from error


def _item_data(item: Item) -> dict[str, Any]:
    if isinstance(item, Clause):
        return _clause_data(item)
    return {"any_of": [_clause_data(clause) for clause in item.clauses]}


def _clause_data(clause: Clause) -> dict[str, Any]:
    quantifier = clause.quantifier
    data: dict[str, Any] = {
        "predicate": clause.predicate,
        "quantifier": {"kind": quantifier.kind, "n": quantifier.n}
        if quantifier.kind != "all"
        else {"kind": "all"},
        "things": _selector_data(clause.things),
        "targets": None if clause.targets is None else _selector_data(clause.targets),
        "stage": clause.stage,
        "span": _list(clause.span),
        "words": clause.words or None,
    }
    flags = ("transient", "soft", "same_target")
    return _without_none({**data, **{f: True for f in flags if getattr(clause, f)}})


def _selector_data(selector: Selector) -> dict[str, Any]:
    where, but_not = selector.where, selector.but_not
    return _without_none(
        {
            "class": selector.cls,
            "names": _list(selector.names),
            "states": sorted(selector.states) or None,
            "attributes": [list(pair) for pair in selector.attributes] or None,
            "where": where and {"relation": where.relation, "target": _selector_data(where.target)},
            "collective": selector.collective,
            "but_not": None if but_not is None else _selector_data(but_not),
            "any_of": [_selector_data(part) for part in selector.any_of] or None,
            "context": sorted(selector.context) or None,
        }
    )


def _item(data: Mapping[str, Any]) -> Item:
    if "any_of" in data:
        return AnyOf(tuple(_clause(entry) for entry in data["any_of"]))
    return _clause(data)


def _clause(data: Mapping[str, Any]) -> Clause:
    quantifier, targets = data["quantifier"], data.get("targets")
    return Clause(
        data["predicate"],
        Quantifier(quantifier["kind"], quantifier.get("n", 0)),
        _selector(data["things"]),
        None if targets is None else _selector(targets),
        data.get("stage", 0),
        data.get("transient", False),
        data.get("soft", False),
        data.get("same_target", False),
        _span(data.get("span")),
        data.get("words", ""),
    )


def _selector(data: Mapping[str, Any]) -> Selector:
    where, but_not, names = data.get("where"), data.get("but_not"), data.get("names")
    return Selector(
        data.get("class"),
        None if names is None else tuple(names),
        frozenset(data.get("states", ())),
        tuple((key, value) for key, value in data.get("attributes", ())),
        None if where is None else Located(where["relation"], _selector(where["target"])),
        data.get("collective"),
        None if but_not is None else _selector(but_not),
        tuple(_selector(part) for part in data.get("any_of", ())),
        frozenset(data.get("context", ())),
    )


def _without_none(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None}


def _list(values: tuple[Any, ...] | None) -> list[Any] | None:
    return None if values is None else list(values)


def _span(data: Any) -> tuple[int, int] | None:
    if data is None:
        return None
    start, end = data
    return int(start), int(end)
