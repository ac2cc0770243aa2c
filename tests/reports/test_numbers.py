import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reports import numbers


@pytest.mark.parametrize(
    ("value", "decimals", "printed"),
    [
        pytest.param(61.04, 1, "61.0", id="one decimal"),
        pytest.param(0.25, 1, "0.3", id="halves away from zero"),
        pytest.param(-12.0, 1, "\u221212.0", id="a minus sign, not a hyphen"),
        pytest.param(-0.04, 1, "0.0", id="no negative zero"),
        pytest.param(None, 1, "\u2014", id="unknown is a dash"),
        pytest.param(float("nan"), 1, "\u2014", id="not a number is a dash"),
        pytest.param(9999, 0, "9999", id="four digits stay together"),
        pytest.param(1234567, 0, "1\u00a0234\u00a0567", id="thousands set apart"),
        pytest.param(-1.234e28, 1, "\u22121.23 × 10^28", id="too large for digits"),
    ],
)
def test_fixed(value: float | None, decimals: int, printed: str) -> None:
    assert numbers.fixed(value, decimals) == printed


@pytest.mark.parametrize(
    ("mean", "stddev", "resolution_s", "printed"),
    [
        pytest.param(61.23, 0.64, 1.0, "61.2 \u00b1 0.6", id="one digit past whole seconds"),
        pytest.param(61.23, None, 1.0, "61.2", id="one run has no deviation, not 0"),
        pytest.param(302.14, 12.3, 1.0, "302 \u00b1 12", id="two significant digits of the deviation"),
        pytest.param(61.23, 0.0, 1.0, "61.2 \u00b1 0.0", id="equal runs"),
        pytest.param(61.23, 0.64, 10.0, "61 \u00b1 1", id="stamps of ten seconds give no decimal"),
        pytest.param(None, None, 1.0, "\u2014", id="no milestone"),
    ],
)
def test_mean_and_spread(mean: float | None, stddev: float | None, resolution_s: float, printed: str) -> None:
    assert numbers.mean_and_spread(mean, stddev, resolution_s) == printed


@pytest.mark.parametrize(
    ("value", "printed"),
    [(0.0, "< 0.001"), (0.0009, "< 0.001"), (0.0312, "0.031"), (1.0, "1.000"), (None, "\u2014")],
)
def test_p_is_never_printed_as_zero(value: float | None, printed: str) -> None:
    assert numbers.p_value(value) == printed


@pytest.mark.parametrize(("value", "printed"), [(1.0, "1 s"), (0.001, "1 ms"), (0.000001, "1 \u00b5s")])
def test_resolution_has_its_unit(value: float, printed: str) -> None:
    assert numbers.resolution(value) == printed


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (0.0, "0"),
        (3.14159, "3.142"),
        (5.12, "5.12"),
        (10.0, "10"),
        (5.12 - 4.67, "0.45"),
        (1234.5, "1235"),
        (0.00012345, "0.000123"),
        (None, "\u2014"),
    ],
)
def test_compact_keeps_four_digits(value: float | None, printed: str) -> None:
    assert numbers.compact(value) == printed


@pytest.mark.parametrize(
    ("value", "other", "printed"),
    [
        pytest.param(4.2431, 22.3012, ("4.24", "22.30"), id="the decimals of the larger"),
        pytest.param(0.0012, 22.3, ("0.0012", "22.3000"), id="but two digits of the smaller"),
        pytest.param(6254.4, 3551.2, ("6254", "3551"), id="whole digits"),
        pytest.param(0.0, 12.5, ("0.0", "12.5"), id="zero"),
        pytest.param(0.0, 0.0, ("0", "0"), id="nothing"),
        pytest.param(0.001002, 1_002_000.0, ("0.001002", "1\u00a0002\u00a0000"), id="far apart each has its own"),
    ],
)
def test_numbers_that_are_compared_have_the_same_decimals(value: float, other: float, printed: tuple[str, str]) -> None:
    assert numbers.compact_pair(value, other) == printed


@pytest.mark.parametrize(
    ("value", "printed", "around"),
    [
        (0.6612, "0.661", "0.595 to 0.727"),
        (14.4871, "14.487", "13.038 to 15.936"),
        (0.00321, "0.0032", "0.0029 to 0.0035"),
        (6e-5, "0.000060", "0.000054 to 0.000066"),
        (3e-9, "< 0.000001", "0.000000 to 0.000000"),
        (412.34, "412.3", "371.1 to 453.6"),
        (61_234.5, "61\u00a0235", "55\u00a0111 to 67\u00a0358"),
    ],
)
def test_ratios_are_never_printed_as_zero_nor_with_digits_that_say_nothing(
    value: float, printed: str, around: str
) -> None:
    assert numbers.ratio(value) == printed
    assert numbers.interval(value * 0.9, value * 1.1, numbers.ratio_decimals(value)) == around


def test_a_line_never_ends_before_a_unit() -> None:
    assert numbers.bound("61 s, 34 % or 35\u2020 % less") == "61\u00a0s, 34\u00a0% or 35\u2020\u00a0% less"


def test_whole_seconds_keep_a_decimal_of_the_deviation() -> None:
    assert numbers.mean_and_spread(61.04, 0.81, 1.0, 0) == "61 \u00b1 0.8"


