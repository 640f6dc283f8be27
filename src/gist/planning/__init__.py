"""The nearest goal that can be reached, its plan, and why: TaskPlanner and its Answer."""

from __future__ import annotations

from gist.planning.answer import Answer, ChangeStep, Status, Times
from gist.planning.task_planner import PlanLimits, TaskPlanner

__all__ = ["Answer", "ChangeStep", "PlanLimits", "Status", "TaskPlanner", "Times"]
