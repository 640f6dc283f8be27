"""What is there: the scene graph, its file formats, checks, synthetic scenes and rendering."""

from gist.scene.graph import (
    Kind,
    Node,
    Place,
    Pose,
    Relation,
    SceneGraph,
    class_words,
    natural_key,
)

__all__ = [
    "Kind",
    "Node",
    "Place",
    "Pose",
    "Relation",
    "SceneGraph",
    "class_words",
    "natural_key",
]
