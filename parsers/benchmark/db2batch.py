"""db2batch, the benchmark tool of DB2: times of statements and their summary.

Written by  db2batch, one block per statement with what it returned, then a table and totals
One row     per time of a statement: `statement 4` is what elapsed, `statement 4 prepare`, `... execute`, `... fetch`
            are its parts, which are printed with `-i complete` only; per total: elapsed_s, geometric_mean_s, ...
Time        one stamp, wall clock; its zone is a localised name, which says too little
Repetitions of a block of statements (`--#BGBLK n`) are rows of one metric, and averaged by whoever asks. The summary's
            row of a statement repeats what is above; it is read where the blocks were cut off
Checks      arithmetic mean = total / entries, geometric mean = exp(mean of logarithms); a mean that fails is doubtful
"""

import re
from collections.abc import Iterable
from functools import partial
from math import exp, fsum, log

import polars as pl

from parsers.benchmark.measurement_lines import parse_measurements, printed_date, row
from parsers.by_line import LineVerdict, ignored, parsed, rejected
from parsers.format import Format, Recognition, Refusal, recognised_by
from parsers.measurement import COUNT, MEASUREMENT_VALUE, SECONDS

# REAL: * Timestamp: Tue Nov 13 2018 12:43:59 India Standard Time
TIMESTAMP = re.compile(r"\* Timestamp: (?P<at>.*\S)\s*")
# REAL: * SQL Statement Number 4:
STATEMENT = re.compile(r"\* SQL Statement Number (?P<number>[0-9]{1,9}):\s*")
# REAL: * Prepare Time is:       0.000965 seconds
TIME = re.compile(
    r"\* (?P<kind>Prepare|Execute|Fetch|Elapsed) Time is: +(?P<seconds>[0-9]{1,9}\.[0-9]{1,9}) seconds(?: \(.*\))?\s*"
)
# REAL: Statement           4           1       0.013670       0.013670       0.013670        0.013670       0.013670 …
SUMMARY_ROW = re.compile(
    r"(?P<type>Statement|Block) +(?P<number>[0-9]{1,9}) +(?P<repetitions>[0-9]{1,9}) +(?P<total>[0-9.]{1,20})"
    r" +(?P<low>[0-9]{1,9}\.[0-9]+) +(?P<high>[0-9]{1,9}\.[0-9]+) +(?P<mean>[0-9]{1,9}\.[0-9]+) +[0-9.]+( +[0-9-]+)*\s*"
)
# REAL: * Geometric Mean Time:        0.011564 seconds
TOTAL = re.compile(
    r"\* (?P<name>Total Entries|Total Time|Minimum Time|Maximum Time|Arithmetic Mean Time|Geometric Mean Time):"
    r" +(?P<value>[0-9]{1,12}(?:\.[0-9]{1,9})?)(?: seconds)?\s*"
)
TOTALS = {
    "Total Entries": ("entries", COUNT),
    "Total Time": ("elapsed_s", SECONDS),
    "Minimum Time": ("minimum_s", SECONDS),
    "Maximum Time": ("maximum_s", SECONDS),
    "Arithmetic Mean Time": ("arithmetic_mean_s", SECONDS),
    "Geometric Mean Time": ("geometric_mean_s", SECONDS),
}
FURNITURE = re.compile(r"\* Summary Table:|Type +Number +Repetitions|-[- ]*-\s*$|\* (?:Comment|Block|Number of)\b.*")
PRINTED_TO_S = 0.000001


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for a statement's number or time, or the summary."""
    return recognised_by(
        head.str.contains(r"^\* (?:SQL Statement Number [0-9]+:|Elapsed Time is: |Summary Table:)"),
        0.96,
        "statements or summary of db2batch",
    ) or Refusal("neither statements nor a summary of db2batch", max(len(head), 1))


