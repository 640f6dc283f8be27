from __future__ import annotations

import io
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gist.errors import BadInput
from gist.scene import Place, Pose, Relation, load_scene
from gist.scene.formats import armeni, pickled


def content(**of_cup: Any) -> dict[str, Any]:
    room = {"id": 4, "scene_category": "dining_room", "floor_number": "B",
            "location": np.array([1.0, 2.0, 1.5]), "size": np.array([4.0, 3.0, 3.0])}  # fmt: skip
    cup = {"id": 7, "class_": "dirty_cup", "parent_room": 4, "material": ["ceramic", "metal"],
           "location": np.array([1, 2, 3], dtype=">i2"), "size": np.array([0.1, 0.1, 0.2], "f4"),
           "surface_coverage": np.float64(0.5), "action_affordance": ["pick up"],
           "tactile_texture": None, **of_cup}  # fmt: skip
    return {"room": {4: room}, "object": {7: cup}}


def archive(value: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, output=np.array(value, dtype=object))
    return file.getvalue()


def with_pickle(data: bytes) -> bytes:
    """Return an archive of an object array whose pickle is replaced by this."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "|O", "fortran_order": False, "shape": ()}
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("output.npy", header.getvalue() + data)
    return file.getvalue()


def test_rooms_and_objects_are_read_with_pose_and_size() -> None:
    scene, findings = armeni.read(archive(content()))
    assert [finding.code for finding in findings] == ["no-robot"]
    room = scene.node("dining_room_4")
    assert (room.cls, room.size, room.attributes["floor"]) == ("dining room", (4, 3, 3), "B")
    cup = scene.node("dirty_cup_7")
    assert (cup.cls, cup.states, cup.pose) == ("cup", {"dirty"}, Pose((1.0, 2.0, 3.0)))
    assert cup.size == pytest.approx((0.1, 0.1, 0.2))
    assert cup.attributes["material"] == "ceramic and metal"
    assert scene.place_of("dirty_cup_7") == Place(Relation.AT, "dining_room_4")


def test_the_original_files_with_a_building_are_read() -> None:
    building = {"id": 1, "name": "Allensville", **content()}
    scene, _ = armeni.read(archive({"building": building, "camera": {}}))
    assert scene.things() == ("dirty_cup_7",)


@pytest.mark.parametrize("protocol", range(6))
def test_all_pickle_protocols_are_read(protocol: int) -> None:
    scene, _ = armeni.read(with_pickle(pickle.dumps(content(), protocol)))
    assert scene.node("dirty_cup_7").pose == Pose((1.0, 2.0, 3.0))


@pytest.mark.parametrize(
    "wrong",
    [
        {"location": np.array([1.0, np.nan, 3.0])},
        {"location": np.array([1.0, 2.0])},
        {"location": np.array(["a", "b", "c"])},
        {"location": "here"},
    ],
)
def test_a_broken_location_is_named(wrong: dict[str, Any]) -> None:
    scene, findings = armeni.read(archive(content(**wrong)))
    assert scene.node("dirty_cup_7").pose is None
    assert ("dirty_cup_7", "bad-pose") in [(found.node, found.code) for found in findings]


class Opens:
    """Touches a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (str(self.path), "w")


class Evaluates(Opens):
    def __reduce__(self) -> tuple[Any, ...]:
        return eval, (f"open({str(self.path)!r}, 'w')",)


@pytest.mark.parametrize("attack", [Opens, Evaluates])
@pytest.mark.parametrize("protocol", range(6))
def test_a_file_that_would_run_code_is_refused(
    tmp_path: Path, attack: type[Opens], protocol: int
) -> None:
    target = tmp_path / "touched"
    bad = pickle.dumps({**content(), "extra": attack(target)}, protocol)
    path = tmp_path / "scene.npz"
    path.write_bytes(with_pickle(bad))
    with pytest.raises(BadInput, match=r"refused: .* asks to run '(_?io|builtins|__builtin__)"):
        load_scene(path)
    assert not target.exists()
    pickle.loads(bad)
    assert target.exists()


def test_a_broken_or_hostile_archive_beside_a_task_is_only_not_used(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"rooms": {}, "objects": {}}')
    (tmp_path / "a.npz").write_bytes(with_pickle(pickle.dumps(Opens(tmp_path / "touched"))))
    codes = [finding.code for finding in load_scene(tmp_path / "a.json").findings]
    assert "no-shapes" in codes and not (tmp_path / "touched").exists()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"PK", "broken .npz"),
        (with_pickle(b""), "broken pickle"),
        (with_pickle(pickle.dumps([1, 2])), "neither 'room' nor 'object'"),
        (with_pickle(pickle.dumps({"room": 3})), "'room' is no table"),
        (with_pickle(b"\x80\x04r\xff\xff\xff\x7f."), "broken pickle"),
        (with_pickle(pickle.dumps({"room": np.array})), "asks to run 'numpy"),
    ],
)
def test_what_is_no_scene_is_refused_in_words(data: bytes, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        armeni.read(data)


def test_an_archive_of_plain_numbers_is_no_scene() -> None:
    for name, why in (("output", "not a scene"), ("other", "no member 'output'")):
        file = io.BytesIO()
        np.savez(file, **{name: np.zeros(3)})
        with pytest.raises(BadInput, match=why):
            armeni.read(file.getvalue())


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(plain, st.integers(0, 5))
def test_plain_data_is_read_as_pickle_reads_it(value: Any, protocol: int) -> None:
    assert pickled.load(pickle.dumps(value, protocol)) == value


GOOD = pickle.dumps(content(), 4)


@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=8))
def test_any_flipped_bytes_give_a_scene_or_a_named_error(flips: list[tuple[int, int]]) -> None:
    data = bytearray(GOOD)
    for position, byte in flips:
        data[position] = byte
    try:
        scene, _ = armeni.read(with_pickle(bytes(data)))
    except BadInput as error:
        assert str(error)
    else:
        assert all(name.isprintable() for name in scene.nodes)


ARCHIVE = archive(content())


@given(st.integers(0, len(ARCHIVE) - 1), st.binary(max_size=6))
def test_any_broken_archive_gives_a_scene_or_a_named_error(position: int, patch: bytes) -> None:
    data = ARCHIVE[:position] + patch + ARCHIVE[position + len(patch) :]
    try:
        armeni.read(data)
    except BadInput as error:
        assert str(error)
    with pytest.raises(BadInput, match="broken"):
        armeni.read(ARCHIVE[:position])
