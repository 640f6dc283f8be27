"""What a reader or a check found wrong with a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong or was mended, said with the name of the node that it concerns.

    severity: "error" (the data cannot mean what it says), "warning" (something is missing or was
    mended), "info" (a choice was made). node: the node's name, or "" for the whole file.
    code: short and stable ("no-room", "duplicate-name" ...). hint: what to do about it.
    """

    severity: Severity
    node: str
    code: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        text = f"{self.severity}: {self.message} [{self.code}]"
        return f"{text} ({self.hint})" if self.hint else text
