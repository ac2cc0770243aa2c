"""BenchmarkSQL (TPC-C over JDBC): its log, and result.csv with a line per transaction.

Written by  jTPCC through log4j, so what is before `Term-00` depends on a pattern that every fork changes
One row     per figure of a run; per second of result.csv
Time        the session's start and end, wall clock without a zone; result.csv counts milliseconds from the start
Odd         progress is one line that is overwritten (`Running Average ...`) and glued to the next message; its `Current
            tpmTOTAL` is a growing counter, no rate. With think times the specification allows 12.86 tpmC per warehouse,
            so tpmC_efficiency is tpmC in percent of that
"""

import re
from collections.abc import Iterable
from datetime import datetime

import polars as pl

from parsers.benchmark.benchmarksql_result import RESULT, RESULT_HEADER, result_points
from parsers.benchmark.measurement_lines import parse_measurements, row
from parsers.by_line import LineVerdict, ignored, parsed, rejected
from parsers.format import Format, Hint, Parsed, Recognition, Refusal, Verdict, recognised_by
from parsers.line_verdict import is_in
from parsers.measurement import COUNT, MEASUREMENT_POINT, MEASUREMENT_VALUE, PER_MINUTE, tables_of

# no possessive group that begins with blanks: Python before 3.11.5 (Debian 12) leaves them in the match
# REAL: 07:09:53,455 [Thread-351] INFO   jTPCC : Term-00, Measured tpmC (NewOrders) = 77373.25
STATEMENT = re.compile(
    r"Term-[0-9]{2}, (?P<key>[A-Z](?:[A-Za-z() ]*[A-Za-z()])?) *= *(?P<value>\S++(?:\s++\S++)*+)\s*$"
)
# RECONSTRUCTED: Term-00, warehouses=4
SETTING = re.compile(r"Term-[0-9]{2}, (?P<key>[a-z]\w*)=(?P<value>(?:\s*+\S++)*+)\s*$")
FIGURES = {
    "Measured tpmC (NewOrders)": ("tpmC", PER_MINUTE),
    "Measured tpmTOTAL": ("tpmTOTAL", PER_MINUTE),
    "Measured tpmE (ErrorCount)": ("tpmE", PER_MINUTE),
    "Transaction Count": ("transactions", COUNT),
    "Transaction NewOrders": ("new_orders", COUNT),
    "New Order Count": ("new_orders", COUNT),
    "Transaction Error": ("failed", COUNT),
}
NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,9})?")
PROGRESS = re.compile(r"Term-[0-9]{2}, Running Average tpmTOTAL: [0-9.]+")
MAX_TPMC_PER_WAREHOUSE = 12.86
"""TPC-C, clause 4.2: what think and keying times allow."""
OWN = (
    r"Measured tpmC \(NewOrders\) *= "
    r"|Term-[0-9]{2}, (?:Running Average|Measured|warehouses=|Transaction Count|Session )"
    rf"|{RESULT_HEADER}"
)


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for the messages of terminal 0, or the header of result.csv."""
    return recognised_by(head.str.contains(OWN), 0.96, "messages or result of BenchmarkSQL") or Refusal(
        "no message of a terminal of BenchmarkSQL", max(len(head), 1)
    )


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn the log into figures and result.csv into points."""
    points = result_points(lines)
    is_result = pl.col("text").str.contains(RESULT)
    measured = parse_measurements(lines.filter(~is_result), read)
    verdict = pl.when(is_in(lines, points)).then(int(Verdict.PARSED)).otherwise(int(Verdict.CONTINUATION))
    results = lines.with_columns(verdict.cast(pl.UInt8).alias("verdict"), pl.lit(None, pl.String).alias("reason"))
    classified = pl.concat([measured.lines, results.filter(is_result).select(measured.lines.columns)])
    tables = measured.tables | tables_of(points=(MEASUREMENT_POINT, points))
    return Parsed(
        tables,
        lines.select("file_id", "line_no").join(
            classified, on=["file_id", "line_no"], how="left", maintain_order="left"
        ),
    )


def read(texts: list[str]) -> Iterable[LineVerdict]:
    """Classify the lines of one log; a session's figures take its settings and its times."""
    sessions = [_Session(1)]
    classified = [_classified(text, sessions) for text in texts]
    for each in sessions:
        each.finish()
    return classified


class _Session:
    """One run: its rows, and what holds for all of them."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.rows: list[dict[str, object]] = []
        self.settings: dict[str, str] = {}
        self.start: datetime | None = None
        self.end: datetime | None = None

    def finish(self) -> None:
        """Fill in what the whole session says about its figures."""
        clients = self.settings.get("terminals", "")
        length_s = (self.end - self.start).total_seconds() if self.start and self.end else None
        for each in self.rows:
            each |= {
                "summary_no": self.number,
                "stamp": self.start,
                "duration_s": length_s,
                "clients": int(clients) if re.fullmatch(r"[0-9]{1,6}", clients, re.ASCII) else None,
            }

    def figures(self, key: str, value: float) -> list[dict[str, object]]:
        metric, unit = FIGURES[key]
        rows = [row(metric, unit, value)]
        warehouses = self.settings.get("warehouses", "")
        if metric == "tpmC" and re.fullmatch(r"[1-9][0-9]{0,6}", warehouses, re.ASCII):
            rows.append(row("tpmC_efficiency", "%", 100 * value / (MAX_TPMC_PER_WAREHOUSE * int(warehouses))))
        self.rows += rows
        return rows


def _classified(text: str, sessions: list[_Session]) -> LineVerdict:
    if given := STATEMENT.search(text):
        return _given(given["key"], given["value"], sessions)
    if setting := SETTING.search(text):
        if sessions[-1].rows:
            sessions.append(_Session(sessions[-1].number + 1))
        sessions[-1].settings[setting["key"]] = setting["value"]
        return ignored("setting of the run")
    if PROGRESS.search(text):
        return ignored("running average, which is of no interval")
    if re.search(r"Term-[0-9]{2},|\bjTPCC\b", text):
        return ignored("banner or message of a terminal")
    if re.search(RESULT_HEADER, text):
        return ignored("header")
    return rejected("no message of a terminal of BenchmarkSQL")


def _given(key: str, value: str, sessions: list[_Session]) -> LineVerdict:
    session = sessions[-1]
    if key in ("Session Start", "Session End"):
        try:
            instant = datetime.strptime(value, "%Y-%m-%d %H:%M:%S")  # noqa: DTZ007 - a wall clock
        except ValueError:
            return rejected("no time of a session")
        if key == "Session Start":
            session.start = instant
        else:
            session.end = instant
        return ignored("time of the session, kept with its figures")
    if key not in FIGURES:
        return ignored("a key that is no figure known here")
    if NUMBER.fullmatch(value) is None:
        return rejected("no number where a figure is given")
    if any(each["metric"] == FIGURES[key][0] for each in session.rows):
        session = _Session(session.number + 1)
        sessions.append(session)
    return parsed(*session.figures(key, float(value)))


FORMAT = Format(
    name="benchmarksql",
    title="BenchmarkSQL",
    tables=(MEASUREMENT_VALUE, MEASUREMENT_POINT),
    recognise=recognise,
    parse=parse,
    file_names=("benchmarksql*", "result.csv"),
    role="measurement",
    needs=OWN,
    hints=(Hint(r"Measured tpmC|Term-[0-9][0-9], ", "a log of BenchmarkSQL"),),
)
