"""The predicates of goals and what each generalises to (data/predicates.yaml)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from types import MappingProxyType

import yaml

from gist.errors import unknown


@dataclass(frozen=True)
class Predicate:
    """One predicate: arities it takes, its wording, and the predicates that it implies."""

    name: str
    arity: tuple[int, ...]
    words: str
    with_targets: str = ""
    generalises_to: tuple[str, ...] = ()
    opposite: str | None = None
    irreversible: bool = False


@lru_cache(maxsize=1)
def predicates() -> Mapping[str, Predicate]:
    """Return every predicate by name."""
    text = resources.files("gist.goals").joinpath("data/predicates.yaml").read_text("utf-8")
    entries = yaml.safe_load(text)["predicates"]
    return MappingProxyType({name: _predicate(name, entry) for name, entry in entries.items()})


def _predicate(name: str, entry: Mapping[str, object]) -> Predicate:
    fields = {k: tuple(v) if isinstance(v, list) else v for k, v in entry.items()}
    return Predicate(name=name, **fields)  # type: ignore[arg-type]


def predicate(name: str) -> Predicate:
    """Return one predicate.

    Raises:
        BadInput: there is no such predicate; the message names the nearest ones.
    """
    found = predicates().get(name)
    if found is None:
        raise unknown("predicate", name, predicates())
    return found


@lru_cache(maxsize=1024)
def implies(specific: str, general: str) -> bool:
    """Tell whether the first predicate of the same arguments implies the second."""
    if specific == general:
        return True
    return any(implies(wider, general) for wider in predicate(specific).generalises_to)
