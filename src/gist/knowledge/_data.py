"""Reads the data files that stand beside the knowledge's code."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def load(name: str) -> Any:
    """Return the parsed content of a YAML file in knowledge/data; the caller must not change it."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load((files("gist.knowledge") / "data" / name).read_text("utf-8"), loader)


def load_bytes(name: str) -> bytes:
    """Return the raw content of a file in knowledge/data."""
    return (files("gist.knowledge") / "data" / name).read_bytes()
