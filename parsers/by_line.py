"""Small files read line by line in Python: a reader judges each line, what it says becomes rows and verdicts.

A reader takes the lines of one file and gives a judgement for each, in order. Lines of white space are blank whatever
it says of them. A rejected line that may hold a secret is ignored instead, since rejected lines are kept as text.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

import polars as pl

from parsers.format import VERDICT_SCHEMA, Parsed, Table, Verdict
from parsers.parameter import PARAMETER_VALUE
from parsers.secret import may_hold_secret

Row = Mapping[str, object]
"""Values by column; a column that is left out is null."""

MAX_PART = 1000
"""Rows of one line: more is no configuration."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a line: its verdict, why it was set aside, and the rows that begin on it."""

    verdict: Verdict
    reason: str | None = None
    rows: tuple[Row, ...] = ()


CONTINUATION = Judgement(Verdict.CONTINUATION)
COMMENT = Judgement(Verdict.IGNORED, "comment")


def parsed(*rows: Row) -> Judgement:
    """A line that begins these rows."""
    return Judgement(Verdict.PARSED, rows=rows)


def ignored(reason: str) -> Judgement:
    """A line that is set aside by rule."""
    return Judgement(Verdict.IGNORED, reason)


def rejected(reason: str) -> Judgement:
    """A line that nothing reads."""
    return Judgement(Verdict.REJECTED, reason)


Reader = Callable[[list[str]], Iterable[Judgement]]


def parse_by_line(lines: pl.DataFrame, read: Reader, table: Table = PARAMETER_VALUE) -> Parsed:
    """Read each file with `read` into rows of `table`, which is not dated."""
    rows: list[dict[str, object]] = []
    verdicts: list[pl.DataFrame] = []
    for file_lines in lines.partition_by("file_id", maintain_order=True):
        judged = _judged(file_lines["text"], read)
        file_id, numbers = file_lines["file_id"][0], file_lines["line_no"].to_list()
        for line_no, judgement in zip(numbers, judged, strict=True):
            for part, row in enumerate(islice(judgement.rows, MAX_PART), 1):
                rows.append({"file_id": file_id, "line_no": line_no, "part": part, **row})
        verdicts.append(
            file_lines.select("file_id", "line_no").with_columns(
                pl.Series("verdict", [int(each.verdict) for each in judged], pl.UInt8()),
                pl.Series("reason", [each.reason for each in judged], pl.String()),
            )
        )
    told = pl.concat([pl.DataFrame(schema=VERDICT_SCHEMA), *verdicts])
    return Parsed({table.name: pl.DataFrame(rows, table.schema)} if rows else {}, told)


def _judged(texts: pl.Series, read: Reader) -> list[Judgement]:
    """The reader's judgements, those of lines of white space and of secrets replaced."""
    lines = texts.to_list()
    is_blank = (texts.str.strip_chars() == "").to_list()
    blank, withheld = Judgement(Verdict.BLANK), ignored("not read, and may hold a secret: not kept")
    return [
        blank if white else withheld if each.verdict is Verdict.REJECTED and may_hold_secret(line) else each
        for each, line, white in zip(read(lines), lines, is_blank, strict=True)
    ]
