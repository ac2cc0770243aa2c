import pytest

from reports.typeset.text import visible, visible_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("Crash recovery complete", "Crash recovery complete", id="plain"),
        pytest.param("\x1b[31mred", "\\x1b[31mred", id="escape sequence"),
        pytest.param("a\nb\tc", "a\\nb\\tc", id="line end and tab"),
        pytest.param("abc\u202edef", "abc\\u{202e}def", id="direction mark"),
        pytest.param("\u4e2d", "\\u{4e2d}", id="what Plex cannot draw"),
        pytest.param("é ± − — \u00a0µ", "é ± − — \u00a0µ", id="what it can"),
        pytest.param("\U0001f4a9", "\\u{1f4a9}", id="beyond the first plane"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_lines_stay_lines() -> None:
    assert visible_lines("select 1\r\n\tfrom t") == "select 1\n    from t"
