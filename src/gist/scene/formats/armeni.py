"""Reads scene graphs in the format of Armeni et al. (3D Scene Graph, ICCV 2019), `.npz`.

The archive's member `output` is a pickled dict {building?, room, object}; rooms have
`scene_category`, `location`, `size`, objects have `class_`, `location`, `size`, `parent_room`,
`material`, `action_affordance`. `location` is the centre of the box and `size` its full extent, in
metres. The pickle is interpreted, never run: see `pickled`.
"""

from __future__ import annotations

import ast
import io
import zipfile
from collections.abc import Mapping
from typing import Any

from gist.errors import BadInput
from gist.scene.findings import Finding
from gist.scene.formats.draft import Classify, as_object
from gist.scene.formats.pickled import Array, load
from gist.scene.formats.tables import Shape, read_tables
from gist.scene.graph import SceneGraph

MAX_BYTES = 512 * 1024 * 1024
"""The largest member of an archive that is unpacked."""


def read(data: bytes, *, classify: Classify = as_object) -> tuple[SceneGraph, tuple[Finding, ...]]:
    """Return the scene graph in an `.npz` file's bytes, and what was wrong with it.

    Raises BadInput when the file is no such archive, is broken or would run code.
    """
    content = _content(data)
    rooms = {key: _room(row) for key, row in _table(content, "room").items()}
    objects = {key: _object(row) for key, row in _table(content, "object").items()}
    return read_tables(rooms, objects, _shapes(content), classify)


def shapes(data: bytes) -> dict[tuple[str, str], Shape]:
    """Return location and size as they stand in an `.npz` file, by ("room" | "object", id).

    Raises BadInput as `read` does.
    """
    return _shapes(_content(data))


def _content(data: bytes) -> Mapping[Any, Any]:
    content = _first(load(_member(data)))
    if isinstance(content, Mapping) and isinstance(content.get("building"), Mapping):
        content = {**content["building"], **content}
    if not isinstance(content, Mapping) or not {"room", "object"} & set(content):
        raise BadInput("the archive's 'output' has neither 'room' nor 'object'")
    return content


def _first(value: object) -> object:
    """Unwrap the 0-dimensional object array that numpy.savez makes of a dict."""
    items = value.values() if isinstance(value, Array) and value.dtype == "O8" else value
    return items[0] if isinstance(items, list) and len(items) == 1 else items


def _member(data: bytes) -> bytes:
    """Return the pickle in the member `output.npy`."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if "output.npy" not in archive.namelist():
                held = ", ".join(archive.namelist()[:8]) or "nothing"
                raise BadInput(f"the archive has no member 'output'; it has {held}")
            with archive.open("output.npy") as member:
                npy = member.read(MAX_BYTES + 1)
    except BadInput:
        raise
    except Exception as error:  # zipfile answers a broken archive with many kinds of error
        raise BadInput(f"broken .npz archive: {type(error).__name__}: {error}") from None
    if len(npy) > MAX_BYTES:
        raise BadInput(f"the archive's 'output' is larger than {MAX_BYTES >> 20} MiB")
    return _pickle_of(npy)


def _pickle_of(npy: bytes) -> bytes:
    """Return what follows the header of an object array in numpy's .npy format."""
    if npy[:6] != b"\x93NUMPY" or len(npy) < 12:
        raise BadInput("the archive's 'output' is no numpy array")
    width = 2 if npy[6] == 1 else 4
    start = 8 + width + int.from_bytes(npy[8 : 8 + width], "little")
    try:
        header = ast.literal_eval(npy[8 + width : min(start, 4096)].decode("latin-1").strip())
        objects = "O" in header["descr"]
    except Exception as error:  # literal_eval raises what the text provokes
        raise BadInput(f"broken numpy header: {type(error).__name__}") from None
    if not objects:
        raise BadInput(f"the archive's 'output' holds {header['descr']!r}, not a scene")
    return npy[start:]


def _table(content: Mapping[Any, Any], name: str) -> dict[str, Any]:
    table = content.get(name, {})
    if not isinstance(table, Mapping):
        raise BadInput(f"the archive's '{name}' is no table")
    return {_key(key): row for key, row in table.items()}


def _key(key: str | int | bytes) -> str:
    if isinstance(key, int):
        return f"{key:d}" if key.bit_length() < 64 else hex(key)
    return key.decode("latin-1") if isinstance(key, bytes) else key


def _room(row: Any) -> Any:
    if not isinstance(row, Mapping):
        return row
    return {
        "id": row.get("id"),
        "category": row.get("scene_category"),
        "floor": row.get("floor_number"),
    }


def _object(row: Any) -> Any:
    if not isinstance(row, Mapping):
        return row
    kept = ("id", "parent_room", "description", "action_affordance", "material")
    return {"class": row.get("class_"), **{key: row[key] for key in kept if key in row}}


def _shapes(content: Mapping[Any, Any]) -> dict[tuple[str, str], Shape]:
    return {
        (table, key): Shape(_numbers(row.get("location")), _numbers(row.get("size")))
        for table in ("room", "object")
        for key, row in _table(content, table).items()
        if isinstance(row, Mapping)
    }


def _numbers(value: object) -> object:
    """Return an array of three as a list, and everything else as it is."""
    if isinstance(value, Array) and value.shape == (3,):
        try:
            return value.values()
        except ValueError:
            return value
    return value
