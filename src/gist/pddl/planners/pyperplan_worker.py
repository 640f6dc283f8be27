"""The inside of a Pyperplan worker: ground the problem as STRIPS, then search."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterable
from typing import Any

from pyperplan.heuristics.relaxation import hFFHeuristic
from pyperplan.search.a_star import greedy_best_first_search
from pyperplan.task import Operator, Task

from gist.errors import BadInput
from gist.pddl.compile import Condition, GroundTask, ground
from gist.pddl.planners.base import PlannerResult
from gist.pddl.planners.worker import serve


def main() -> None:
    """Serve requests until the parent is gone."""
    serve(_solve)


def _solve(request: dict[str, Any]) -> PlannerResult:
    start = time.monotonic()
    task = ground(request["domain"], request["problem"])
    if task.goal is None:
        words = "even with all delete effects ignored the goal cannot be reached"
        return PlannerResult("unsolvable", expanded=0, message=words)
    strips = _strips(task, task.goal)
    grounded = time.monotonic()
    counter = _Counter()
    logging.basicConfig(level=logging.INFO, handlers=[counter], force=True)
    plan = _search(strips)
    times = {"ground": grounded - start, "search": time.monotonic() - grounded}
    if plan is None:
        words = "the search has visited every reachable state"
        return PlannerResult("unsolvable", (), counter.expanded, times, None, words)
    steps = task.plan(int(operator.name) for operator in plan)
    return PlannerResult("solved", steps, counter.expanded, times)


def _search(task: Task) -> list[Operator] | None:
    """Search with helpful actions only, which is quick, then with all, which is complete."""
    heuristic = hFFHeuristic(task)
    plan = greedy_best_first_search(task, heuristic, use_relaxed_plan=True)
    if plan is None:
        plan = greedy_best_first_search(task, heuristic)
    found: list[Operator] | None = plan
    return found


class _Counter(logging.Handler):
    """Reads the number of expanded nodes from Pyperplan's log."""

    expanded = 0

    def emit(self, record: logging.LogRecord) -> None:
        match = re.match(r"(\d+) Nodes expanded", record.getMessage())
        if match:
            self.expanded += int(match.group(1))


class _WatchedTask(Task):  # type: ignore[misc]
    """A task that finds applicable operators by their rarest precondition, not by trying all."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        uses: dict[int, int] = {}
        for operator in self.operators:
            for fact in operator.preconditions:
                uses[fact] = uses.get(fact, 0) + 1
        self._watching: dict[int | None, list[Operator]] = {}
        for operator in self.operators:
            rarest = min(operator.preconditions, key=lambda fact: (uses[fact], fact), default=None)
            self._watching.setdefault(rarest, []).append(operator)

    def get_successor_states(self, state: frozenset[int]) -> list[tuple[Operator, frozenset[int]]]:
        """Return each applicable operator with the state after it."""
        return [
            (operator, operator.apply(state))
            for fact in (None, *sorted(state))
            for operator in self._watching.get(fact, ())
            if operator.preconditions <= state
        ]


def _strips(task: GroundTask, goal: Condition) -> Task:
    """Return the task with a complementary fact `-n - 1` for each fact `n` that must be false."""
    negated = {fact for operator in task.operators for fact in operator.pre.fails} | goal.fails
    operators = []
    for number, operator in enumerate(task.operators):
        if any(effect.when != Condition() for effect in operator.effects):
            raise BadInput(f"pyperplan takes no conditional effects, as {operator.step} has")
        adds = {effect.fact for effect in operator.effects if effect.add}
        deletes = {effect.fact for effect in operator.effects if not effect.add}
        operators.append(
            Operator(
                str(number),
                _literals(operator.pre),
                adds | _complements(deletes & negated),
                deletes | _complements(adds & negated),
            )
        )
    facts = frozenset(range(len(task.facts))) | _complements(negated)
    init = task.init | _complements(negated - task.init)
    return _WatchedTask("task", facts, init, _literals(goal), operators)


def _literals(condition: Condition) -> frozenset[int]:
    return condition.holds | _complements(condition.fails)


def _complements(facts: Iterable[int]) -> frozenset[int]:
    return frozenset(-fact - 1 for fact in facts)
