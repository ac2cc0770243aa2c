"""Log of a client's probe: a table of questions asked of a service again and again, and what came of each.

Written by  a script that asks (`asked_at,outcome,elapsed_ms,reason`); JMeter's results and similar tables read alike
One row     per question
Columns     known by their names in any order: a time, an outcome, and if there are, how long it took, why it failed,
            and what was asked; others are left alone. Without an outcome a question with a reason has failed
Time        of asking: ISO 8601, or seconds, milliseconds or microseconds since 1970. A time without a zone is the
            client's wall clock
Elapsed     until the answer, or until it was clear that none would come; milliseconds where the name gives no unit
Outcome     `ok` or `failed`, `true` or `false`, `1` or `0`, a status of HTTP (200 to 399 are answers), ...
Order       any: questions overlap where the next one does not wait for the answer
"""

from dataclasses import dataclass
from typing import Literal

import polars as pl

from parsers.delimited import Header, grid_of, header_of, number, set_aside, time_columns
from parsers.format import Column, Format, Parsed, Recognition, Refusal, Table
from parsers.line_verdict import NEVER, NOTHING, is_in, verdicts

CLIENT_QUESTION = Table(
    name="client_question",
    grain="One row per question that a client's probe asked of a service.",
    is_public=False,
    columns=(
        Column("is_answered", pl.Boolean(), "the service did what was asked; false: it refused, failed or kept silent"),
        Column("elapsed_s", pl.Float64(), "from asking until the outcome was known, seconds; null where not printed"),
        Column("reason", pl.String(), "why a question failed, as the probe words it"),
        Column("target", pl.String(), "what was asked, where the table distinguishes several"),
    ),
)

Part = Literal["time", "outcome", "elapsed", "reason", "target"]

PARTS: dict[Part, str] = {
    "time": "asked_at asked sent_at sent started_at started start time timestamp ts at date datetime date_time t",
    "outcome": (
        "outcome result success is_answered answered ok status state responsecode response_code http_code code up"
    ),
    "elapsed": "elapsed latency duration response_time responsetime rtt took time_taken total_time",
    "reason": "reason error failuremessage failure_message error_message message detail exception cause",
    "target": "target label service url host server endpoint address probe check name",
}
"""Names of columns, the preferred first: JMeter prints `responseCode` and `success`."""

UNITS = {"us": 1_000_000, "ms": 1000, "s": 1, "sec": 1, "seconds": 1}
MILLISECONDS = UNITS["ms"]

ANSWERED = r"^(?:ok|okay|success|successful|succeeded|answered|pass|passed|true|yes|y|t|up|1)$"
PLAINLY_FAILED = r"^(?:fail|failed|failure|ko|not[ _]ok|false|no|n|f|0|-1)$"
FAILED = (
    r"^(?:error|err|exception|down|time[ _]?out|timed[ _]out|refused|rejected|unreachable|lost|no[ _]answer|aborted)$"
)
# curl prints 000 where there was no answer
CODE_ANSWERED, CODE_FAILED = r"^[23][0-9][0-9]$", r"^(?:000|[145][0-9][0-9])$"
SAMPLE = 50
"""Rows below the header that recognition looks at."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of the columns, how many units of the elapsed time a second has, and whether outcomes may be of HTTP."""

    parts: dict[Part, int]
    units_per_s: int
    has_codes: bool


def layout_of(names: tuple[str, ...]) -> Layout | None:
    """The layout of a table with these columns; None where they show no time, or not what came of a question."""
    parts: dict[Part, int] = {}
    units_per_s = MILLISECONDS
    for part, known in PARTS.items():
        for name in known.split():
            spellings = {name: MILLISECONDS}
            if part == "elapsed":
                spellings |= {f"{name}_{unit}": per_s for unit, per_s in UNITS.items()}
            found = next((each for each in spellings if each in names), None)
            if found is not None:
                parts[part] = names.index(found)
                units_per_s = spellings[found] if part == "elapsed" else units_per_s
                break
    if "time" not in parts or not ("outcome" in parts or {"elapsed", "reason"} <= set(parts)):
        return None
    outcome = names[parts["outcome"]] if "outcome" in parts else ""
    return Layout(parts, units_per_s, "code" in outcome or outcome == "status")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a table whose header names a time and an outcome, with such values in nearly all rows."""
    header = header_of(head)
    layout = None if header is None else layout_of(header.names)
    if header is None or layout is None:
        return Refusal("no header with a time and an outcome", 1)
    lines = pl.DataFrame({"text": head}).with_row_index("line_no", 1).with_columns(pl.lit(1).alias("file_id"))
    cells, _ = _read(lines.head(header.line_no + SAMPLE), header, layout)
    good = cells["problem"].null_count()
    if 10 * good < 9 * len(cells) or (good == 0 and tuple(header.names) != OWN):
        return Refusal("rows below the header show no time with an outcome", header.line_no)
    names = ", ".join(header.names[place] for place in layout.parts.values())
    return Recognition(0.93, f"header of a probe's questions ({names})", header.line_no)


OWN = ("asked_at", "outcome", "elapsed_ms", "reason")
"""The form to write: known even before the first question."""


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn rows into questions, file by file."""
    if lines.is_empty():
        return Parsed({}, verdicts(lines, NEVER, ""))
    read = [_file(each) for each in lines.partition_by("file_id", maintain_order=True)]
    rows = pl.concat([each for each, _ in read])
    return Parsed(
        {} if rows.is_empty() else {CLIENT_QUESTION.name: rows}, pl.concat([line_verdicts for _, line_verdicts in read])
    )


