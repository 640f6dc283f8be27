"""Types of goals: what they refuse, their stages, their text form, their JSON and their words."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gist.errors import BadInput
from gist.goals import (
    ALL,
    AnyOf,
    Assumption,
    Clause,
    Goal,
    Immediately,
    Located,
    Quantifier,
    Selector,
    describe,
    from_json,
    parse,
    predicate,
    predicates,
    render,
    to_json,
)

SNACKS = Selector(cls="snack", context=frozenset({"children"}))
TABLE_2 = Selector(names=("table_2",))
FOUR_SNACKS = Clause("on", Quantifier("at_least", 4), SNACKS, TABLE_2, span=(0, 5), words="Bring")
CUPS = Selector(cls="cup")

AWKWARD = [
    "cup",
    "dining table",
    'a "quoted" \\ one',
    "line\nbreak",
    "for",
    "]",
    "é\x7f\u2028",
    "0:",
]
words = st.sampled_from(AWKWARD)
word_sets = st.frozensets(words, max_size=2)


def selectors() -> st.SearchStrategy[Selector]:
    leaves = st.builds(
        Selector,
        cls=st.none() | words,
        names=st.none() | st.lists(words, max_size=3).map(tuple),
        states=word_sets,
        attributes=st.lists(st.tuples(words, words), max_size=2).map(tuple),
        collective=st.none() | words,
        context=word_sets,
    )
    return st.recursive(
        leaves,
        lambda inner: st.builds(
            Selector,
            cls=st.none() | words,
            where=st.none() | st.builds(Located, st.sampled_from(["in", "on", "at", "to"]), inner),
            but_not=st.none() | inner,
            any_of=st.lists(inner, max_size=2).map(tuple),
        ),
        max_leaves=4,
    )


QUANTIFIERS = st.just(ALL) | st.builds(
    Quantifier, st.sampled_from(["at_least", "at_most", "exactly"]), st.integers(0, 20)
)
SPANS = st.none() | st.tuples(st.integers(0, 99), st.integers(0, 99))


@st.composite
def clauses(draw: st.DrawFn, /, **fixed: object) -> Clause:
    name = draw(st.sampled_from(sorted(predicates())))
    binary = draw(st.sampled_from(predicate(name).arity)) == 2
    return Clause(
        name,
        draw(QUANTIFIERS),
        draw(selectors()),
        draw(selectors()) if binary else None,
        same_target=draw(st.booleans()),
        span=draw(SPANS),
        words=draw(words | st.just("")),
        **fixed,  # type: ignore[arg-type]
    )


@st.composite
def items(draw: st.DrawFn) -> Clause | AnyOf:
    fixed = {
        "stage": draw(st.integers(0, 3)),
        "transient": draw(st.booleans()),
        "soft": draw(st.booleans()),
    }
    found = draw(st.lists(clauses(**fixed), min_size=1, max_size=2))
    return AnyOf(tuple(found)) if draw(st.booleans()) else found[0]


GOALS = st.builds(
    Goal,
    st.lists(items(), max_size=3).map(tuple),
    st.lists(st.builds(Immediately, clauses(), clauses()), max_size=1).map(tuple),
    st.lists(
        st.builds(
            Assumption,
            words,
            SPANS,
            st.sampled_from(["reading", "choice", "default", "vocabulary"]),
        ),
        max_size=2,
    ).map(tuple),
    words | st.text(max_size=20),
    word_sets,
)


@settings(max_examples=40)
@given(GOALS)
def test_text_and_json_bring_the_same_goal_back(goal: Goal) -> None:
    assert parse(render(goal)) == goal
    assert from_json(json.loads(json.dumps(to_json(goal)))) == goal


def test_the_text_form_is_readable() -> None:
    goal = Goal((FOUR_SNACKS,), text="Bring 4 kid snacks", context=frozenset({"children"}))
    assert render(goal) == (
        'goal "Bring 4 kid snacks" for "children"\n'
        '0: at least 4 [class "snack", for "children"] on [named "table_2"] @0:5 "Bring"'
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gaol", "line 1, column 1: expected 'goal', found 'gaol'"),
        ('goal "x"\n0: most [class "cup"] clean', "line 2, column 4: expected all, at least"),
        ('goal "x"\n0: all [colour "red"] clean', "line 2, column 9: expected 'with' or one of"),
        ('goal "x"\n0: all [class "cup"] cleen', "unknown predicate 'cleen'; there is clean"),
        ('goal "x"\n0: all [class "cup"] in', "expected targets in brackets, found 'the end'"),
        ('goal "x"\n0: all [class "cup"', "expected ',', found 'the end'"),
        ('goal "x" ?', "expected a word, number or string, found '?'"),
        ('goal "x"\n0: all [class "a", class "b"] clean', "expected 'class' only once"),
    ],
)
def test_broken_text_is_refused_with_the_place(text: str, message: str) -> None:
    with pytest.raises(BadInput) as error:
        parse(text)
    assert message in str(error.value)


@pytest.mark.parametrize("data", [{}, {"version": 9}, {"version": 1, "clauses": [{}]}, []])
def test_json_that_is_no_goal_is_refused(data: object) -> None:
    with pytest.raises(BadInput, match="goal"):
        from_json(data)  # type: ignore[arg-type]


def test_types_refuse_what_makes_no_sense() -> None:
    with pytest.raises(BadInput, match="unknown predicate 'inn'; there is in"):
        Clause("inn", ALL, CUPS, TABLE_2)
    with pytest.raises(BadInput, match="'on' needs targets"):
        Clause("on", ALL, CUPS)
    with pytest.raises(BadInput, match="'open' takes no targets"):
        Clause("open", ALL, CUPS, TABLE_2)
    with pytest.raises(BadInput, match="unknown quantifier 'most'"):
        Quantifier("most", 2)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="number -1"):
        Quantifier("at_least", -1)
    with pytest.raises(BadInput, match="share stage"):
        AnyOf((Clause("clean", ALL, CUPS), Clause("clean", ALL, CUPS, stage=1)))


def test_stages_are_told_apart() -> None:
    first, later = Clause("clean", ALL, CUPS), Clause("in", ALL, CUPS, TABLE_2, stage=2)
    goal = Goal((later, first, AnyOf((later,))))
    assert goal.stages() == (0, 2)
    assert goal.at_stage(2) == (later, AnyOf((later,)))
    assert goal.without_clause(0).clauses == (first, AnyOf((later,)))


@pytest.mark.parametrize(
    ("clause", "phrase", "statement"),
    [
        (
            Clause("on", Quantifier("at_least", 4), Selector(cls="snack"), TABLE_2),
            "4 snacks on table_2",
            "4 snacks are on table_2",
        ),
        (
            Clause(
                "in", ALL, CUPS, Selector(cls="sink", where=Located("in", Selector(cls="kitchen")))
            ),
            "all cups in the sink in the kitchen",
            "all cups are in the sink in the kitchen",
        ),
        (
            Clause("at", ALL, Selector(cls="lamp"), Selector(cls="living room")),
            "all lamps in the living room",
            "all lamps are in the living room",
        ),
        (
            Clause("at", ALL, Selector(cls="lamp"), Selector(names=("dining room_2", "lobby_1"))),
            "all lamps in dining room_2 or lobby_1",
            "all lamps are in dining room_2 or lobby_1",
        ),
        (
            Clause("at", ALL, Selector(cls="chair"), TABLE_2),
            "all chairs at table_2",
            "all chairs are at table_2",
        ),
        (
            Clause("clean", ALL, Selector(names=("mop_1",))),
            "mop_1 clean",
            "mop_1 is clean",
        ),
        (
            Clause("in", Quantifier("at_most", 0), Selector(cls="book"), Selector(cls="shelf")),
            "no books in the shelf",
            "no books are in the shelf",
        ),
        (
            Clause("disposed", ALL, Selector(collective="rubbish"), Selector(cls="bin"), soft=True),
            "all rubbish thrown away into the bin if possible",
            "all rubbish is thrown away into the bin (if possible)",
        ),
        (
            Clause("washed", ALL, Selector(collective="clothes", states=frozenset({"dirty"}))),
            "all dirty clothes washed",
            "all dirty clothes are washed",
        ),
        (
            Clause("on", Quantifier("exactly", 1), CUPS, Selector(cls="table")),
            "exactly 1 cup on the table",
            "exactly 1 cup is on the table",
        ),
        (
            Clause("to", ALL, Selector(names=("a_1", "a_2", "b_1")), TABLE_2),
            "a_1, a_2 and b_1 in, on or at table_2",
            "a_1, a_2 and b_1 are in, on or at table_2",
        ),
        (
            Clause(
                "on",
                Quantifier("at_least", 4),
                Selector(any_of=(Selector(cls="snack"), Selector(names=("tea_1", "cola can_13")))),
                TABLE_2,
            ),
            "2 snacks, tea_1 and cola can_13 on table_2",
            "2 snacks, tea_1 and cola can_13 are on table_2",
        ),
        (
            Clause("on", Quantifier("at_most", 0), Selector(names=("a_1", "a_2")), TABLE_2),
            "none of a_1 and a_2 on table_2",
            "none of a_1 and a_2 are on table_2",
        ),
        (
            Clause("on", Quantifier("at_most", 2), SNACKS, TABLE_2),
            "at most 2 snacks for children on table_2",
            "at most 2 snacks for children are on table_2",
        ),
    ],
)
def test_goals_in_words(clause: Clause, phrase: str, statement: str) -> None:
    assert describe(Goal((clause,))) == phrase
    assert clause.text() == statement


def test_a_whole_goal_in_one_sentence() -> None:
    floors = Selector(any_of=(Selector(cls="kitchen"), Selector(cls="living room")))
    mop = Clause("clean", ALL, Selector(cls="mop"), stage=1)
    mopped = Clause("mopped", ALL, floors, stage=1)
    rubbish = Clause("disposed", ALL, Selector(collective="rubbish"))
    goal = Goal((rubbish, mopped), order=(Immediately(mopped, mop),))
    assert describe(goal) == (
        "all rubbish thrown away, then all kitchens and living rooms mopped, "
        "with all mops clean immediately after each of the kitchens and living rooms is mopped"
    )
    assert describe(Goal(())) == "nothing"


def test_the_predicate_file_fits_its_schema() -> None:
    folder = resources.files("gist.goals").joinpath("data")
    data = yaml.safe_load(folder.joinpath("predicates.yaml").read_text("utf-8"))
    jsonschema.validate(
        data, json.loads(folder.joinpath("predicates.schema.json").read_text("utf-8"))
    )
    for entry in predicates().values():
        assert all(other in predicates() for other in entry.generalises_to)
        assert entry.opposite is None or predicate(entry.opposite).opposite == entry.name


def test_long_lists_of_names_are_cut_short() -> None:
    cups = Selector(names=tuple(f"cup_{i}" for i in range(1, 101)))
    assert cups.text() == ("cup_1, cup_2, cup_3, cup_4, cup_5, cup_6, cup_7 and 93 more")
