"""How a dated log is known, and what its words mean."""

import re

import polars as pl
import pytest

from parsers.dated.heads import CLOCKED, SHAPES, boundary, read_heads
from parsers.dated.recognition import recognise
from parsers.dated.severity import level, severity
from parsers.dated.words import CAPITALS, MONTH_NUMBERS, SEVERITY_WORDS
from parsers.format import Recognition, Refusal
from parsers.syslog.words import LEVELS


def test_months_of_several_languages() -> None:
    names = ("mär", "août", "ene", "mag", "dez", "сентября", "Jan".lower())
    assert [MONTH_NUMBERS[each] for each in names] == [3, 8, 1, 5, 12, 9, 1]


def test_every_word_is_a_level_of_syslog() -> None:
    assert set(SEVERITY_WORDS.values()) <= set(LEVELS)
    assert {word.lower() for word in CAPITALS} <= set(SEVERITY_WORDS)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("ERROR [main] a", "err"),
        ("[main] WARN  a.B - c", "warning"),
        ("level=debug msg=x", "debug"),
        ("[error] 12#0: no", "err"),
        ("<Warning> <x> no", "warning"),
        ("I | raft: x", "info"),
        ("Fehler: nein", "err"),
        ("a sentence on an error of a kind", None),
        ("GET /error 200", None),
    ],
)
def test_words_near_the_stamp(said: str, expected: str | None) -> None:
    frame = pl.DataFrame(
        {"before": "", "said": said, "below": None, "letter": None},
        schema_overrides={"below": pl.String, "letter": pl.String},
    )
    found = frame.select(severity(pl.col("before"), pl.col("said"), pl.col("below"), pl.col("letter")).alias("x"))
    assert found.item() == expected


def test_words_of_several_languages() -> None:
    words = ["Kritisch", "Erreur", "Advertencia", "Avviso", "Informações", "エラー", "信息", "Предупреждение", "?"]
    levels = ["crit", "err", "warning", "warning", "info", "err", "info", "warning", None]
    assert pl.DataFrame({"x": words}).select(level(pl.col("x")))["x"].to_list() == levels


TRACE = pl.Series(["2020-01-31 12:34:56 ERROR a", *["    at b.c(d.java:1)"] * 30, "2020-01-31 12:34:57 INFO b"])


def test_long_records_are_recognised_by_what_continues_them() -> None:
    assert isinstance(recognise(TRACE), Recognition)
    lines = pl.Series(["2020-01-31 12:34:56 a", *["words of a letter."] * 30, "2020-01-31 12:34:57 b"])
    assert isinstance(recognise(lines), Refusal)


def shapes(*lines: str) -> list[tuple[int, str]]:
    found = read_heads(pl.DataFrame({"text": list(lines)}).with_row_index("row"))
    return list(found.select("row", "shape").iter_rows())


def test_the_first_shape_that_fits_is_it() -> None:
    assert shapes("a", "2020-01-31 10:00:00 b", "31/01/2020 10:00:00 c", "200131 10:00:00 d") == [
        (1, "year_first"),
        (2, "numeric"),
        (3, "short_year"),
    ]


def test_a_date_within_a_sentence_is_no_head() -> None:
    assert shapes("It began at 2020-01-31 10:00:00", "Last seen: 2020-01-31 10:00:00", "2020-01-31 10:00") == []


def test_files_are_not_cut_before_dates_whose_order_takes_the_whole_file() -> None:
    assert re.search(boundary(), "2020-01-31 10:00:00 a")
    assert not re.search(boundary(), "31/01/2020 10:00:00 a")


def test_what_every_head_has_is_in_the_examples_of_all_shapes() -> None:
    assert {shape.name for shape in SHAPES} >= {"glog", "pair", "ctime", "cjk"}
    assert re.search(CLOCKED, "I1231 12:34:56.123456 a")
    assert re.search(CLOCKED, "1580473466123 a")
