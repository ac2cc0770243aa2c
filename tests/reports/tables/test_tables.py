import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from pipeline.errors import UsageError
from reports.document.pages import fragment
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import all_tables
from reports.tables.environment import machines
from reports.tables.formats import WRITERS, as_csv, as_markdown, as_typst
from reports.tables.latex import as_latex
from reports.tables.model import Cell, Column, Table

Maker = Callable[..., Path]

DEFAULT_MEANS = ("16.0", "20.0", "25.0", "32.0", "22.0", "110.0", "50.0", "62.0")
TUNED_MEANS = ("4.0", "6.0", "11.0", "19.0", "9.0", "53.0", "35.0", "41.0")
OWN = {"name": "table-3-7", "kind": "milestones", "configurations": ["default", "tuned"], "caption": "Two file systems"}


def tables_of(store: Path) -> dict[str, Table]:
    with opened(store) as connection:
        return all_tables(StudyView(connection))


def printed(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def small(text: str) -> Table:
    columns = (
        Column("Who", ("who",), is_number=False),
        Column("Mean", ("mean_s", "stddev_s"), unit="s", spanner="A & B"),
        Column("Max", ("max_s",), unit="s", spanner="A & B"),
    )
    row = (Cell(text, (text,)), Cell("1.5 \u00b1 0.2", (1.52, 0.2)), Cell("\u22122.0", (-2.0,)))
    return Table("small", "A caption", columns, (row,), ("A note.",), "Source: here.")


def test_milestones_of_the_paper(make_store: Maker) -> None:
    # ten runs, late by 1, 2, 0, 1, ... s: mean is the step + 1.0, deviation sqrt(6 / 9) = 0.816
    assert printed(tables_of(make_store(tables=[OWN]))["table-3-7"]) == [
        ["Default parameters", "10", *(f"{mean} \u00b1 0.8" for mean in DEFAULT_MEANS)],
        ["Tuned parameters", "10", *(f"{mean} \u00b1 0.8" for mean in TUNED_MEANS)],
    ]


def test_milestones_in_whole_seconds_as_the_paper_prints_them(make_store: Maker) -> None:
    table = tables_of(make_store(tables=[OWN | {"options": {"decimals": 0, "spread": False}}]))["table-3-7"]
    assert printed(table)[1] == ["Tuned parameters", "10", "4", "6", "11", "19", "9", "53", "35", "41"]


@pytest.mark.parametrize(("options", "section"), [({}, "results"), ({"replaces": "milestones"}, "runs")])
def test_a_table_of_the_study_removes_no_other_unless_it_says_so(
    make_store: Maker, options: dict[str, str], section: str
) -> None:
    found = tables_of(make_store(tables=[OWN | {"options": options}]))
    assert (found["table-3-7"].section, found["milestones-1"].section) == ("results", section)


def test_numbers_and_heads_of_a_statement_follow_its_columns(make_store: Maker) -> None:
    sql = """select * from (values (53.4::double, 0.5, 1e6::double, 3, null), (56.0, 12.25, 0.25, 40, 'x'))
        as t (mean_s, load_pct, far, w_per_s, "Std. dev.")"""
    table = tables_of(make_store(tables=[{"name": "own", "sql": sql, "options": {"heads": {"far": "Ops"}}}]))["own"]
    assert [each.heading for each in table.columns] == ["Mean (s)", "Load (%)", "Ops", "W per s", "Std. dev."]
    assert [each.is_number for each in table.columns] == [True, True, True, True, False]
    assert printed(table) == [
        ["53.4", "0.50", "1\u00a0000\u00a0000", "3", "\u2014"],
        ["56.0", "12.25", "0.25", "40", "x"],
    ]


def test_configurations_share_a_table_only_with_their_milestones(make_store: Maker) -> None:
    tables = tables_of(make_store())
    assert [row[0].text for row in tables["milestones-1"].rows] == ["Default parameters", "Tuned parameters"]
    assert [row[0].text for row in tables["milestones-2"].rows] == ["Instance pre-started"]
    assert "CVM/CFS" in [column.label for column in tables["milestones-2"].columns]


def test_one_run_has_no_spread(make_store: Maker) -> None:
    tables = tables_of(make_store(runs=1))
    assert printed(tables["milestones-1"])[0][2] == "16.0"
    assert tables["milestones-1"].caption == "Completion of each recovery step in seconds after the fault: 1 run"
    assert not any("\u00b1 sample" in note for note in tables["milestones-1"].notes)
    assert tables["milestones-1"].rows[0][2].values == (16.0, None)


def test_spanners_stand_over_their_columns(make_store: Maker) -> None:
    table = tables_of(make_store(tables=[OWN]))["table-3-7"]
    assert [(each.label, each.width) for each in table.spanners] == [
        ("", 2),
        ("Membership change detection", 2),
        ("Storage recovery", 2),
        ("Service group restart", 2),
        ("DB2 UDB recovery", 2),
    ]
    html = fragment(table)
    assert '<th scope="colgroup" colspan="2"><span>Storage recovery</span></th>' in html
    assert '<th scope="row">Default parameters</th>' in html


def test_changes_name_the_reference_and_leave_out_its_own_row(make_store: Maker) -> None:
    table = tables_of(make_store())["changes"]
    assert printed(table)[0] == [
        "Tuned parameters against default parameters",
        "41.0",
        "62.0",
        "\u221221.0",
        "0.661",
        "0.651 to 0.672",
        "< 0.001",
        "33.9\u00a0% less",
    ]
    assert len(table.rows) == 2


def test_a_study_without_failover_has_no_failover_tables(make_store: Maker) -> None:
    assert list(tables_of(make_store(configurations={}))) == ["formats", "hosts", "sources"]


@pytest.mark.parametrize(
    ("options", "place"),
    [
        pytest.param({}, ("results", "failover"), id="the main topic"),
        pytest.param({"place": "throughput"}, ("results", "throughput"), id="a topic"),
        pytest.param({"place": "environment"}, ("environment", "failover"), id="a chapter"),
    ],
)
def test_a_table_of_the_study_stands_where_it_says(
    make_store: Maker, options: dict[str, str], place: tuple[str, str]
) -> None:
    table = tables_of(make_store(tables=[{"name": "own", "sql": "select 1 as a", "options": options}]))["own"]
    assert (table.section, table.topic) == place


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        pytest.param(
            {"name": "x", "kind": "milestones", "configurations": ["tunde"]}, "no configuration 'tunde'", id="name"
        ),
        pytest.param({"name": "x", "sql": "select nothing"}, "its SQL cannot be run", id="sql"),
        pytest.param({"name": "sources", "sql": "select 1 as a"}, "belongs to another table", id="name taken"),
    ],
)
def test_a_wrong_table_of_the_study_is_reported(make_store: Maker, table: dict[str, object], complaint: str) -> None:
    store = make_store(tables=[table])
    with pytest.raises(UsageError, match=r"study\.toml, table") as caught:
        tables_of(store)
    assert complaint in str(caught.value)


