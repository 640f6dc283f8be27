"""Problems written by hand from the shared tasks, without Gist's own goal understanding.

Only names and rooms are taken from the task's scene graph, so that the planners can be tested
and measured on real sizes before and apart from everything that writes problems in Gist.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gist.pddl.domain import Domain
from gist.pddl.formula import And, Atom, Formula
from gist.pddl.parser import parse_domain
from gist.pddl.problem import Problem

Thing = dict[str, Any]


def legal(label: str) -> str:
    """Return the label as a PDDL name."""
    return re.sub(r"[^a-z0-9_]", "_", label.lower())


class Scene:
    """The rooms and things of one task, with PDDL names."""

    def __init__(self, tasks: Path, task_id: str) -> None:
        task = next(t for t in json.loads((tasks / "tasks.json").read_text()) if t["id"] == task_id)
        graph = json.loads((tasks / task["graph"]).read_text())
        self.domain: Domain = parse_domain((tasks / task["domain"]).read_text())
        self.rooms = {room["id"]: legal(room["label"]) for room in graph["rooms"].values()}
        self.start = legal(task["robot_room"])
        self.things: list[Thing] = [
            {
                "name": legal(thing["label"]),
                "class": thing["class"],
                "room": self.rooms.get(thing["parent_room"]),
            }
            for thing in graph["objects"].values()
        ]

    def of(self, *words: str) -> list[Thing]:
        """Return the things in a known room whose class contains one of the words."""
        return [t for t in self.things if t["room"] and any(w in t["class"] for w in words)]

    def problem(
        self, typed: dict[str, list[Thing]], facts: list[Atom], goal: list[Formula], whole: bool
    ) -> Problem:
        """Return a problem with the robot, the typed things, and all else when `whole`."""
        objects = {"robot_1": "robot"}
        init = {Atom("at", ("robot_1", self.start)), Atom("is-free", ("robot_1",)), *facts}
        for kind, things in typed.items():
            for thing in things:
                objects.setdefault(thing["name"], kind)
        inside = {fact.args[0] for fact in facts if fact.predicate == "inside"}
        for thing in self.things:
            if whole:
                objects.setdefault(thing["name"], "grabbable")
            if thing["name"] in objects and thing["room"] and thing["name"] not in inside:
                init.add(Atom("at", (thing["name"], thing["room"])))
        used = {self.start} | {t["room"] for t in self.things if t["name"] in objects and t["room"]}
        for fact in facts:
            used.update(arg for arg in fact.args if arg in self.rooms.values())
        for room in self.rooms.values():
            if whole or room in used:
                objects[room] = "room"
        return Problem("task", self.domain.name, objects, frozenset(init), And(tuple(goal)))


def gather(scene: Scene, words: list[str], kind: str, into: list[str], whole: bool) -> Problem:
    """Bring all things of some classes into (container) or onto (surface) the first target."""
    things = [t for t in scene.of(*words) if not any(w in t["class"] for w in into)]
    target = (scene.of(*into) or scene.of("table", "sink", "counter", "bed", "couch", "chair"))[0]
    predicate = "inside" if kind == "container" else "is-on"
    goal: list[Formula] = [Atom(predicate, (t["name"], target["name"])) for t in things]
    return scene.problem({kind: [target], "grabbable": things}, [], goal, whole)


def clean(scene: Scene, whole: bool) -> Problem:
    """Throw three things away, mop two rooms and clean the mop."""
    rubbish = scene.of("cola", "banana", "rotting apple", "can", "peel")[:3]
    bins = [t for t in scene.things if t["room"] and "bin" in t["class"]][:1]
    rubbish = [t for t in rubbish if t not in bins]
    mop = scene.of("mop")[:1]
    floors = [r for r in scene.rooms.values() if "kitchen" in r or "living" in r][:2]
    facts = [Atom("dirty-floor", (room,)) for room in floors]
    goal: list[Formula] = [Atom("thrashed", (t["name"],)) for t in rubbish]
    if mop:
        facts.append(Atom("is-clean", (mop[0]["name"],)))
        goal += [Atom("clean-floor", (room,)) for room in floors]
        goal.append(Atom("is-clean", (mop[0]["name"],)))
    return scene.problem({"disposable": rubbish, "bin": bins, "mop": mop}, facts, goal, whole)


def office(scene: Scene, whole: bool) -> Problem:
    """Empty shelf and locker, push all furniture into the living room, put the contents back."""
    furniture = [
        t for t in scene.of("shelf", "locker", "desk", "lamp") if " into " not in t["class"]
    ]
    contents = [t for t in scene.things if " into " in t["class"]]
    room = next((r for r in scene.rooms.values() if "living" in r), scene.start)
    facts = [Atom("at", (furniture[0]["name"], room))] if not furniture[0]["room"] else []
    goal: list[Formula] = []
    for thing in contents:
        kind = "locker" if "locker" in thing["class"] else "shelf"
        place = next((f for f in furniture if kind in f["class"]), furniture[0])
        facts.append(Atom("inside", (thing["name"], place["name"])))
        goal.append(Atom("inside", (thing["name"], place["name"])))
    goal += [Atom("at", (f["name"], room)) for f in furniture]
    problem = scene.problem({"container": furniture, "grabbable": contents}, facts, goal, whole)
    objects = {**problem.objects, room: "room"}
    return Problem(problem.name, problem.domain, objects, problem.init, problem.goal)


def wash(scene: Scene, whole: bool) -> Problem:
    """Wash all clothes in the washing machine."""
    clothes = scene.of("shirt", "pants", "sock", "towel", "dress", "jacket", "clothes", "sweater")
    machine, supply = scene.of("washing machine", "washer")[:1], scene.of("detergent", "bleach")[:1]
    facts = [Atom("is-dirty", (t["name"],)) for t in clothes]
    facts += [Atom(p, (machine[0]["name"],)) for p in ("is-closed", "is-empty")]
    goal: list[Formula] = [Atom("is-clean", (t["name"],)) for t in clothes]
    typed = {"cleanable": clothes, "washing-machine": machine, "cleaning-supply": supply}
    return scene.problem(typed, facts, goal, whole)


_GENERAL: dict[str, tuple[list[str], str, list[str]]] = {
    "problem_1": (["apple"], "container", ["fridge", "refrigerator"]),
    "problem_2": (["book"], "surface", ["shelf"]),
    "problem_3": (["glass", "cup"], "container", ["sink"]),
    "problem_4": (["shoe"], "surface", ["mat", "bathtub", "sink"]),
    "problem_6": (["toy", "ball", "teddy"], "container", ["toy box", "box"]),
    "problem_7": (["towel"], "container", ["basket", "laundry"]),
    "problem_8": (["apple"], "container", ["bowl"]),
    "problem_10": (["glass"], "container", ["cupboard", "cabinet"]),
}


def task_problem(tasks: Path, task_id: str, whole: bool = False) -> tuple[Domain, Problem]:
    """Return the domain and a problem of the kind that the task asks for."""
    scene = Scene(tasks, task_id)
    split, _, number = task_id.split("/")
    writers: dict[str, Callable[[Scene, bool], Problem]] = {
        "house_cleaning": clean,
        "office_setup": office,
        "laundry": wash,
    }
    if split == "general":
        words, kind, into = _GENERAL[number]
        return scene.domain, gather(scene, words, kind, into, whole)
    if split in writers:
        return scene.domain, writers[split](scene, whole)
    words = ["plate", "fork", "knife", "glass", "spoon", "napkin", "candle", "vase"]
    if split == "pc_assembly":
        words = ["cpu", "gpu", "ram", "motherboard", "psu", "case", "monitor", "keyboard", "mouse"]
    problem = gather(scene, words, "surface", ["dining table", "desk", "table"], whole)
    return scene.domain, problem
