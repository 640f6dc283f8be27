from __future__ import annotations

import pytest

from gist.goals import ALL, Assumption, Clause, Goal, Quantifier, Selector
from gist.pddl.problem import Step
from gist.planning import Answer, ChangeStep, Status
from gist.planning.answer import RefusedWord
from gist.planning.explain import sections, step_words, tree

from .scenes import snacks

TEXT = "Bring 4 snacks to table_2"
ASKED = Goal(
    (Clause("on", Quantifier("at_least", 4), Selector(cls="snack"), Selector(names=("table_2",))),),
    text=TEXT,
)
REACHED = Goal((Clause("on", ALL, Selector(cls="snack"), Selector(names=("table_2",))),))
OBJECTS = {
    "robot": {"label": "robot", "class": "robot", "type": "robot", "place": "kitchen_1"},
    "kitchen_1": {"label": "kitchen 1", "class": "kitchen", "type": "room", "place": None},
    "hall": {"label": "hall", "class": "hall", "type": "room", "place": None},
    "snack_3": {"label": "Snack 3", "class": "snack", "type": "item", "place": "table_3"},
    "table_2": {"label": "table_2", "class": "table", "type": "surface", "place": "hall"},
}
SHIFT = ChangeStep("shift", "substitute_things", "4 snacks", "3 snacks and a cola", "few", tier=2)
RELAX = ChangeStep(
    "relax", "lower_count", "4 snacks", "3 snacks", "only 3", proof="4 are at least 3"
)
SOLVED = Answer(
    Status.SOLVED,
    TEXT,
    goal=ASKED,
    final_goal=REACHED,
    steps=(SHIFT, RELAX),
    plan=(Step("move_to", ("robot", "hall", "kitchen_1")),),
    objects=OBJECTS,
    assumptions=(Assumption("the table is table_2", (18, 25), "choice"),),
    kept=("the table",),
    summary="Three snacks can be had.",
)


def told_of(answer: Answer) -> str:
    told = sections(answer, snacks())
    return "\n".join("\n  ".join((section.title, *section.lines)) for section in told)


def test_the_tree_tells_everything_in_order() -> None:
    lines = tree(SOLVED).splitlines()
    assert lines[0] == f"asked: “{TEXT}”"
    branches = [line for line in lines if line.startswith(("├─", "└─"))]
    assert [branch[3:].split(":")[0] for branch in branches] == [
        "read as",
        "1. shift",
        "2. relax",
        "reached",
        "plan",
    ]
    text = "\n".join(lines)
    for words in (
        "assumed: the table is table_2 [“table_2”]",
        "tier:   2 (neighbouring role)",
        "proof:  4 are at least 3",
        "before: 4 snacks",
        "after:  3 snacks and a cola",
        "1. move to hall → kitchen 1",
    ):
        assert words in text


def test_the_tree_of_a_refusal_names_the_words_and_what_may_be_meant() -> None:
    answer = Answer(
        Status.NOT_UNDERSTOOD,
        "bring the glorp",
        refused=(RefusedWord(10, 15, "glorp"),),
        suggestions=("glove",),
    )
    assert tree(answer).splitlines() == [
        "asked: “bring the glorp”",
        "└─ not understood",
        "   ├─ not understood: “glorp”",
        "   └─ suggestion: glove",
    ]


@pytest.mark.parametrize("status", [Status.INFEASIBLE, Status.UNKNOWN])
def test_what_is_not_solved_says_why(status: Status) -> None:
    answer = Answer(status, TEXT, goal=ASKED, reasons=("there is no snack",), summary="No.")
    assert "there is no snack" in tree(answer)
    told = told_of(answer)
    assert status.value in told and "No." in told
    assert "The plan" not in told


def test_the_story_has_what_was_kept_changed_and_why() -> None:
    told = told_of(SOLVED)
    titles = [line for line in told.splitlines() if line and not line.startswith(" ")]
    assert titles == [
        "What was asked",
        "What is there",
        "How it was read",
        "The answer",
        "What was kept",
        "What was changed, and why",
        "The plan, 1 step",
        "What was taken for granted",
    ]
    assert "because only 3" in told
    assert "cola_can_13" in told


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Step("put_on", ("robot", "snack_3", "table_2", "hall")), "put Snack 3 on table_2 (hall)"),
        (
            Step("take-out", ("robot", "snack_3", "table_2", "hall")),
            "take Snack 3 out of table_2 (hall)",
        ),
        (Step("drive", ("robot", "hall", "kitchen_1")), "drive hall → kitchen 1"),
        (Step("grab", ("robot", "snack_3", "hall")), "grab Snack 3 (hall)"),
        (Step("wait"), "wait"),
        (Step("look_at", ("nobody_knows",)), "look at nobody_knows"),
    ],
)
def test_steps_are_told_with_the_scenes_own_names(step: Step, words: str) -> None:
    assert step_words(SOLVED, step) == words
