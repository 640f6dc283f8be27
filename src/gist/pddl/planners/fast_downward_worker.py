"""The inside of a Fast Downward worker: ground the problem, run the search, read its log."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gist.pddl.compile import ground
from gist.pddl.domain import Domain
from gist.pddl.planners.base import PlannerResult
from gist.pddl.planners.sas import write_sas
from gist.pddl.planners.worker import die_with_parent, serve
from gist.pddl.problem import Problem, Step, write_domain, write_problem

Steps = Callable[[list[str]], tuple[Step, ...]]
_OUT_OF_MEMORY = (22, 24)
_OUT_OF_TIME = 23
_NO_PLAN = (11, 12)
_RELAXED = "even with all delete effects ignored the goal cannot be reached"
_EXHAUSTED = "the search has visited every reachable state"


def main() -> None:
    """Serve requests until the parent is gone."""
    serve(_solve)


def _solve(request: dict[str, Any]) -> PlannerResult:
    start = time.monotonic()
    grounding = _by_gist if request["grounding"] == "gist" else _by_translator
    made = grounding(request["domain"], request["problem"], request["folder"])
    if isinstance(made, PlannerResult):
        return made
    sas, steps, axioms = made
    grounded = time.monotonic()
    left = request["time_s"] - (grounded - start)
    log = _search(sas, request["search"], Path(request["folder"]), left)
    times = {"ground": grounded - start, "search": time.monotonic() - grounded}
    return _result(log, steps, request["complete"] and not axioms, times)


def _by_gist(domain: Domain, problem: Problem, _: str) -> PlannerResult | tuple[str, Steps, bool]:
    task = ground(domain, problem)
    if task.goal is None:
        return PlannerResult("unsolvable", expanded=0, message=_RELAXED)
    if task.goal.holds <= task.init and not task.goal.fails & task.init:
        return PlannerResult("solved", expanded=0)
    return write_sas(task), lambda names: task.plan(int(name[1:]) for name in names), False


def _by_translator(domain: Domain, problem: Problem, folder: str) -> tuple[str, Steps, bool]:
    if folder not in sys.path:
        sys.path.insert(0, folder)
    from fast_downward.translate import main as translator
    from fast_downward.translate import normalize, options
    from fast_downward.translate.pddl_parser import lisp_parser, parsing_functions

    options.set_options(["domain", "problem"])
    lists = [
        lisp_parser.parse_nested_list(text.splitlines())
        for text in (write_domain(domain), write_problem(problem))
    ]
    with contextlib.redirect_stdout(io.StringIO()):
        task = parsing_functions.parse_task(*lists)
        normalize.normalize(task)
        sas = translator.pddl_to_sas(task)
    text = io.StringIO()
    sas.output(text)
    return text.getvalue(), lambda names: tuple(map(_step, names)), bool(sas.axioms)


def _step(name: str) -> Step:
    action, *args = name.split()
    return Step(action, tuple(args))


def _search(sas: str, search: str, folder: Path, time_s: float) -> tuple[int | None, str]:
    """Return the exit code (None: out of time) and the log of the search."""
    process = subprocess.Popen(
        [str(folder / "downward"), "--internal-plan-file", "/dev/null", "--search", search],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=die_with_parent,
    )
    try:
        log, _ = process.communicate(sas, timeout=max(time_s, 0))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None, ""
    return process.returncode, log


def _result(
    outcome: tuple[int | None, str], steps: Steps, proves: bool, times: dict[str, float]
) -> PlannerResult:
    code, log = outcome
    counts = re.findall(r"Expanded (\d+) state", log)
    expanded = int(counts[-1]) if counts else None
    if "Solution found!" in log and "Plan length:" in log:
        last = log[log.rindex("Solution found!") :]
        names = re.findall(r"^([^\[\n]+) \(\d+\)$", last, re.MULTILINE)
        return PlannerResult("solved", steps(names), expanded, times)
    if code is None or code == _OUT_OF_TIME:
        words = "the time limit was reached"
        return PlannerResult("limit", (), expanded, times, "time", words)
    if code in _OUT_OF_MEMORY or "bad_alloc" in log:
        words = "the memory limit was reached"
        return PlannerResult("limit", (), expanded, times, "memory", words)
    if code in _NO_PLAN:
        if proves:
            return PlannerResult("unsolvable", (), expanded, times, None, _EXHAUSTED)
        words = "the search ended without a plan, but this kind of search proves nothing"
        return PlannerResult("error", (), expanded, times, None, words)
    words = f"Fast Downward ended with code {code}: {' '.join(log.split())[-300:]}"
    return PlannerResult("error", (), expanded, times, None, words)
