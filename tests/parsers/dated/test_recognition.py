import polars as pl

from parsers.dated.recognition import CONFIDENCE, look, recognise
from parsers.format import Recognition, Refusal

LOG = pl.Series(["2020-01-31 12:34:56 INFO a", "2020-01-31 12:34:57 INFO b"])
TRACE = pl.Series(["2020-01-31 12:34:56 ERROR a", *["    at b.c(d.java:1)"] * 30, "2020-01-31 12:34:57 INFO b"])


def test_long_records_are_recognised_by_what_continues_them() -> None:
    assert isinstance(recognise(TRACE), Recognition)
    lines = pl.Series(["2020-01-31 12:34:56 a", *["words of a letter."] * 30, "2020-01-31 12:34:57 b"])
    assert isinstance(recognise(lines), Refusal)


def test_several_files_together_are_each_what_they_are_alone() -> None:
    look([LOG, TRACE, pl.Series(["", "a"])])
    claim = recognise(LOG)
    assert isinstance(claim, Recognition)
    assert (claim.confidence, claim.line_no) == (CONFIDENCE, 1)
    assert recognise(pl.Series(["", "a"])) == Refusal("no line begins with a date and a time", 2)
