"""Scene labels made legal for PDDL, once and reversibly."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

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

    A name never equals one of `reserved` (types and constants of the domain) nor a PDDL keyword.
    Names depend on the order of the labels only where two labels would get the same name.

    Attributes:
        to_pddl: label -> PDDL name.
        to_label: PDDL name -> label.
    """

    def __init__(self, labels: Iterable[str] = (), reserved: Iterable[str] = ()) -> None:
        self.to_pddl: dict[str, str] = {}
        self.to_label: dict[str, str] = {}
        self._taken = {name.lower() for name in reserved} | RESERVED
        for label in labels:
            self.add(label)

    def add(self, label: str) -> str:
        """Return the label's name, given to it now where it has none."""
        if label in self.to_pddl:
            return self.to_pddl[label]
        base = legal_name(label)
        name, number = base, 2
        while name in self._taken or name in self.to_label:
            name = f"{base}__{number}"
            number += 1
        self.to_pddl[label] = name
        self.to_label[name] = label
        return name

    def name(self, label: str) -> str:
        """Return the PDDL name of a label; raises BadInput with near labels when it has none."""
        if label not in self.to_pddl:
            raise unknown("label", label, self.to_pddl)
        return self.to_pddl[label]

    def label(self, name: str) -> str:
        """Return the label of a PDDL name; raises BadInput with near names when there is none."""
        if name not in self.to_label:
            raise unknown("PDDL name", name, self.to_label)
        return self.to_label[name]
