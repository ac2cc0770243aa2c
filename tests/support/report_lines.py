"""Reports of iostat and its kin as text, read with what every parser must hold checked."""

from collections.abc import Callable
from typing import Any

import polars as pl

from parsers.format import LINE_SCHEMA, VERDICT_SCHEMA, Parsed, Verdict
from parsers.sysstat.reports import parse
from parsers.sysstat.tables import IOSTAT_INVOCATION, REPORT_TABLES, REPORTS
from pipeline.reading.report_clock import resolved
from pipeline.reading.report_dates import Declared

# RECORDED: sysstat 12.6.1, iostat -xt
LINUX_X = """\
Linux 6.18.44-fc-v657 (vm) \t11/21/26 \t_x86_64_\t(2 CPU)

11/21/26 02:42:01
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
          44.92    0.00    9.68    0.26    0.24   44.91

Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz
vda             99.86  10030.03    10.61   9.60    0.60   100.45  316.44  27733.91   155.03  32.88    0.65    87.64


11/21/26 02:42:03
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
          50.63    0.00    4.01    7.02    0.00   38.35

Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz
vda              8.50    118.00     1.00  10.53    0.18    13.88 2469.50 155098.00   314.50  11.30    0.09    62.81
"""


def numbered(text: str, file_id: int = 1) -> pl.DataFrame:
    """Text as numbered lines of a file."""
    texts = text.split("\n")
    if texts[-1] == "":
        texts.pop()
    numbers = range(1, len(texts) + 1)
    return pl.DataFrame(
        {"file_id": [file_id] * len(texts), "line_no": list(numbers), "text": texts}, schema=LINE_SCHEMA
    )


def checked(lines: pl.DataFrame, parser: Callable[[pl.DataFrame], Parsed] = parse) -> Parsed:
    """What a parser makes of lines, held to its contract."""
    parsed = parser(lines)
    schemas = {table.name: pl.Schema(table.schema) for table in REPORT_TABLES}
    assert parsed.lines.schema == VERDICT_SCHEMA
    assert parsed.lines.select("file_id", "line_no").equals(lines.select("file_id", "line_no"))
    assert parsed.lines["verdict"].is_in([verdict.value for verdict in Verdict]).all()
    assert parsed.lines.filter(verdict=Verdict.REJECTED)["reason"].is_not_null().all()
    is_blank = lines["text"].str.strip_chars() == ""
    assert parsed.lines["verdict"].eq(Verdict.BLANK).equals(is_blank.alias("verdict"))
    heads = parsed.lines.filter(verdict=Verdict.PARSED)
    for name, rows in parsed.tables.items():
        assert rows.schema == schemas[name], name
        assert rows.select("file_id", "line_no", "part").is_unique().all(), name
        assert rows.join(heads, on=["file_id", "line_no"], how="anti").is_empty(), name
    marks = parsed.tables.get("iostat_mark", pl.DataFrame(schema=schemas["iostat_mark"]))
    for name in ("iostat_device", "iostat_cpu", "vmstat"):
        if name in parsed.tables:
            rows = parsed.tables[name].rename({"mark_line": "line", "line_no": "own_line"})
            lost = rows.join(marks, left_on=["file_id", "line"], right_on=["file_id", "line_no"], how="anti")
            assert lost.is_empty(), name
    return parsed


def read(text: str, parser: Callable[[pl.DataFrame], Parsed] = parse) -> Parsed:
    """What a parser makes of a text."""
    return checked(numbered(text), parser)


def rows(text: str, table: str, *columns: str, parser: Callable[[pl.DataFrame], Parsed] = parse) -> list[Any]:
    """Values of some columns of a table, in order; of one column without tuples."""
    found = read(text, parser).tables.get(table)
    if found is None:
        return []
    chosen = found.select(columns)
    return chosen.to_series().to_list() if len(columns) == 1 else chosen.rows()


def rejected(text: str, parser: Callable[[pl.DataFrame], Parsed] = parse) -> list[tuple[int, str]]:
    """Rejected lines with their reasons."""
    return read(text, parser).lines.filter(verdict=Verdict.REJECTED).select("line_no", "reason").rows()


def reports(
    text: str, *columns: str, declared: Declared | None = None, parser: Callable[[pl.DataFrame], Parsed] = parse
) -> list[Any]:
    """Reports of a text as the pipeline numbers and dates them: one row each."""
    tables = read(text, parser).tables
    invocations = tables.get("iostat_invocation", IOSTAT_INVOCATION.empty())
    marks = resolved(REPORTS, tables["iostat_mark"], invocations, {} if declared is None else {1: declared})
    chosen = marks.filter(pl.col("line_no") == pl.col("report_line")).select(columns)
    return chosen.to_series().to_list() if len(columns) == 1 else chosen.rows()
