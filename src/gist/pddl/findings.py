"""What is wrong with a PDDL text, where, and in which words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from gist.errors import BadInput

Severity = Literal["error", "warning"]


class Position(NamedTuple):
    """A place in a PDDL text; both numbers start at 1."""

    line: int
    column: int


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong (error) or doubtful (warning).

    `line` and `column` start at 1 and are None where the model did not come from a text;
    `snippet` is the offending piece.
    """

    severity: Severity
    code: str
    message: str
    line: int | None = None
    column: int | None = None
    snippet: str = ""

    def __str__(self) -> str:
        where = f"line {self.line}, column {self.column}: " if self.line is not None else ""
        snippet = f" [{self.snippet}]" if self.snippet else ""
        return f"{where}{self.message}{snippet}"


class PddlError(BadInput):
    """A PDDL text or model that cannot be used; `findings` names each reason."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("; ".join(str(finding) for finding in self.findings))
