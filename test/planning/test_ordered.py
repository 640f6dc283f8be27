from __future__ import annotations

from gist.pddl.formula import Atom
from gist.pddl.parser import parse_domain, parse_problem
from gist.pddl.planners import Limits, get_planner
from gist.planning.ordered import ordered_problem, without_marks

DOMAIN = """
(define (domain lamp) (:requirements :strips)
  (:predicates (lit) (dark) (fresh))
  (:action light :parameters () :precondition (and (dark) (fresh))
    :effect (and (lit) (not (dark)) (not (fresh))))
  (:action douse :parameters () :precondition (lit) :effect (and (dark) (not (lit)))))
"""
PROBLEM = "(define (problem p) (:domain lamp) (:init (dark) (fresh)) (:goal (and)))"


def solve(stages: list[Atom]) -> tuple[str, list[str]]:
    domain = parse_domain(DOMAIN)
    marked, problem = ordered_problem(domain, parse_problem(PROBLEM), stages)
    result = get_planner("fast-downward").solve(marked, problem, Limits(10.0, 1024))
    return result.status, [step.action for step in without_marks(result.plan)]


def test_every_stage_is_reached_in_turn() -> None:
    assert solve([Atom("lit"), Atom("dark")]) == ("solved", ["light", "douse"])


def test_an_order_that_cannot_be_had_is_unsolvable() -> None:
    assert solve([Atom("lit"), Atom("dark"), Atom("lit")])[0] == "unsolvable"
