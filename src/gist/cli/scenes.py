"""Where the scenes of the command line come from: files, or the authored ones by name."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gist.errors import unknown

if TYPE_CHECKING:
    from gist.scene import LoadResult


def scene_path(scene: str) -> Path:
    """Return the file of a scene: a path, or the name of an authored scene ("kid_snacks").

    Authored scenes are in `config/scenes` of the source tree, or of `share/gist_ros` in any
    prefix of AMENT_PREFIX_PATH or of this Python. Raises BadInput for a name that there is not.
    """
    path = Path(scene)
    if path.exists() or path.suffix or len(path.parts) != 1:
        return path
    known = authored()
    if scene not in known:
        raise unknown("scene", scene, known)
    return known[scene]


def authored() -> dict[str, Path]:
    """Return the authored scenes by name."""
    prefixes = [*filter(None, os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep))]
    folders = [
        Path(__file__).resolve().parents[3] / "config" / "scenes",
        *(Path(p) / "share" / "gist_ros" / "config" / "scenes" for p in (*prefixes, sys.prefix)),
    ]
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            found.setdefault(path.stem, path)
    return found


def load(scene: str, robot_room: str | None = None) -> LoadResult:
    """Load a scene by path or name, with the findings about the file."""
    from gist import load_scene

    return load_scene(scene_path(scene), robot_room)
