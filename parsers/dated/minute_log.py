"""Logs whose lines begin with a date and a time without seconds, and that no other format knows.

Written by   programs and people that note the minute: backup scripts, schedulers, logbooks, some appliances
One row      per line that begins with a stamp to the minute: `2020-01-31 12:34 text`, `31.01.2020 12:34 text`,
             `Jan 31 12:34 text`, `1/31/2020 12:34 PM text`; what is above an entry of 12:34 is no later, so the stamp
             is the begin of a minute, and `stamp_resolution` says 60 s
The rest     as of any dated log, see `parsers.dated.dated_log`
"""

from collections.abc import Sequence

import polars as pl

from parsers.dated.heads import CLOCKED_TO_MINUTE, SHAPES_TO_MINUTE, read_heads
from parsers.dated.moments import is_dated, with_moments
from parsers.dated.recognition import beside, claim, first_lines
from parsers.dated.records import TABLES, parsed
from parsers.first_look import FirstLook
from parsers.format import Format, Parsed, Recognition, Refusal

CONFIDENCE = 0.008
"""Any other format that claims a file knows more of it, one that reads seconds too."""


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines into records, and give each line its verdict."""
    rows = lines.with_row_index("row")
    return parsed(rows, _heads(rows))


def _heads(rows: pl.DataFrame) -> pl.DataFrame:
    return read_heads(rows, SHAPES_TO_MINUTE, CLOCKED_TO_MINUTE)


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file most of whose lines begin with a stamp to the minute and have words."""
    return claim(*_looks.of(head), CONFIDENCE, "a date and a time to the minute")


def _seen(heads: Sequence[pl.Series]) -> list[tuple[pl.DataFrame, pl.DataFrame]]:
    lines = first_lines(heads)
    return beside(lines, with_moments(_heads(lines)).filter(is_dated()), len(heads))


_looks = FirstLook(_seen)

FORMAT = Format(
    name="minute_log",
    title="Log dated to the minute, without a format of its own",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    needs=CLOCKED_TO_MINUTE,
    look=_looks.look,
    takes_the_rest=True,
)
