"""Whatever is said and whatever file is given: one of the four answers, or bad input by name.

GIST_FUZZ=10000 runs that many sentences and that many files.
"""

from __future__ import annotations

import json
import os
import random
import string
import time
from pathlib import Path
from typing import Any

import pytest

import gist
from gist.errors import BadInput
from gist.planning import Answer, PlanLimits, Status, TaskPlanner
from gist.scene import SceneGraph, check, generate
from gist.scene.render import tree

COUNT = int(os.environ.get("GIST_FUZZ", "300"))
pytestmark = pytest.mark.timeout(120 + COUNT // 4)
LIMITS = PlanLimits(time_s=3.0, memory_mb=2048)
SLOWEST_S = 6.0
"""The limit and what reading the sentence and proving may add on a busy machine."""
DOMAIN = gist.load_domain("household")

SENTENCES = (
    "Bring 4 kid snacks to table_2",
    "Put all the dirty plates into the sink, then close the fridge",
    "Move every book that is not on the shelf to the living room",
    "Take the mug and two glasses from the kitchen and put them on the table next to the sofa",
    "set the table for three people",
    "throw away the rubbish but properly recycle it, then mop the floor in the kitchen",
    "remove the objects from the shelf and put them back where they were",
    "either bring me a cup or put at most 3 toys in the toy box immediately after that",
    "Wash the dirty clothes using the washing machine.",
    "Gather the parts to assemble a working desktop PC in the dining room",
)
ODD = (
    "", " ", "0", "-1", "99999999999999999999", "1e9", "½", "ten thousand", "not", "no", "and",
    "(", ")", "(:goal", ";", '"', "'", "\\", "%s", "{}", "\x00", "\n", "\t", "é", "苹果", "🍎",
    "\u202e", "table_2", "table_99", "robot", "snack_3", "the the", "than", "a" * 300, "all", "it",
)  # fmt: skip


@pytest.fixture(scope="module")
def planner() -> TaskPlanner:
    return TaskPlanner()


def test_any_sentence_gets_one_of_the_four_answers(planner: TaskPlanner, repository: Path) -> None:
    scenes = [
        gist.load_scene(path).scene
        for path in sorted((repository / "config/scenes").glob("*.json"))
    ]
    dice = random.Random(1)
    for number in range(COUNT):
        sentence = changed_sentence(dice)
        answered(planner, sentence, scenes[number % len(scenes)])


def changed_sentence(dice: random.Random) -> str:
    """Return a sentence with words lost, doubled, swapped, strange, or of another sentence."""
    words = dice.choice(SENTENCES).split()
    for _ in range(dice.randint(0, 5)):
        place = dice.randrange(len(words) + 1)
        kind = dice.randrange(6)
        if kind == 0:
            del words[place : place + 1]
        elif kind == 1:
            words.insert(place, dice.choice(ODD))
        elif kind == 2:
            words[place:place] = dice.choice(SENTENCES).split()[: dice.randint(1, 6)]
        elif kind == 3:
            dice.shuffle(words)
        elif kind == 4:
            words *= dice.randint(1, 3)
        else:
            letters = "".join(dice.choices(string.printable, k=dice.randint(1, 8)))
            words[place : place + 1] = [letters]
    return " ".join(words)


def answered(planner: TaskPlanner, sentence: str, scene: SceneGraph) -> None:
    began = time.monotonic()
    try:
        answer = planner.plan(sentence, scene, DOMAIN, LIMITS)
    except BadInput as error:
        assert str(error)
    except Exception as error:
        raise AssertionError(f"{sentence!r}: {type(error).__name__}: {error}") from error
    else:
        check_answer(sentence, answer)
    assert time.monotonic() - began < SLOWEST_S, repr(sentence)


def check_answer(sentence: str, answer: Answer) -> None:
    json.dumps(answer.to_json())
    assert answer.summary, repr(sentence)
    if answer.status is Status.SOLVED:
        assert answer.final_goal is not None
        assert answer.final_goal.clauses, repr(sentence)
    else:
        assert answer.plan == ()
    if answer.status is Status.NOT_UNDERSTOOD:
        for word in answer.refused:
            assert answer.text[word.start : word.end] == word.word, repr(sentence)


# --- files


def test_any_scene_file_is_read_or_named_as_bad(
    planner: TaskPlanner, repository: Path, tmp_path: Path
) -> None:
    authored = [path.read_bytes() for path in sorted((repository / "config/scenes").glob("*.json"))]
    originals = [*authored, json.dumps(task_scene()).encode()]
    dice = random.Random(2)
    file = tmp_path / "scene.json"
    read = 0
    for number in range(COUNT):
        data = changed_file(dice, originals[number % len(originals)])
        file.write_bytes(data)
        try:
            scene = gist.load_scene(file, dice.choice((None, None, "kitchen_1"))).scene
        except BadInput as error:
            assert str(error)
            continue
        except Exception as error:
            kept = tmp_path / f"crash_{number}.json"
            kept.write_bytes(data)
            raise AssertionError(f"{kept}: {type(error).__name__}: {error}") from error
        read += 1
        check(scene)
        tree(scene)
        answered(planner, "Bring a cup and two books to the kitchen", scene)
    assert read > COUNT // 10


def task_scene() -> dict[str, Any]:
    """Return a scene in the form of the task set."""
    scene = generate(30, 3)
    rooms = {room.name: number for number, room in enumerate(scene.rooms(), 1)}
    return {
        "scene_info": {"total_rooms": len(rooms)},
        "rooms": {
            str(number): {"id": number, "category": scene.node(name).cls, "label": name, "bbox": []}
            for name, number in rooms.items()
        },
        "objects": {
            str(number): {
                "id": number,
                "class": node.cls,
                "label": node.name,
                "parent_room": rooms[scene.room_of(node.name) or ""],
                "description": f"{node.cls} made of wood, used for living.",
                "bbox": [],
                "action_affordance": ["move"],
            }
            for number, node in enumerate(scene.objects(), 1)
        },
    }


def changed_file(dice: random.Random, original: bytes) -> bytes:
    """Return the file with bytes changed, cut, or values of the JSON replaced, lost or doubled."""
    kind = dice.randrange(8)
    if kind == 0:
        return bytes(dice.randrange(256) for _ in range(dice.randrange(200)))
    if kind == 1:
        return original[: dice.randrange(len(original))]
    if kind == 2:
        data = bytearray(original)
        for _ in range(dice.randint(1, 20)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        return bytes(data)
    tree_ = json.loads(original)
    for _ in range(dice.randint(1, 4)):
        disturb(dice, tree_)
    return json.dumps(tree_).encode()


def disturb(dice: random.Random, node: Any) -> None:
    """Change something somewhere in a JSON tree, in place."""
    while isinstance(node, (dict, list)) and node:
        key = dice.choice(list(node)) if isinstance(node, dict) else dice.randrange(len(node))
        child = node[key]
        if isinstance(child, (dict, list)) and child and dice.random() < 0.85:
            node = child
            continue
        strange = (
            None, True, -1, 1e308, float("nan"), float("inf"), "", "x" * 1000, "\x00", "kitchen_1",
            "robot", [], {}, [[]], {"a": {}}, "🍎", child,
        )  # fmt: skip
        if dice.random() < 0.2:
            del node[key]
        elif isinstance(node, list) and dice.random() < 0.3:
            node.insert(key if isinstance(key, int) else 0, child)
        else:
            node[key] = dice.choice(strange)
        return
