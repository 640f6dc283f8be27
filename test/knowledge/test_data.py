"""The data files keep to their schemas, and every concept they name exists."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

import jsonschema
import pytest

from gist.knowledge import default
from gist.knowledge._data import load
from gist.knowledge.lexicon import lexicon

DATA = files("gist.knowledge") / "data"
FILES = ("things", "roles", "vetoes", "sets", "rooms", "words")


@pytest.mark.parametrize("name", FILES)
def test_file_keeps_to_its_schema(name: str) -> None:
    schema = json.loads((DATA / f"{name}.schema.json").read_text("utf-8"))
    jsonschema.validate(load(f"{name}.yaml"), schema)


def _named() -> Iterator[tuple[str, str]]:
    """Yield every concept that the files name, with where."""
    roles, vetoes, sets = load("roles.yaml"), load("vetoes.yaml"), load("sets.yaml")
    for role, facts in roles["roles"].items():
        for key in ("members", "loosely", "not"):
            yield from ((f"role {role}", concept) for concept in facts.get(key, ()))
    for pair in roles["pairs"]:
        yield from (("pairs", concept) for concept in (*pair["for"], *pair["use"]))
    yield from (("must_be_clean", concept) for concept in roles["must_be_clean"])
    for entry in vetoes["never_substitute"]:
        yield from (("never", concept) for concept in (*entry["is"], *entry.get("not", ())))
    for rule in (*vetoes["rules"], *vetoes["contexts"]):
        for key in ("original", "original_not", "substitute", "substitute_not"):
            yield from ((rule["because"], concept) for concept in rule.get(key, ()))
    for name, facts in sets["sets"].items():
        yield from ((name, member["cls"]) for member in facts["members"])
    for name, facts in sets["collectives"].items():
        for entry in facts["any"]:
            yield from ((name, concept) for concept in (*entry["is"], *entry.get("not", ())))
    for entry in sets["recycling"]["classes"]:
        yield from (("recycling", concept) for concept in (*entry["is"], *entry["bins"]))
    for bins in (*sets["recycling"]["materials"].values(), sets["recycling"]["otherwise"]):
        yield from (("recycling", concept) for concept in bins)
    rooms = load("rooms.yaml")
    for room, entries in {**rooms["substitutes"], "kitchen": rooms["otherwise"]}.items():
        yield from (("rooms", concept) for concept in (room, *(e["room"] for e in entries)))


def test_every_named_concept_exists() -> None:
    known = default().taxonomy.concepts
    assert [(where, concept) for where, concept in _named() if concept not in known] == []


def test_every_named_role_exists() -> None:
    roles = load("roles.yaml")["roles"]
    near = {entry["role"] for facts in roles.values() for entry in facts.get("near", ())}
    assert near - set(roles) == set()


def test_every_named_context_has_words() -> None:
    vetoes = load("vetoes.yaml")
    assert {rule["context"] for rule in vetoes["contexts"]} <= set(vetoes["tags"])


def test_names_of_things_are_unambiguous() -> None:
    concepts = default().taxonomy.concepts
    seen: dict[str, str] = {}
    for concept in concepts.values():
        for other in concept.also:
            assert other not in concepts, f"'{other}' names {concept.name} and is a class"
            assert other not in seen, f"'{other}' names {concept.name} and {seen[other]}"
            seen[other] = concept.name


def test_parents_exist_and_have_no_cycle() -> None:
    taxonomy = default().taxonomy
    for concept in taxonomy.concepts.values():
        assert set(concept.parents) <= set(taxonomy.concepts)
        assert concept.name not in taxonomy.ancestors(concept.name)


def test_named_senses_are_in_the_lexicon() -> None:
    for concept in default().taxonomy.concepts.values():
        if concept.sense not in ("", "none"):
            word, _, number = concept.sense.partition("#")
            assert lexicon().sense(word, int(number or 1)) is not None, concept.name


def test_opposites_are_mutual() -> None:
    opposites = load("words.yaml")["opposites"]
    assert all(opposites[other] == state for state, other in opposites.items())


def test_data_are_small_and_carry_the_licence() -> None:
    assert len((DATA / "lexicon.txt.gz").read_bytes()) < 600_000
    assert "Princeton University" in (DATA / "lexicon.LICENSE.txt").read_text("ascii")
