from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from gist.pddl.domain import Domain
from gist.pddl.formula import Atom
from gist.pddl.parser import parse_domain, parse_problem
from gist.pddl.problem import Problem
from gist.pddl.validate import errors, validate

DOMAIN = """(define (domain d)
  (:types room locatable - object robot item - locatable)
  (:constants home - room)
  (:predicates (at ?x - locatable ?r - room) (held ?i - item) (dark ?r - room))
  (:derived (dark ?r - room) (not (at bulb ?r)))
  (:action take :parameters (?b - robot ?i - item ?r - room ?spare - item)
    :precondition (and (at ?b ?r) (atr ?i ?r) (held ?b))
    :effect (and (held ?i ?r) (not (at ?i ?room)))))"""


def test_domain_findings() -> None:
    found = {(f.code, f.line, f.column): f.message for f in validate(parse_domain(DOMAIN))}
    assert found == {
        ("unknown-object", 5, 35): "unknown object 'bulb' in derived dark",
        ("unknown-predicate", 7, 35): (
            "unknown predicate 'atr' in action take; did you mean at?"
        ),
        ("type", 7, 47): (
            "argument 1 of 'held' must be of type item, '?b' is of type robot in action take"
        ),
        ("arity", 8, 18): "(held ?i - item) takes 1 argument, 2 given in action take",
        ("unknown-variable", 8, 36): "unknown variable '?room' in action take",
        ("unused", 6, 3): "?spare of action take is not used",
    }  # fmt: skip


@pytest.fixture
def household() -> Domain:
    return parse_domain((resources.files("gist.pddl") / "data" / "household.pddl").read_text())


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("mug - item", "mug - itm", "unknown-type", "'itm'; did you mean item?"),
        ("(on mug table)", "(on mug tabel)", "unknown-object", "'tabel' in init; did you mean"),
        ("(on mug table)", "(on mug kitchen)", "type", "'kitchen' is of type room"),
        ("(on mug table)", "(on mug)", "arity", "takes 2 arguments, 1 given in init"),
        ("(on mug table)", "(over mug table)", "unknown-predicate", "'over' in init"),
        ("(holding bot mug)", "(holding mug bot)", "type", "must be of type robot, 'mug'"),
        ("(on mug table)", "(reachable mug kitchen)", "derived", "is derived"),
        ("table - fixed-surface", "table robot - fixed-surface", "name", "named like a type"),
        ("household", "general", "domain", "of domain 'general', not 'household'"),
    ],
)  # fmt: skip
def test_problem_findings(household: Domain, old: str, new: str, code: str, words: str) -> None:
    text = """(define (problem p) (:domain household)
      (:objects kitchen - room bot - robot mug - item table - fixed-surface)
      (:init (at bot kitchen) (at table kitchen) (on mug table) (gripper-free bot))
      (:goal (holding bot mug)))"""
    assert validate(household, parse_problem(text)) == ()
    found = errors(validate(household, parse_problem(text.replace(old, new))))
    assert code in {finding.code for finding in found}
    (told, *_) = [finding for finding in found if finding.code == code]
    assert words in told.message
    assert told.line is not None


def test_without_a_text_there_is_no_line(household: Domain) -> None:
    problem = Problem("p", "household", {"k": "room"}, frozenset({Atom("at", ("x", "k"))}))
    (finding,) = validate(household, problem)
    assert finding.line is None and str(finding).startswith("unknown object 'x' in init")


@pytest.mark.parametrize("name", ["general", "laundry", "pc_assembly", "dining_setup"])
def test_given_domains_are_clean(tasks_dir: Path, name: str) -> None:
    assert validate(parse_domain((tasks_dir / "domains" / f"{name}.pddl").read_text())) == ()


def test_office_domain_has_warnings_only(tasks_dir: Path) -> None:
    domain = parse_domain((tasks_dir / "domains" / "office_setup.pddl").read_text())
    assert [f.code for f in validate(domain)] == ["undeclared", "wide-type"]
