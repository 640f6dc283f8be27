from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, given, settings

from gist.errors import BadInput
from gist.pddl.domain import Domain
from gist.pddl.parser import parse_domain, parse_problem
from gist.pddl.planners import FastDownward, Limits, Planner, Pyperplan, get_planner
from gist.pddl.planners.fast_downward import QUICK, REFERENCE, is_complete
from gist.pddl.problem import Problem
from gist.pddl.simulate import simulate

from .oracle import MAX_STATES, shortest
from .problems import task_problem
from .strategies import domains, problems
from .val import judge

SMALL = (
    "general/Klickitat/problem_1",
    "general/Lakeville/problem_10",
    "dining_setup/Shelbiana/problem_1",
    "house_cleaning/Allensville/problem_1",
    "laundry/Kemblesville/problem_1",
    "office_setup/Parole/problem_7",
    "pc_assembly/Parole/problem_2",
)


@pytest.fixture(scope="module", params=["fast-downward", "pyperplan"])
def planner(request: pytest.FixtureRequest) -> Iterator[Planner]:
    made = get_planner(request.param)
    yield made
    made.close()  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def downward() -> Iterator[FastDownward]:
    made = FastDownward()
    yield made
    made.close()


def puzzle(size: int) -> tuple[str, str]:
    """Return a sliding-tile puzzle with two tiles swapped: no plan, and no relaxation shows it.

    Half of all (size**2)! positions are reachable: 12 for 2, ten million million for 4.
    """
    cells = [(x, y) for y in range(size) for x in range(size)]
    near = [
        f"(near c{x}{y} c{u}{v})"
        for x, y in cells
        for u, v in cells
        if abs(x - u) + abs(y - v) == 1
    ]
    tiles = range(1, size * size)
    at = [f"(at t{n} c{cells[n][0]}{cells[n][1]})" for n in tiles]
    swapped = {**dict(zip(tiles, tiles, strict=True)), 1: 2, 2: 1}
    goal = [f"(at t{swapped[n]} c{cells[n][0]}{cells[n][1]})" for n in tiles]
    objects = " ".join([*(f"t{n} - tile" for n in tiles), *(f"c{x}{y} - cell" for x, y in cells)])
    return (
        """(define (domain puzzle) (:types tile cell - object)
        (:predicates (at ?t - tile ?c - cell) (gap ?c - cell) (near ?a ?b - cell))
        (:action slide :parameters (?t - tile ?a ?b - cell)
         :precondition (and (at ?t ?a) (gap ?b) (near ?a ?b))
         :effect (and (at ?t ?b) (gap ?a) (not (at ?t ?a)) (not (gap ?b)))))""",
        f"(define (problem p) (:domain puzzle) (:objects {objects})"
        f" (:init (gap c00) {' '.join(near + at)}) (:goal (and (gap c00) {' '.join(goal)})))",
    )


def small() -> tuple[Domain, Problem]:
    """Return a problem without a plan and with 12 states."""
    domain, problem = puzzle(2)
    return parse_domain(domain), parse_problem(problem)


def endless() -> tuple[Domain, Problem]:
    """Return a problem that keeps a search busy far longer than any test."""
    domain, problem = puzzle(4)
    return parse_domain(domain), parse_problem(problem)


def running(started: set[int]) -> list[psutil.Process]:
    """Return the descendants of this process that were not there before."""
    return [p for p in psutil.Process().children(recursive=True) if p.pid not in started]


