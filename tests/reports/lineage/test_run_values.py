"""The runs behind printed numbers: those that `haledger trace` finds, linked on the page and listed on paper."""

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pypdf
import pytest

from pipeline.ask.query import sandbox
from pipeline.ask.query.bounded import STUDY_LIMITS
from pipeline.ask.trace.lines import Study
from pipeline.ingest.ingest import ingest
from reports.answers.trace_question import trace_cell
from reports.document.report import write_report
from reports.lineage import run_lists, run_values
from reports.lineage.run_values import RunValues, Several, sides
from reports.study.store import Store
from reports.study.view import StudyView
from reports.tables import catalogue
from reports.tables.model import Table

Maker = Callable[..., Path]
SAMPLE = Path(__file__).parents[3] / "samples" / "pgbench-synccommit"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    store = tmp_path_factory.mktemp("sample") / "haledger.duckdb"
    ingest(SAMPLE, store)
    with sandbox.connect(store, STUDY_LIMITS) as con:
        study = StudyView(Store(con))
        tables = catalogue.all_tables(study)
        yield con, tables, run_values.run_values(study, list(tables.values()))


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


def test_they_are_the_runs_that_trace_finds(sample: Any) -> None:
    con, tables, found = sample
    compared = 0
    of_runs = [each for each in sorted(found.cells.items()) if all(side.configuration for side in sides(each[1]))]
    for (name, row, column), values in of_runs[::7]:
        runs = trace_cell(con, tables[name], row, column, Study(None)).runs
        theirs = {(run.configuration, run.run) for run in runs if run.is_used and run.value is not None}
        ours = {(each.configuration, run.run) for each in sides(values) for run in each.runs if run.is_used}
        assert ours == theirs, (name, row, column)
        compared += 1
    assert compared > 5


def test_disks_processors_and_claims_lead_to_runs_too(sample: Any) -> None:
    _, tables, found = sample
    linked = {name for name, _, _ in found.cells}
    assert {"iostat-disks", "processors", "measurements"} <= linked
    for (name, row, column), values in found.cells.items():
        cell, data_name = tables[name].rows[row][column], tables[name].columns[column].names[0]
        if name in {"iostat-disks", "processors"} and data_name != "runs":
            assert math.isclose(values.mean, cell.values[0], rel_tol=1e-9), (name, row, column)


def test_a_parameter_leads_to_the_lines_that_state_it(sample: Any) -> None:
    _, tables, found = sample
    declared = [each for each in found.cells.items() if each[0][0] == "parameters"]
    assert declared
    for (name, row, column), values in declared:
        assert tables[name].rows[row][1].text == values.item
        assert {run.value for run in values.runs} == {tables[name].rows[row][column].values[0]}


def test_every_value_names_its_line(sample: Any) -> None:
    _, _, found = sample
    places = [run.place for values in found.values for run in values.runs]
    assert places
    assert all(re.fullmatch(r".+:\d+", place) for place in places)


def test_the_page_links_numbers_to_their_runs(written: Any) -> None:
    targets = set(re.findall(r'<td class="(?:number|code)"[^>]*><a href="#((?:runs|pair)-\d+)">', written.html))
    anchors = set(re.findall(r'id="((?:runs|pair)-\d+)"', written.html))
    assert targets
    assert targets <= anchors
    assert len(re.findall(r'id="runs-\d+"', written.html)) == len({each for each in anchors if each[:4] == "runs"})


def test_paper_lists_the_runs_of_cells_and_the_lines_of_runs(written: Any) -> None:
    text = " ".join(page.extract_text() for page in pypdf.PdfReader(written.folder / "report-data.pdf").pages)
    flat = " ".join(text.split())
    assert "Default parameters, run01 to run10 (10 runs)" in flat
    assert re.search(r"run01: default/run01/engine_A\.log .*?Complete \d+(\.\d+)? s \(\d+\)", flat)


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
