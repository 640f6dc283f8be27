"""Reads colour, material and use out of a thing's description in plain English."""

from __future__ import annotations

import re

from gist.scene._data import load

_MATERIAL = re.compile(r"\bmade (?:out )?of ([^,.;]+?)(?= used for\b|[,.;]|$)", re.IGNORECASE)
_USE = re.compile(r"\bused (?:for|to) ([^;]+?)\.?$", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")


def describe(description: str, cls: str) -> dict[str, str]:
    """Return the attributes description, and colour, material and use where it tells them.

    "White microwave made of metal and plastic, used for heating food." gives colour "white",
    material "metal and plastic", use "heating food". A word of the class (an "orange", a "rose",
    a "glass") tells nothing when it stands once.
    """
    attributes = {"description": description}
    made = _MATERIAL.search(description)
    used = _USE.search(description)
    ends = [match.start() for match in (made, used) if match]
    look = _WORD.findall(description[: min(ends, default=len(description))].lower())
    for word in cls.split():
        if word in look:
            look.reverse()
            look.remove(word)
            look.reverse()
    material = made.group(1).strip().lower() if made else _named(look, "materials")
    found = {
        "colour": _named(look, "colours"),
        "material": material,
        "use": used.group(1).strip() if used else "",
    }
    attributes.update((key, value) for key, value in found.items() if value)
    return attributes


def _named(look: list[str], table: str) -> str:
    """Return the names of the table's words among these, each once, joined by "and"."""
    words = load("attributes.yaml")[table]
    return " and ".join(dict.fromkeys(words[word] for word in look if word in words))
