from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gist.pddl.domain import Domain
from gist.pddl.findings import PddlError
from gist.pddl.formula import Atom, Equals, Exists, Forall, Not, Or
from gist.pddl.parser import parse_domain, parse_formula, parse_plan, parse_problem
from gist.pddl.problem import Problem, Step, write_domain, write_plan, write_problem

from .strategies import domains, problems

DOMAINS = ("dining_setup", "general", "house_cleaning", "laundry", "office_setup", "pc_assembly")


@pytest.mark.parametrize("name", DOMAINS)
def test_reads_the_given_domains(tasks_dir: Path, name: str) -> None:
    domain = parse_domain((tasks_dir / "domains" / f"{name}.pddl").read_text())
    assert {"move_to", "grab", "drop"} <= set(domain.actions)
    assert domain.is_a("robot", "locatable")
    assert parse_domain(write_domain(domain)) == domain
    warned = [finding.code for finding in domain.warnings]
    assert warned == (["undeclared", "wide-type"] if name == "office_setup" else [])


def test_declares_a_derived_predicate_that_is_not_declared(tasks_dir: Path) -> None:
    domain = parse_domain((tasks_dir / "domains" / "office_setup.pddl").read_text())
    assert domain.derived_names == {"empty"}
    assert domain.predicates["empty"].params[0].types == ("container",)
    warning, _ = domain.warnings
    assert (warning.line, warning.snippet) == (22, "(empty ?m - container)")


@settings(max_examples=20)
@given(domains())
def test_domain_survives_writing_and_reading(domain: Domain) -> None:
    assert parse_domain(write_domain(domain)) == domain


@given(problems())
def test_problem_survives_writing_and_reading(problem: Problem) -> None:
    assert parse_problem(write_problem(problem)) == problem


def test_plan_survives_writing_and_reading() -> None:
    plan = (Step("grab", ("r", "apple_1")), Step("wait"))
    assert parse_plan(write_plan(plan)) == plan


def test_folds_upper_case_and_skips_comments() -> None:
    formula = parse_formula("(OR (At ?X Kitchen) ; where\n (not (= ?X Mug_1)))")
    assert formula == Or((Atom("at", ("?x", "kitchen")), Not(Equals("?x", "mug_1"))))


def test_reads_quantifiers_with_several_types() -> None:
    formula = parse_formula(
        "(forall (?x ?y - (either bin box) ?z) (exists (?r - room) (at ?x ?r)))"
    )
    assert isinstance(formula, Forall) and isinstance(formula.body, Exists)
    assert [param.types for param in formula.params] == [("bin", "box")] * 2 + [("object",)]


@pytest.mark.parametrize(
    ("body", "line", "column", "words", "snippet"),
    [
        ("\n (:action a\n  :effect (and (p)", 3, 11, "never closed", "(and (p))"),
        (")) ", 1, 20, "closes nothing", ")"),
        ("\n (:predicate (p)))", 2, 2, "did you mean :predicates?", "(:predicate (p))"),
        ("\n (:predicates (p x)))", 2, 18, "expected a variable", "x"),
        ("\n (:action))", 2, 2, "has no name", "(:action)"),
        ("(:types a - b b - a))", 1, 19, "descends from itself", "(:types a - b b - a)"),
        ("(:action a :effect (not (p) (q))))", 1, 38, "takes 1 part", "(not (p) (q))"),
        ("(:action a :before (p)))", 1, 30, ":precondition", ":before"),
        ("(:types a - ))", 1, 29, "type is missing", "-"),
        ("(:action when))", 1, 28, "no name for an action", "when"),
    ],
)
def test_error_names_place_and_snippet(
    body: str, line: int, column: int, words: str, snippet: str
) -> None:
    with pytest.raises(PddlError) as caught:
        parse_domain("(define (domain d)" + body)
    (finding,) = caught.value.findings
    assert (finding.line, finding.column, finding.snippet) == (line, column, snippet)
    assert words in finding.message
    assert f"line {line}, column {column}" in str(caught.value)


def test_problem_without_goal_is_refused() -> None:
    with pytest.raises(PddlError, match="has no"):
        parse_problem("(define (problem p) (:domain d) (:init (at a b)))")


def test_costs_are_left_out_with_a_warning() -> None:
    text = (
        "(define (domain d) (:functions (total-cost)) (:action a :parameters ()"
        " :effect (and (p) (increase (total-cost) 3))))"
    )
    domain = parse_domain(text)
    assert len(domain.actions["a"].effects) == 1
    assert [finding.code for finding in domain.warnings] == ["left-out", "left-out"]


PIECES = st.sampled_from(
    [
        "(", ")", "define", "domain", "problem", ":types", ":action", ":init", ":goal", ":objects",
        ":parameters", ":precondition", ":effect", ":derived", ":predicates", ":constants", "-",
        "?x", "a", "and", "or", "not", "=", "when", "forall", "either", "increase", ";", "\n", ":",
    ]
)  # fmt: skip


def read_or_refuse(text: str) -> None:
    """Read the text in every way; anything but PddlError fails the test."""
    for read in (parse_domain, parse_problem, parse_formula, parse_plan):
        with contextlib.suppress(PddlError):
            read(text)


@given(st.lists(PIECES, max_size=40).map(" ".join))
@example("(" * 5000)
@example("(define (domain d) (:action a :precondition " + "(not " * 90 + "(p)" + ")" * 90 + "))")
@example("(define (domain d) (:types - a))")
@example("(define (problem p) (:goal))")
@example("(define (domain d) (:action))")
def test_only_pddl_errors_are_raised(text: str) -> None:
    for head in ("", "(define (domain d) ", "(define (problem p) "):
        read_or_refuse(head + text)


@given(st.text(max_size=60))
def test_arbitrary_text_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)


def test_a_rule_over_everything_gets_the_type_that_its_predicate_takes() -> None:
    text = """(define (domain d) (:types box item)
      (:predicates (inside ?x - item ?b - box))
      (:derived (empty ?b - box) (forall (?x - object) (not (inside ?x ?b))))
      (:derived (crowded ?b - box) (forall (?x) (inside ?x ?b))))"""
    domain = parse_domain(text)
    empty, crowded = (rule.body for rule in domain.derived)
    assert str(empty) == "(forall (?x - item) (not (inside ?x ?b)))"
    assert str(crowded) == "(forall (?x - object) (inside ?x ?b))", "narrower would say less"
    assert "wide-type" in {warning.code for warning in domain.warnings}
