"""What every test shares: a repeatable hypothesis profile and the task set, where it is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "gist",
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("gist")

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the root of the source tree."""
    return REPOSITORY


@pytest.fixture(scope="session")
def tasks_dir() -> Path:
    """Return the folder with the 100 real tasks; skip where it is absent."""
    default = REPOSITORY.parent / "shared" / "context_matters_tasks"
    folder = Path(os.environ.get("GIST_TASKS_DIR", default))
    if not (folder / "tasks.json").is_file():
        pytest.skip(f"no task set in {folder}: set GIST_TASKS_DIR to a folder with tasks.json")
    return folder
