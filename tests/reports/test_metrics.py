"""Names of columns in words."""

import pytest

from reports.metrics import column_in_words


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
