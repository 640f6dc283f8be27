from __future__ import annotations

from pathlib import Path

from gist.bench.scale import REQUESTS, run, write


def test_every_request_is_measured_in_every_size(tmp_path: Path) -> None:
    rows = run((40, 80), seeds=1)
    assert [(row["objects"], row["kind"]) for row in rows] == [
        (size, kind) for size in (40, 80) for kind in REQUESTS
    ]
    for row in rows:
        infeasible = row["kind"].startswith("infeasible")
        assert row["statuses"] == (["infeasible"] if infeasible else ["solved"]), row
        assert row["steps"] == [0] if row["kind"] == "feasible" or infeasible else row["steps"][0]
        assert 0 < row["planner_s"] <= row["next_s"] or infeasible
        assert 20 < row["peak_mb"] < 1000
    page = write(rows, tmp_path)
    assert "40 objects, s | 80 objects, s | growth" in page
    assert {path.name for path in tmp_path.iterdir()} == {"scale.json", "scale.md", "scale.png"}