def wait_until(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        threading.Event().wait(0.01)
    return condition()


@pytest.mark.parametrize("task_id", SMALL)
def test_plans_are_valid_by_simulator_and_val(
    planner: Planner, tasks_dir: Path, task_id: str
) -> None:
    domain, problem = task_problem(tasks_dir, task_id)
    result = planner.solve(domain, problem, Limits(30))
    assert result.status == "solved", result.message
    assert simulate(domain, problem, result.plan).goal_holds
    assert judge(domain, problem, result.plan).valid
    assert result.expanded and result.times["total"] >= result.times["ground"]


def test_contents_go_and_come_back(downward: FastDownward, tasks_dir: Path) -> None:
    domain, problem = task_problem(tasks_dir, "office_setup/Allensville/problem_4")
    result = downward.solve(domain, problem)
    assert result.status == "solved"
    assert simulate(domain, problem, result.plan).goal_holds
    pushed = {step.args[1] for step in result.plan if step.action == "push"}
    assert len(pushed) >= 2


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(domain=domains(conditional=False), problem=problems())
def test_agrees_with_exhaustive_search(planner: Planner, domain: Domain, problem: Problem) -> None:
    expected = shortest(domain, problem, 200)
    if expected is MAX_STATES:
        return
    result = planner.solve(domain, problem, Limits(20))
    if "alternatives" in result.message:
        return
    assert result.status == ("unsolvable" if expected is None else "solved"), result.message
    if expected is not None:
        assert simulate(domain, problem, result.plan).goal_holds


def test_conditional_effects(downward: FastDownward) -> None:
    domain = parse_domain(
        """(define (domain d) (:predicates (p ?x) (q ?x)) (:action swap :parameters ()
        :effect (forall (?x) (and (when (p ?x) (and (q ?x) (not (p ?x))))
                                  (when (q ?x) (and (p ?x) (not (q ?x))))))))"""
    )
    text = "(define (problem x) (:domain d) (:objects a b) (:init (p a) (q b)) (:goal (and {})))"
    solvable = parse_problem(text.format("(q a) (not (p a)) (p b)"))
    assert [step.action for step in downward.solve(domain, solvable).plan] == ["swap"]
    assert downward.solve(domain, parse_problem(text.format("(q a) (q b)"))).status == "unsolvable"
    refused = Pyperplan(workers=1).solve(domain, solvable)
    assert (refused.status, "conditional effects" in refused.message) == ("error", True)


def test_exhausted_search_is_unsolvable(planner: Planner) -> None:
    result = planner.solve(*small(), Limits(20))
    assert result.status == "unsolvable"
    assert "every reachable state" in result.message and (result.expanded or 0) >= 12


def test_relaxed_proof_is_unsolvable(planner: Planner, tasks_dir: Path) -> None:
    domain, problem = task_problem(tasks_dir, "laundry/Kemblesville/problem_6")
    result = planner.solve(domain, problem)
    assert (result.status, result.expanded) == ("unsolvable", 0)
    assert "delete effects" in result.message


def test_time_limit_is_a_limit(planner: Planner) -> None:
    start = time.monotonic()
    result = planner.solve(*endless(), Limits(time_s=0.5))
    assert (result.status, result.limit) == ("limit", "time")
    assert time.monotonic() - start < 0.5 + 0.3


def test_memory_limit_is_a_limit() -> None:
    blind = FastDownward("astar(blind())", workers=1)
    result = blind.solve(*endless(), Limits(time_s=60, memory_mb=80))
    assert (result.status, result.limit) == ("limit", "memory")
    assert blind.solve(*small()).status == "unsolvable"


def test_incomplete_search_proves_nothing() -> None:
    assert is_complete(QUICK) and is_complete(REFERENCE)
    assert not is_complete("ehc(ff())") and not is_complete("astar(ff(), max_time=3)")
    hill = FastDownward("ehc(ff())", workers=1)
    assert hill.solve(*small()).status == "error"
    wrong = FastDownward("astar(fff())", workers=1).solve(*small())
    assert wrong.status == "error" and "fff" in wrong.message


def test_cancel_frees_everything_at_once(planner: Planner) -> None:
    planner.solve(*small(), Limits(20))
    cancel = threading.Event()
    results = []
    work = threading.Thread(
        target=lambda: results.append(planner.solve(*endless(), Limits(60), cancel))
    )
    before = {p.pid for p in psutil.Process().children(recursive=True)}
    work.start()
    busy = wait_until(lambda: planner.name == "pyperplan" or bool(running(before)))
    assert busy
    cancel.set()
    start = time.monotonic()
    work.join()
    assert time.monotonic() - start < 0.2
    assert results[0].status == "cancelled"
    names = [p.name() for p in psutil.Process().children(recursive=True)]
    assert "downward" not in names
    assert planner.solve(*small(), Limits(20)).status == "unsolvable"


def test_cancelled_before_the_start(planner: Planner) -> None:
    cancel = threading.Event()
    cancel.set()
    assert planner.solve(*small(), Limits(20), cancel).status == "cancelled"


def test_several_clients_at_once(downward: FastDownward, tasks_dir: Path) -> None:
    tasks = [task_problem(tasks_dir, task_id) for task_id in SMALL[:4]] * 2
    results: list[str] = []
    threads = [
        threading.Thread(
            target=lambda t=task: results.append(downward.solve(*t, Limits(30)).status)
        )
        for task in tasks
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == ["solved"] * len(tasks)


def test_waiting_for_a_busy_worker_counts_as_time() -> None:
    one = FastDownward(workers=1)
    cancel = threading.Event()
    busy = threading.Thread(target=one.solve, args=(*endless(), Limits(60), cancel))
    busy.start()
    assert wait_until(lambda: not one._pool._idle)
    result = one.solve(*small(), Limits(time_s=0.2))
    assert (result.status, result.limit) == ("limit", "time")
    assert "busy" in result.message
    cancel.set()
    busy.join()


def test_dead_worker_is_replaced() -> None:
    one = FastDownward(workers=1)
    assert one.solve(*small(), Limits(20)).status == "unsolvable"
    (worker,) = one._pool._all
    os.kill(worker._process.pid, signal.SIGKILL)
    assert wait_until(lambda: not worker.alive)
    assert one.solve(*small(), Limits(20)).status == "unsolvable"
    one.close()
    with pytest.raises(RuntimeError, match="closed"):
        one.solve(*small())


def test_nothing_outlives_the_parent() -> None:
    script = """
        import sys, threading
        from gist.pddl.parser import parse_domain, parse_problem
        from gist.pddl.planners import FastDownward, Limits
        task = parse_domain(sys.argv[1]), parse_problem(sys.argv[2]), Limits(60)
        threading.Thread(target=FastDownward().solve, args=task).start()
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), *puzzle(4)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    family: list[psutil.Process] = []

    def searching() -> bool:
        family[:] = psutil.Process(parent.pid).children(recursive=True)
        return any(p.name() == "downward" for p in family)

    assert wait_until(searching, 20)
    parent.kill()
    parent.wait()
    assert wait_until(lambda: not any(p.is_running() for p in family), 3)


def test_reference_search_counts_its_nodes(tasks_dir: Path) -> None:
    domain, problem = task_problem(tasks_dir, "general/Klickitat/problem_1")
    reference = FastDownward(REFERENCE, grounding="fast-downward", workers=1)
    result = reference.solve(domain, problem, Limits(60))
    assert result.status == "solved" and len(result.plan) == 16
    assert result.expanded is not None and result.expanded > 16
    assert judge(domain, problem, result.plan).valid


def test_unknown_planner_is_named() -> None:
    with pytest.raises(BadInput, match="fast-downward"):
        get_planner("fast-downwards")
