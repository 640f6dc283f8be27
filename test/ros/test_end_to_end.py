"""The whole way: words and a real scene through real processes to a plan."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gist
from gist.errors import BadInput
from gist.planning import TaskPlanner
from gist.planning.answer import Status
from gist.ros.client import Client

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
