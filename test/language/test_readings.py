"""What sentences mean: the task set's goals, sentences over authored scenes, and refusals."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import gist
from gist.goals.text import parse, render
from gist.language import NotUnderstood, Understood
from gist.language.knowledge import Grammar

_SPEC = importlib.util.spec_from_file_location("readings", Path(__file__).with_name("readings.py"))
assert _SPEC is not None and _SPEC.loader is not None
readings = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(readings)

SAID = readings.cases("readings.yaml")
HELD_OUT = [*readings.cases("held_out.yaml"), *readings.cases("held_out_later.yaml")]
REFUSED = readings.cases("refusals.yaml")


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar()


def hard(lines: list[str]) -> list[str]:
    return [line for line in lines if ": soft " not in line]


def check(grammar: Grammar, case: Mapping[str, Any]) -> None:
    answer = grammar.interpret(case["say"], readings.scene(case["scene"]))
    if "refused" in case:
        assert isinstance(answer, NotUnderstood)
        assert [word for _, _, word in answer.words] == case["refused"]
        assert all(case["say"][start:end] == word for start, end, word in answer.words)
        return
    assert isinstance(answer, Understood), answer
    found = readings.lines(answer.goal)
    wished = any(": soft " in line for line in case["goal"])
    assert (found if wished else hard(found)) == case["goal"]
    assumed = {assumption.text for assumption in answer.goal.assumptions}
    assert set(case.get("assumes", ())) <= assumed
    assert parse(render(answer.goal)) == answer.goal


@pytest.mark.parametrize("case", SAID, ids=lambda case: case["say"][:60])
def test_sentences_mean_what_is_expected(grammar: Grammar, case: Mapping[str, Any]) -> None:
    check(grammar, case)


@pytest.mark.parametrize("case", HELD_OUT, ids=lambda case: case["say"][:60])
def test_held_out_sentences_mean_what_is_expected(
    grammar: Grammar, case: Mapping[str, Any]
) -> None:
    check(grammar, case)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["say"][:60])
def test_refusals_name_the_words(grammar: Grammar, case: Mapping[str, Any]) -> None:
    check(grammar, case)


def test_enough_is_covered() -> None:
    assert len(SAID) >= 120
    assert len(HELD_OUT) == 140
    assert len(REFUSED) >= 60


def test_every_goal_of_the_task_set_is_read(grammar: Grammar, tasks_dir: Path) -> None:
    expected = {
        case["say"]: [hard(goal) for goal in case["goals"]] for case in readings.cases("tasks.yaml")
    }
    tasks = json.loads((tasks_dir / "tasks.json").read_text("utf-8"))
    for task in tasks:
        scene = gist.load_scene(tasks_dir / task["graph"], task["robot_room"]).scene
        answer = grammar.interpret(task["goal"], scene)
        assert isinstance(answer, Understood), task["id"]
        found = [readings.by_class(line, scene) for line in readings.lines(answer.goal)]
        assert hard(found) in expected[task["goal"]], task["id"]
        for clause in answer.goal.clauses:
            names = getattr(getattr(clause, "things", None), "names", None) or ()
            assert all(name in scene for name in names), task["id"]


def test_words_of_a_clause_are_where_its_span_says(grammar: Grammar) -> None:
    say = "Wash the dirty plate, then close the fridge"
    answer = grammar.interpret(say, readings.scene("kid_snacks"))
    assert isinstance(answer, Understood)
    words = [getattr(clause, "words", "") for clause in answer.goal.clauses]
    assert words == ["Wash the dirty plate", "close the fridge"]
    for clause in answer.goal.clauses:
        span = getattr(clause, "span", None)
        assert span is not None and say[slice(*span)] == getattr(clause, "words", "")


def test_a_misspelt_word_is_mended_and_named(grammar: Grammar) -> None:
    answer = grammar.interpret("Put the snaks in the refridgerator", readings.scene("kid_snacks"))
    assert isinstance(answer, Understood)
    texts = [assumption.text for assumption in answer.goal.assumptions]
    assert texts[:2] == [
        "'snaks' is read as 'snacks'",
        "'refridgerator' is read as 'refrigerator'",
    ]


def test_what_the_scene_lacks_stays_in_the_goal(grammar: Grammar) -> None:
    answer = grammar.interpret("Put the pears in the fruit bowl", readings.scene("kid_snacks"))
    assert isinstance(answer, Understood)
    assert readings.lines(answer.goal) == ['0: all [class "pear"] in [class "fruit bowl"]']


def test_children_are_told_by_goal_and_selector(grammar: Grammar) -> None:
    answer = grammar.interpret("Bring drinks for the kids to table_2", readings.scene("kid_snacks"))
    assert isinstance(answer, Understood)
    assert answer.goal.context == {"children"}


def test_extra_vocabulary_is_known(grammar: Grammar) -> None:
    scene = readings.scene("kid_snacks")
    say = "put the zorblat on table_2"
    assert isinstance(grammar.interpret(say, scene), NotUnderstood)
    answer = grammar.interpret(say, scene, ["zorblat"])
    assert isinstance(answer, Understood)
    assert readings.lines(answer.goal) == ['0: at least 1 [class "zorblat"] on [named "table_2"]']
