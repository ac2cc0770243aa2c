"""Small files read line by line in Python: a reader evaluates each line, what it says becomes rows and verdicts.

A reader takes the lines of one file and gives a verdict for each, in order. Lines of white space are blank, no matter
what it says of them. A rejected line that may hold a secret is ignored instead, since rejected lines are kept as text.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice

import polars as pl

from parsers.format import Format, Hint, Parsed, Recognition, Refusal, Table, Verdict
from parsers.parameter import PARAMETER_VALUE
from parsers.secret import may_hold_secret

Row = Mapping[str, object]
"""Values by column; a column that is left out is null."""

MAX_PART = 1000
"""Rows of one line: more is no configuration."""


@dataclass(frozen=True, slots=True)
class LineVerdict:
    """What became of a line: its verdict, why it was set aside, and the rows that begin on it."""

    verdict: Verdict
    reason: str | None = None
    rows: tuple[Row, ...] = ()


CONTINUATION = LineVerdict(Verdict.CONTINUATION)
COMMENT = LineVerdict(Verdict.IGNORED, "comment")


def parsed(*rows: Row) -> LineVerdict:
    """A line that begins these rows."""
    return LineVerdict(Verdict.PARSED, rows=rows)


def ignored(reason: str) -> LineVerdict:
    """A line that is set aside by rule."""
    return LineVerdict(Verdict.IGNORED, reason)


def rejected(reason: str) -> LineVerdict:
    """A line that nothing reads."""
    return LineVerdict(Verdict.REJECTED, reason)


Reader = Callable[[list[str]], Iterable[LineVerdict]]


def parse_by_line(lines: pl.DataFrame, read: Reader, table: Table = PARAMETER_VALUE) -> Parsed:
    """Read each file with `read` into rows of `table`, which is not dated."""
    rows: list[dict[str, object]] = []
    verdicts: list[int] = []
    reasons: list[str | None] = []
    for file_lines in lines.partition_by("file_id", maintain_order=True):
        classified = _classified(file_lines["text"], read)
        file_id, numbers = file_lines["file_id"][0], file_lines["line_no"].to_list()
        for line_no, line_verdict in zip(numbers, classified, strict=True):
            for part, row in enumerate(islice(line_verdict.rows, MAX_PART), 1):
                rows.append({"file_id": file_id, "line_no": line_no, "part": part, **row})
        verdicts += [int(each.verdict) for each in classified]
        reasons += [each.reason for each in classified]
    line_verdicts = lines.select("file_id", "line_no").with_columns(
        verdict=pl.Series(verdicts, dtype=pl.UInt8()), reason=pl.Series(reasons, dtype=pl.String())
    )
    return Parsed({table.name: pl.DataFrame(rows, table.schema)} if rows else {}, line_verdicts)


def settings_format(  # noqa: PLR0913  what a format declares
    name: str,
    title: str,
    *file_names: str,
    recognise: Callable[[pl.Series], Recognition | Refusal],
    read: Reader,
    needs: str,
    hints: tuple[Hint, ...] = (),
) -> Format:
    """A configuration whose lines `read` turns into rows of `parameter_value`."""
    return Format(
        name=name,
        title=title,
        tables=(PARAMETER_VALUE,),
        recognise=recognise,
        parse=partial(parse_by_line, read=read),
        file_names=file_names,
        role="configuration",
        needs=needs,
        hints=hints,
    )


def _classified(texts: pl.Series, read: Reader) -> list[LineVerdict]:
    """The reader's verdicts, those of lines of white space and of secrets replaced."""
    lines = texts.to_list()
    is_blank = (texts.str.strip_chars() == "").to_list()
    blank, withheld = LineVerdict(Verdict.BLANK), ignored("not read, and may hold a secret: not kept")
    return [
        blank if white else withheld if each.verdict is Verdict.REJECTED and may_hold_secret(line) else each
        for each, line, white in zip(read(lines), lines, is_blank, strict=True)
    ]
