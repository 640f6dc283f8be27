"""Scene labels made legal for PDDL, once and reversibly."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator

from gist.errors import unknown

RESERVED = frozenset(
    [
        "and", "or", "not", "imply", "forall", "exists", "when", "either", "object", "number",
        "define", "domain", "problem", "total-cost", "increase", "decrease", "assign", "always",
        "sometime", "at-end", "over", "all", "start", "end", "minimize", "maximize", "preference",
    ]
)  # fmt: skip


def legal_name(label: str) -> str:
    """Return a PDDL name close to the label: lower case, beginning with a letter.

    "Sports ball_2" becomes `sports_ball_2`, "2nd shelf" `o_2nd_shelf`. Different labels can give
    the same name; NameTable keeps them apart.
    """
    ascii_ = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9_-]+", "_", ascii_).strip("_-")
    if not name:
        return "o"
    return name if name[0].isalpha() else f"o_{name}"


class NameTable:
    """Labels and their PDDL names, one to one.

    Equal labels have equal names; a name never equals one of `taken` (types, predicates,
    constants of the domain) nor a PDDL keyword. Names depend on the order of the labels only
    where two labels would get the same name.
    """

    def __init__(self, labels: Iterable[str] = (), taken: Collection[str] = ()) -> None:
        self._names: dict[str, str] = {}
        self._labels: dict[str, str] = {}
        self._taken = {name.lower() for name in taken} | RESERVED
        for label in labels:
            self.add(label)

    def add(self, label: str) -> str:
        """Return the label's name, given to it now where it has none."""
        if label in self._names:
            return self._names[label]
        base = legal_name(label)
        name, number = base, 2
        while name in self._taken or name in self._labels:
            name = f"{base}__{number}"
            number += 1
        self._names[label] = name
        self._labels[name] = label
        return name

    def name(self, label: str) -> str:
        """Return the PDDL name of a label; raises BadInput with near labels when it has none."""
        if label not in self._names:
            raise unknown("label", label, self._names)
        return self._names[label]

    def label(self, name: str) -> str:
        """Return the label of a PDDL name; raises BadInput with near names when there is none."""
        if name not in self._labels:
            raise unknown("PDDL name", name, self._labels)
        return self._labels[name]

    def __contains__(self, label: object) -> bool:
        return label in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
