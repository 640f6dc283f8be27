from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from gist.planning.allocation import share_out

THINGS = "abcde"
NEEDS = st.lists(
    st.tuples(st.integers(0, 2), st.lists(st.sampled_from(THINGS), unique=True)), max_size=3
)


def test_the_best_thing_goes_where_there_is_no_other() -> None:
    assert share_out([(1, ["a", "b"]), (1, ["a"])]) == [["b"], ["a"]]


@given(NEEDS)
def test_nothing_is_given_twice_and_as_much_as_can_be_is_given(
    needs: list[tuple[int, list[str]]],
) -> None:
    given_things = share_out(needs)
    flat = [thing for things in given_things for thing in things]
    assert len(flat) == len(set(flat))
    for (count, wanted), things in zip(needs, given_things, strict=True):
        assert len(things) <= count
        assert set(things) <= set(wanted)
    slots = [wanted for count, wanted in needs for _ in range(count)]
    best = max(
        sum(thing in wanted for thing, wanted in zip(order, slots, strict=False))
        for order in permutations([*THINGS, *" " * len(slots)], len(slots))
    )
    assert len(flat) == best
