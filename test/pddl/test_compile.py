from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings

from gist.errors import BadInput
from gist.pddl.compile import Condition, GroundTask, ground, restrict
from gist.pddl.domain import Domain
from gist.pddl.findings import PddlError
from gist.pddl.formula import Atom
from gist.pddl.parser import parse_domain, parse_problem
from gist.pddl.problem import Problem, Step
from gist.pddl.simulate import simulate

from .oracle import MAX_STATES, shortest
from .problems import task_problem
from .strategies import domains, problems


def ground_shortest(task: GroundTask) -> tuple[Step, ...] | None:
    """Return a shortest plan of a ground task by breadth-first search; None if there is none."""
    if task.goal is None:
        return None
    queue: deque[tuple[frozenset[int], tuple[int, ...]]] = deque([(task.init, ())])
    seen = {task.init}
    best: tuple[Step, ...] | None = None
    while queue:
        state, path = queue.popleft()
        if _holds(task.goal, state):
            plan = task.plan(path)
            best = plan if best is None or len(plan) < len(best) else best
            continue
        for number, after in _successors(task, state):
            if after not in seen:
                seen.add(after)
                queue.append((after, (*path, number)))
    return best


def _holds(condition: Condition, state: frozenset[int]) -> bool:
    return condition.holds <= state and not condition.fails & state


def _successors(task: GroundTask, state: frozenset[int]) -> Iterator[tuple[int, frozenset[int]]]:
    for number, operator in enumerate(task.operators):
        if _holds(operator.pre, state):
            fired = [effect for effect in operator.effects if _holds(effect.when, state)]
            adds = {effect.fact for effect in fired if effect.add}
            deletes = {effect.fact for effect in fired if not effect.add}
            assert not adds & deletes
            yield number, (state - deletes) | adds


@settings(max_examples=40)
@given(domains(), problems())
def test_ground_task_has_the_plans_of_the_problem(domain: Domain, problem: Problem) -> None:
    try:
        task = ground(domain, problem)
    except PddlError as error:
        assert error.findings[0].code == "too-many-alternatives"
        return
    expected = shortest(domain, problem)
    if expected is MAX_STATES:
        return
    plan = ground_shortest(task)
    assert (plan is None) == (expected is None)
    if plan is not None:
        assert simulate(domain, problem, plan).goal_holds


OFFICE = ("office_setup/Parole/problem_1", "office_setup/Allensville/problem_4")


@pytest.mark.parametrize("task_id", OFFICE)
def test_empty_container_becomes_plain_facts(tasks_dir: Path, task_id: str) -> None:
    domain, problem = task_problem(tasks_dir, task_id, whole=True)
    task = ground(domain, problem)
    pushes = [op for op in task.operators if op.step and op.step.action == "push"]
    assert pushes
    inside = {n for n, atom in enumerate(task.facts) if atom.predicate == "inside"}
    for push in pushes:
        assert push.pre.fails <= inside
        assert all(task.facts[n].args[1] == push.step.args[1] for n in push.pre.fails)


def test_disjunctive_goal_is_decided_at_the_end() -> None:
    domain = parse_domain(
        """(define (domain d) (:predicates (p ?x) (q ?x))
        (:action a :parameters (?x) :precondition (not (p ?x)) :effect (p ?x))
        (:action b :parameters (?x) :precondition (p ?x) :effect (and (q ?x) (not (p ?x)))))"""
    )
    problem = parse_problem(
        """(define (problem x) (:domain d) (:objects o1 o2 o3) (:init)
        (:goal (forall (?x)
          (or (and (p ?x) (q ?x)) (exists (?y) (and (q ?y) (not (= ?x ?y))))))))"""
    )
    plan = ground_shortest(ground(domain, problem))
    assert plan is not None and len(plan) == len(shortest(domain, problem) or ()) == 3
    assert simulate(domain, problem, plan).goal_holds


def test_recursive_rules_are_refused_by_name() -> None:
    domain = parse_domain("(define (domain d) (:predicates (w)) (:derived (w) (and (w))))")
    with pytest.raises(PddlError, match="grounded: w"):
        ground(domain, Problem("p", "d"))


def test_too_many_alternatives_are_refused() -> None:
    parts = " ".join(f"(or (p{n}) (q{n}))" for n in range(12))
    flips = " ".join(
        f"(:action s{x}{n} :parameters () :effect ({x}{n}))" for n in range(12) for x in "pq"
    )
    domain = parse_domain(
        f"(define (domain d) {flips} (:action a :parameters () :precondition (and {parts})"
        " :effect (g)))"
    )
    with pytest.raises(PddlError, match="precondition of action a has more than 64"):
        ground(domain, Problem("p", "d", goal=Atom("g")))


def test_restriction_allows_only_its_tuples(tasks_dir: Path) -> None:
    domain, problem = task_problem(tasks_dir, "general/Klickitat/problem_1")
    target = next(name for name, kind in problem.objects.items() if kind == "container")
    apples = sorted(name for name, kind in problem.objects.items() if kind == "grabbable")
    narrow, facts = restrict(domain, "put_in", ("?what", "?in"), [(apples[0], target)])
    task = ground(narrow, Problem("p", problem.domain, problem.objects, problem.init | facts))
    puts = {op.step.args[1] for op in task.operators if op.step and op.step.action == "put_in"}
    assert puts == {apples[0]}
    assert "allowed-put_in" not in {atom.predicate for atom in task.facts}


def test_restriction_names_what_does_not_exist(tasks_dir: Path) -> None:
    domain, _ = task_problem(tasks_dir, "general/Klickitat/problem_1")
    with pytest.raises(BadInput, match="put_in"):
        restrict(domain, "put_inn", ("?what",), [])
    with pytest.raises(BadInput, match="no parameter \\?which"):
        restrict(domain, "put_in", ("?which",), [])
