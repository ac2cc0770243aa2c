"""Cells found by what a person calls them, and the rows of relations that they show."""

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

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


Ask = Callable[[str, int | str, int | str], Trace]


@pytest.fixture(scope="module")
def tables(study: Path) -> dict[str, Table]:
    with sandbox.connect(study.with_name("s.duckdb"), STUDY_LIMITS) as con:
        return catalogue.all_tables(StudyView(Store(con)))


@pytest.fixture
def ask(study: Path, tables: dict[str, Table]) -> Iterator[Ask]:
    """Traces a cell of a table, by places or by names."""
    with sandbox.connect(study.with_name("s.duckdb"), STUDY_LIMITS) as con:

        def traced(name: str, row: int | str, column: int | str) -> Trace:
            row = row_place(tables[name], row) if isinstance(row, str) else row
            column = column_place(tables[name], column) if isinstance(column, str) else column
            return trace_cell(con, tables[name], row, column, Study(study))

        yield traced


def places(trace: Trace) -> list[str]:
    return [f"{trace.sources[line.file_id].path}:{line.line_no}" for run in trace.runs for line in run.lines]


def test_cells_of_every_table_can_be_asked(ask: Ask, tables: dict[str, Table]) -> None:
    for name, table in tables.items():
        for place in range(0, len(table.rows) * len(table.columns), 7):  # the campaign asks for all, of every sample
            row_no, column_no = divmod(place, len(table.columns))
            trace = ask(name, row_no, column_no)
            assert trace.printed == table.rows[row_no][column_no].text
            assert trace.to_dict()["asked"] == trace.asked


ON_RUNS = [f"on/run{number}/pgbench.txt:8" for number in (1, 2, 3)]


@pytest.mark.parametrize("column", ["rate, 1/s", "n", "doubled"])
def test_a_table_of_the_study_leads_to_the_runs_of_the_configuration_it_labels(ask: Ask, column: str) -> None:
    trace = ask("by-label", "Quick", column)
    assert {run.configuration for run in trace.runs} == {"off, fast=1"}
    assert {f"off, fast=1/run{number}/pgbench.txt:8" for number in (1, 2, 3)} <= set(places(trace))


@pytest.mark.parametrize("column", [1, 2])
def test_filter_of_a_table_of_the_study_is_followed(ask: Ask, column: int) -> None:
    trace = ask("filtered", "on", column)
    assert [run.value for run in trace.runs] == [100, 102, 98]
    assert places(trace) == ON_RUNS


def test_computed_number_names_the_columns_that_it_is_computed_from(ask: Ask) -> None:
    assert "It is computed from max and min of measurement_stats." in ask("filtered", 0, 2).notes


def test_a_row_is_shown_by_the_columns_that_name_it(ask: Ask) -> None:
    said = lines(ask("filtered", 0, 1))
    (shown,) = ("".join(each.text for each in line) for line in said if line and "relation" in line[0].text)
    assert shown == ("  relation    measurement_stats.mean: configuration = on, metric = tps, unit = 1/s, clients = 4")


def test_number_that_cannot_be_followed_says_so_with_its_sql(ask: Ask) -> None:
    trace = ask("filtered", 0, 3)
    assert trace.runs == ()
    assert any(note.startswith("It cannot be traced: ") for note in trace.notes)
    assert "select count(*) from run" in trace.statements["table filtered"]


def test_a_name_of_another_kind_is_no_condition(ask: Ask) -> None:
    assert places(ask("clash", 0, 2)) == ON_RUNS


def test_a_claim_leads_to_the_runs_of_what_it_is_about(ask: Ask) -> None:
    trace = ask("claims", 0, 2)
    assert {run.configuration for run in trace.runs} == {"off, fast=1", "on"}
    assert len(places(trace)) == 6


def test_every_name_that_is_offered_means_its_row_or_column(tables: dict[str, Table], study: Path) -> None:
    db = study.with_name("s.duckdb")
    for table in (tables[each] for each in ("by-label", "claims", "formats")):  # each asks for all tables
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
