"""Plans every task of a task set and judges every answer (METHODS.md A, metrics)."""

from __future__ import annotations

import json
import multiprocessing
import re
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import gist
from gist.bench.compare import Reference
from gist.bench.grounding import faults
from gist.errors import BadInput
from gist.knowledge import default
from gist.pddl.domain import Domain
from gist.pddl.parser import parse_domain
from gist.pddl.planners import get_planner
from gist.pddl.problem import write_plan
from gist.planning import Answer, PlanLimits, Status, TaskPlanner
from gist.scene import SceneGraph, generate

Result = dict[str, Any]
EMPTY: Result = {
    "goal": "",
    "final_goal": "",
    "final_goal_pddl": "",
    "steps": [],
    "plan": [],
    "objects": {},
    "final_state": [],
    "assumptions": [],
    "times": {"interpret": 0.0, "plan": 0.0, "validate": 0.0, "total": 0.0},
    "expanded": 0,
    "plan_length": 0,
}


@dataclass(frozen=True)
class Task:
    """One request of a task set; the paths are those of files."""

    id: str
    domain_name: str
    goal: str
    graph: str
    domain: str
    robot_room: str | None = None
    relaxation_expected: bool | None = None


@dataclass(frozen=True)
class Settings:
    """How the tasks are planned: planner, limits a task, and whether to compare."""

    planner: str = "fast-downward"
    time_s: float = 30.0
    memory_mb: int = 4096
    compare: bool = False


def load_tasks(folder: Path, only: str = "") -> tuple[Task, ...]:
    """Return the tasks of `folder`/tasks.json whose id contains `only`.

    Raises BadInput when there is no task list or a task lacks something.
    """
    path = folder / "tasks.json"
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        tasks = tuple(_task(folder, row) for row in rows)
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise BadInput(f"{path} is no list of tasks: {error}") from None
    except KeyError as error:
        raise BadInput(f"a task in {path} has no {error}") from None
    chosen = tuple(task for task in tasks if only in task.id)
    if not chosen:
        examples = ", ".join(task.id for task in tasks[:3])
        raise BadInput(f"no task in {path} has '{only}' in its id; there is {examples} ...")
    return chosen


def _task(folder: Path, row: Any) -> Task:
    return Task(
        id=str(row["id"]),
        domain_name=str(row.get("split", Path(row["domain"]).stem)),
        goal=str(row["goal"]),
        graph=str(folder / row["graph"]),
        domain=str(folder / row["domain"]),
        robot_room=row.get("robot_room"),
        relaxation_expected=row.get("relaxation_expected"),
    )


# --- the run


def run(
    tasks: Sequence[Task],
    settings: Settings,
    out: Path,
    jobs: int = 1,
    done: Callable[[Result], None] = lambda _result: None,
) -> list[Result]:
    """Plan the tasks; write `out`/results.jsonl, a line a task, and `out`/pddl.

    Every process is warm before its first task. A task that raises has the status "error".

    Args:
        jobs: processes at once; one means this process.
        done: called with each result, in the order of the tasks.
    """
    results: list[Result] = []
    stream = _here(tasks, settings, out) if jobs == 1 else _spread(tasks, settings, out, jobs)
    with (out / "results.jsonl").open("w", encoding="utf-8") as file:
        for result in stream:
            file.write(json.dumps(result, ensure_ascii=False) + "\n")
            file.flush()
            results.append(result)
            done(result)
    return results


def _here(tasks: Sequence[Task], settings: Settings, out: Path) -> Iterator[Result]:
    bench = Bench(settings, out, {task.domain for task in tasks})
    yield from map(bench.judge, tasks)


