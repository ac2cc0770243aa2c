"""The HADR tools' tables hold together: keys that join, units that are reported, formats that fill them."""

import re

import polars as pl
import pytest

from parsers.format import Format, Table, formats
from parsers.hadr_tools import tables
from parsers.hadr_tools.tables import (
    HADR_BUCKET,
    HADR_DISTRIBUTION,
    HADRCALC_PREDICTION,
    LOGSCAN_INTERVAL,
    SIMHADR_HANDSHAKE,
)

DECLARED = [each for each in vars(tables).values() if isinstance(each, Table)]
TOOLS = [formats()[name] for name in ("simhadr", "simhadr_disk", "hadr_db2logscan", "hadr_calculator")]
UNITS = {
    "_s": "second",
    "_mb_s": "MB/s",
    "mb_s": "MB/s",
    "_bytes": "bytes",
    "_pages": "pages",
}


def named(table: Table) -> str:
    return table.name


@pytest.mark.parametrize("table", DECLARED, ids=named)
def test_every_table_counts_the_runs_of_a_file(table: Table) -> None:
    assert table.columns[0] is tables.RUN_NO
    assert table.schema["run_no"] == pl.Int32()


@pytest.mark.parametrize("table", DECLARED, ids=named)
def test_every_table_is_filled_by_a_tool(table: Table) -> None:
    assert any(table in tool.tables for tool in TOOLS)


@pytest.mark.parametrize("table", DECLARED, ids=named)
def test_units_that_a_name_promises_are_reported(table: Table) -> None:
    for column in table.columns:
        for ending, unit in UNITS.items():
            if column.name.endswith(ending) and not (ending == "_s" and column.name.endswith("mb_s")):
                assert re.search(unit, column.comment), f"{table.name}.{column.name}: {column.comment}"


def test_buckets_join_their_distribution() -> None:
    shared = ("run_no", "distribution_no", "metric")
    for name in shared:
        assert HADR_BUCKET.schema[name] == HADR_DISTRIBUTION.schema[name]


@pytest.mark.parametrize("table", DECLARED, ids=named)
def test_tables_with_a_printed_time_are_dated(table: Table) -> None:
    has_time = table in (SIMHADR_HANDSHAKE, LOGSCAN_INTERVAL, HADRCALC_PREDICTION)
    assert table.is_dated == has_time
    assert ("stamp" in table.schema) == has_time


def test_predictions_have_three_groups_of_three() -> None:
    names = [column.name for column in HADRCALC_PREDICTION.columns]
    for group in ("target", "min", "max"):
        assert [name for name in names if name.startswith(f"{group}_")] == [
            f"{group}_mb_s",
            f"{group}_pages",
            f"{group}_sec_per_flush",
        ]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_an_empty_file_gives_no_rows_and_no_errors(tool: Format) -> None:
    parsed = tool.parse(pl.DataFrame(schema={"file_id": pl.Int32(), "line_no": pl.Int32(), "text": pl.String()}))
    assert parsed.lines.is_empty()
    assert all(frame.is_empty() for frame in parsed.tables.values())
