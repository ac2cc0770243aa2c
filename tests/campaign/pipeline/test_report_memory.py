"""Relations of a long log fit into the memory that a store is built with."""

from pathlib import Path

import duckdb

from pipeline.ingest import store_template
from pipeline.store.relations import catalogue

REPORTS = 1_000_000


def test_reports_outside_of_run_folders_need_no_more_than_a_store_has(tmp_path: Path) -> None:
    file = tmp_path / "a.duckdb"
    store_template.into(file, tmp_path)
    settings: dict[str, str | bool | int | float | list[str]]
    settings = {"memory_limit": "192MB", "threads": 2, "temp_directory": str(tmp_path / "spilled")}
    (statement,) = [each.sql for each in catalogue() if each.name == "iostat_report"]
    with duckdb.connect(str(file), config=settings) as con:
        con.execute("insert into source_file (file_id, configuration, node, status) values (1, 'a', 'elm', 'parsed')")
        con.execute("insert into run_hour (configuration) values ('a')")  # one stretch without bounds
        con.execute(
            "insert into log.iostat_mark by name select 1 as file_id, 3 * n as line_no, 3 * n as report_line, "
            "'iostat' as section, 'stamp' as kind, 1 as invocation_no, n as report_no, false as is_since_boot, "
            "timestamp '2026-11-21' + to_seconds(n) as \"at\", 1.0 as interval_s, 'stamps' as interval_source "
            f"from range(1, {REPORTS + 1}) as numbers(n)"
        )
        con.execute(f"create temp table found as {statement}")
        ask = "select count(*), max(offset_s), count(*) filter (configuration = 'a' and \"at\" is not null) from found"
        assert con.execute(ask).fetchall() == [(REPORTS, REPORTS - 1, REPORTS)]
