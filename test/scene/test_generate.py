from __future__ import annotations

import pytest

from gist.errors import BadInput
from gist.scene import check, generate


def test_a_scene_has_as_many_things_as_asked_and_nothing_wrong() -> None:
    for objects in (0, 1, 19, 20, 21, 300):
        scene = generate(objects, seed=3)
        assert len(scene.things()) == objects
        assert len(scene.rooms()) == max(1, -(-objects // 20))
        assert check(scene) == ()
    assert len(generate(50, seed=3, rooms=7).rooms()) == 7
    assert len(generate(50, seed=3, rooms=7).things()) == 50


def test_the_seed_decides_the_scene() -> None:
    assert generate(100, seed=1) == generate(100, seed=1)
    assert generate(100, seed=1) != generate(100, seed=2)


def test_a_larger_scene_contains_the_smaller_one() -> None:
    small, large = generate(100, seed=5), generate(1000, seed=5)
    assert all(large.nodes[name] == node for name, node in small.nodes.items())
    assert all(large.places[name] == place for name, place in small.places.items())


def test_wrong_numbers_are_refused() -> None:
    for objects, rooms in ((-1, None), (5, 0)):
        with pytest.raises(BadInput, match="cannot make"):
            generate(objects, 0, rooms)


def test_ten_thousand_things_are_made() -> None:
    assert len(generate(10_000, seed=0).things()) == 10_000
