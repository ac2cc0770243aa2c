"""A unit of reading: lines of files of one format in; rows, rejected lines and what they show of their files out.

`run` is pure, and both ends are values that can be pickled: the result for a file does not depend on the other files of
the unit, on the order of units, on threads, or on what was read before. A unit holds whole files, many small ones at a
time, or a span of a file that is too large, of which `finished` numbers what only the whole file can.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA, Column, Format, Layout, Parsed, Table, Verdict, format_of, tables
from parsers.line_prefix import reads_prefixed
from parsers.secret import all_hidden
from parsers.star import Rows, Star, flat, lines_of, number_column
from pipeline.errors import HaledgerError
from pipeline.reading import stamps
from pipeline.reading.date_order import PrintedDates
from pipeline.reading.lines import text_bytes
from pipeline.reading.number_range import without_unbounded
from pipeline.reading.report_clock import numbered
from pipeline.reading.report_dates import Declared
from pipeline.reading.report_spans import OpenReports, facts_so_far
from pipeline.reading.series_clock import dated
from pipeline.reading.weekdays import weekdays_of

MAX_REJECTED_TEXT = 4096

MAX_REJECTED = 100_000
"""Rejected lines kept per file; all are counted."""

MAX_HOSTS = 1000
"""Distinct host names taken from one file: more is no cluster but a list."""

PROMPT = r"^(?:\[[\w.-]+@[^\]]{1,80}\][$#]|[\w.-]+@[\w.-]+(?::[\w/~. -]{0,80})?[$#>]|[\w.-]{0,30}\$)(?: +[\w./~].*| *)$"
"""The prompt of a shell and a command behind it, as a copy of a terminal has them."""

_NONE_REJECTED = pl.DataFrame(
    schema={"file_id": pl.Int32(), "line_no": pl.Int32(), "reason": pl.String(), "text": pl.String()}
)


@dataclass(frozen=True, slots=True)
class Work:
    """Lines of a format: all of some files, or a span of one. `declared`: what study.toml declares, by file_id.

    `layout`: that of a format which study.toml declares. `keeps_verdicts`: what became of each line is wanted too.
    """

    format: str
    lines: pl.DataFrame
    declared: Mapping[int, Declared] = field(default_factory=dict)
    span_of: int | None = None
    layout: Layout | None = None
    keeps_verdicts: bool = False

    @property
    def size(self) -> int:
        """Bytes of text."""
        return text_bytes(self.lines)

    @property
    def file_ids(self) -> list[int]:
        """The files, in order."""
        return self.lines.get_column("file_id").unique(maintain_order=True).to_list()

    def single_files(self) -> Iterator["Work"]:
        """A unit for each of its files."""
        for lines in self.lines.partition_by("file_id", maintain_order=True):
            yield replace(self, lines=lines)


@dataclass(frozen=True, slots=True)
class Shown:
    """What rows show of their files.

    `verdicts`: file, verdict, lines. `out_of_range`: file, lines that were read and rejected for the size of a number.
    `rows`: file, table, rows. `hosts`: file, `own` or `named`, host, rows, in the order of lines; and `zone` or
    `weekday` with its name. `stamps`: as of `stamps.facts_of`, None without a dated row. `dates`: by file, where their
    order is open.
    """

    verdicts: Sequence[tuple[int, int, int]] = ()
    out_of_range: Sequence[tuple[int, int]] = ()
    rows: Sequence[tuple[int, str, int]] = ()
    hosts: Sequence[tuple[int, str, str, int]] = ()
    stamps: pl.DataFrame | None = None
    dates: Mapping[int, PrintedDates] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """Rows by table, rejected lines, and what both show.

    `open`: rows of a span that only the whole file, `span_of`, can number. `verdicts`: file, line, what became of it.
    """

    tables: Mapping[str, Rows]
    rejected: pl.DataFrame
    shown: Shown
    open: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    span_of: int | None = None
    verdicts: pl.DataFrame | None = None


def run(work: Work) -> Result:
    """Parse a unit. Raises what its parser raises, and HaledgerError for one that breaks its contract."""
    parser = format_of(work.format, work.layout)
    if "writer" in work.lines.columns:
        parser = reads_prefixed(parser, work.lines.get_column("format").unique())
    parsed = parser.parse(work.lines)
    _check(parser, work.lines, parsed)
    parsed, out_of_range = without_unbounded(replace(parsed, lines=_without_commands(work.lines, parsed.lines)))
    rows = {name: _without_secrets(tables()[name].split(each)) for name, each in parsed.rows.items()}
    stars = {name: each for name, each in rows.items() if isinstance(each, Star)}
    found = {name: _as_declared(name, each, work.declared) for name, each in rows.items() if name not in stars}
    found = dict(dated(found, {file_id: each.start for file_id, each in work.declared.items() if each.start}))
    held: dict[str, pl.DataFrame] = {}
    dates: Mapping[int, PrintedDates] = {}
    if parser.reports is not None and work.span_of is None:
        found, dates = numbered(parser.reports, found, work.declared)
    elif parser.reports is not None:
        own = (parser.reports.marks.name, parser.reports.invocations.name)
        held = {name: found[name] for name in own if name in found}
        found.pop(parser.reports.marks.name, None)
    verdicts = parsed.lines.group_by("file_id", "verdict").len().sort("file_id", "verdict").rows()
    together: dict[str, Rows] = {**found, **stars}
    filled = {name: each for name, each in together.items() if each.height}
    shown = shown_by(parser, filled, dates, verdicts)
    weekdays = [(file_id, "weekday", text, 0) for file_id, text in weekdays_of(work.lines)]
    shown = replace(shown, out_of_range=out_of_range, hosts=[*shown.hosts, *weekdays])
    by_line = parsed.lines.select("file_id", "line_no", "verdict") if work.keeps_verdicts else None
    return Result(filled, _rejected(work.lines, parsed.lines), shown, held, work.span_of, by_line)


def finished(parser: Format, declared: Mapping[int, Declared], spans: OpenReports, file_id: int) -> Iterator[Result]:
    """The rows that the spans of a file left open (`Result.open`), piece by piece."""
    facts: dict[str, pl.DataFrame] = {}
    for name, piece in spans.resolved(declared):
        shown = shown_by(parser, {name: piece})
        if name not in tables():
            facts[name] = facts_so_far(facts, name, piece)
        yield Result({name: piece}, _NONE_REJECTED, shown, span_of=file_id)
    yield Result({}, _NONE_REJECTED, Shown(dates=spans.dates(declared, facts)), span_of=file_id)


def shown_by(
    parser: Format,
    filled: Mapping[str, Rows],
    dates: Mapping[int, PrintedDates] | None = None,
    verdicts: Sequence[tuple[int, int, int]] = (),
) -> Shown:
    """What the rows of some tables of a format show of their files."""
    declared = {table.name: table for table in parser.tables}  # not those that are read in another order of dates
    own = {name: filled[name] for name in declared if name in filled}
    lines = {name: lines_of(rows) for name, rows in own.items()}
    in_time = [frame.select(*KEY_SCHEMA, *STAMP_SCHEMA) for name, frame in lines.items() if declared[name].is_dated]
    return Shown(
        verdicts=verdicts,
        rows=[
            (file_id, name, count)
            for name, frame in lines.items()
            for file_id, count in frame.group_by("file_id").len().sort("file_id").iter_rows()
        ],
        hosts=[each for name, rows in own.items() for each in _hosts(declared[name], rows)],
        stamps=stamps.facts_of(pl.concat(in_time)) if in_time else None,
        dates=dates or {},
    )


def _as_declared(name: str, rows: Rows, declared: Mapping[int, Declared]) -> pl.DataFrame:
    """The rows of a table, dates that their file leaves open read in the order that study.toml declares."""
    read_again = tables()[name].in_date_order
    orders = {file_id: each.date_order for file_id, each in declared.items() if each.date_order is not None}
    frame = flat(rows)
    return frame if read_again is None else read_again(frame, orders)


def _check(parser: Format, lines: pl.DataFrame, parsed: Parsed) -> None:
    """Hold a parser to its contract: a verdict for every line, in order, and only tables that it declares."""
    if not parsed.lines.select("file_id", "line_no").equals(lines.select("file_id", "line_no")):
        raise HaledgerError(f"the format {parser.name} did not account for every line; this is a fault of haledger")
    declared = {table.name: table for table in parser.tables}
    for name, rows in parsed.rows.items():
        if name not in declared or not declared[name].is_filled_by(rows):
            raise HaledgerError(f"the format {parser.name} filled {name} otherwise than declared")


def _hosts(table: Table, rows: Rows) -> Iterator[tuple[int, str, str, int]]:
    for column in table.columns:
        if column.host is None:
            continue
        hosts = _hosts_in(column, rows)
        if isinstance(column.dtype, pl.List):
            hosts = hosts.explode("host")
        counts = (
            hosts.drop_nulls("host")
            .group_by("file_id", "host")
            .agg(pl.col("count").sum(), pl.col("line_no").min())
            .sort("file_id", "line_no", "host")
        )
        if counts.height > MAX_HOSTS:
            counts = counts.group_by("file_id", maintain_order=True).head(MAX_HOSTS)
        for file_id, host, count in counts.select("file_id", "host", "count").iter_rows():
            yield file_id, column.host, host, count


def _hosts_in(column: Column, rows: Rows) -> pl.DataFrame:
    """The hosts in a column: file, host, a line with it, and how many lines are counted there."""
    if not isinstance(rows, Star) or column.of is None:
        one = pl.lit(1, pl.UInt32).alias("count")
        return lines_of(rows).select("file_id", "line_no", pl.col(column.name).alias("host"), one)
    number = pl.col(number_column(column.of)).alias("number")
    said = rows.lines.group_by("file_id", number).agg(pl.col("line_no").min(), pl.len().alias("count"))
    return said.with_columns(rows.dimensions[column.of].get_column(column.name).gather(said["number"]).alias("host"))


def _without_secrets(rows: Rows) -> Rows:
    """Rows whose texts have no secret, whatever their format is."""
    if isinstance(rows, Star):
        dimensions = {name: all_hidden(each) for name, each in rows.dimensions.items()}
        return replace(rows, lines=all_hidden(rows.lines), dimensions=dimensions)
    return all_hidden(rows)


def _without_commands(lines: pl.DataFrame, verdicts: pl.DataFrame) -> pl.DataFrame:
    """Verdicts that set a command behind a prompt aside, whatever the format is."""
    rejected = (verdicts.get_column("verdict") == Verdict.REJECTED).arg_true()
    if rejected.is_empty():  # to read the pattern alone takes 30 ms
        return verdicts
    commands = rejected.filter(lines.get_column("text").gather(rejected).str.contains(PROMPT))
    return verdicts.with_columns(
        verdicts.get_column("verdict").scatter(commands, int(Verdict.IGNORED)),
        verdicts.get_column("reason").scatter(commands, "command"),
    )


def _rejected(lines: pl.DataFrame, verdicts: pl.DataFrame) -> pl.DataFrame:
    """The first rejected lines of each file."""
    is_rejected = verdicts.get_column("verdict") == Verdict.REJECTED
    if not is_rejected.any():
        return _NONE_REJECTED
    texts = lines.get_column("text").filter(is_rejected).str.head(MAX_REJECTED_TEXT)
    rejected = (
        verdicts.filter(is_rejected)
        .select("file_id", "line_no", "reason")
        .with_columns(all_hidden(texts.to_frame("text")))
    )
    is_kept = pl.int_range(pl.len()).over("file_id") < MAX_REJECTED
    return rejected if rejected.height <= MAX_REJECTED else rejected.filter(is_kept)
