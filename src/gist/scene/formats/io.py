"""Loads a scene graph from a file of any known format, and saves it in Gist's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gist.errors import BadInput, unknown
from gist.scene.findings import Finding
from gist.scene.formats import armeni, gist_json, task_json
from gist.scene.formats.draft import Classify, as_object, parse_json
from gist.scene.formats.tables import Shape
from gist.scene.graph import Kind, Node, Place, Relation, SceneGraph


@dataclass(frozen=True, slots=True)
class LoadResult:
    """A loaded scene and what was wrong with it."""

    scene: SceneGraph
    findings: tuple[Finding, ...]


def load_scene(
    path: str | Path, robot_room: str | None = None, *, classify: Classify = as_object
) -> LoadResult:
    """Load a scene graph: Gist's JSON, a task's JSON or Armeni's `.npz`, told by the content.

    A task's JSON takes poses and sizes from the `.npz` of the same name beside it, if there is
    one. The other arguments are those of `read_scene`. Raises BadInput when the file cannot be
    read or is no scene, or as `read_scene` does.
    """
    path = Path(path)
    data = _read_bytes(path)
    beside = path.with_suffix(".npz")
    shapes: Mapping[tuple[str, str], Shape] = {}
    trouble: list[Finding] = []
    if not _is_archive(data) and b'"gist-scene"' not in data[:200] and beside.is_file():
        try:
            shapes = armeni.shapes(_read_bytes(beside))
        except BadInput as error:
            message = f"poses and sizes in {beside.name} are not used: {error}"
            trouble.append(Finding("warning", "", "no-shapes", message))
    try:
        result = read_scene(data, robot_room, classify=classify, shapes=shapes)
    except BadInput as error:
        raise BadInput(f"{path.name}: {error}") from None
    return LoadResult(result.scene, (*trouble, *result.findings))


def read_scene(
    data: bytes,
    robot_room: str | None = None,
    *,
    classify: Classify = as_object,
    shapes: Mapping[tuple[str, str], Shape] | None = None,
) -> LoadResult:
    """Read a scene graph from a file's content.

    robot_room: the room that the robot is in; the formats without a robot get one, named "robot".
    classify: the kind of each class, for the formats that do not tell furniture from objects.
    shapes: poses and sizes for a task's JSON. Raises BadInput when the content is no scene or
    there is no such room.
    """
    if _is_archive(data):
        scene, findings = armeni.read(data, classify=classify)
    else:
        content = parse_json(data)
        if isinstance(content, dict) and "format" in content:
            scene, findings = gist_json.read_parsed(content)
            if robot_room is None:
                return LoadResult(scene, findings)
        elif isinstance(content, dict) and {"rooms", "objects"} & set(content):
            scene, findings = task_json.read_parsed(content, classify=classify, shapes=shapes or {})
        else:
            raise BadInput(
                "this is no scene graph: a Gist scene has 'format', a task's scene 'rooms' and "
                "'objects', and Armeni's format is an .npz archive"
            )
    return _with_robot(scene, findings, robot_room)


def save_scene(scene: SceneGraph, path: str | Path) -> None:
    """Write the scene as Gist's JSON. Raises BadInput when it or the file cannot be written."""
    text = gist_json.write(scene)
    try:
        Path(path).write_bytes(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise BadInput(
            f"the scene has text that is not Unicode: {error.object[error.start]!r}"
        ) from None
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from None


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadInput(f"cannot read {path}: {reason}") from None


def _is_archive(data: bytes) -> bool:
    return data[:2] == b"PK"


def _with_robot(
    scene: SceneGraph, findings: tuple[Finding, ...], robot_room: str | None
) -> LoadResult:
    place = None
    if robot_room is not None:
        rooms = {room.name for room in scene.rooms()}
        if robot_room not in rooms:
            raise unknown("room", robot_room, rooms)
        place = Place(Relation.AT, robot_room)
    settled = ("no-robot", "no-robot-place")
    findings = tuple(finding for finding in findings if finding.code not in settled)
    robots = scene.robots()
    if robots:
        return LoadResult(scene.moved(robots[0].name, place), findings)
    name = "robot"
    while name in scene:
        name += "_"
    scene = scene.with_node(Node(name, Kind.ROBOT, "robot"), place)
    if place is None:
        message = f"it is not known in which room '{name}' is"
        lost = Finding("warning", name, "no-robot-place", message, "give the robot's room")
        findings = (*findings, lost)
    return LoadResult(scene, findings)
