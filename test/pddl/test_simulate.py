from __future__ import annotations

import pytest

from gist.pddl.domain import Domain
from gist.pddl.formula import And, Atom, Not
from gist.pddl.parser import parse_domain, parse_plan, parse_problem
from gist.pddl.problem import Problem
from gist.pddl.simulate import simulate

DOMAIN = """(define (domain d)
  (:types room locatable - object robot item - locatable)
  (:predicates (at ?x - locatable ?r - room) (held ?i - item) (free) (lit ?r - room))
  (:derived (dark ?r - room) (not (lit ?r)))
  (:action go :parameters (?b - robot ?from ?to - room) :precondition (at ?b ?from)
    :effect (and (not (at ?b ?from)) (at ?b ?to)))
  (:action take :parameters (?b - robot ?i - item ?r - room)
    :precondition (and (at ?b ?r) (and (at ?i ?r) (free)) (not (dark ?r)))
    :effect (and (held ?i) (not (at ?i ?r)) (not (free))))
  (:action flip :parameters ()
    :effect (forall (?r - room) (and (when (lit ?r) (not (lit ?r))) (when (dark ?r) (lit ?r))))))"""
PROBLEM = """(define (problem p) (:domain d) (:objects a b - room bot - robot mug - item)
  (:init (at bot a) (at mug b) (free) (lit a))
  (:goal (and (held mug) (forall (?r - room) (dark ?r)))))"""


@pytest.fixture
def world() -> tuple[Domain, Problem]:
    return parse_domain(DOMAIN), parse_problem(PROBLEM)


def test_says_what_the_goal_still_lacks(world: tuple[Domain, Problem]) -> None:
    trace = simulate(*world, parse_plan("(go bot a b) (flip) (take bot mug b)"))
    assert trace.failure is None
    assert Atom("held", ("mug",)) in trace.final
    assert [str(part) for part in trace.unmet] == ["(forall (?r - room) (dark ?r))"]
    assert not trace.goal_holds
    assert len(trace.states) == 4


@pytest.mark.parametrize(
    ("plan", "index", "condition", "words"),
    [
        ("(go bot a b) (take bot mug b)", 1, Not(Atom("dark", ("b",))), "(not (dark b)) is false"),
        ("(take bot mug a)", 0, Atom("at", ("mug", "a")), "(at mug a) is false"),
        ("(fly bot a b)", 0, None, "no action 'fly'"),
        ("(go bot a)", 0, None, "takes 3 objects, found 2"),
        ("(go bot a c)", 0, None, "no object 'c'"),
        ("(go mug a b)", 0, None, "?b must be a robot, 'mug' is a item"),
    ],
)
def test_names_the_failing_step(
    world: tuple[Domain, Problem], plan: str, index: int, condition: object, words: str
) -> None:
    trace = simulate(*world, parse_plan(plan))
    assert trace.failure is not None
    assert (trace.failure.index, trace.failure.condition) == (index, condition)
    assert words in str(trace)
    assert len(trace.states) == index + 1


def test_an_effect_that_adds_and_deletes_adds(world: tuple[Domain, Problem]) -> None:
    trace = simulate(*world, parse_plan("(go bot a a)"))
    assert trace.final == world[1].init


def test_a_rule_that_leads_back_to_itself_proves_nothing_by_itself() -> None:
    domain = parse_domain(
        """(define (domain d) (:predicates (door ?a ?b) (way ?a ?b))
        (:derived (way ?a ?b) (or (door ?a ?b) (exists (?c) (and (way ?a ?c) (door ?c ?b))))))"""
    )
    objects = dict.fromkeys("abc", "object")
    init = frozenset({Atom("door", ("a", "b")), Atom("door", ("b", "a"))})
    reached = And((Atom("way", ("a", "a")), Not(Atom("way", ("a", "c")))))
    assert simulate(domain, Problem("p", "d", objects, init, reached), ()).goal_holds
