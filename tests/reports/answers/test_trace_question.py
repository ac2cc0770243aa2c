"""Cells found by what a person calls them, and the rows of relations that they show."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from pipeline.ask.trace.lines import Study
from pipeline.ask.trace.trace import Trace
from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from pipeline.query import sandbox
from pipeline.query.bounded import STUDY_LIMITS
from reports.answers.trace_choices import choices
from reports.answers.trace_question import column_place, row_place, trace_cell, trace_number
from reports.answers.trace_text import lines
from reports.study.store import Store
from reports.study.view import StudyView
from reports.tables import catalogue
from reports.tables.model import Cell, Column, Table

TOML = """
[study]
reference = "on"

[configuration.on]
label = "Safe"

[configuration."off, fast=1"]
label = "Quick"

[[claim]]
text = "Half as much again"
measurement = "tps"
statistic = "ratio"
configuration = "off, fast=1"
op = ">="
value = 1.4

[[table]]
name = "by-label"
caption = "A label in place of the configuration, a value under another name, a whole number beside a fraction"
sql = '''
select configuration_order.label as setting, stats.mean as "rate, 1/s", stats.runs as n, stats.mean * 2 as doubled
from measurement_stats as stats
inner join configuration_order on stats.configuration = configuration_order.configuration
where stats.metric = 'tps'
order by configuration_order.position
'''

[[table]]
name = "filtered"
caption = "A filter that names what the table does not show, an expression of two columns, and one that is not followed"
sql = '''
select configuration, round(mean) as tps, max - min as span, (select count(*) from run) as all_runs
from measurement_stats where metric = 'tps'
'''

