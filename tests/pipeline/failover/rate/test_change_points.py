"""Changes of a rate: in generated series with known dips, and by hand."""

import pytest

from pipeline.failover.rate.change_points import Interval, changes, lost_work, stop
from tests.support.rate_series import rate_series


def seconds_of(*values: float) -> list[Interval]:
    return [Interval(float(at), at + 1.0, value) for at, value in enumerate(values)]


def found(*values: float) -> list[tuple[int, int | None]]:
    return [(each.first, each.back) for each in changes(seconds_of(*values), 0.9)]


def test_known_dips_are_found_within_an_interval_with_the_work_that_was_lost() -> None:
    for seed in range(60):
        series = rate_series(seed)
        seen = list(changes(series.intervals, 0.9))
        assert [each.first for each in seen] == pytest.approx([each.first for each in series.dips], abs=1), seed
        for change, dip in zip(seen, series.dips, strict=True):
            lost, half_width = lost_work(series.intervals, change)
            assert abs(lost - dip.lost) <= max(0.05 * dip.lost, half_width), seed


def test_noise_and_drift_are_no_dips() -> None:
    seen = [seed for seed in range(60) if list(changes(rate_series(seed, dips=0).intervals, 0.9))]
    assert len(seen) <= 1


def test_a_partial_fall_is_a_dip_and_the_level_lies_before_it() -> None:
    values = [100.0, 102.0, 98.0] * 5 + [60.0, 58.0, 62.0] * 8 + [101.0, 99.0, 100.0]
    (change,) = changes(seconds_of(*values), 0.9)
    assert (change.first, change.back, change.level.value) == (15, 39, 100)
    assert lost_work(seconds_of(*values), change)[0] == pytest.approx(24 * 40)


def test_each_of_several_dips_is_one() -> None:
    assert found(*[10.0] * 5, 0, 0, *[10.0] * 5, 4, *[10.0] * 3, 0) == [(5, 7), (12, 13), (16, None)]


def test_a_rate_that_begins_without_work_has_no_level_to_fall_from() -> None:
    assert found(0, 0, 0, 0, 50, 100, 100, 100, 100) == []


def test_a_single_high_interval_ends_no_dip() -> None:
    assert found(*[100.0] * 10, 0, 0, 100, 0, 0, 100, 100, 100) == [(10, 15)]


def test_a_long_interval_without_work_weighs_as_many_intervals() -> None:
    steady = [8.0, 12.0, 10.0, 13.0, 7.0, 10.0, 11.0, 9.0, 12.0, 8.0]
    short = seconds_of(*steady, 4.0, *steady)
    long = [each._replace(end_s=each.end_s + 20) if each.value == 4 else each for each in short]
    assert list(changes(short, 0.9)) == []
    assert [each.first for each in changes(long, 0.9)] == [10]


def test_a_known_event_shows_by_less() -> None:
    values = [100.0, 103.0, 97.0, 101.0, 99.0] * 4 + [86.0] + [100.0, 103.0, 97.0, 101.0, 99.0] * 4
    assert list(changes(seconds_of(*values), 0.9)) == []
    assert [each.first for each in changes(seconds_of(*values), 0.9, [20])] == [20]


def test_a_lower_rate_that_lasts_until_a_known_event_is_the_level_before_it() -> None:
    values = [750.0, 760.0, 740.0, *[590.0, 610.0, 600.0] * 8, 20, 0, 0, 610, 590, 600, 605, 595]
    (change,) = changes(seconds_of(*values), 0.9, [27])
    assert (change.first, change.back, change.level.value) == (27, 30, 600)
    assert [each.first for each in changes(seconds_of(*values), 0.9)] == [3]


def test_no_noise_hides_a_stop_that_is_longer_than_any_before() -> None:
    warming = [50.0, 60.0, 40.0, 55.0, 45.0, 100.0, 160.0, 220.0, 180.0, 240.0]
    values = seconds_of(*warming, 0, 0, 0, 230, 250, 240)
    assert list(changes(values, 0.9, [10])) == []
    change = stop(values, 10, 0.9)
    assert change is not None
    assert (change.first, change.back) == (10, 13)
    assert stop(seconds_of(100, 0, 0, 100, 100, 0, 0, 100, 100), 4, 0.9) is None
