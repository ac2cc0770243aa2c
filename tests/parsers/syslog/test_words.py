import polars as pl
import pytest

from parsers.syslog.words import FACILITIES, LEVELS, level_of, named


@pytest.mark.parametrize(
    ("word", "level"),
    [
        *((level, level) for level in LEVELS),
        ("WARN", "warning"),
        ("CRITICAL", "crit"),
        ("PANIC", "emerg"),
        ("LOG", "info"),
        ("DEBUG5", "debug"),
        ("STATEMENT", None),
        (None, None),
    ],
)
def test_level_of_a_word(word: str | None, level: str | None) -> None:
    assert pl.select(level_of(pl.lit(word, pl.String))).item() == level


def test_names_by_number() -> None:
    assert pl.select(named(FACILITIES, pl.lit(23))).item() == "local7"
    assert pl.select(named(LEVELS, pl.lit(9))).item() is None
