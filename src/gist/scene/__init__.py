"""What is there: the scene graph, its file formats, checks, synthetic scenes and rendering."""

from gist.scene.check import check
from gist.scene.findings import Finding
from gist.scene.formats.io import LoadResult, load_scene, read_scene, save_scene
from gist.scene.generate import generate
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
    "Finding",
    "Kind",
    "LoadResult",
    "Node",
    "Place",
    "Pose",
    "Relation",
    "SceneGraph",
    "check",
    "class_words",
    "generate",
    "load_scene",
    "natural_key",
    "read_scene",
    "save_scene",
]
