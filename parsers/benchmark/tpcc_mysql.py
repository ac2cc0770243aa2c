"""tpcc-mysql (Percona): interval lines and the result.

Written by  tpcc_start on stdout
One row     per interval and metric; one for the result
Time        seconds from the start of measuring
Rate        `trx` counts New-Order transactions of the interval: tpmC of an interval is trx / length * 60
"""

import re
from collections.abc import Iterable
from functools import partial

import polars as pl

from parsers.benchmark.measurement_lines import parse_measurements, row
from parsers.by_line import LineVerdict, ignored, parsed, rejected
from parsers.format import Format, Hint, Recognition, Refusal, recognised_by
from parsers.measurement import MEASUREMENT_POINT, MEASUREMENT_VALUE, MILLISECONDS, PER_MINUTE

# REAL:   10, trx: 12920, 95%: 9.483, 99%: 18.738, max_rt: 213.169, 12919|98.778, 1292|101.096, 1293|443.955, …
INTERVAL = re.compile(
    r"\s*(?P<end>[0-9]{1,9}), trx: (?P<trx>[0-9]{1,12}), 95%: (?P<p95>[0-9]{1,9}\.[0-9]+)"
    r", 99%: (?P<p99>[0-9]{1,9}\.[0-9]+), max_rt: (?P<max>[0-9]{1,9}\.[0-9]+)(?:,.*)?"
)
# RECONSTRUCTED:                  75840.000 TpmC
RESULT = re.compile(r"\s*(?P<tpmc>[0-9]{1,12}(?:\.[0-9]{1,6})?) TpmC\s*")
CLIENTS = re.compile(r"\s*\[connections?\]: (?P<clients>[0-9]{1,6})\s*|option c with value '(?P<option>[0-9]{1,6})'")
OTHER = re.compile(
    r"\*+$|\*\*\* ###|\s*<|\s*\[|option \w with value|RAMP-UP TIME|MEASURING START|STOPPING THREADS|\s*\(all must"
    r"|\s*[A-Z][A-Za-z-]+: [0-9.]+% |\s*in [0-9]+ sec|Response Time|\s*Payment"
)


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for an interval line."""
    return recognised_by(
        head.str.contains(r"^ *[0-9]+, trx: [0-9]+, 95%: "), 0.96, "interval line of tpcc-mysql"
    ) or Refusal("no interval line of tpcc-mysql", max(len(head), 1))


def read(texts: list[str]) -> Iterable[LineVerdict]:
    """Classify the lines of one file; an interval that does not follow the one above begins another run."""
    test = _Test()
    classified = [_classified(text, test) for text in texts]
    for each in test.rows:
        each["clients"] = test.clients
    return classified


class _Test:
    """What was read so far: the run, the end of its last interval, the load."""

    def __init__(self) -> None:
        self.rows: list[dict[str, object]] = []
        self.clients: int | None = None
        self.summary_no = 1
        self.end_s = 0.0

    def parsed(self, *rows: dict[str, object]) -> LineVerdict:
        """A line with these figures of the current run."""
        for each in rows:
            each["summary_no"] = self.summary_no
        self.rows += rows
        return parsed(*rows)


def _classified(text: str, test: _Test) -> LineVerdict:
    if interval := INTERVAL.fullmatch(text):
        return _interval(interval, test)
    if result := RESULT.fullmatch(text):
        return test.parsed(row("tpmC", PER_MINUTE, float(result["tpmc"])))
    if given := CLIENTS.match(text):
        test.clients = int(given["clients"] or given["option"])
    elif OTHER.match(text) is None:
        return rejected("no line of tpcc-mysql")
    return ignored("settings and checks of tpcc-mysql")


def _interval(found: re.Match[str], test: _Test) -> LineVerdict:
    end_s = float(found["end"])
    if end_s <= test.end_s:
        test.summary_no, test.end_s = test.summary_no + 1, 0.0
    length_s, test.end_s = end_s - test.end_s, end_s
    if length_s == 0:
        return rejected("an interval without length")
    where = {"offset_s": end_s, "interval_s": length_s}
    return test.parsed(
        row("tpmC", PER_MINUTE, 60 * float(found["trx"]) / length_s, **where),
        row("latency_p95_ms", MILLISECONDS, float(found["p95"]), **where),
        row("latency_p99_ms", MILLISECONDS, float(found["p99"]), **where),
        row("latency_max_ms", MILLISECONDS, float(found["max"]), **where),
    )


FORMAT = Format(
    name="tpcc_mysql",
    title="tpcc-mysql",
    tables=(MEASUREMENT_VALUE, MEASUREMENT_POINT),
    recognise=recognise,
    parse=partial(parse_measurements, read=read),
    file_names=("tpcc*",),
    role="measurement",
    needs="trx: ",
    hints=(Hint(r"^\s*<TpmC>|^\s*[0-9]+, (?:trx: )?[0-9]+[(:,]", "a log of tpcc-mysql"),),
)
