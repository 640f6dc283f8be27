"""Ground tasks in the input format of Fast Downward's search (SAS, version 3)."""

from __future__ import annotations

from collections.abc import Iterable

from gist.pddl.compile import Condition, GroundEffect, GroundTask, Operator

TRUE, FALSE = 0, 1


def write_sas(task: GroundTask) -> str:
    """Write a task with one binary variable a fact; operator `n` is named `o<n>`.

    The task needs a goal that the delete relaxation can reach (`task.goal` is not None).
    """
    assert task.goal is not None
    lines = ["begin_version", "3", "end_version", "begin_metric", "0", "end_metric"]
    lines.append(str(len(task.facts)))
    for number in range(len(task.facts)):
        lines += ["begin_variable", f"v{number}", "-1", "2", f"Atom f{number}()"]
        lines += [f"NegatedAtom f{number}()", "end_variable"]
    lines += ["0", "begin_state"]
    lines += [str(TRUE if n in task.init else FALSE) for n in range(len(task.facts))]
    lines += ["end_state", "begin_goal", *_counted(_pairs(task.goal)), "end_goal"]
    lines.append(str(len(task.operators)))
    for number, operator in enumerate(task.operators):
        lines += _operator(number, operator)
    lines += ["0", ""]
    return "\n".join(lines)


def _operator(number: int, operator: Operator) -> list[str]:
    effects = map(_effect, operator.effects)
    body = [*_counted(_pairs(operator.pre)), *_counted(effects)]
    return ["begin_operator", f"o{number}", *body, "1", "end_operator"]


def _pairs(condition: Condition) -> list[str]:
    holds = [f"{fact} {TRUE}" for fact in sorted(condition.holds)]
    return holds + [f"{fact} {FALSE}" for fact in sorted(condition.fails)]


def _effect(effect: GroundEffect) -> str:
    when = _counted(_pairs(effect.when))
    return f"{' '.join(when)} {effect.fact} -1 {TRUE if effect.add else FALSE}"


def _counted(lines: Iterable[str]) -> list[str]:
    rows = list(lines)
    return [str(len(rows)), *rows]
