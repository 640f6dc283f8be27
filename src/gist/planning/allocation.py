"""Things that several clauses want for different places, shared out so that most get theirs."""

from __future__ import annotations

from collections.abc import Sequence


def share_out(needs: Sequence[tuple[int, Sequence[str]]]) -> list[list[str]]:
    """Give each need (how many, of which things, best first) things that no other need gets.

    As many as possible are served in all: a maximum matching (Kuhn 1955), so that what is short
    in the end is short however the things are shared out.
    """
    slots = [(need, things) for need, (count, things) in enumerate(needs) for _ in range(count)]
    owner: dict[str, int] = {}

    def place(slot: int, seen: set[str]) -> bool:
        for thing in slots[slot][1]:
            if thing in seen:
                continue
            seen.add(thing)
            if thing not in owner or place(owner[thing], seen):
                owner[thing] = slot
                return True
        return False

    for slot in range(len(slots)):
        place(slot, set())
    given: list[list[str]] = [[] for _ in needs]
    for thing, slot in owner.items():
        given[slots[slot][0]].append(thing)
    return given