[[table]]
name = "clash"
caption = "A name that a relation has for something of another kind"
sql = "select 1.5 as configuration, 0 as metric, mean from measurement_stats where metric = 'tps' order by mean"
"""


def pgbench(tps: int) -> str:
    return (
        "scaling factor: 10\nquery mode: simple\nnumber of clients: 4\nnumber of threads: 2\nduration: 30 s\n"
        f"number of transactions actually processed: {tps * 30}\nlatency average = 1.1 ms\n"
        f"tps = {tps}.000000 (without initial connection time)\n"
    )


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trace") / "logs"
    for configuration, values in {"on": (100, 102, 98), "off, fast=1": (150, 152, 148)}.items():
        for number, tps in enumerate(values, 1):
            place = folder / configuration / f"run{number}"
            place.mkdir(parents=True)
            (place / "pgbench.txt").write_text(pgbench(tps))
    (folder / "study.toml").write_text(TOML)
    ingest(folder, folder.with_name("s.duckdb"))
    return folder


@pytest.fixture
def con(study: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with sandbox.connect(study.with_name("s.duckdb"), STUDY_LIMITS) as connection:
        yield connection


def tables(con: duckdb.DuckDBPyConnection) -> dict[str, Table]:
    return catalogue.all_tables(StudyView(Store(con)))


def places(trace: Trace) -> list[str]:
    return [f"{trace.sources[line.file_id].path}:{line.line_no}" for run in trace.runs for line in run.lines]


def test_cells_of_every_table_can_be_asked(con: duckdb.DuckDBPyConnection, study: Path) -> None:
    for table in tables(con).values():
        for place in range(0, len(table.rows) * len(table.columns), 7):  # the campaign asks for all, of every sample
            row_no, column_no = divmod(place, len(table.columns))
            trace = trace_cell(con, table, row_no, column_no, Study(study))
            assert trace.printed == table.rows[row_no][column_no].text
            assert trace.to_dict()["asked"] == trace.asked


@pytest.mark.parametrize("column", ["rate, 1/s", "n", "doubled"])
def test_a_table_of_the_study_leads_to_the_runs_of_the_configuration_it_labels(
    con: duckdb.DuckDBPyConnection, study: Path, column: str
) -> None:
    table = tables(con)["by-label"]
    trace = trace_cell(con, table, row_place(table, "Quick"), column_place(table, column), Study(study))
    assert {run.configuration for run in trace.runs} == {"off, fast=1"}
    assert {f"off, fast=1/run{number}/pgbench.txt:8" for number in (1, 2, 3)} <= set(places(trace))


def test_filter_of_a_table_of_the_study_is_followed(con: duckdb.DuckDBPyConnection, study: Path) -> None:
    table = tables(con)["filtered"]
    for column in (1, 2):
        trace = trace_cell(con, table, row_place(table, "on"), column, Study(study))
        assert [run.value for run in trace.runs] == [100, 102, 98]
        assert places(trace) == [f"on/run{number}/pgbench.txt:8" for number in (1, 2, 3)]


def test_computed_number_names_the_columns_that_it_is_computed_from(
    con: duckdb.DuckDBPyConnection, study: Path
) -> None:
    trace = trace_cell(con, tables(con)["filtered"], 0, 2, Study(study))
    assert "It is computed from max and min of measurement_stats." in trace.notes


def test_a_row_is_shown_by_the_columns_that_name_it(con: duckdb.DuckDBPyConnection, study: Path) -> None:
    trace = trace_cell(con, tables(con)["filtered"], 0, 1, Study(study))
    (shown,) = ("".join(each.text for each in line) for line in lines(trace) if line and "relation" in line[0].text)
    assert shown == ("  relation    measurement_stats.mean: configuration = on, metric = tps, unit = 1/s, clients = 4")


def test_number_that_cannot_be_followed_says_so_with_its_sql(con: duckdb.DuckDBPyConnection, study: Path) -> None:
    trace = trace_cell(con, tables(con)["filtered"], 0, 3, Study(study))
    assert trace.runs == ()
    assert any(note.startswith("It cannot be traced: ") for note in trace.notes)
    assert "select count(*) from run" in trace.statements["table filtered"]


def test_a_name_of_another_kind_is_no_condition(con: duckdb.DuckDBPyConnection, study: Path) -> None:
    table = tables(con)["clash"]
    trace = trace_cell(con, table, 0, 2, Study(study))
    assert places(trace) == [f"on/run{number}/pgbench.txt:8" for number in (1, 2, 3)]


def test_a_claim_leads_to_the_runs_of_what_it_is_about(con: duckdb.DuckDBPyConnection, study: Path) -> None:
    table = tables(con)["claims"]
    trace = trace_cell(con, table, 0, 2, Study(study))
    assert {run.configuration for run in trace.runs} == {"off, fast=1", "on"}
    assert len(places(trace)) == 6


def test_every_name_that_is_offered_means_its_row_or_column(study: Path) -> None:
    db = study.with_name("s.duckdb")
    with sandbox.connect(db, STUDY_LIMITS) as con:
        known = tables(con)
    for table in (known[each] for each in ("by-label", "claims", "formats")):  # each asks for all tables
        offered = choices(db, table.name, None)
        assert [row_place(table, each) for each in offered.rows] == list(range(len(table.rows)))
        assert [column_place(table, each) for each in offered.columns] == list(range(len(table.columns)))
    row = choices(db, "by-label", "Quick")
    assert row.columns == {"Setting": "Quick", "Rate, 1/s": "150", "N": "3", "Doubled": "300"}
    assert "  Doubled    300" in row.lines("")


@pytest.mark.parametrize("name", ["by-label", "measurement_stats"])
def test_the_example_that_is_offered_can_be_typed(study: Path, name: str) -> None:
    db = study.with_name("s.duckdb")
    program, command, *names, _, _ = shlex.split(choices(db, name, None).lines(" --db 'a b'")[-1].partition(": ")[2])
    assert (program, command) == ("haledger", "trace")
    table, row, column = names
    assert trace_number(db, (table, row, column), Study(study)).runs


def cells(*texts: str) -> tuple[Cell, ...]:
    return tuple(Cell(text, (text.lower(),)) for text in texts)


GRID = Table(
    "grid",
    "Two heads",
    (
        Column("Configuration", ("configuration",), is_number=False),
        Column("Phase", ("phase",), is_number=False),
        Column("FS", ("fs_mean_s",), "s", "Storage"),
        Column("FS", ("fs_share",), "%", "Share"),
    ),
    (cells("On", "A, b", "1", "2"), cells("On", "C", "3", "4"), cells("2", "C", "5", "6")),
    row_heads=2,
)


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        pytest.param("On / C", 1, id="labels"),
        pytest.param("on, a, b", 0, id="labels in any case, with a comma in one"),
        pytest.param("A, b", 0, id="one head, if it is enough"),
        pytest.param("configuration=on, phase=c", 1, id="data names and values"),
        pytest.param("2", 2, id="a label that looks like a number"),
        pytest.param("3", 2, id="a number"),
    ],
)
def test_a_row_is_found_by_any_of_its_names(asked: str, place: int) -> None:
    assert row_place(GRID, asked) == place


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        pytest.param("phase", 1, id="a heading in small letters"),
        pytest.param("Storage: FS (s)", 2, id="with spanner and unit"),
        pytest.param("FS (%)", 3, id="with unit"),
        pytest.param("fs_mean_s", 2, id="a data name"),
        pytest.param("4", 3, id="a number"),
    ],
)
def test_a_column_is_found_by_any_of_its_names(asked: str, place: int) -> None:
    assert column_place(GRID, asked) == place


def test_a_name_of_several_rows_or_columns_is_refused_with_the_choices() -> None:
    with pytest.raises(UsageError, match=r"2 rows of grid have this name.*1: On / A, b, 2: On / C"):
        row_place(GRID, "on")
    with pytest.raises(UsageError, match=r"several columns.*3: Storage: FS \(s\), 4: Share: FS \(%\)"):
        column_place(GRID, "fs")
