"""What every command prints with: colours on a terminal only, one JSON object where asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from gist.scene import Finding

COLOURS = {"error": "red", "warning": "yellow", "info": "dim"}


def console() -> Console:
    """Return the console for results; it has colours on a terminal and without NO_COLOR."""
    from rich.console import Console

    return Console(highlight=False, markup=False, soft_wrap=True, emoji=False)


def log() -> Console:
    """Return the console for everything that is no result."""
    from rich.console import Console

    return Console(highlight=False, markup=False, soft_wrap=True, emoji=False, stderr=True)


def print_json(data: Any) -> None:
    """Print one JSON object on standard output."""
    json.dump(data, sys.stdout, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)
    sys.stdout.write("\n")


def print_findings(out: Console, findings: Iterable[Finding], most: int | None = None) -> None:
    """Print findings, the gravest first; at most so many, saying how many are left."""
    order = list(COLOURS)
    ranked = sorted(findings, key=lambda finding: order.index(finding.severity))
    for finding in ranked[:most]:
        out.print(str(finding), style=COLOURS[finding.severity])
    if most is not None and len(ranked) > most:
        out.print(f"and {len(ranked) - most} more; 'gist scene check' lists them", style="dim")
