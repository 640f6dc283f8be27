from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gist.bench.planning import EMPTY, Settings
from gist.bench.report import compared, depth, markdown, percentile, summarise, write


def result(number: int, status: str = "solved", **more: Any) -> dict[str, Any]:
    return {
        **EMPTY,
        "id": f"general/{number}",
        "domain": "general",
        "status": status,
        "relaxation_expected": False,
        "grounded": status == "solved" or None,
        "faults": [],
        "summary": "It is so.",
        "plan_length": 10,
        "expanded": 100,
        "times": {"interpret": 0.01, "plan": 0.1, "validate": 0.0, "total": 0.1 * number},
        **more,
    }


RELAXED = {"steps": [{"kind": "shift"}, {"kind": "relax"}, {"kind": "relax"}]}
RESULTS = [
    result(1),
    result(2, **RELAXED, plan_length=20),
    result(3, grounded=False, faults=["cup_9 is not in the scene"], relaxation_expected=True),
    result(4, "infeasible", summary="There is no key."),
    result(5, "error", error="ValueError: x", domain="own"),
]


def test_the_figures_of_a_domain() -> None:
    summary = summarise(RESULTS, Settings())
    row = summary["domains"]["general"]
    assert row["tasks"] == 4
    assert row["solved_percent"] == 75
    assert row["grounded_percent"] == 50
    assert row["plan_length"] == pytest.approx(40 / 3)
    assert row["answer_median_s"] == pytest.approx(0.25)
    assert row["answer_p95_s"] == pytest.approx(0.4)
    assert row["solved_by_depth"] == {0: 2, 2: 1}
    assert summary["all"]["statuses"]["error"] == 1
    assert summary["domains"]["own"]["answer_median_s"] is None
    assert summary["expected_but_unchanged"] == ["general/3"]


def test_the_page_has_the_published_figures_and_every_failure(tmp_path: Path) -> None:
    page = markdown(write(RESULTS, Settings(), tmp_path))
    assert "| general | 4 | 75.0 | 50.0 (93.6) | 13.3 (15.2) | 0.100 (15.0) |" in page
    assert "- general/4: infeasible. There is no key." in page
    assert "- own" not in page and "- general/5: error. ValueError: x" in page
    assert "- general/3: cup_9 is not in the scene" in page
    assert page == (tmp_path / "summary.md").read_text()
    assert (tmp_path / "depth.png").read_bytes().startswith(b"\x89PNG")


def reference(time_s: float, length: int | None, status: str = "solved") -> dict[str, Any]:
    return {
        "reference": {
            "status": status,
            "time_s": time_s,
            "plan_length": length,
            "lower_bound": status == "limit",
        }
    }


def test_the_comparison_counts_a_time_out_as_a_lower_bound() -> None:
    data = compared(
        [
            result(1, **reference(1.0, 10)),
            result(1, **reference(60.0, None, "limit")),
            result(1, **reference(2.0, 8)),
            result(1, **reference(0.0, None, "error")),
            result(2, "infeasible"),
        ]
    )
    assert data["median_ratio_whole_answer"] == pytest.approx(20)
    assert data["median_ratio_planning"] == pytest.approx(20)
    assert (data["solved"], len(data["lower_bounds"]), len(data["not_comparable"])) == (2, 1, 1)
    assert data["plans_compared"] == 2
    assert data["longer"] == ["general/1"]
    assert data["worst_length_ratio"] == pytest.approx(1.25)


def test_depth_counts_relaxations_only() -> None:
    assert depth(result(1, **RELAXED)) == 2


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [([], 95, None), ([3], 95, 3), (list(range(1, 101)), 95, 95), ([2, 1], 50, 1)],
)
def test_percentiles_are_nearest_rank(
    values: list[float], percent: int, expected: float | None
) -> None:
    assert percentile(values, percent) == expected
