"""Intervals of spreads, against scipy and a published example."""

import math

import pytest
from scipy import stats

from pipeline.ask.check.confidence_intervals import chi_square_quantile, cv_interval, stddev_interval


@pytest.mark.parametrize("freedom", [1, 2, 9, 29, 199, 5000, 200_000])
@pytest.mark.parametrize("probability", [0.025, 0.5, 0.975])
def test_quantile_agrees_with_scipy(freedom: int, probability: float) -> None:
    expected = stats.chi2.ppf(probability, freedom)
    assert chi_square_quantile(probability, freedom) == pytest.approx(expected, rel=1e-7)


def test_interval_of_a_standard_deviation() -> None:
    # ten runs, s = 1: sqrt(9 / 19.023) and sqrt(9 / 2.7004), from printed tables of chi-square
    assert stddev_interval(1.0, 10) == pytest.approx((0.6878, 1.8256), abs=1e-4)


def test_interval_of_a_coefficient_of_variation() -> None:
    # by hand: 0.08 / sqrt(((19.023 + 2) / 10 - 1) * 0.0064 + 19.023 / 9) = 0.08 / sqrt(2.12073)
    low, high = cv_interval(0.08, 10)
    assert low == pytest.approx(0.08 / math.sqrt(2.12073), rel=1e-4)
    assert high == pytest.approx(0.08 / math.sqrt((4.7004 / 10 - 1) * 0.0064 + 2.7004 / 9), rel=1e-4)


def test_wide_spread_of_few_runs_has_no_upper_end() -> None:
    assert cv_interval(0.5, 3)[1] is None


def test_interval_covers_what_it_says() -> None:
    samples = stats.norm(100, 10).rvs(size=(2000, 10), random_state=7)
    covered = 0
    for sample in samples:
        low, high = cv_interval(sample.std(ddof=1) / sample.mean(), 10)
        covered += low <= 0.1 and (high is None or high >= 0.1)
    assert 0.93 < covered / len(samples) < 0.97
