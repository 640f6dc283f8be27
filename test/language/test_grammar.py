"""The grammar under arbitrary input: always an answer, soon, and words that are in the sentence."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gist.language import NotUnderstood, Understood
from gist.language.knowledge import Grammar
from gist.language.knowledge.lexicon import lexicon
from gist.scene.generate import generate
from gist.scene.graph import SceneGraph

SCENE = generate(60, 3)
GRAMMAR = Grammar()
WORDS = sorted(lexicon().known_words())
NOUNS = [*SCENE.classes(), *SCENE.nodes]
SENTENCES = (
    "put all the dirty plates in the dishwasher and close it",
    "bring at least two cups from the kitchen to the table, then wash them",
    "throw away the rubbish in the kitchen but properly recycle it",
    "after washing the towels, put them back where they were",
    "set the table for three people, try decorating it",
)


def answered(text: str, scene: SceneGraph = SCENE) -> Understood | NotUnderstood:
    answer = GRAMMAR.interpret(text, scene)
    if isinstance(answer, NotUnderstood):
        assert answer.message
        for start, end, word in answer.words:
            assert text[start:end] == word
    else:
        assert answer.goal.clauses
        assert answer.goal.text == text
    return answer


@given(st.text(max_size=300))
@settings(max_examples=300)
def test_any_text_is_answered(text: str) -> None:
    answered(text)


@given(st.lists(st.sampled_from(WORDS + NOUNS + [",", ".", "the", "and"]), max_size=40))
@settings(max_examples=500)
def test_any_words_are_answered(words: list[str]) -> None:
    answered(" ".join(words))


@given(st.sampled_from(SENTENCES), st.lists(st.tuples(st.integers(0, 30), st.sampled_from(WORDS))))
@settings(max_examples=400)
def test_a_garbled_sentence_is_answered(sentence: str, edits: list[tuple[int, str]]) -> None:
    words = sentence.split()
    for at, word in edits:
        words[at % len(words)] = word
    answered(" ".join(words))


@given(st.sampled_from(SENTENCES), st.integers(0, 30))
def test_a_foreign_word_is_never_skipped(sentence: str, at: int) -> None:
    words = sentence.split()
    words.insert(at % (len(words) + 1), "xqzjkv")
    answer = answered(" ".join(words))
    assert isinstance(answer, NotUnderstood)
    assert [word for _, _, word in answer.words] == ["xqzjkv"]


@pytest.mark.parametrize("text", ["", " \n\t ", "a" * 2001, "the " * 400, "?" * 1000])
def test_what_is_too_long_or_empty_is_refused(text: str) -> None:
    assert isinstance(GRAMMAR.interpret(text, SCENE), NotUnderstood)


def test_ten_thousand_garbled_sentences_end() -> None:
    chance = random.Random(11)
    pool = [*WORDS, *NOUNS, ",", "and", "the", "xyz"]
    for _ in range(10_000):
        words = chance.choice(SENTENCES).split()
        for _ in range(chance.randint(0, 5)):
            words[chance.randrange(len(words))] = chance.choice(pool)
        answered(" ".join(words))


def test_time_is_nearly_linear_in_the_length() -> None:
    def seconds(times: int) -> float:
        text = " and ".join(["put the cup on the table"] * times)
        start = time.process_time()
        GRAMMAR.interpret(text, SCENE)
        return time.process_time() - start

    seconds(5)
    short, long = min(seconds(5) for _ in range(5)), min(seconds(30) for _ in range(5))
    assert long < 25 * max(short, 0.001)


def test_a_large_scene_is_no_trouble() -> None:
    scene = generate(10_000, 5)
    for sentence in SENTENCES:
        answered(sentence, scene)


def test_scenes_do_not_leak_into_each_other() -> None:
    first, second = generate(30, 1), generate(30, 2)
    say = "put all the cups on the table"
    alone = answered(say, first)
    answered(say, second)
    assert answered(say, first) == alone


def test_an_empty_scene_is_no_trouble() -> None:
    for sentence in SENTENCES:
        answered(sentence, SceneGraph())
