from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gist.pddl.domain import Domain
from gist.pddl.formula import And, Atom, Exists, Not, Param
from gist.pddl.parser import parse_domain
from gist.pddl.problem import Problem
from gist.pddl.reachability import unreachable

from .oracle import MAX_STATES, shortest
from .strategies import domains, problems


@settings(max_examples=40)
@given(domains(), problems(), st.integers(0, 3))
def test_never_claims_what_search_refutes(domain: Domain, problem: Problem, extra: int) -> None:
    copies = {f"t1_{n}": "thing" for n in range(extra)}
    init = problem.init | {
        Atom(a.predicate, tuple(f"t1_{n}" if x == "t1" else x for x in a.args))
        for a in problem.init
        for n in range(extra)
    }
    grown = Problem("p", "random", {**problem.objects, **copies}, init, problem.goal)
    if unreachable(domain, grown) is not None:
        assert shortest(domain, grown, max_states=200) in (None, MAX_STATES)


@pytest.fixture
def laundry(tasks_dir: Path) -> Domain:
    return parse_domain((tasks_dir / "domains" / "laundry.pddl").read_text())


@pytest.fixture
def general(tasks_dir: Path) -> Domain:
    return parse_domain((tasks_dir / "domains" / "general.pddl").read_text())


def house(objects: int) -> tuple[dict[str, str], frozenset[Atom]]:
    rooms = [f"room_{n}" for n in range(max(2, objects // 20))]
    typed = dict.fromkeys(rooms, "room") | {"robot_1": "robot"}
    init = {Atom("at", ("robot_1", rooms[0])), Atom("is-free", ("robot_1",))}
    for n in range(objects):
        kind = ("grabbable", "grabbable", "grabbable", "surface", "container")[n % 5]
        typed[f"o_{n}"] = kind
        init.add(Atom("at", (f"o_{n}", rooms[n % len(rooms)])))
    return typed, frozenset(init)


def test_names_the_root_cause(laundry: Domain) -> None:
    objects = {"bath": "room", "bot": "robot", "washer": "washing-machine", "shirt": "cleanable"}
    init = frozenset(
        Atom(*fact)
        for fact in [
            ("at", ("bot", "bath")), ("at", ("washer", "bath")), ("at", ("shirt", "bath")),
            ("is-free", ("bot",)), ("is-closed", ("washer",)), ("is-empty", ("washer",)),
        ]
    )  # fmt: skip
    goal = And((Atom("is-clean", ("shirt",)), Atom("is-open", ("washer",))))
    proof = unreachable(laundry, Problem("p", laundry.name, objects, init, goal))
    assert proof is not None
    assert proof.atoms == (Atom("is-clean", ("shirt",)),)
    assert proof.text == (
        "(is-clean shirt) needs 'wash', which needs (is-refilled any-washing-machine), which needs "
        "'refill', which needs a cleaning-supply, and there is none"
    )


def test_names_a_thing_of_the_wrong_type(general: Domain) -> None:
    objects, init = house(20)
    goal = And((Atom("inside", ("o_3", "o_4")), Atom("inside", ("o_0", "o_4"))))
    proof = unreachable(general, Problem("p", general.name, objects, init, goal))
    assert proof is not None
    assert proof.atoms == (Atom("inside", ("o_3", "o_4")),)
    assert "'put_in' takes a grabbable, o_3 is a surface" in proof.text


def test_a_fact_that_nothing_undoes() -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (broken ?x)) (:action break :parameters (?x)"
        " :effect (broken ?x)))"
    )
    start = frozenset({Atom("broken", ("a",))})
    goal = Not(Atom("broken", ("a",)))
    proof = unreachable(domain, Problem("p", "d", {"a": "object", "b": "object"}, start, goal))
    assert proof is not None and "no action makes it false" in proof.text
    either = Exists((Param("?x"),), Not(Atom("broken", ("?x",))))
    problem = Problem("p", "d", {"a": "object", "b": "object"}, start, either)
    assert unreachable(domain, problem) is None


def test_ten_thousand_objects_are_no_trouble(general: Domain) -> None:
    objects, init = house(10_000)
    goals = [
        And(tuple(Atom("inside", (f"o_{5 * n}", "o_4")) for n in range(5))),
        Atom("inside", ("o_3", "o_4")),
    ]
    for goal, proved in zip(goals, (False, True), strict=True):
        problem = Problem("p", general.name, objects, init, goal)
        assert (unreachable(general, problem) is not None) == proved