def _spread(tasks: Sequence[Task], settings: Settings, out: Path, jobs: int) -> Iterator[Result]:
    """Plan in several processes, which a Ctrl-C here ends (they inherit that they ignore it)."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _begin, (tasks, settings, out)) as pool:
        interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            futures = [pool.submit(_judge, task) for task in tasks]
        finally:
            signal.signal(signal.SIGINT, interrupt)
        try:
            yield from map(_outcome, tasks, futures)
        except (KeyboardInterrupt, GeneratorExit):
            for child in multiprocessing.active_children():
                child.terminate()
            raise


def _outcome(task: Task, future: Future[Result]) -> Result:
    try:
        return future.result()
    except BrokenProcessPool:
        return _error(task, "a process of the bench died")


_own: list[Bench] = []


def _begin(tasks: Sequence[Task], settings: Settings, out: Path) -> None:
    _own.append(Bench(settings, out, {task.domain for task in tasks}))


def _judge(task: Task) -> Result:
    return _own[0].judge(task)


# --- one task


class Bench:
    """Plans tasks one after the other in this process, warm from the first one on."""

    def __init__(self, settings: Settings, out: Path, domains: Iterable[str]) -> None:
        self.settings = settings
        self.out = out
        self.knowledge = default()
        self.planner = get_planner(settings.planner)
        self.tasks = TaskPlanner(self.knowledge, planner=self.planner)
        self.limits = PlanLimits(time_s=settings.time_s, memory_mb=settings.memory_mb)
        self.reference = Reference(self.knowledge, settings.memory_mb) if settings.compare else None
        self._warm_up(sorted(domains))

    def _warm_up(self, domains: Iterable[str]) -> None:
        """Plan something else in each domain, so that nothing is loaded while time is taken."""
        scene = generate(20, seed=0)
        for path in domains:
            with suppress(Exception):  # the tasks themselves will say it
                self.tasks.plan("Bring a cup to the kitchen", scene, _domain(path), self.limits)

    def judge(self, task: Task) -> Result:
        """Plan one task and check the plan; never raises but for an interrupt."""
        try:
            began = time.monotonic()
            scene = gist.load_scene(task.graph, task.robot_room).scene
            domain = _domain(task.domain)
            loaded = time.monotonic() - began
            answer = self.tasks.plan(task.goal, scene, domain, self.limits)
            result = {**_head(task), **answer.to_json(), "load_s": loaded}
            if answer.status is Status.SOLVED:
                result.update(self._checked(task, answer, scene, domain))
        except Exception as error:  # one task must not stop the others
            where = traceback.format_exc()
            return {**_error(task, f"{type(error).__name__}: {error}"), "traceback": where}
        return result

    def _checked(
        self, task: Task, answer: Answer, scene: SceneGraph, domain: Domain
    ) -> dict[str, Any]:
        _write_pddl(answer, self.out / "pddl" / _safe(task.id))
        found = faults(answer, scene, domain)
        checked: dict[str, Any] = {"grounded": not found, "faults": list(found)}
        if self.reference is not None and answer.final_goal is not None:
            checked["reference"] = self.reference.plan(answer.final_goal, scene, domain)
        return checked


@lru_cache(maxsize=64)
def _domain(path: str) -> Domain:
    return parse_domain(Path(path).read_text(encoding="utf-8"))


def _head(task: Task) -> Result:
    return {
        "id": task.id,
        "domain": task.domain_name,
        "relaxation_expected": task.relaxation_expected,
        "goal_text": task.goal,
        "grounded": None,
    }


def _error(task: Task, message: str) -> Result:
    return {**_head(task), "status": "error", **EMPTY, "error": message}


def _safe(task_id: str) -> Path:
    """Return a relative path for an id, whatever is in it."""
    parts = (re.sub(r"[^A-Za-z0-9_.-]", "_", part) for part in task_id.split("/"))
    return Path(*(part for part in parts if part.strip(".")))


def _write_pddl(answer: Answer, folder: Path) -> None:
    """Write domain, problem and plan; for a goal with stages also each stage's problem and plan."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, problem in enumerate(answer.problems):
        lead = f"stage_{number}." if number else ""
        if number and len(answer.problems) == 2:
            break
        (folder / f"{lead}domain.pddl").write_text(problem.domain, encoding="utf-8")
        (folder / f"{lead}problem.pddl").write_text(problem.problem, encoding="utf-8")
        (folder / f"{lead}plan.txt").write_text(write_plan(problem.plan), encoding="utf-8")