@pytest.mark.parametrize("language", ["de", "fr", "es", "it", "nl", "pt"])
def test_decimals_follow_a_comma_where_the_language_wants_it(language: str) -> None:
    with numbers.written_in(language):
        assert numbers.mean_and_spread(61.25, 0.6) == f"61,3 {numbers.PLUS_MINUS} 0,6"
        assert numbers.fixed(-12345.678, 2) == f"{numbers.MINUS}12{numbers.GROUP_SPACE}345,68"
    assert numbers.ratio(0.5) == "0.500"


@pytest.mark.parametrize(
    ("sentence", "german"),
    [
        ("34.5 % less (95 % CI 34.1 to 35.2 %)", "34,5 % less (95 % CI 34,1 to 35,2 %)"),
        ("a ratio of 1.20 (1.17 to 1.23)", "a ratio of 1.20 (1,17 to 1,23)"),
        ("`complete` took 110.2 s", "`complete` took 110,2 s"),
        ("waits of 4.25 ms at 20.5 MB/s", "waits of 4,25 ms at 20,5 MB/s"),
        ("host 10.0.0.1 to V8.1 s of 2.6.18 s", "host 10.0.0.1 to V8.1 s of 2.6.18 s"),
    ],
)
def test_numbers_of_sentences_are_known_by_what_follows(sentence: str, german: str) -> None:
    plain = sentence.replace(" %", "\u00a0%").replace(" s", "\u00a0s")
    with numbers.written_in("de"):
        assert numbers.bound(sentence).replace("\u00a0", " ") == german
    assert numbers.bound(sentence).replace("\u00a0", " ") == plain.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        ("mean = 10.5 \u00b1 0.5 s", "mean = 10.5 \u00b1 0.5 s", "mean = 10,5 \u00b1 0,5 s"),
        ("value \u2265 1,200,000.5", "value \u2265 1\u00a0200\u00a0000.5", "value \u2265 1\u00a0200\u00a0000,5"),
        ("ratio \u2264 0.667", "ratio \u2264 0.667", "ratio \u2264 0,667"),
        ("disk 200 MB/s + 0.001 s", "disk 200 MB/s + 0.001 s", "disk 200 MB/s + 0,001 s"),
        ("V8.2 of 10.0.0.1, run 2.6.18", "V8.2 of 10.0.0.1, run 2.6.18", "V8.2 of 10.0.0.1, run 2.6.18"),
        ("buffers 64000/64000", "buffers 64000/64000", "buffers 64000/64000"),
    ],
)
def test_numbers_that_programs_wrote_are_written_as_all_others(text: str, english: str, german: str) -> None:
    assert numbers.rewritten(text) == english
    with numbers.written_in("de"):
        assert numbers.rewritten(text) == german


def test_an_unrounded_number_has_the_decimal_mark_of_the_language() -> None:
    assert numbers.unrounded(-10.81481) == f"{numbers.MINUS}10.81481"
    with numbers.written_in("de"):
        assert numbers.unrounded(24.25) == "24,25"


def test_no_line_ends_within_an_interval_in_brackets() -> None:
    reported = numbers.bound("40.7 % less (95 % CI 35.7 to 45.2 %), over (some) runs")
    assert reported.split(" ") == [
        "40.7\u00a0%",
        "less",
        "(95\u00a0%\u00a0CI\u00a035.7\u00a0to\u00a045.2\u00a0%),",
        "over",
        "(some)",
        "runs",
    ]


@pytest.mark.parametrize(
    ("mean", "stddev", "printed"),
    [
        (22.301, 1.3532, "22.3 \u00b1 1.4"),
        (605.12, 84.951, "605 \u00b1 85"),
        (0.0081, 0.0039, "0.0081 \u00b1 0.0039"),
        (0.93, 0.00025, "0.93000 \u00b1 0.00025"),
        (24.0, 1e-13, "24 \u00b1 0"),
        (1436796.4, 15796.2, "1\u00a0436\u00a0796 \u00b1 15\u00a0796"),
        (0.0, 0.0, "0 \u00b1 0"),
        (13.39, None, "13.39"),
    ],
)
def test_a_measured_mean_and_its_deviation_have_the_same_decimals(
    mean: float, stddev: float | None, printed: str
) -> None:
    assert numbers.compact_and_spread(mean, stddev) == printed


def test_numbers_that_stand_together_have_the_same_decimals() -> None:
    assert numbers.common_decimals([13.39, 5.12, 4.67]) == 2
    assert numbers.common_decimals([250_000, 1_600_000]) == 0
    assert numbers.common_decimals([0.0, float("nan")]) == 0


@given(st.floats(), st.floats())
@example(sys.float_info.max, sys.float_info.min)
@example(5e-324, float("inf"))
def test_no_double_fails_to_print(one: float, other: float) -> None:
    printed = [
        numbers.fixed(one, 6),
        numbers.signed(one, 1),
        numbers.count(one),
        numbers.compact(one),
        *numbers.compact_pair(one, other),
        numbers.compact_and_spread(one, abs(other)),
        numbers.mean_and_spread(one, abs(other), 1.0),
        numbers.mean_and_spread(one, 0.0, 1.0),
        numbers.ratio(one),
        numbers.interval(one, other, 3),
        numbers.p_value(one),
    ]
    assert not [each for each in printed if "inf" in each or "nan" in each]
