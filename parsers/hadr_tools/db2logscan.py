"""db2logscan, which reads the log files of a database: how much is logged, in what flushes, by what transactions.

Written by  db2logscan (2013) on stdout
One row     per interval, number about the scan, distribution and bucket
Time        end of the interval, wall clock of the scanning machine; its zone is given in words only
Traps       log records are stamped to the second: the distribution of flush durations is coarse, averages are right.
            After missing extents the context is lost: the next interval is marked
"""

import polars as pl

from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.hadr_tools.logscan import read
from parsers.hadr_tools.sheet import parse_sheets
from parsers.hadr_tools.tables import HADR_BUCKET, HADR_DISTRIBUTION, HADR_FIGURE, HADRCALC_PREDICTION, LOGSCAN_INTERVAL

TABLES = (LOGSCAN_INTERVAL, HADRCALC_PREDICTION, HADR_FIGURE, HADR_DISTRIBUTION, HADR_BUCKET)
SIGNATURE = (
    r"^\s*[0-9]{4}-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9] +[0-9.]+ MB/s, +[0-9.]+ sec, +[0-9.]+ pg/f, "
)
CALCULATOR = r"^\s*(?:hadrCalculator\.pl: |actual +[0-9.]+ MB/s@|[A-Z]+ .*MB/s@ *[0-9]+ pg/f)"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for the line of an interval, in a file without predictions."""
    is_interval, is_calculator = head.str.contains(SIGNATURE), head.str.contains(CALCULATOR)
    if is_calculator.any():
        return Refusal("predictions of hadrCalculator.pl", (is_calculator.arg_max() or 0) + 1)
    if is_interval.any():
        return Recognition(0.97, "interval of db2logscan", (is_interval.arg_max() or 0) + 1)
    return Refusal("no interval of db2logscan", 1 if len(head) else 0)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn a scan into intervals, numbers and distributions, and into predictions where a calculator added some."""
    return parse_sheets(lines, read, TABLES)


FORMAT = Format(
    name="hadr_db2logscan",
    title="db2logscan",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    file_names=("*logscan*",),
    role="measurement",
    needs="MB/s",
)
