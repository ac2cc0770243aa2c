import pytest

from pipeline.clock.change import SECOND, place_of
from pipeline.clock.shift import _is_near, _Starts, _within
from pipeline.store.statements import Row

DAY = 86_400 * SECOND


def row(run: str | None, start_s: float, took_s: float = 20, node: str = "alder") -> Row:
    start_us = int(start_s * SECOND)
    return {
        "configuration": "default",
        "run": run,
        "node": node,
        "start_us": start_us,
        "end_us": start_us + int(took_s * SECOND),
    }


def starts_of(recovery: Row, starts: list[Row]) -> list[Row]:
    return [each for each in starts if place_of(each).holds(place_of(recovery))]


@pytest.mark.parametrize("run", [pytest.param("run07", id="of a run"), pytest.param(None, id="above the runs")])
@pytest.mark.parametrize("off_s", [0, 3_600, -7_200, 50 * 3_600])
def test_what_a_recovery_fits_is_found_among_the_starts_near_it(run: str | None, off_s: int) -> None:
    starts = [row(f"run{number:02}", number * 7_200) for number in range(40)]
    starts += [row(None, number * 9_000 + 5, took_s=400 * number) for number in range(40)]
    starts += [row("run07", number * 7_200, node="birch") for number in range(40)]
    recovery = row(run, 7 * 7_200 + 4 + off_s, took_s=9)
    every = starts_of(recovery, starts)
    near = _Starts(starts).of(place_of(recovery), recovery) or []
    assert {shift for each in near for shift in _within(recovery, each)} == {
        shift for each in every for shift in _within(recovery, each)
    }
    assert any(_is_near(recovery, each) for each in near) == any(_is_near(recovery, each) for each in every)


def test_a_recovery_is_compared_with_as_many_starts_in_a_month_of_runs_as_in_a_year() -> None:
    recovery = row("run05", 5 * 3_600)
    month, year = ([row(None, number * 3_600) for number in range(days * 24)] for days in (30, 365))
    assert len(_Starts(month).of(place_of(recovery), recovery) or ()) == len(
        _Starts(year).of(place_of(recovery), recovery) or ()
    )


def test_a_place_without_starts_proves_nothing() -> None:
    assert _Starts([row("run01", 0)]).of(place_of(row("run02", 0)), row("run02", 0)) is None
    assert _Starts([row("run01", 400 * DAY / SECOND)]).of(place_of(row("run01", 0)), row("run01", 0)) == []
