"""The whole way: words and a real scene through real processes to a plan."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import rclpy
import yaml
from rclpy.context import Context

import gist
from gist.errors import BadInput
from gist.planning import TaskPlanner
from gist.planning.answer import Status
from gist.ros.client import Client
from gist.ros.planner_node import PlannerNode, task_planner

pytestmark = pytest.mark.ros
WAIT_S = 30.0
SNACKS = "Bring 4 kid snacks to table_2"


@pytest.fixture(scope="module")
def snacks(repository: Path) -> Path:
    return repository / "config" / "scenes" / "kid_snacks.json"


@pytest.fixture(scope="module")
def node(start_shared: Any, snacks: Path) -> Any:
    return start_shared(f"scene:={snacks}", double=False)


@pytest.fixture(scope="module")
def client(node: Any) -> Iterator[Client]:
    with Client(node.name, wait_s=WAIT_S) as connected:
        yield connected


def test_the_service_answers_as_the_library_does(client: Client, snacks: Path) -> None:
    answer = client.plan(SNACKS)
    direct = TaskPlanner().plan(
        SNACKS, gist.load_scene(snacks).scene, gist.load_domain("household")
    )
    assert answer.status is Status.SOLVED
    assert answer.final_goal == direct.final_goal
    assert answer.steps == direct.steps
    assert answer.plan == direct.plan
    on_table = [atom for atom in answer.final_state if atom.endswith(" table_2)")]
    assert [atom.split()[-2] for atom in on_table] == [
        "cola_can_13",
        "snack_3",
        "snack_4",
        "snack_5",
    ]


def test_the_scene_may_come_with_the_request(client: Client, repository: Path) -> None:
    flat = repository / "config" / "scenes" / "flat.json"
    answer = client.plan("Bring the toothbrush to the kids bed", scene=flat)
    assert answer.status is Status.SOLVED
    assert "table_2" in client.scene()


def test_words_that_are_not_understood_are_named(client: Client) -> None:
    answer = client.plan("Frobnicate table_2")
    assert answer.status is Status.NOT_UNDERSTOOD
    assert "Frobnicate" in [refused.word for refused in answer.refused]


@pytest.mark.parametrize(("option", "says"), [("planner", "planner"), ("frontend", "front end")])
def test_an_unknown_name_is_named(client: Client, option: str, says: str) -> None:
    with pytest.raises(BadInput, match=f"unknown {says} 'nobody'"):
        client.plan(SNACKS, **{option: "nobody"})  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_planner_processes_go_with_the_node(
    start: Any, snacks: Path, number: signal.Signals
) -> None:
    process = start(f"scene:={snacks}", double=False)
    with Client(process.name, wait_s=WAIT_S) as client:
        assert client.plan(SNACKS).status is Status.SOLVED
    children = process.children()
    assert children
    assert process.end(number) == (0 if number is signal.SIGTERM else -number)
    _, alive = psutil.wait_procs(children, timeout=3.0)
    assert not alive
    assert process.output == ""


def test_the_lines_of_the_readme_run(repository: Path) -> None:
    lines = re.findall(r"```python\n(.*?)```", (repository / "README.md").read_text(), re.DOTALL)
    run = subprocess.run(
        [sys.executable, "-c", lines[0]],
        cwd=repository,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=True,
    )
    assert "cola_can_13" in run.stdout


def test_every_parameter_is_described_and_in_the_file(repository: Path) -> None:
    context = Context()
    rclpy.init(context=context)
    node = PlannerNode(task_planner, context=context)
    try:
        declared = {
            name: parameter.value
            for name, parameter in node.get_parameters_by_prefix("").items()
            if name not in ("use_sim_time", "start_type_description_service")
        }
        assert all(node.describe_parameter(name).description for name in declared)
        text = (repository / "config" / "planner.yaml").read_text()
        given = yaml.safe_load(text)["planner"]["ros__parameters"]
        limits = {f"limits.{name}": value for name, value in given.pop("limits").items()}
        assert {**given, **limits} == declared
    finally:
        node.close()
        node.destroy_node()
        rclpy.shutdown(context=context)