def _file(lines: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows and verdicts of one file."""
    header = header_of(lines["text"])
    layout = None if header is None else layout_of(header.names)
    if header is None or layout is None:
        below_none = "below no header with a time and an outcome"
        return CLIENT_QUESTION.empty(), verdicts(lines, NEVER, below_none)
    cells, ragged = _read(lines, header, layout)
    rows = cells.filter(pl.col("problem").is_null()).select(
        pl.col(name).cast(dtype) for name, dtype in CLIENT_QUESTION.schema.items()
    )
    problems = pl.concat([cells.select("file_id", "line_no", "problem").drop_nulls(), ragged])
    is_header = pl.col("text") == lines["text"][header.line_no - 1]  # a probe that was restarted writes it again
    line_verdicts = verdicts(
        lines.join(problems, on=["file_id", "line_no"], how="left", maintain_order="left"),
        is_in(lines, rows),
        pl.col("problem"),
        ignored=pl.coalesce(pl.when(is_header).then(pl.lit("header")), set_aside(header)),
    )
    return rows, line_verdicts


def _read(lines: pl.DataFrame, header: Header, layout: Layout) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows with the columns of the table and `problem`, and the lines that have no row's count of cells."""
    grid = grid_of(lines, header)
    elapsed = _cell(layout, "elapsed")
    elapsed_s = (number(elapsed, header) / layout.units_per_s).round(9)
    cells = grid.cells.with_columns(
        *time_columns(_cell(layout, "time"), header),
        _is_answered(layout).alias("is_answered"),
        elapsed_s.alias("elapsed_s"),
        _cell(layout, "target").alias("target"),
    ).with_columns(
        pl.when(~pl.col("is_answered")).then(_reason(layout)).alias("reason"),
        pl.when(pl.col("stamp").is_not_null()).then(pl.lit(True)).alias("has_year"),
        pl.lit(1).alias("part"),
        pl.coalesce(
            pl.when(pl.col("stamp").is_null()).then(pl.lit("no date and time")),
            pl.when(pl.col("is_answered").is_null()).then(pl.lit("neither ok nor failed")),
            pl.when((elapsed.is_not_null() & elapsed_s.is_null()) | (elapsed_s < 0)).then(
                pl.lit("no number in the column of elapsed time")
            ),
        ).alias("problem"),
    )
    ragged = grid.bad.select(
        "file_id",
        "line_no",
        pl.format("{} cells where the header has {}", "count", len(header.names)).alias("problem"),
    )
    return cells, ragged


def _cell(layout: Layout, part: Part) -> pl.Expr:
    """The text of a part's cell; null where it is empty or the table has no such column."""
    if part not in layout.parts:
        return NOTHING
    cell = pl.col(f"c{layout.parts[part]}")
    return pl.when(cell != "").then(cell)


def _is_answered(layout: Layout) -> pl.Expr:
    """What the outcome says; null for a word that says neither."""
    if "outcome" not in layout.parts:
        return _cell(layout, "reason").is_null()
    line_verdicts = _cell(layout, "outcome").str.to_lowercase()
    is_answered, is_failed = (
        line_verdicts.str.contains(ANSWERED),
        line_verdicts.str.contains(f"{PLAINLY_FAILED}|{FAILED}"),
    )
    if layout.has_codes:
        is_answered, is_failed = (
            is_answered | line_verdicts.str.contains(CODE_ANSWERED),
            is_failed | line_verdicts.str.contains(CODE_FAILED),
        )
    return pl.when(is_answered).then(pl.lit(value=True)).when(is_failed).then(pl.lit(value=False))


def _reason(layout: Layout) -> pl.Expr:
    """Why it failed; an outcome that says more than that it did stands for it."""
    line_verdicts = _cell(layout, "outcome")
    is_plain = line_verdicts.str.to_lowercase().str.contains(PLAINLY_FAILED)
    return pl.coalesce(_cell(layout, "reason"), pl.when(~is_plain).then(line_verdicts))


FORMAT = Format(
    name="client_probe",
    title="log of a client's probe",
    tables=(CLIENT_QUESTION,),
    recognise=recognise,
    parse=parse,
    boundary=None,
    file_names=("*probe*.csv", "*.jtl"),
    role="measurement",
    is_of_client=True,
)
