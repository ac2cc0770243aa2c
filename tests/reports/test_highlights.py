"""The key highlights: from what times are counted, and that a difference that is not shown is not told as one."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from reports.highlights import highlights, starting_point
from reports.store import opened
from reports.study_view import StudyView


@pytest.mark.parametrize(
    ("sources", "start"),
    [
        pytest.param(["inactive series", "membership"], "the fault", id="nobody ordered it"),
        pytest.param(["take-over command"], "the take-over command", id="somebody did"),
        pytest.param(
            ["take-over command", "shutdown notice"], "the take-over command or the shutdown notice", id="in two ways"
        ),
        pytest.param(
            ["expired", "shutdown notice"], "the fault (in planned take-overs the shutdown notice)", id="some of them"
        ),
    ],
)
def test_times_are_counted_from_a_fault_only_where_there_was_one(sources: list[str], start: str) -> None:
    runs = [{"configuration": "a", "used": True, "fault_source": source} for source in sources]
    others = [
        {"configuration": "b", "used": True, "fault_source": "marker line"},
        {"configuration": "a", "used": False, "fault_source": "take-over command"},
    ]
    study = cast("StudyView", SimpleNamespace(failover_runs=[*runs, *others]))
    assert starting_point(study, ["a"]) == start


def test_what_all_comparisons_share_is_said_once(make_store: Callable[..., Path]) -> None:
    with opened(make_store()) as store:
        found = highlights(StudyView(store))
    assert found.basis.count("10 runs") == 1
    assert all("10 runs" not in each.sentence for each in found.found if "instead of" in each.sentence)


def test_a_difference_that_is_not_shown_is_told_as_a_ratio_with_its_interval(make_store: Callable[..., Path]) -> None:
    with opened(make_store()) as store:
        study = StudyView(store)
        verdict = "no difference shown; differences above 6.0 % are ruled out"
        rows: list[dict[str, Any]] = [
            row | {"ratio": 1.02, "ratio_ci95_low": 0.98, "ratio_ci95_high": 1.06, "verdict": verdict}
            for row in study.changes
        ]
        study.changes = rows
        told = [each.sentence for each in highlights(study).found if "instead of" in each.sentence]
    assert told[0].endswith(f", a ratio of 1.020 (95 % CI 0.980 to 1.060): {verdict}.")
