"""The runs behind printed numbers: those that `haledger trace` finds, linked on the page and listed on paper."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.ask.trace.follow import Group
from pipeline.query import sandbox
from pipeline.query.bounded import STUDY_LIMITS
from reports.document.report import write_report
from reports.lineage import run_lists, run_values
from reports.lineage.run_values import RunValues, Several
from reports.study.store import Store
from reports.study.view import StudyView
from reports.tables import catalogue
from reports.tables.model import Table

Maker = Callable[..., Path]


def _found(store: Path) -> tuple[dict[str, Table], RunValues]:
    with sandbox.connect(store, STUDY_LIMITS) as con:
        study = StudyView(Store(con))
        tables = catalogue.all_tables(study)
        return tables, run_values.run_values(study, list(tables.values()))


def test_a_mean_is_that_of_its_runs(make_store: Maker) -> None:
    tables, found = _found(make_store())
    checked = 0
    for (name, row, column), values in found.cells.items():
        table = tables[name]
        data_name = table.columns[column].names[0]
        if data_name.endswith("_mean_s") and data_name != "reference_mean_s":
            printed = table.rows[row][column].values[0]
            assert isinstance(printed, float)
            assert not isinstance(values, Several)
            assert math.isclose(values.mean or 0.0, printed, rel_tol=1e-9)
            checked += 1
    assert checked > 5


def test_a_whole_row_is_called_by_its_names() -> None:
    names = {"resource": "shark_ip", "resource_type": "IP", "clients": "8"}
    row, cell = (
        Group("cluster_resource", column, "default", tuple(names.items()), frozenset(), ()) for column in ("", "max_s")
    )
    assert run_values.words_of(row, names) == "shark_ip, IP, 8 clients"
    assert run_values.words_of(cell, names) == "shark_ip, IP, 8 clients, max, s"


def test_a_comparison_leads_to_both_sides(make_store: Maker) -> None:
    tables, found = _found(make_store())
    changes = tables["changes"]
    ratio = next(place for place, each in enumerate(changes.columns) if each.names[0] == "ratio")
    pair = found.cells["changes", 0, ratio]
    assert isinstance(pair, Several)
    assert pair.sides[0].configuration == "tuned"
    assert pair.sides[1].configuration == "default"
    mean = next(place for place, each in enumerate(changes.columns) if each.names[0] == "mean_s")
    assert found.cells["changes", 0, mean] == pair.sides[0]


def test_rows_with_the_same_runs_are_listed_together(make_store: Maker) -> None:
    tables, found = _found(make_store())
    listed = run_lists.rows_of_table(tables["changes"], found)
    assert listed[0].heads.startswith("Tuned parameters")
    assert listed[0].runs == (
        ("", "Tuned parameters, run01 to run10 (10 runs); against Default parameters, run01 to run10 (10 runs)"),
    )
    assert all(run_lists.rows_of_table(table, found) == [] for table in tables.values() if "run" in table.data_names)


def test_no_more_values_are_carried_than_a_page_can_hold(make_store: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_values, "MOST_VALUES", 25)
    _, found = _found(make_store())
    assert 0 < sum(len(each.runs) for each in found.values) <= 25


def test_a_study_without_runs_has_no_such_section(make_store: Maker, tmp_path: Path) -> None:
    write_report(make_store(configurations={}), tmp_path / "out", formats=["html"])
    assert "Runs behind the numbers" not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_a_doubt_with_a_line_is_a_link_to_its_list(make_store: Maker, tmp_path: Path) -> None:
    write_report(make_store(findings=[("warning", "odd")]), tmp_path, formats=["html"])
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    where = "default/run01/engine_A.log:3"
    assert f'<a class="to-runs" href="#doubt-1"><code>{where}</code></a>' in page
    listed = page.partition('id="doubt-1"')[2].partition("</table>")[0]
    assert f"<code>{where}</code>" in listed
