"""What parsing a chunk of lines gives, held to the contract of parsers. Pure, so that it may run on any thread."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA, Format, Parsed, Table, Verdict
from pipeline import stamps
from pipeline.errors import HaledgerError

MAX_REJECTED_TEXT = 4096


@dataclass(frozen=True, slots=True)
class ParsedChunk:
    """Rows of a chunk by table. `verdicts`: file, verdict, lines. `rejected`: file, its rejected lines with texts."""

    tables: Mapping[str, pl.DataFrame]
    verdicts: Sequence[tuple[int, int, int]]
    rejected: Sequence[tuple[int, pl.DataFrame]]


@dataclass(frozen=True, slots=True)
class Told:
    """What rows tell of their files.

    `rows`: file, table, rows. `hosts`: file, `own` or `named`, host, rows. `stamps`: as of `stamps.facts_of`, None
    without a dated row.
    """

    rows: Sequence[tuple[int, str, int]]
    hosts: Sequence[tuple[int, str, str, int]]
    stamps: pl.DataFrame | None


def parse_chunk(parser: Format, lines: pl.DataFrame) -> ParsedChunk:
    """Parse a chunk of lines and add up their verdicts."""
    parsed = parser.parse(lines)
    _check(parser, lines, parsed)
    counts = parsed.lines.group_by("file_id", "verdict").len().sort("file_id", "verdict")
    return ParsedChunk(parsed.tables, counts.rows(), list(_rejected(lines, parsed.lines)))


def told_by(parser: Format, tables: Mapping[str, pl.DataFrame]) -> Told:
    """Add up what the rows of some tables of a format tell of their files."""
    declared = {table.name: table for table in parser.tables}
    dated = [frame.select(*KEY_SCHEMA, *STAMP_SCHEMA) for name, frame in tables.items() if declared[name].is_dated]
    return Told(
        rows=[
            (file_id, name, count)
            for name, frame in tables.items()
            for file_id, count in frame.group_by("file_id").len().sort("file_id").iter_rows()
        ],
        hosts=[each for name, frame in tables.items() for each in _hosts(declared[name], frame)],
        stamps=stamps.facts_of(pl.concat(dated)) if dated else None,
    )


def _check(parser: Format, lines: pl.DataFrame, parsed: Parsed) -> None:
    """Hold a parser to its contract: a verdict for every line, in order, and only tables that it declares."""
    if not parsed.lines.select("file_id", "line_no").equals(lines.select("file_id", "line_no")):
        raise HaledgerError(f"the format {parser.name} did not account for every line; this is a fault of haledger")
    declared = {table.name: table for table in parser.tables}
    for name, frame in parsed.tables.items():
        if name not in declared or frame.schema != pl.Schema(declared[name].schema):
            raise HaledgerError(f"the format {parser.name} filled {name} otherwise than declared")


def _hosts(table: Table, frame: pl.DataFrame) -> Iterator[tuple[int, str, str, int]]:
    for column in table.columns:
        if column.host is None:
            continue
        hosts = frame.select("file_id", host=column.name)
        if isinstance(column.dtype, pl.List):
            hosts = hosts.explode("host")
        counts = hosts.drop_nulls("host").group_by("file_id", "host").len().sort("file_id", "host")
        for file_id, host, count in counts.iter_rows():
            yield file_id, column.host, host, count


def _rejected(lines: pl.DataFrame, verdicts: pl.DataFrame) -> Iterator[tuple[int, pl.DataFrame]]:
    is_rejected = verdicts.get_column("verdict") == Verdict.REJECTED
    if not is_rejected.any():
        return
    texts = lines.get_column("text").filter(is_rejected).str.head(MAX_REJECTED_TEXT)
    rejected = verdicts.filter(is_rejected).select("file_id", "line_no", "reason").with_columns(texts.alias("text"))
    for (file_id,), group in rejected.group_by("file_id", maintain_order=True):
        yield int(str(file_id)), group
