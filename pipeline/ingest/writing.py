"""Writes a store: what study.toml declares, the rows with their times, and the accounts of files and lines."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

import duckdb
import polars as pl

from parsers.format import Table, tables
from pipeline.clock import doubt, file_clock, shift
from pipeline.clock.file_clock import FileClock
from pipeline.discovery.walk import Skipped
from pipeline.ingest import accounts, ledger
from pipeline.ingest.accounts import Span
from pipeline.ingest.copying import KeptRows
from pipeline.ingest.staged_rows import StagedRows
from pipeline.progress import Watch
from pipeline.reading.file_facts import File
from pipeline.store import log_tables, store
from pipeline.store.lines import Lines
from pipeline.study import rules
from pipeline.study.manifest import Manifest
from pipeline.study.manifest_entries import Milestone
from pipeline.study.places.assignment import Place

if TYPE_CHECKING:  # what one process does not need is not imported
    from pipeline.cluster import Cluster


SHORT_BYTES = 8192
"""Of a text: DuckDB takes 2,048 rows at a time, and those with longer texts need all of its memory."""


def write_manifest(
    con: duckdb.DuckDBPyConnection,
    manifest: Manifest,
    paths: Sequence[str],
    configurations: Collection[str],
    reference: str = "",
) -> None:
    """Write what study.toml declares.

    `paths`: the files of the study. `configurations`: of these files; if it is one, runs that name none are of it.
    `reference`: of all of the study.
    """
    declared = manifest.tables(paths, reference)
    if len(configurations) == 1:
        (only,) = configurations
        declared["run"] = declared["run"].with_columns(pl.col("configuration").fill_null(pl.lit(only)))
    for name, content in declared.items():
        store.insert(con, f"study.{store.quoted(name)}", content)
    write_milestones(con, manifest.milestones)


def write_milestones(con: duckdb.DuckDBPyConnection, milestones: Sequence[Milestone]) -> None:
    """Write the rules of milestones that a study declares, into a store that has the built-in ones."""
    if milestones:
        con.execute("delete from study.milestone_rule")
        store.insert(con, "study.milestone_rule", rules.table(milestones))


def write_rows(  # noqa: PLR0913, PLR0917  rows of two origins, what dates them, and where they go
    con: duckdb.DuckDBPyConnection,
    lines: Lines,
    rows: StagedRows,
    kept: KeptRows,
    clocks: Mapping[int, FileClock],
    watch: Watch,
    cluster: "Cluster | None" = None,
) -> dict[int, Span]:
    """Write what is staged, times resolved, and what lines say once; give the times that each file spans.

    `cluster`: whose workers write the rows that they left in the folder which they share.
    """
    known, names, orders = tables(), rows.names(), rows.resolved_orders(clocks)
    names += sorted(kept.tables - {*names})
    spans: dict[int, Span] = {}
    numbered = _numbered_on_workers(lines, rows, kept, cluster)
    with store.half_memory(con) as take_all:
        if kept.tables:  # which are joined
            take_all()
        for number, name in enumerate(names):
            watch.step("writing rows", 0.7 + 0.2 * number / len(names))
            table = known[name]
            if table.dimensions and name not in numbered:
                _write_dimensions(con, table, rows, kept)
                kept.copy_lines(table, lines)
            for resolved in _resolved(table, orders.rows(name, rows.take), rows, clocks):
                if table.is_dated:
                    _widen(spans, file_clock.spans(resolved))
                if _has_long_text(resolved):
                    take_all()
                lines.add(table, resolved)
                del resolved
    if cluster is not None:
        from pipeline.ingest.distributed_parts import write_parts_on_workers

        for share, found in write_parts_on_workers(lines, rows, clocks, cluster):
            watch.step("writing parts", 0.8 + 0.09 * share, cluster.label)
            _widen(spans, found)
    lines.show()
    for frame in rows.take("rejected_line"):
        store.insert(con, accounts.REJECTED_LINE.relation, frame)
    return spans


def _numbered_on_workers(lines: Lines, rows: StagedRows, kept: KeptRows, cluster: "Cluster | None") -> frozenset[str]:
    """The tables of which workers number and write what lines say."""
    if cluster is None:
        return frozenset()
    from pipeline.ingest.distributed_numbers import number_on_workers

    return number_on_workers(lines, rows, kept.tables, cluster)


def _write_dimensions(con: duckdb.DuckDBPyConnection, table: Table, rows: StagedRows, kept: KeptRows) -> None:
    """Number and write what the lines of a table say."""
    rows.dimensions.number(table, chain(kept.uses(table), rows.look(table)))
    for name in table.dimensions:
        for frame in rows.dimensions.take(table, name):
            store.insert(con, log_tables.dimension_relation(table, name), frame)


def _resolved(
    table: Table, frames: Iterable[pl.DataFrame], rows: StagedRows, clocks: Mapping[int, FileClock]
) -> Iterator[pl.DataFrame]:
    """Rows with their times and the numbers of what they say."""
    for frame in frames:
        resolved = rows.dimensions.numbered(table, frame) if table.dimensions else frame
        if table.is_dated:
            resolved = file_clock.apply(resolved, clocks)
        del frame
        yield resolved
        del resolved  # else rows stay while the next ones are put together


def _has_long_text(frame: pl.DataFrame) -> bool:
    """Whether a text of a frame is so long that DuckDB needs all of its memory."""
    return any((each.str.len_bytes() > SHORT_BYTES).any() for each in frame.select(pl.col(pl.String)))


def _widen(spans: dict[int, Span], found: Iterable[tuple[int, datetime | None, datetime | None]]) -> None:
    for file_id, first, last in found:
        old_first, old_last = spans.get(file_id, (None, None))
        spans[file_id] = (
            min(filter(None, (old_first, first)), default=None),
            max(filter(None, (old_last, last)), default=None),
        )


def correct(  # noqa: PLR0913, PLR0917  the lines, and what is known of their files from as many steps
    con: duckdb.DuckDBPyConnection,
    lines: Lines,
    files: Iterable[File],
    places: Mapping[str, Place],
    clocks: Mapping[int, FileClock],
    steps: pl.DataFrame,
) -> shift.Corrected:
    """Put times on one scale where clocks were set, or files have another zone; give the doubts about files."""
    store.insert(con, file_clock.CLOCK_STEP.relation, steps)
    rows = [
        (
            each.file_id,
            each.source.path,
            each.facts.format,
            (place := places[each.source.path]).configuration,
            place.run,
            place.node,
            clocks[each.file_id].timezone_source,
        )
        for each in files
        if each.facts.status == "parsed"
    ]
    hours = {
        number: [each.between for each in clock.doubts if each.kind == "twice" and each.between]
        for number, clock in clocks.items()
    }
    doubtful = {number: each for number, each in hours.items() if each}
    return shift.corrected(con, lines, rows, steps.get_column("file_id").unique().to_list(), doubtful)


def account(  # noqa: PLR0913, PLR0917  what is known of files comes from as many steps
    con: duckdb.DuckDBPyConnection,
    info: store.StoreInfo,
    files: Sequence[File],
    skipped: Mapping[int, Skipped],
    places: Mapping[str, Place],
    clocks: Mapping[int, FileClock],
    spans: Mapping[int, Span],
    corrected: shift.Corrected,
) -> pl.DataFrame:
    """Write the tables that account for files; give the rows of `main.source_file`."""
    doubts = {
        number: (
            *(one for one in each.doubts if (number, one.between) not in corrected.settled),
            *corrected.by_file.get(number, ()),
        )
        for number, each in clocks.items()
    }
    texts = doubt.write(con, doubts)
    counted = dict(clocks)
    for number, each in clocks.items():
        if each.doubts or number in texts:
            counted[number] = replace(each, doubts=tuple(texts.get(number, ())))
    source_rows = accounts.source_rows(files, skipped, places, counted, spans)
    store.insert(con, accounts.SOURCE_FILE.relation, source_rows)
    ledger.FILE_LEDGER.fill(con, accounts.ledger_rows(files, places, clocks))
    accounts.STORE_INFO.fill(con, [asdict(info)])
    return source_rows
