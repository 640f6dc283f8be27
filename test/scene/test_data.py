from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files

import jsonschema
import pytest

from gist.scene._data import load
from gist.scene.states import opposite, state_of

DATA = files("gist.scene") / "data"


@pytest.mark.parametrize("name", ["states", "attributes", "household"])
def test_data_files_fit_their_schemas(name: str) -> None:
    schema = json.loads((DATA / f"{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(load(f"{name}.yaml"), schema)


def test_every_state_word_means_one_state_and_opposites_agree() -> None:
    states = load("states.yaml")["states"]
    told = Counter(word for state, facts in states.items() for word in [state, *facts["words"]])
    assert [word for word, count in told.items() if count > 1] == []
    for state in states:
        other = opposite(state)
        assert other is None or opposite(other) == state
    for compound in load("states.yaml")["compounds"]:
        assert state_of(compound.split()[0]), compound


def test_the_household_names_only_what_it_describes() -> None:
    household = load("household.yaml")
    for room in household["rooms"]:
        assert set(room["furniture"]) <= set(household["furniture"])
        assert set(room["objects"]) <= set(household["objects"])
    for facts in [*household["furniture"].values(), *household["objects"].values()]:
        assert all(not state or state_of(state) == state for state in facts.get("states", []))
