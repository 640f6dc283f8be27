"""One run of the bench over the shared tasks, for every test that reads its answers."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from gist.bench.planning import Result, Settings, Task, load_tasks, run


def beside(name: str) -> ModuleType:
    """Return a module of another test folder: "pddl/val"."""
    path = Path(__file__).resolve().parents[1] / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"gist_test_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Run:
    """The tasks, what came of each, and the folder that was written."""

    tasks: tuple[Task, ...]
    results: list[Result]
    out: Path

    def solved(self) -> list[tuple[Task, Result]]:
        """Return the tasks with a plan."""
        pairs = zip(self.tasks, self.results, strict=True)
        return [(task, result) for task, result in pairs if result["status"] == "solved"]


@pytest.fixture(scope="session")
def bench(tasks_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Plan all the shared tasks once."""
    out = tmp_path_factory.mktemp("bench")
    tasks = load_tasks(tasks_dir)
    return Run(tasks, run(tasks, Settings(), out), out)
