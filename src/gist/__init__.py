"""Gist: keep the gist of what a robot was asked."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from gist.errors import unknown

if TYPE_CHECKING:
    from gist.pddl.domain import Domain
    from gist.scene import Kind, LoadResult

__version__ = "0.1.0"
__all__ = ["__version__", "load_domain", "load_scene"]


def load_scene(path: str | os.PathLike[str], robot_room: str | None = None) -> LoadResult:
    """Load a scene graph of any known format and the findings about it.

    Args:
        path: Gist's JSON, a task's JSON or Armeni's `.npz`.
        robot_room: where the robot is, for files that do not say so.

    Raises:
        BadInput: the file cannot be read or is no scene, or has no such room.
    """
    from gist.scene import load_scene as load

    return load(Path(path), robot_room, classify=_kind)


def load_domain(domain: str) -> Domain:
    """Return a domain that Gist ships, by its name ("household"), or the one given as PDDL text.

    Raises:
        BadInput: there is no domain of that name, or the text cannot be parsed.
    """
    from gist.pddl.parser import parse_domain

    if domain.lstrip().startswith(("(", ";")):
        return parse_domain(domain)
    shipped = {
        file.name[: -len(".pddl")]: file
        for file in (files("gist.pddl") / "data").iterdir()
        if file.name.endswith(".pddl")
    }
    if domain not in shipped:
        raise unknown("domain", domain, shipped)
    return parse_domain(shipped[domain].read_text(encoding="utf-8"))


def _kind(cls: str) -> Kind:
    """Tell furniture from objects by the knowledge base, for files that do not."""
    from gist.knowledge import default
    from gist.scene import Kind

    try:
        return Kind(default().kind(cls))
    except ValueError:  # persons and groups of things
        return Kind.OBJECT
