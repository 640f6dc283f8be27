"""The data files of the grammar hold what their schemas, the predicates and the knowledge allow."""

from __future__ import annotations

import json
from importlib.resources import files

import jsonschema
import pytest
import yaml

from gist.goals.predicates import predicates
from gist.knowledge import default
from gist.language.knowledge.lexicon import lexicon
from gist.scene.states import state_of

DATA = files("gist.language.knowledge") / "data"


@pytest.mark.parametrize("name", ["verbs", "words", "homes"])
def test_data_fits_its_schema(name: str) -> None:
    content = yaml.safe_load((DATA / f"{name}.yaml").read_text("utf-8"))
    schema = json.loads((DATA / f"{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(content)


def test_every_predicate_of_a_verb_exists() -> None:
    senses = [sense for found in lexicon().senses.values() for sense in found]
    assert {sense.predicate for sense in senses} - {""} <= set(predicates())


def test_every_form_leads_to_its_verb() -> None:
    words = lexicon()
    assert words.verb("took", "past") == "take"
    assert words.verb("taken", "participle") == "take"
    assert words.verb("mopping", "gerund") == "mop"
    assert words.verb("organizing", "gerund") == "organize"
    assert words.verb("tidied", "past") == "tidy"


def test_every_home_is_a_role_of_something() -> None:
    knowledge = default()
    roles = {role for cls in knowledge.classes() for role in knowledge.roles(cls)}
    assert {home["role"] for home in lexicon().homes} <= roles


def test_occasions_are_sets() -> None:
    content = yaml.safe_load((DATA / "words.yaml").read_text("utf-8"))
    assert all(default().is_set(name) for name in content["occasions"].values())


def test_states_that_may_go_unsaid_are_states() -> None:
    assert all(state_of(state) == state for state in lexicon().unsaid_states)
