"""What the paper's planner needs for the same goals: A* with FF on the whole, unpruned scene."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from gist.goals import Goal, Grounder
from gist.knowledge import Knowledge
from gist.pddl.domain import Domain
from gist.pddl.encode import Demands, Encoder
from gist.pddl.formula import Atom
from gist.pddl.planners import FastDownward
from gist.pddl.planners.fast_downward import REFERENCE
from gist.planning.case import Case
from gist.planning.relevance import Relevance
from gist.planning.solve import Budget, CaseSolver, Solution
from gist.scene import SceneGraph

TIME_S = 20.0
"""The reference's time limit, enough to see a factor of 100."""


class _Everything(Relevance):
    """Leaves nothing of the scene out."""

    def select(
        self,
        scene: SceneGraph,
        named: Iterable[str],  # noqa: ARG002
        predicates: Iterable[str],  # noqa: ARG002
        demands: Demands,  # noqa: ARG002
    ) -> tuple[str, ...]:
        return self.whole(scene)


class Reference:
    """Fast Downward `astar(ff())` with its own translator, warm, in one process."""

    def __init__(self, knowledge: Knowledge, memory_mb: int) -> None:
        self._knowledge = knowledge
        self._memory_mb = memory_mb
        self._planner = FastDownward(REFERENCE, grounding="fast-downward", workers=1)

    def plan(self, goal: Goal, scene: SceneGraph, domain: Domain) -> dict[str, Any]:
        """Plan a goal over the whole scene, the stages of the goal one after the other.

        Returns status, time_s (of the planner alone), plan_length, expanded, and whether the time
        is a lower bound because the planner ran into its limit (TIME_S) or its memory.
        """
        encoder, grounder = Encoder(domain, self._knowledge), Grounder(scene, self._knowledge)
        lost: dict[Atom, str] = {}
        while True:
            case = Case(goal, scene, encoder, grounder, lost)
            solution, budget = self._solve(case)
            if solution.kind != "impossible" or not solution.facts.keys() - lost.keys():
                break
            lost |= solution.facts
        return {
            "status": solution.kind,
            "time_s": budget.planning_s,
            "plan_length": len(solution.plan) if solution.kind == "solved" else None,
            "expanded": budget.expanded,
            "lower_bound": solution.kind == "limit",
            "reasons": list(solution.reasons),
        }

    def _solve(self, case: Case) -> tuple[Solution, Budget]:
        budget = Budget(time.monotonic() + TIME_S, self._memory_mb)
        solver = CaseSolver(case.scene, case.encoder, self._planner, budget)
        solver.relevance = _Everything(case.encoder)
        return solver.solve(case), budget
