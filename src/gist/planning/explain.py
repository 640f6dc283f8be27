"""An answer told to a person: the path of the relaxation graph as a tree, or the whole story."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gist.goals import Goal, describe
from gist.pddl.planners import Step
from gist.planning.answer import Answer, ChangeStep, Status
from gist.scene import SceneGraph
from gist.scene.render import tree as scene_tree

_WHOLE_SCENE = 40
_PREPOSITIONS = {
    **{word: word for word in ("in", "inside", "into", "on", "onto", "from", "to", "at", "with")},
    "out": "out of",
    "away": "away into",
}
_SAID = {
    Status.SOLVED: "solved",
    Status.INFEASIBLE: "infeasible: proved on the whole scene",
    Status.UNKNOWN: "unknown: neither a plan nor a proof",
    Status.NOT_UNDERSTOOD: "not understood",
}


@dataclass(frozen=True)
class Section:
    """A part of the story: a title and the lines under it."""

    title: str
    lines: tuple[str, ...]


# --- the tree


def tree(answer: Answer) -> str:
    """Return the path from the words to the plan as a plain text tree.

    What was asked, how it was read and what was assumed; every shift and relaxation with its
    operator, before and after, reason, and proof or tier; the goal reached and its plan.
    """
    branches: list[Section] = []
    if answer.goal is not None:
        branches.append(Section(f"read as: {describe(answer.goal)}", tuple(_assumed(answer))))
    branches += [_change(number, step) for number, step in enumerate(answer.steps, 1)]
    branches.append(_outcome(answer))
    if answer.plan:
        title = f"plan: {_counted(len(answer.plan), 'step')}"
        branches.append(Section(title, tuple(plan_lines(answer))))
    lines = [f"asked: “{answer.text}”" if answer.text else "asked: a typed goal"]
    for number, branch in enumerate(branches):
        last = number == len(branches) - 1
        lines.append(f"{'└─' if last else '├─'} {branch.title}")
        for place, line in enumerate(branch.lines):
            corner = "└─" if place == len(branch.lines) - 1 else "├─"
            lines.append(f"{'   ' if last else '│  '}{corner} {line}")
    return "\n".join(lines)


def _assumed(answer: Answer) -> Iterator[str]:
    for assumption in answer.assumptions:
        words = ""
        if assumption.span is not None and answer.text:
            words = f" [“{answer.text[slice(*assumption.span)]}”]"
        yield f"assumed: {assumption.text}{words}"


def _change(number: int, step: ChangeStep) -> Section:
    lines = [f"before: {step.before}", f"after:  {step.after}", f"why:    {step.reason}"]
    if step.tier is not None:
        lines.append(f"tier:   {step.tier} ({_nearness(step.tier)})")
    if step.proof:
        lines.append(f"proof:  {step.proof}")
    if step.caution:
        lines.append(f"beware: {step.caution}")
    return Section(f"{number}. {step.kind}: {_words(step.operator)}", tuple(lines))


def _nearness(tier: int) -> str:
    return {1: "same role", 2: "neighbouring role"}.get(tier, "weak")


def _outcome(answer: Answer) -> Section:
    if answer.status is Status.SOLVED and answer.final_goal is not None:
        unchanged = " (as asked)" if not answer.steps else ""
        title = f"reached{unchanged}: {describe(answer.final_goal)}"
        return Section(title, ())
    lines = [*answer.reasons]
    lines += [f"not understood: “{word.word}”" for word in answer.refused]
    lines += [f"suggestion: {suggestion}" for suggestion in answer.suggestions]
    return Section(_SAID[answer.status], tuple(lines or [answer.summary]))


# --- the story


def sections(answer: Answer, scene: SceneGraph) -> tuple[Section, ...]:
    """Return what was asked, what is there, what was kept, changed and lost and why, the plan."""
    told = [
        Section("What was asked", (f"“{answer.text}”" if answer.text else _goal(answer.goal),)),
        Section("What is there", tuple(_there(answer, scene))),
        Section("How it was read", (_goal(answer.goal),) if answer.goal else ()),
        Section("The answer", tuple(_done(answer))),
        Section("What was kept", answer.kept if answer.steps else ()),
        Section("What was changed, and why", tuple(_changes(answer))),
        Section(f"The plan, {_counted(len(answer.plan), 'step')}", tuple(plan_lines(answer))),
        Section("What was taken for granted", tuple(a.text for a in answer.assumptions)),
    ]
    return tuple(section for section in told if section.lines)


def _goal(goal: Goal | None) -> str:
    return describe(goal) if goal is not None else "nothing"


def _there(answer: Answer, scene: SceneGraph) -> Iterator[str]:
    """Tell the whole scene when it is small, else its size and what the plan is about."""
    if len(scene) <= _WHOLE_SCENE:
        yield from scene_tree(scene).splitlines()
        return
    yield (
        f"{_counted(len(scene.rooms()), 'room')} with {_counted(len(scene.things()), 'thing')}, "
        "of which these matter here:"
    )
    moved = dict.fromkeys(name for step in answer.plan for name in step.args)
    for name in moved:
        facts = answer.objects.get(name, {})
        if facts.get("place") and facts["label"] in scene:
            yield f"{facts['label']} ({facts['class']}), {facts['relation']} {facts['place']}"


def _done(answer: Answer) -> Iterator[str]:
    yield f"{_SAID[answer.status]}. {answer.summary}"
    yield from (f"for instance: {suggestion}" for suggestion in answer.suggestions)


def _changes(answer: Answer) -> Iterator[str]:
    for step in answer.steps:
        after = "given up" if step.after == "nothing" else f"now {step.after}"
        yield f"{step.before}: {after}"
        yield f"  because {step.reason}"
        if step.caution:
            yield f"  beware: {step.caution}"


# --- the plan


def plan_lines(answer: Answer) -> Iterator[str]:
    """Yield the steps, numbered, in words and with the scene's own names."""
    width = len(str(len(answer.plan)))
    for number, step in enumerate(answer.plan, 1):
        yield f"{number:>{width}}. {step_words(answer, step)}"


def step_words(answer: Answer, step: Step) -> str:
    """Return a step in words: "put snack_3 on table_2 (kitchen_1)"; the robot goes without saying.

    Works for the actions of any domain: it needs only their names and what the arguments are.
    """
    rooms: list[str] = []
    things: list[str] = []
    for name in step.args:
        facts = answer.objects.get(name, {})
        label = str(facts.get("label", name))
        if facts.get("type") == "robot" or facts.get("class") == "robot":
            continue
        (rooms if facts.get("type") == "room" else things).append(label)
    verb, _, preposition = _words(step.action).rpartition(" ")
    if not things:
        return f"{_words(step.action)} {' → '.join(rooms)}".strip()
    where = f" ({' → '.join(rooms)})" if rooms else ""
    if verb and preposition in _PREPOSITIONS and len(things) > 1:
        first, *others = things
        return f"{verb} {first} {_PREPOSITIONS[preposition]} {', '.join(others)}{where}"
    return f"{_words(step.action)} {', '.join(things)}{where}"


def _words(name: str) -> str:
    return name.replace("_", " ").replace("-", " ")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
