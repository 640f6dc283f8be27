"""The bench itself: reading tasks, and going on whatever a task does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gist.bench.planning import Settings, load_tasks, run
from gist.errors import BadInput
from gist.scene import generate, save_scene

from .conftest import beside

DOMAIN_TEXT = beside("planning/scenes").DOMAIN_TEXT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_scene(generate(40, 1), tmp_path / "scene.json")
    (tmp_path / "house.pddl").write_text(DOMAIN_TEXT)
    return tmp_path


def write(folder: Path, *changes: dict[str, Any]) -> None:
    row = {"goal": "Bring a cup to the bedroom", "graph": "scene.json", "domain": "house.pddl"}
    rows = [{"id": f"a/{number}", **row, **change} for number, change in enumerate(changes)]
    (folder / "tasks.json").write_text(json.dumps(rows))


def test_a_task_that_fails_is_an_error_and_the_run_goes_on(folder: Path, tmp_path: Path) -> None:
    write(folder, {"graph": "nowhere.json"}, {}, {"domain": "scene.json"}, {"id": "../../b c"})
    results = run(load_tasks(folder), Settings(), tmp_path)
    assert [r["status"] for r in results] == ["error", "solved", "error", "solved"]
    assert "nowhere.json" in results[0]["error"]
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("plan.txt")}
    assert written == {"pddl/a/1/plan.txt", "pddl/b_c/plan.txt"}


def test_several_processes_give_the_same_answers_in_the_same_order(
    folder: Path, tmp_path: Path
) -> None:
    write(folder, {}, {"goal": "Bring two books to the kitchen"}, {"graph": "x"}, {})
    tasks = load_tasks(folder)
    plans = []
    for jobs in (1, 2):
        out = tmp_path / str(jobs)
        out.mkdir()
        seen: list[str] = []
        results = run(tasks, Settings(), out, jobs, lambda r, seen=seen: seen.append(r["id"]))
        assert seen == [task.id for task in tasks]
        plans.append([(r["id"], r["status"], r["plan"]) for r in results])
    assert plans[0] == plans[1]


def test_the_reference_is_planned_on_the_whole_scene(folder: Path, tmp_path: Path) -> None:
    write(folder, {})
    (result,) = run(load_tasks(folder), Settings(compare=True), tmp_path)
    reference = result["reference"]
    assert reference["status"] == "solved"
    assert not reference["lower_bound"]
    assert 0 < reference["plan_length"] <= result["plan_length"]
    assert reference["time_s"] > 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot read"),
        ("{", "no list of tasks"),
        ("[1]", "no list of tasks"),
        ('[{"id": 1}]', "'domain'"),
        ("[]", "no task"),
    ],
)
def test_a_broken_task_list_is_bad_input(tmp_path: Path, text: str | None, said: str) -> None:
    if text is not None:
        (tmp_path / "tasks.json").write_text(text)
    with pytest.raises(BadInput, match=said):
        load_tasks(tmp_path)


def test_tasks_are_chosen_by_their_id(folder: Path) -> None:
    write(folder, {}, {"id": "b/7"})
    assert [task.id for task in load_tasks(folder, "b/")] == ["b/7"]
    with pytest.raises(BadInput, match="a/0"):
        load_tasks(folder, "nothing")