def test_typst_escapes_what_it_would_read_as_markup() -> None:
    written = as_typst(small("1. [x] #a_b *c* // d"))
    assert r"[1\. \[x\] \#a\_b \*c\* \/\/ d]" in written
    assert "table.cell(colspan: 2, align: center)[A & B]" in written


def test_csv_holds_what_was_measured_not_what_is_printed() -> None:
    assert as_csv(small("a")) == "who,mean_s,stddev_s,max_s\na,1.52,0.2,-2.0\n"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_csv_text_is_no_formula_and_numbers_stay_numbers(start: str) -> None:
    rows = list(csv.reader(io.StringIO(as_csv(small(f"{start}cmd|'/c calc'!A1")), newline="")))
    assert rows[1][0].startswith("'" + start)
    assert rows[1][3] == "-2.0"


def test_hostile_text_stays_text_in_every_format(hostile: str) -> None:
    table = small(hostile)
    assert "<script" not in fragment(table)
    assert "&lt;script&gt;" in fragment(table)
    assert "\x1b" not in fragment(table) + as_latex(table) + as_markdown(table)
    assert "\\{\\{ 7*7 \\}\\}" in as_latex(table)
    assert "<script" not in as_markdown(table).replace("\\<", "")
    assert json.loads(WRITERS["json"](table))["rows"][0]["who"] == hostile


def test_note_shows_what_the_spread_cannot_show(make_store: Maker) -> None:
    notes = " ".join(tables_of(make_store(tables=[OWN]))["table-3-7"].notes)
    assert "known to ±" in notes
    assert "stamps are cut to 1 s" in notes


def test_facts_that_machines_share_have_one_row() -> None:
    statement = Path(machines.__file__).with_suffix(".sql").read_text(encoding="utf-8")
    with duckdb.connect() as connection:
        connection.execute(
            "create table environment as select * from (values ('c', 'n1', 'os', 'name', 'Linux', null), "
            "('c', 'n2', 'os', 'name', 'Linux', null), ('c', 'n1', 'cpu', 'total', '8', null), "
            "('c', 'n2', 'cpu', 'total', '16', null)) as facts (configuration, node, subject, name, value, unit)"
        )
        found = connection.execute(statement).fetchall()
    assert [(node, value) for node, _, _, value, _, _ in found] == [("n1; n2", "Linux"), ("n1", "8"), ("n2", "16")]
