"""From the end of a search to the answer that a person and a program can read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gist.goals import Assumption, Candidate, Goal, describe, render
from gist.knowledge import Substitute
from gist.pddl.domain import Domain
from gist.pddl.encode import Encoding
from gist.pddl.problem import Problem, write_domain, write_problem
from gist.planning.answer import Answer, ChangeStep, Status, SubProblem
from gist.planning.case import Case
from gist.planning.solve import Solution
from gist.scene import SceneGraph


def solved(
    asked: Goal, final: Goal, taken: Sequence[Candidate], case: Case, solution: Solution
) -> Answer:
    """Return the answer for a goal that is reached by a checked plan."""
    encoding = solution.encoding
    assert encoding is not None
    tools = (_tool_change(kind, tool) for kind, tool in solution.tools)
    steps = (*map(_change, taken), *tools, *_said_weaker(case))
    whole = encoding.with_goal(case.stages()[-1]) if solution.parts else encoding.problem
    state = solution.parts[-1].final if solution.parts else encoding.problem.init
    answer = Answer(
        Status.SOLVED,
        asked.text,
        goal=asked,
        final_goal=final,
        goal_text=render(asked),
        final_goal_text=render(final),
        final_goal_pddl=str(whole.goal),
        steps=steps,
        plan=solution.plan,
        objects=_objects(case.scene, encoding),
        final_state=tuple(map(str, sorted(state))),
        assumptions=_assumptions(asked, case, encoding),
        kept=_kept(asked, final),
        lost=_lost(steps),
        problems=(
            _sub_problem(solution.domain, whole, solution.plan),
            *(_sub_problem(solution.domain, part.problem, part.plan) for part in solution.parts),
        ),
    )
    return replace(answer, summary=_solved_sentence(answer))


def not_solved(
    status: Status,
    asked: Goal,
    taken: Sequence[Candidate],
    reasons: Sequence[str],
    proofs: Sequence[str] = (),
) -> Answer:
    """Return the answer for a goal that is proved infeasible, or left undecided by a limit."""
    said = "; ".join(reasons) or "no reason is known"
    if status is Status.INFEASIBLE:
        summary = f"This cannot be done: {said}."
        if said.startswith("there "):
            summary += " Nothing in the scene may stand in for it."
    else:
        summary = f"Not decided: {said}."
    return Answer(
        status,
        asked.text,
        goal=asked,
        goal_text=render(asked),
        steps=tuple(map(_change, taken)),
        assumptions=asked.assumptions,
        reasons=(*reasons, *proofs),
        summary=summary,
    )


def _change(candidate: Candidate) -> ChangeStep:
    return ChangeStep(
        candidate.kind,
        candidate.operator,
        candidate.before,
        candidate.after,
        candidate.reason,
        candidate.tier,
        candidate.proof.text if candidate.proof else "",
        candidate.caution or "",
    )


def _tool_change(kind: str, tool: Substitute) -> ChangeStep:
    """Return the shift of the situation by which a thing serves as a tool that is missing."""
    return ChangeStep(
        "shift",
        "substitute_tool",
        f"a {kind.replace('-', ' ')}",
        tool.name,
        f"there is no {kind.replace('-', ' ')}; {tool.name}: {tool.reason}",
        tool.tier,
        caution=tool.caution or "",
    )


def _said_weaker(case: Case) -> list[ChangeStep]:
    """Return a relaxation for each clause of which the domain can only say a part."""
    found = []
    for choice in case.choices:
        weaker = [literal for literal in choice.literals if literal.weaker]
        if weaker:
            places = sorted({literal.atom.args[-1] for literal in weaker})
            found.append(
                ChangeStep(
                    "relax",
                    "generalise_predicate",
                    choice.item.text(),
                    f"{choice.item.things.text()} at {' and '.join(places)}",
                    weaker[0].note,
                    proof="what is in or on a thing is in the room of that thing",
                )
            )
    return found


def _sub_problem(domain: Domain, problem: Problem, plan: Sequence[Any]) -> SubProblem:
    return SubProblem(write_domain(domain), write_problem(problem), tuple(plan))


def _objects(scene: SceneGraph, encoding: Encoding) -> Mapping[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for label, name in encoding.names.to_pddl.items():
        node, place = scene.node(label), scene.place_of(label)
        found[name] = {
            "label": label,
            "class": node.cls,
            "place": place.target if place else None,
            "relation": place.relation.value if place else None,
            "states": sorted(node.states),
            "type": encoding.types[label],
        }
    return found


def _assumptions(asked: Goal, case: Case, encoding: Encoding) -> tuple[Assumption, ...]:
    notes = dict.fromkeys(
        literal.note
        for choice in case.choices
        for literal in choice.literals
        if literal.note and not literal.weaker
    )
    bound = {r.action for r in case.restrictions()}
    notes.update(
        dict.fromkeys(
            f"no goal of the domain can say into which one; the action '{action}' is bound to it"
            for action in sorted(bound)
        )
    )
    return (
        *asked.assumptions,
        *(Assumption(note, kind="vocabulary") for note in notes),
        *(Assumption(note, kind="default") for note in encoding.assumptions),
    )


def _kept(asked: Goal, final: Goal) -> tuple[str, ...]:
    before = {item.text() for item in asked.clauses}
    return tuple(item.text() for item in final.clauses if item.text() in before)


def _lost(steps: Iterable[ChangeStep]) -> tuple[str, ...]:
    return tuple(
        f"{step.before} (given up)" if step.after == "nothing" else f"{step.before} -> {step.after}"
        for step in steps
    )


def _solved_sentence(answer: Answer) -> str:
    assert answer.final_goal is not None
    count = len(answer.plan)
    done = f"{describe(answer.final_goal)}, in {count} step{'' if count == 1 else 's'}"
    if not count:
        done = f"{describe(answer.final_goal)}: that is so already"
    if not answer.steps:
        return f"Everything asked can be done: {done}."
    reasons = "; ".join(dict.fromkeys(step.reason for step in answer.steps))
    return f"What can be done: {done}. Changed because {reasons}."