def read(texts: list[str]) -> Iterable[LineVerdict]:
    """Classify the lines of one file; every stamp begins another batch."""
    batch = _Batch(1, {})
    classified = []
    for text in texts:
        if stamped := TIMESTAMP.fullmatch(text):
            number = batch.number + 1 if batch.is_begun else batch.number
            batch = _Batch(number, dict(printed_date(stamped["at"])))
            classified.append(ignored("stamp of the batch, kept with its figures"))
        else:
            classified.append(_classified(text, batch))
    return classified


class _Batch:
    """One batch: its stamp, the statement at hand, the times elapsed so far, its totals."""

    def __init__(self, number: int, stamp: dict[str, object]) -> None:
        self.number = number
        self.stamp = stamp
        self.statement: str | None = None
        self.is_in_block = False
        self.elapsed: dict[str, list[float]] = {}
        self.totals: dict[str, float] = {}

    @property
    def is_begun(self) -> bool:
        """Whether anything of it was read."""
        return bool(self.elapsed or self.totals or self.statement)

    def parsed(self, metric: str, unit: str, value: float, **columns: object) -> LineVerdict:
        """A line with a figure of this batch."""
        return parsed(row(metric, unit, value, summary_no=self.number, **self.stamp, **columns))

    def doubt(self, metric: str, value: float) -> str | None:
        """Why a mean cannot be that of the statements above, or null."""
        times = [each for group in self.elapsed.values() for each in group]
        if metric == "arithmetic_mean_s" and self.totals.get("entries") and "elapsed_s" in self.totals:
            mean = self.totals["elapsed_s"] / self.totals["entries"]
        elif metric == "geometric_mean_s" and len(times) == self.totals.get("entries") and min(times, default=0) > 0:
            mean = exp(fsum(map(log, times)) / len(times))
        else:
            return None
        # the times that it was taken from are printed to a microsecond, too
        is_right = abs(value - mean) <= 2 * PRINTED_TO_S + 0.001 * mean
        return None if is_right else f"the times above give {mean:.6f} s"


def _classified(text: str, batch: _Batch) -> LineVerdict:
    if statement := STATEMENT.fullmatch(text):
        batch.statement, batch.is_in_block = statement["number"], True
        return ignored("number of the statement, kept with its times")
    if time := TIME.fullmatch(text):
        return _time(time, batch)
    if total := TOTAL.fullmatch(text):
        metric, unit = TOTALS[total["name"]]
        value = float(total["value"])
        batch.totals[metric] = value
        return batch.parsed(metric, unit, value, doubt=batch.doubt(metric, value))
    if summary := SUMMARY_ROW.fullmatch(text):
        return _summary_row(summary, batch)
    return _other(text, batch)


def _other(text: str, batch: _Batch) -> LineVerdict:
    if FURNITURE.match(text):
        batch.is_in_block = batch.is_in_block and not text.startswith("* Summary")
        return ignored("ruler or heading")
    if batch.is_in_block:
        return ignored("text or result of the statement")
    return rejected("neither a time nor a total of db2batch")


def _time(found: re.Match[str], batch: _Batch) -> LineVerdict:
    if batch.statement is None:
        return rejected("a time of no statement")
    metric, seconds = f"statement {batch.statement}", float(found["seconds"])
    if found["kind"] != "Elapsed":
        return batch.parsed(f"{metric} {found['kind'].lower()}", SECONDS, seconds)
    batch.elapsed.setdefault(metric, []).append(seconds)
    return batch.parsed(metric, SECONDS, seconds)


def _summary_row(found: re.Match[str], batch: _Batch) -> LineVerdict:
    metric = f"{found['type'].lower()} {found['number']}"
    if metric in batch.elapsed:
        return ignored("repeats the times of the statement")
    spread = {"repetitions": int(found["repetitions"]), "low": float(found["low"]), "high": float(found["high"])}
    return batch.parsed(metric, SECONDS, float(found["mean"]), **spread)


FORMAT = Format(
    name="db2batch",
    title="db2batch of DB2",
    tables=(MEASUREMENT_VALUE,),
    recognise=recognise,
    parse=partial(parse_measurements, read=read),
    file_names=("db2batch*",),
    role="measurement",
    needs=r"\* SQL Statement Number|\* Elapsed Time is|\* Summary Table",
)
