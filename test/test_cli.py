"""The command `gist` as a person runs it: in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import psutil
import pytest

from gist.scene import generate, save_scene

SNACKS = ("kid_snacks", "Bring 4 kid snacks to table_2")


def gist(*words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(words),
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **(env or {})},
        check=False,
    )


def command(words: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "gist.cli", *words]


def one_object(text: str) -> dict[str, Any]:
    data = json.loads(text)
    assert isinstance(data, dict)
    return data


def test_a_goal_is_planned_and_told_in_words() -> None:
    run = gist("plan", *SNACKS)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("SOLVED")
    for words in ("What was asked", "cola_can_13", "because", "The plan"):
        assert words in run.stdout
    assert "wine_bottle_14 on table_2" not in run.stdout
    assert "\x1b" not in run.stdout


def test_json_is_one_object_with_the_plan() -> None:
    run = gist("plan", *SNACKS, "--json")
    data = one_object(run.stdout)
    assert run.returncode == 0
    assert data["status"] == "solved"
    assert [step["kind"] for step in data["steps"]] == ["shift"]
    assert data["plan_length"] == len(data["plan"]) > 0
    assert set(data["times"]) == {"interpret", "plan", "validate", "total"}


def test_explain_draws_the_path_as_a_tree() -> None:
    run = gist("explain", *SNACKS)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert lines[0] == "asked: “Bring 4 kid snacks to table_2”"
    branches = [line[3:].split(":")[0] for line in lines if line.startswith(("├─", "└─"))]
    assert branches == ["read as", "1. shift", "reached", "plan"]
    assert gist("explain", *SNACKS, "--json").stdout.count("\n") == 1


def test_pyperplan_plans_too() -> None:
    run = gist("plan", *SNACKS, "--planner", "pyperplan", "--json")
    assert one_object(run.stdout)["planner"] == "pyperplan"
    assert run.returncode == 0


def test_what_cannot_be_done_exits_with_3() -> None:
    run = gist("plan", "kid_snacks", "Bring the passport to table_2", "--json")
    assert run.returncode == 3
    data = one_object(run.stdout)
    assert data["status"] == "infeasible"
    assert "passport" in data["summary"]


def test_words_that_are_not_understood_exit_with_4() -> None:
    run = gist("plan", "kid_snacks", "Bring the glorp to table_2", "--json")
    assert run.returncode == 4
    data = one_object(run.stdout)
    assert [word["word"] for word in data["refused_words"]] == ["glorp"]


def test_a_limit_exits_with_5() -> None:
    run = gist("plan", *SNACKS, "--time", "0.000001", "--json")
    assert run.returncode == 5
    assert one_object(run.stdout)["status"] == "unknown"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("plan", "kid_snakcs", "x"), "there is kid_snacks"),
        (("plan", "nowhere.json", "x"), "cannot read nowhere.json"),
        (("plan", "kid_snacks", "x", "--domain", "huosehold"), "there is household"),
        (("plan", "kid_snacks", "x", "--robot-room", "kitchen"), "kitchen_1"),
        (("plan", "kid_snacks", "x", "--planner", "pyper"), "pyperplan"),
        (("plan", "kid_snacks", "x", "--time", "-1"), "time_s"),
        (("plan", "kid_snacks"), "GOAL"),
        (("plan", "pyproject.toml", "x"), "pyproject.toml"),
        (("scene", "generate", "--objects", "-3"), "-3 objects"),
        (("bench", "planning", "nowhere", "--out", "/tmp"), "cannot read"),
        (("paln",), "plan"),
    ],
)
def test_bad_input_is_one_line_and_2(words: tuple[str, ...], said: str) -> None:
    run = gist(*words)
    assert run.returncode == 2
    assert run.stdout == ""
    assert said in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_bad_input_with_json_is_one_object() -> None:
    run = gist("plan", "nowhere.json", "x", "--json")
    assert run.returncode == 2
    assert one_object(run.stdout)["status"] == "bad_input"


def test_a_domain_file_that_is_none_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.pddl"
    file.write_text("(define (domain house)\n  (:predicates (at ?x - locatable))")
    run = gist("plan", *SNACKS, "--domain", str(file))
    assert run.returncode == 2
    assert "line" in run.stderr


def test_colours_only_where_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    forced = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    show = ("scene", "check", "kid_snacks")
    assert "\x1b[" in gist(*show, env=forced).stdout
    assert "\x1b[3" not in gist(*show, env={**forced, "NO_COLOR": "1"}).stdout
    assert "\x1b" not in gist(*show).stdout


def test_scenes_are_shown_made_and_converted(tmp_path: Path) -> None:
    shown = gist("scene", "show", "kid_snacks")
    assert "on snack_3" in shown.stdout
    assert gist("scene", "show", "kid_snacks", "--mermaid").stdout.startswith("flowchart")
    made = tmp_path / "made.json"
    assert gist("scene", "generate", "--objects", "30", "--out", str(made)).returncode == 0
    again = tmp_path / "again.json"
    assert gist("scene", "convert", str(made), str(again)).returncode == 0
    assert json.loads(made.read_text()) == json.loads(again.read_text())
    checked = gist("scene", "check", str(again), "--json")
    assert (checked.returncode, one_object(checked.stdout)["findings"]) == (0, [])


def test_a_scene_with_errors_is_bad_input(tmp_path: Path) -> None:
    made = json.loads(gist("scene", "generate", "--objects", "3").stdout)
    made["nodes"][1]["states"] = ["open", "closed"]
    file = tmp_path / "odd.json"
    file.write_text(json.dumps(made))
    run = gist("scene", "check", str(file))
    assert run.returncode == 2
    assert made["nodes"][1]["name"] in run.stdout


def test_a_reader_that_stops_reading_is_no_trouble() -> None:
    line = f"{' '.join(command(['scene', 'generate', '--objects', '2000']))} | head -c 10"
    run = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert run.stderr == ""


def heed_interrupts() -> None:
    """Undo what a shell does to processes in the background: they ignore an interrupt."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(process: subprocess.Popen[str], marks: Path) -> psutil.Process:
    """Return the process once it has written its first result."""
    end = time.monotonic() + 60
    while time.monotonic() < end and not (marks.exists() and marks.stat().st_size):
        assert process.poll() is None
        time.sleep(0.05)
    return psutil.Process(process.pid)


