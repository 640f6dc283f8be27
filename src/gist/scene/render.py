"""Shows a scene graph to a person: an indented tree, or a Mermaid diagram."""

from __future__ import annotations

from collections.abc import Iterator

from gist.scene.graph import Kind, Node, Relation, SceneGraph, natural_key


def tree(scene: SceneGraph) -> str:
    """Return the scene as an indented tree, one node a line, rooms first.

    A line has the relation to the line above it, the name, the class where the name does not
    tell it, the states and the material; what has no place stands at the end.
    """
    roots = _roots(scene)
    lines: list[str] = []
    for name in roots:
        lines += _branch(scene, name, "", "")
    return "\n".join(lines)


def _roots(scene: SceneGraph) -> list[str]:
    order = (Kind.BUILDING, Kind.ROOM, Kind.ROBOT, Kind.FURNITURE, Kind.OBJECT)
    loose = (node for name, node in scene.nodes.items() if name not in scene.places)
    ranked = sorted(loose, key=lambda node: (order.index(node.kind), natural_key(node.name)))
    return [node.name for node in ranked]


def _branch(scene: SceneGraph, name: str, lead: str, indent: str) -> Iterator[str]:
    stack = [(name, lead, indent)]
    while stack:
        name, lead, indent = stack.pop()
        yield f"{lead}{_line(scene, scene.nodes[name])}"
        children = scene.children(name)
        for number, child in enumerate(reversed(children)):
            last = number == 0
            ahead = indent + ("   " if last else "│  ")
            stack.append((child, indent + ("└─ " if last else "├─ "), ahead))


def _line(scene: SceneGraph, node: Node) -> str:
    place = scene.places.get(node.name)
    how = f"{place.relation.value} " if place and place.relation is not Relation.AT else ""
    facts = sorted(node.states)
    if node.cls and not node.name.replace("_", " ").lower().startswith(node.cls):
        facts.insert(0, node.cls)
    if "material" in node.attributes:
        facts.append(node.attributes["material"])
    if place is None and node.kind not in (Kind.BUILDING, Kind.ROOM):
        facts.append("no place known")
    return f"{how}{node.name}" + (f" ({', '.join(facts)})" if facts else "")


def mermaid(scene: SceneGraph) -> str:
    """Return the scene as a Mermaid flowchart: nodes with their states, edges with relations."""
    names = sorted(scene.nodes, key=natural_key)
    ids = {name: f"n{number}" for number, name in enumerate(names)}
    lines = ["flowchart LR"]
    for name in names:
        label = ", ".join([name, *sorted(scene.nodes[name].states)])
        lines.append(f'    {ids[name]}["{_escaped(label)}"]')
    for name in names:
        place = scene.places.get(name)
        if place is not None:
            lines.append(f"    {ids[name]} -- {place.relation.value} --> {ids[place.target]}")
    return "\n".join(lines)


def _escaped(label: str) -> str:
    return label.replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;")
