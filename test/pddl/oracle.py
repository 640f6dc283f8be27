"""Exhaustive search with the simulator: slow, simple, and independent of the compiler."""

from __future__ import annotations

from collections import deque
from itertools import product
from typing import Final

from gist.pddl.domain import Domain
from gist.pddl.problem import Problem, Step
from gist.pddl.simulate import Simulator, State

MAX_STATES: Final = tuple[Step, ...]((Step("too many states"),) * 1000)


def shortest(domain: Domain, problem: Problem, max_states: int = 400) -> tuple[Step, ...] | None:
    """Return a shortest plan, None when none exists, MAX_STATES when the search grew too large."""
    world = Simulator(domain, problem)
    steps = [
        Step(action.name, args)
        for action in domain.actions.values()
        for args in product(*(world.universe.of(param.types) for param in action.params))
    ]
    queue: deque[tuple[State, tuple[Step, ...]]] = deque([(problem.init, ())])
    seen = {problem.init}
    while queue:
        state, path = queue.popleft()
        if not world.unmet(state):
            return path
        for step in steps:
            if world.failure(state, step) is None:
                after = world.after(state, step)
                if after not in seen:
                    seen.add(after)
                    queue.append((after, (*path, step)))
        if len(seen) > max_states:
            return MAX_STATES
    return None
