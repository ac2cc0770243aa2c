"""The runs that printed numbers of a whole sample list are those that trace finds, linked on the page and in print."""

import math
import re
from collections.abc import Iterator
from typing import Any

import pypdf
import pytest

from pipeline.ask.trace.lines import Study
from pipeline.query import sandbox
from pipeline.query.bounded import STUDY_LIMITS
from reports.answers.trace_question import trace_cell
from reports.lineage import run_values
from reports.lineage.run_values import sides
from reports.study.store import Store
from reports.study.view import StudyView
from reports.tables import catalogue
from tests.support.sample import sample_store


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with sandbox.connect(sample_store("pgbench-synccommit", tmp_path_factory), STUDY_LIMITS) as con:
        study = StudyView(Store(con))
        tables = catalogue.all_tables(study)
        yield con, tables, run_values.run_values(study, list(tables.values()))


def test_they_are_the_runs_that_trace_finds(sample: Any) -> None:
    con, tables, found = sample
    compared = 0
    of_runs = [each for each in sorted(found.cells.items()) if all(side.configuration for side in sides(each[1]))]
    for (name, row, column), values in of_runs[::7]:
        if tables[name].columns[column].names[0] == "runs":
            continue  # a count has no value of a run
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
