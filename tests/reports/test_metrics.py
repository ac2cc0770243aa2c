"""Names of columns in words."""

import pytest

from reports.metrics import column_in_words, title_of


@pytest.mark.parametrize(
    ("column", "words"),
    [
        pytest.param("mb_s", "MB/s", id="nothing but a unit"),
        pytest.param("limit_mb_s", "limit, MB/s", id="not a number of seconds"),
        pytest.param("rate_kib_per_s", "rate, KiB/s", id="not seconds either"),
        pytest.param("busy_pct", "busy, %", id="share"),
        pytest.param("lost_node", "lost node", id="no unit"),
        pytest.param("losses", "losses", id="an end that is no unit"),
    ],
)
def test_a_column_is_named_with_its_unit_apart(column: str, words: str) -> None:
    assert column_in_words(column) == words


@pytest.mark.parametrize(
    ("metric", "unit", "words"),
    [
        pytest.param("sys_s", "s", "sys, s", id="its own unit at the end"),
        pytest.param("wait_ms", "s", "wait ms, s", id="another unit at the end"),
        pytest.param("elapsed_s", "s", "elapsed time, s", id="a name of ours"),
        pytest.param("load", None, "load", id="no unit"),
    ],
)
def test_no_unit_is_printed_twice(metric: str, unit: str | None, words: str) -> None:
    assert title_of(metric, unit) == words
