"""Verdicts: an interval against a number, every operator."""

import math

import pytest
from scipy import stats

from pipeline.ask.check.confidence_intervals import chi_square_quantile, cv_interval, stddev_interval
from pipeline.ask.check.verdict import Condition, Estimate, Verdict, evaluate

PASS, FAIL, CANNOT_TELL = Verdict.PASS, Verdict.FAIL, Verdict.CANNOT_TELL


def interval(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, low, high)


@pytest.mark.parametrize(
    ("op", "value", "verdict"),
    [
        pytest.param("<", 10.1, PASS, id="all of 9 to 10 is below 10.1"),
        pytest.param("<", 10, CANNOT_TELL, id="10 itself is not below 10"),
        pytest.param("<=", 10, PASS, id="10 is at most 10"),
        pytest.param("<=", 9.5, CANNOT_TELL, id="on both sides"),
        pytest.param("<=", 8.9, FAIL, id="all above"),
        pytest.param("<", 9, FAIL, id="9 is not below 9"),
        pytest.param("<=", 9, CANNOT_TELL, id="9 is at most 9, the rest is not"),
        pytest.param(">", 8.9, PASS, id="all above, as wanted"),
        pytest.param(">=", 9, PASS, id="9 is at least 9"),
        pytest.param(">", 9, CANNOT_TELL, id="9 is not above 9"),
        pytest.param(">=", 9.5, CANNOT_TELL, id="on both sides, from above"),
        pytest.param(">=", 10.1, FAIL, id="all below"),
        pytest.param("=", 9.5, CANNOT_TELL, id="no margin: an interval is never one number"),
        pytest.param("==", 11, FAIL, id="no margin, and not within the interval"),
        pytest.param("!=", 11, PASS, id="not within the interval"),
        pytest.param("!=", 9.5, CANNOT_TELL, id="within the interval"),
    ],
)
def test_interval_from_9_to_10(op: str, value: float, verdict: Verdict) -> None:
    assert evaluate(interval(9, 10), Condition(op, value))[0] is verdict


@pytest.mark.parametrize(
    ("op", "margin", "verdict"),
    [
        pytest.param("=", 0.6, PASS, id="9 to 10 lies within 9.5 +- 0.6"),
        pytest.param("=", 0.5, PASS, id="and within 9.5 +- 0.5"),
        pytest.param("=", 0.4, CANNOT_TELL, id="but reaches beyond 9.5 +- 0.4"),
        pytest.param("!=", 0.6, FAIL, id="equal within the margin is not unequal"),
        pytest.param("!=", 0.4, CANNOT_TELL, id="perhaps unequal"),
    ],
)
def test_margin_says_what_is_equal(op: str, margin: float, verdict: Verdict) -> None:
    assert evaluate(interval(9, 10), Condition(op, 9.5, margin))[0] is verdict


def test_interval_outside_the_margin_is_unequal() -> None:
    assert evaluate(interval(9, 10), Condition("=", 12, 1))[0] is FAIL
    assert evaluate(interval(9, 10), Condition("!=", 12, 1))[0] is PASS


@pytest.mark.parametrize(("op", "verdict"), [("=", PASS), ("!=", FAIL), ("<", FAIL), (">=", PASS)])
def test_fact_needs_no_interval(op: str, verdict: Verdict) -> None:
    assert evaluate(Estimate(10.0, is_exact=True), Condition(op, 10)) == (verdict, "")


def test_arithmetic_does_not_decide() -> None:
    assert evaluate(Estimate(0.1 + 0.2, is_exact=True), Condition("=", 0.3))[0] is PASS


def test_what_lacks_is_reported() -> None:
    assert evaluate(Estimate(None, lack="no run shows it"), Condition("<", 1)) == (CANNOT_TELL, "no run shows it")
    assert evaluate(Estimate(0.5, lack="too few runs"), Condition("<", 1)) == (CANNOT_TELL, "too few runs")


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
