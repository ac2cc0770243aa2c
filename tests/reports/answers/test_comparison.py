"""A comparison as a person reads it."""

from dataclasses import replace

import pytest

from pipeline.ask.compare.compare import Compared, Comparison, OneSided, Pair, ParameterChange
from reports.answers.comparison import lines, markdown, runs_needed, title
from reports.tables.earlier import main_drift

PAIR = Pair(
    subject="measurement",
    item="tps",
    title="tps",
    unit="1/s",
    label=None,
    clients=8,
    runs=4,
    mean=744.2,
    stddev=10.4,
    reference_runs=4,
    reference_mean=721.2,
    reference_stddev=10.1,
    difference=23.0,
    difference_ci95_low=5.2,
    difference_ci95_high=40.8,
    ratio=1.0319,
    ratio_ci95_low=1.007,
    ratio_ci95_high=1.057,
    p_value=0.019,
    p_holm=0.039,
    comparisons=2,
    verdict="3.2 % more (95 % CI 0.7 to 5.7 %)",
    equivalence="not shown",
    is_decided=True,
    more_runs_to_show=None,
    more_runs_to_equal=None,
)
OPEN = replace(PAIR, is_decided=False, more_runs_to_show=17, more_runs_to_equal=63)
SIDE = Compared("a", "After", "x.duckdb", 4, ("run3: wrong node",))
WHOLE = Comparison(
    SIDE,
    replace(SIDE, name="b", label="b", set_aside=()),
    5.0,
    (PAIR,),
    (OneSided("milestone", "vm", "b"),),
    (
        ParameterChange("db", "LOGBUFSZ", None, "8", None),
        ParameterChange("main.cf", "disk.Device", None, "x", "y"),
    ),
)


def test_means_effect_interval_and_both_p_values_are_on_the_line_and_the_verdict_below() -> None:
    text = "\n".join(lines(WHOLE, 100))
    row = next(line for line in lines(WHOLE, 100) if "transactions per second, 8 clients" in line)
    for part in ("744 ± 10 (4)", "721 ± 10 (4)", "+23 ", "1.032", "1.007 to 1.057", "0.019", "0.039"):
        assert part in row
    assert "      3.2 % more (95 % CI 0.7 to 5.7 %)" in text
    assert "a (After): 4 runs, 1 set aside: run3: wrong node" in text
    assert "Only B has: milestone vm" in text
    assert "1 attributes of main.cf differ too" in text
    assert "significant" not in text


def test_a_parameter_that_one_side_does_not_state_is_a_dash() -> None:
    row = next(line for line in lines(WHOLE, 100) if "LOGBUFSZ" in line)
    assert row.split() == ["db", "LOGBUFSZ", "8", "—"]


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        pytest.param(PAIR, "", id="settled"),
        pytest.param(OPEN, "17 more to show the difference seen; 63 more to show equality within 5 %", id="open"),
        pytest.param(
            replace(OPEN, ratio_ci95_low=None, runs=1), "2 more for an interval", id="too few runs for an interval"
        ),
        pytest.param(
            replace(OPEN, stddev=0.0, reference_stddev=0.0, more_runs_to_show=None, more_runs_to_equal=None),
            "none would help: the logs print too few decimals",
            id="no spread, and a common error that no run makes less",
        ),
        pytest.param(
            replace(OPEN, more_runs_to_show=None, more_runs_to_equal=None),
            "more than 1000: too small to detect",
            id="hopeless",
        ),
    ],
)
def test_runs_to_add_in_words(pair: Pair, words: str) -> None:
    assert runs_needed(pair, 5.0) == words


def test_a_main_measurement_that_differs_is_told_before_its_spread() -> None:
    spread = replace(PAIR, item="latency_stddev_ms", ratio=0.5)
    latency, loaded = replace(PAIR, item="latency_avg_ms", ratio=0.7), replace(PAIR, clients=64, ratio=1.2)
    assert main_drift([PAIR, spread, latency, loaded]) == [loaded]
    assert main_drift([replace(PAIR, p_holm=0.2), spread]) == [spread]


def test_markdown_keeps_hostile_text_in_its_cell() -> None:
    hostile = replace(WHOLE, pairs=(replace(PAIR, item="a|b\n\x1b[31m<script>"),))
    row = next(line for line in markdown(hostile).splitlines() if "script" in line)
    assert "\x1b" not in row
    assert "<script>" not in row.replace(r"\<", "")
    assert row.count(" | ") == 9


def test_nothing_in_common_is_said() -> None:
    assert "Nothing was measured in both." in list(lines(replace(WHOLE, pairs=()), 100))


def test_title_names_load_and_unit() -> None:
    assert title(PAIR) == "transactions per second, 8 clients"
    assert title(replace(PAIR, item="latency_avg_ms", unit="ms")) == "mean latency, 8 clients (ms)"
