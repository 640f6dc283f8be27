"""Between ROS messages and the library's own types. Every function here is a pure translation."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, Quaternion, Vector3
from gist_ros import msg
from std_msgs.msg import Header

from gist.errors import BadInput
from gist.goals import Assumption, Goal, parse
from gist.pddl.planners import Step
from gist.planning.answer import Answer, ChangeStep, RefusedWord, Status, Times
from gist.planning.task_planner import PlanLimits
from gist.scene import Kind, Node, Place, Pose, Relation, SceneGraph, natural_key
from gist.scene.findings import Finding, Severity

_KINDS = {
    Kind.BUILDING: msg.SceneNode.KIND_BUILDING,
    Kind.ROOM: msg.SceneNode.KIND_ROOM,
    Kind.FURNITURE: msg.SceneNode.KIND_FURNITURE,
    Kind.OBJECT: msg.SceneNode.KIND_OBJECT,
    Kind.ROBOT: msg.SceneNode.KIND_ROBOT,
}
_RELATIONS = {
    Relation.AT: msg.SceneNode.RELATION_AT,
    Relation.ON: msg.SceneNode.RELATION_ON,
    Relation.IN: msg.SceneNode.RELATION_IN,
    Relation.HELD: msg.SceneNode.RELATION_HELD,
}
_STATUSES = {
    Status.UNKNOWN: msg.Answer.STATUS_UNKNOWN,
    Status.SOLVED: msg.Answer.STATUS_SOLVED,
    Status.INFEASIBLE: msg.Answer.STATUS_INFEASIBLE,
    Status.NOT_UNDERSTOOD: msg.Answer.STATUS_NOT_UNDERSTOOD,
}
_SEVERITIES: dict[Severity, int] = {
    "info": msg.Finding.SEVERITY_INFO,
    "warning": msg.Finding.SEVERITY_WARNING,
    "error": msg.Finding.SEVERITY_ERROR,
}
_KIND_OF = {value: kind for kind, value in _KINDS.items()}
_RELATION_OF = {value: relation for relation, value in _RELATIONS.items()}
_STATUS_OF = {value: status for status, value in _STATUSES.items()}
_SEVERITY_OF = {value: severity for severity, value in _SEVERITIES.items()}


def scene_to_msg(scene: SceneGraph, stamp: Time, frame: str = "map") -> msg.SceneGraph:
    """Return the scene as a message; `frame` is the frame of poses that name none."""
    return msg.SceneGraph(
        header=Header(stamp=stamp, frame_id=frame),
        version=scene.version,
        nodes=[
            _node_to_msg(scene.nodes[name], scene.places.get(name))
            for name in sorted(scene.nodes, key=natural_key)
        ],
    )


def _node_to_msg(node: Node, place: Place | None) -> msg.SceneNode:
    found = msg.SceneNode(
        name=node.name,
        kind=_KINDS[node.kind],
        class_name=node.cls,
        attributes=[msg.KeyValue(key=k, value=v) for k, v in sorted(node.attributes.items())],
        affordances=list(node.affordances),
        states=sorted(node.states),
    )
    if place is not None:
        found.relation, found.target = _RELATIONS[place.relation], place.target
    if node.pose is not None:
        found.has_pose, found.pose_frame = True, node.pose.frame
        found.pose.position = Point(**dict(zip("xyz", node.pose.position, strict=True)))
        found.pose.orientation = Quaternion(**dict(zip("xyzw", node.pose.orientation, strict=True)))
    if node.size is not None:
        found.has_size, found.size = True, Vector3(**dict(zip("xyz", node.size, strict=True)))
    return found


def scene_from_msg(message: msg.SceneGraph) -> SceneGraph:
    """Return the scene that a message describes.

    The library counts versions anew; the message's `version` is its publisher's own.

    Raises:
        BadInput: names that are empty or not unique, a place at a node that is not there, an
            unknown kind or relation, a pose or size that is not finite.
    """
    frame = message.header.frame_id or "map"
    return SceneGraph(
        [_node_from_msg(node, frame) for node in message.nodes],
        {
            node.name: Place(_relation(node), node.target)
            for node in message.nodes
            if node.relation != msg.SceneNode.RELATION_NONE
        },
    )


def _node_from_msg(message: msg.SceneNode, frame: str) -> Node:
    if not message.name:
        raise BadInput(f"a node of class '{message.class_name}' has no name")
    if message.kind not in _KIND_OF:
        raise BadInput(f"node '{message.name}' is of kind {message.kind}; kinds are 0 to 4")
    if message.target and message.relation == msg.SceneNode.RELATION_NONE:
        raise BadInput(f"node '{message.name}' has the target '{message.target}' but no relation")
    pose = size = None
    if message.has_pose:
        at, turn = message.pose.position, message.pose.orientation
        pose = Pose(
            (at.x, at.y, at.z), (turn.x, turn.y, turn.z, turn.w), message.pose_frame or frame
        )
        _finite(message.name, "pose", *pose.position, *pose.orientation)
    if message.has_size:
        size = (message.size.x, message.size.y, message.size.z)
        _finite(message.name, "size", *size)
    return Node(
        message.name,
        _KIND_OF[message.kind],
        message.class_name,
        {item.key: item.value for item in message.attributes},
        tuple(message.affordances),
        frozenset(message.states),
        size,
        pose,
    )


def _finite(name: str, what: str, *numbers: float) -> None:
    if not all(map(math.isfinite, numbers)):
        raise BadInput(f"the {what} of node '{name}' is not finite: {list(numbers)}")


def _relation(message: msg.SceneNode | msg.PlanObject) -> Relation:
    if message.relation not in _RELATION_OF:
        raise BadInput(f"'{message.name}' has the relation {message.relation}; there are 0 to 4")
    return _RELATION_OF[message.relation]


def limits_from_msg(message: msg.Limits, default: PlanLimits) -> PlanLimits:
    """Return the limits of a request; what it leaves open comes from `default`.

    Raises:
        BadInput: a limit is negative or not finite.
    """
    if not math.isfinite(message.time_s):
        raise BadInput(f"the limit time_s is {message.time_s}; it must be finite")
    return PlanLimits(
        time_s=message.time_s or default.time_s,
        memory_mb=message.memory_mb or default.memory_mb,
        relaxations=default.relaxations if message.relaxations == -1 else message.relaxations,
        refinements=default.refinements if message.refinements == -1 else message.refinements,
    )


def limits_to_msg(limits: PlanLimits) -> msg.Limits:
    """Return the limits as a message in which nothing is left open."""
    return msg.Limits(
        time_s=float(limits.time_s),
        memory_mb=limits.memory_mb,
        relaxations=limits.relaxations,
        refinements=limits.refinements,
    )


def finding_to_msg(finding: Finding) -> msg.Finding:
    """Return a finding of a scene reader as a message."""
    return msg.Finding(
        severity=_SEVERITIES[finding.severity],
        node=finding.node,
        code=finding.code,
        message=finding.message,
        hint=finding.hint,
    )


def finding_from_msg(message: msg.Finding) -> Finding:
    """Return the finding that a message describes."""
    severity = _SEVERITY_OF[message.severity]
    return Finding(severity, message.node, message.code, message.message, message.hint)


def answer_to_msg(answer: Answer) -> msg.Answer:
    """Return an answer as a message. The PDDL texts (`Answer.problems`) are left out."""
    return msg.Answer(
        status=_STATUSES[answer.status],
        summary=answer.summary,
        goal_text=answer.text,
        frontend=answer.frontend,
        planner=answer.planner,
        goal=answer.goal_text,
        final_goal=answer.final_goal_text,
        final_goal_pddl=answer.final_goal_pddl,
        steps=[_change_to_msg(step) for step in answer.steps],
        plan=[msg.PlanStep(action=s.action, arguments=list(s.args)) for s in answer.plan],
        objects=[_object_to_msg(name, facts) for name, facts in answer.objects.items()],
        final_state=list(answer.final_state),
        assumptions=[_assumption_to_msg(a) for a in answer.assumptions],
        kept=list(answer.kept),
        lost=list(answer.lost),
        reasons=list(answer.reasons),
        refused_words=[
            msg.RefusedWord(start=r.start, end=r.end, word=r.word) for r in answer.refused
        ],
        suggestions=list(answer.suggestions),
        time_interpret=answer.times.interpret,
        time_plan=answer.times.plan,
        time_validate=answer.times.validate,
        time_total=answer.times.total,
        expanded=answer.expanded,
        json=json.dumps(answer.to_json(), ensure_ascii=False),
    )


def answer_from_msg(message: msg.Answer) -> Answer:
    """Return the answer that a message carries; its `problems` are empty."""
    return Answer(
        status=_STATUS_OF[message.status],
        text=message.goal_text,
        frontend=message.frontend,
        planner=message.planner,
        goal=_goal(message.goal),
        final_goal=_goal(message.final_goal),
        goal_text=message.goal,
        final_goal_text=message.final_goal,
        final_goal_pddl=message.final_goal_pddl,
        steps=tuple(_change_from_msg(step) for step in message.steps),
        plan=tuple(Step(step.action, tuple(step.arguments)) for step in message.plan),
        objects={item.pddl_name: _object_from_msg(item) for item in message.objects},
        final_state=tuple(message.final_state),
        assumptions=tuple(_assumption_from_msg(a) for a in message.assumptions),
        kept=tuple(message.kept),
        lost=tuple(message.lost),
        reasons=tuple(message.reasons),
        summary=message.summary,
        refused=tuple(RefusedWord(r.start, r.end, r.word) for r in message.refused_words),
        suggestions=tuple(message.suggestions),
        times=Times(
            message.time_interpret, message.time_plan, message.time_validate, message.time_total
        ),
        expanded=message.expanded,
    )


def _goal(text: str) -> Goal | None:
    return parse(text) if text else None


def _change_to_msg(step: ChangeStep) -> msg.ChangeStep:
    return msg.ChangeStep(
        kind=step.kind,
        operator_name=step.operator,
        before=step.before,
        after=step.after,
        reason=step.reason,
        tier=step.tier or 0,
        proof=step.proof,
        caution=step.caution,
    )


def _change_from_msg(message: msg.ChangeStep) -> ChangeStep:
    return ChangeStep(
        message.kind,
        message.operator_name,
        message.before,
        message.after,
        message.reason,
        message.tier or None,
        message.proof,
        message.caution,
    )


def _object_to_msg(pddl_name: str, facts: Mapping[str, Any]) -> msg.PlanObject:
    relation = facts["relation"]
    return msg.PlanObject(
        pddl_name=pddl_name,
        name=facts["label"],
        type=facts["type"],
        class_name=facts["class"],
        relation=_RELATIONS[Relation(relation)] if relation else msg.SceneNode.RELATION_NONE,
        target=facts["place"] or "",
        states=list(facts["states"]),
    )


def _object_from_msg(message: msg.PlanObject) -> dict[str, Any]:
    placed = message.relation != msg.SceneNode.RELATION_NONE
    return {
        "label": message.name,
        "class": message.class_name,
        "place": message.target if placed else None,
        "relation": _relation(message).value if placed else None,
        "states": list(message.states),
        "type": message.type,
    }


def _assumption_to_msg(assumption: Assumption) -> msg.Assumption:
    start, end = assumption.span or (-1, -1)
    return msg.Assumption(text=assumption.text, kind=assumption.kind, start=start, end=end)


def _assumption_from_msg(message: msg.Assumption) -> Assumption:
    span = None if message.start < 0 else (message.start, message.end)
    return Assumption(message.text, span, message.kind)
