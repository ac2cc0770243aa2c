"""Takes out of a store what lies outside the span of --since and --until, and accounts for its lines.

The time of a line is that of the last row with a time at or above it in its file, so that what lies below a line of a
log goes with it. Lines above the first row with a time stay, unless the whole file lies outside. So do files that say
how a system is set, whenever they were written, and files without any time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import cast

import duckdb
import polars as pl

from parsers.format import VERDICT_SCHEMA, Table, Verdict, formats, tables
from pipeline.clock import correction
from pipeline.clock.correction import CLOCK_CHANGE, CLOCK_CORRECTION
from pipeline.clock.file_clock import CLOCK_STEP
from pipeline.errors import InputError
from pipeline.ingest.accounts import OUTSIDE_SPAN, REJECTED_LINE, Span
from pipeline.ingest.staged_rows import StagedRows
from pipeline.ingest.window import Instants
from pipeline.reading.file_facts import COUNTS, File, FileFacts
from pipeline.store import log_tables, store
from pipeline.store.lines import WITHIN, Lines
from pipeline.store.statements import dated_lines


def cut(
    con: duckdb.DuckDBPyConnection, lines: Lines, files: Sequence[File], rows: StagedRows, span: Instants
) -> dict[int, Span]:
    """Take out what lies outside: fills in `File.cut` of the files concerned; gives the times that they span still."""
    if not span:
        return {}
    logs = {each.file_id: each for each in files if each.facts.status == "parsed" and _has_its_time(each)}
    _find_outside(con, logs, span)
    outside = con.execute(
        "select file_id, min(first_at), max(last_at), bool_and(is_all) from outside_line group by file_id"
    ).fetchall()
    if not outside:
        return {}
    verdicts = _verdicts_outside(con, rows)
    for table in tables().values():
        _delete(lines, table)
    for own in (REJECTED_LINE, CLOCK_STEP):
        con.execute(f"delete from {own.relation} as t using outside_line as o where {WITHIN}")
    _delete_corrections(con)
    left = _rows_left(con, [file_id for file_id, *_ in outside])
    for file_id, first_at, last_at, is_all in outside:
        file = logs[file_id]
        facts = _without(file.counted, verdicts.get(file_id, {}), left.get(file_id, {}))
        if is_all:
            reaches = f"from {_shown(first_at)} to {_shown(last_at)} UTC"
            reason = (
                f"outside the span of --since and --until: it reaches {reaches}, and only lines {span.sentence()} count"
            )
            facts = replace(facts, status="skipped", reason=reason)
        file.cut = facts
    if not _has_times(con, logs):
        first, last = min(each[1] for each in outside), max(each[2] for each in outside)
        raise InputError(f"no line is {span.sentence()}: the logs reach from {_shown(first)} to {_shown(last)} UTC")
    found: dict[int, Span] = {file_id: (None, None) for file_id, *_ in outside}
    return found | cast("dict[int, Span]", correction.spans(con, found))


def _shown(instant: datetime) -> str:
    return instant.isoformat(" ", "seconds")


def _has_times(con: duckdb.DuckDBPyConnection, logs: Mapping[int, File]) -> bool:
    """Whether a line with a time is left of some files."""
    dated = dated_lines("file_id", 'list_contains($files, file_id) and "at" is not null')
    return bool(con.execute(f"select 1 from ({dated}) limit 1", {"files": list(logs)}).fetchall())


def _has_its_time(file: File) -> bool:
    """Whether the time of its lines is when what they tell happened; that of a configuration is when it was printed."""
    known = formats().get(str(file.facts.format))
    return known is None or known.role != "configuration"


def _find_outside(con: duckdb.DuckDBPyConnection, logs: Mapping[int, File], span: Instants) -> None:
    """Fill the temporary table `outside_line`: ranges of lines, with the times in each."""
    sizes = {"file_id": list(logs), "lines": [each.facts.lines for each in logs.values()]}
    con.execute("create temp table log_size (file_id integer, lines integer)")
    store.insert(con, "log_size", pl.DataFrame(sizes, schema={"file_id": pl.Int32(), "lines": pl.Int32()}))
    bounds = ((span.since, ">="), (span.until, "<"))
    inside = " and ".join(f"\"at\" {sign} timestamp '{each}'" for each, sign in bounds if each is not None)
    con.execute(
        "create temp table outside_line as with dated as ("
        f'select file_id, line_no, min("at") as first_at, max("at") as last_at, bool_or({inside}) as is_inside '
        f"""from ({dated_lines('file_id, line_no, "at"', '"at" is not null')}) """
        "inner join log_size using (file_id) group by file_id, line_no), "
        "stretched as (select *, row_number() over own - row_number() over alike as stretch from dated "
        "window own as (partition by file_id order by line_no), "
        "alike as (partition by file_id, is_inside order by line_no)), "
        "stretches as (select file_id, is_inside, min(line_no) as first_line, min(first_at) as first_at, "
        "max(last_at) as last_at from stretched group by file_id, is_inside, stretch), "
        "bounded as (select *, lead(first_line) over own as next_line, "
        "count(*) over (partition by file_id) = 1 as is_all "
        "from stretches window own as (partition by file_id order by first_line)) "
        "select b.file_id, case when is_all then 1 else first_line end as from_line, "
        "coalesce(next_line - 1, lines) as to_line, first_at, last_at, is_all "
        "from bounded as b inner join log_size as s on b.file_id = s.file_id where not is_inside"
    )
    con.execute("drop table log_size")
    con.execute(
        f"insert into {OUTSIDE_SPAN.relation} select file_id, from_line, to_line from outside_line "
        "order by file_id, from_line"
    )


def _verdicts_outside(con: duckdb.DuckDBPyConnection, rows: StagedRows) -> dict[int, dict[str, int]]:
    """How many lines of each verdict lie outside, by file."""
    columns = {name: VERDICT_SCHEMA[name] for name in ("file_id", "line_no", "verdict")}
    types = ", ".join(f"{name} {log_tables.sql_type(dtype)}" for name, dtype in columns.items())
    con.execute(f"create temp table line_verdict ({types})")
    for frame in rows.take("line_verdict"):
        store.insert(con, "line_verdict", frame)
    counted = con.execute(
        "select t.file_id, t.verdict, count(*) from line_verdict as t inner join outside_line as o "
        f"on {WITHIN} group by t.file_id, t.verdict"
    ).fetchall()
    con.execute("drop table line_verdict")
    found: dict[int, dict[str, int]] = {}
    for file_id, verdict, count in counted:
        found.setdefault(file_id, {})[COUNTS[Verdict(verdict)]] = count
    return found


def _delete(lines: Lines, table: Table) -> None:
    """Take lines out of a table, and what only they said."""
    if not lines.leave_out(table, "outside_line"):
        return
    for dimension in table.dimensions:
        lines.delete_unused(table, dimension)


def _delete_corrections(con: duckdb.DuckDBPyConnection) -> None:
    """Take out corrections of clocks that concern no line that is left, and the changes behind them."""
    con.execute(
        f"delete from {CLOCK_CORRECTION.relation} as t using outside_line as o where t.file_id = o.file_id "
        "and t.from_line >= o.from_line and t.to_line <= o.to_line"
    )
    con.execute(
        f"delete from {CLOCK_CHANGE.relation} as t using outside_line as o where {WITHIN} and t.change_no not in "
        f"(select change_no from {CLOCK_CORRECTION.relation} where change_no is not null)"
    )


def _rows_left(con: duckdb.DuckDBPyConnection, file_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """Rows by table that are left of some files."""
    counts = " union all ".join(
        f"select file_id, {store.literal(name)}, count(*) from {log_tables.line_relation(table)} "
        "where list_contains($files, file_id) group by file_id"
        for name, table in tables().items()
    )
    found: dict[int, dict[str, int]] = {}
    for file_id, name, count in con.execute(counts, {"files": list(file_ids)}).fetchall():
        found.setdefault(file_id, {})[name] = count
    return found


def _without(facts: FileFacts, outside: Mapping[str, int], table_rows: Mapping[str, int]) -> FileFacts:
    """The facts of a file whose lines outside are ignored ones, but for blank ones, which stay blank."""
    ignored, blank = COUNTS[Verdict.IGNORED], COUNTS[Verdict.BLANK]
    verdicts = {
        name: count if name == blank else count - outside.get(name, 0) for name, count in facts.verdicts.items()
    }
    count = sum(number for name, number in outside.items() if name != blank)
    verdicts[ignored] += count
    lines = "1 line is" if count == 1 else f"{count:,} lines are"
    note = f"{lines} ignored: outside the span of --since and --until"
    return replace(
        facts,
        verdicts=verdicts,
        table_rows=dict(table_rows),
        note="; ".join(filter(None, (facts.note, note))),
    )