@pytest.mark.parametrize(
    ("jobs", "number"), [("1", signal.SIGINT), ("2", signal.SIGINT), ("2", signal.SIGTERM)]
)
def test_an_interrupt_ends_quietly_and_leaves_no_process(
    tmp_path: Path, jobs: str, number: signal.Signals
) -> None:
    tasks = tmp_path / "tasks"
    write_tasks(tasks, 2000)
    words = ("bench", "planning", str(tasks), "--out", str(tmp_path / "out"), "--jobs", jobs)
    with subprocess.Popen(
        command(words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    ) as process:
        family = started(process, tmp_path / "out" / "results.jsonl").children(recursive=True)
        assert family
        process.send_signal(number)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in errors
    _, alive = psutil.wait_procs(family, timeout=10)
    assert alive == []


def write_tasks(folder: Path, count: int) -> None:
    """Write a task set of one scene and one goal, many times."""
    folder.mkdir()
    save_scene(generate(40, 0), folder / "scene.json")
    row = {
        "split": "household",
        "goal": "Bring a cup to the bedroom",
        "graph": "scene.json",
        "domain": "household.pddl",
    }
    domain = (files("gist.pddl") / "data" / "household.pddl").read_text()
    (folder / "household.pddl").write_text(domain)
    rows = [{"id": f"household/{number}", **row} for number in range(count)]
    (folder / "tasks.json").write_text(json.dumps(rows))


def test_the_bench_writes_its_tables(tmp_path: Path) -> None:
    tasks, out = tmp_path / "tasks", tmp_path / "out"
    write_tasks(tasks, 3)
    run = gist("bench", "planning", str(tasks), "--out", str(out))
    assert run.returncode == 0, run.stderr
    assert "| household | 3 | 100.0 | 100.0 |" in run.stdout
    names = {path.name for path in out.iterdir()}
    assert names == {"results.jsonl", "summary.json", "summary.md", "depth.png", "pddl"}
