"""The errors that a caller of Gist may catch."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class GistError(Exception):
    """Base of every error that Gist raises on purpose."""


class BadInput(GistError):
    """Input that cannot be used; the message names what was wrong and what is possible."""


class MissingExtra(GistError):
    """A library that only an optional extra installs is absent."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed; run: pip install 'gist[{extra}]'")


def unknown(what: str, given: str, known: Iterable[str]) -> BadInput:
    """Return the error for a name that does not exist, with the nearest names that do."""
    names = sorted(known)
    near = difflib.get_close_matches(given, names, n=5, cutoff=0.5) or names[:8]
    hint = f"; there is {', '.join(near)}" if near else f"; there is no {what} at all"
    return BadInput(f"unknown {what} '{given}'{hint}")
