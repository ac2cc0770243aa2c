"""Data that a program made: said on the first page, and beside every number that a test or an interval gave of them."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from pipeline.ask.check.check import check
from pipeline.ask.compare.compare import compare
from pipeline.ask.compare.sides import sides
from pipeline.ingest.ingest import ingest
from reports import data_origin
from reports.answers import comparison
from reports.document.report import ReportResult, write_report
from reports.figures.catalogue import all_figures
from reports.findings.highlights import lead
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import all_tables
from reports.tables.model import Table

Stores = Callable[..., Path]
VALUES = {"slow": (100, 102, 98, 101, 99), "fast": (201, 203, 199, 202, 200), "idle": (50, 51, 49, 52, 48)}
BODY = """
[configuration."slow"]
label = "Slow"

[configuration."fast"]
label = "Fast"
{fast}

[configuration."idle"]
label = "Idle"
{idle}

[[claim]]
text = "Fast is twice as fast"
measurement = "tps"
configuration = "fast"
reference = "slow"
statistic = "ratio"
op = "="
value = 2
margin = 0.1
{claim}

[[claim]]
text = "Idle does half"
op = "<"
value = 60
sql = "select mean as value, ci95_low as low, ci95_high as high from measurement_stats where configuration = 'idle'"

[[table]]
name = "own"
caption = "Of my own"
sql = "select configuration, mean, ci95_low as low, ci95_high as high from measurement_stats order by all"
spanners = {{ "95 % interval" = ["low", "high"] }}
{table}

[[figure]]
name = "measurement-tps"
kind = "measurements"
caption = "Throughput"
options = {{ metric = "tps" }}

[[section]]
title = "What follows"
place = "conclusion"
body = "Fast does {{{{ ratio('tps', 'fast') }}}} times as much ({{{{ ratio_interval('tps', 'fast') }}}})."
"""
RECORDED = 'origin = "recorded"\norigin_note = "on a machine of ours"'
CALIBRATED = 'origin = "calibrated"\norigin_note = "the means are those of a paper; how far runs differ is made up"'
DAGGER, DOUBLE = data_origin.MARKS["calibrated"], data_origin.MARKS["simulated"]


def written(folder: Path, study: str, **parts: str) -> Path:
    """A study of three configurations; `study` is in [study], the parts where `BODY` has them."""
    logs = folder / "logs"
    logs.mkdir()
    rows = [f"{name},{run},4,60,{value}" for name, values in VALUES.items() for run, value in enumerate(values, 1)]
    (logs / "results.csv").write_text("\n".join(["config,run,clients,duration_s,tps", *rows]) + "\n")
    blank = dict.fromkeys(("fast", "idle", "claim", "table"), "")
    text = f'[study]\ntitle = "Speed"\nreference = "slow"\nmargin_pct = 5\n{study}\n{BODY.format(**(blank | parts))}'
    (logs / "study.toml").write_text(text, encoding="utf-8")
    return logs


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Stores:
    """Make the store of a study, each once."""

    @cache
    def stored(study: str, parts: tuple[tuple[str, str], ...]) -> Path:
        folder = tmp_path_factory.mktemp("origin")
        ingest(written(folder, study, **dict(parts)), folder / "store.duckdb")
        return folder / "store.duckdb"

    return lambda study, **parts: stored(study, tuple(parts.items()))


def inferred(tables: dict[str, Table]) -> list[tuple[str, str]]:
    """Every cell with a p value, an interval or a verdict: the key in its row, and what is printed."""
    return [
        (next(str(value) for cell in row for value in cell.values if value in VALUES), row[place].text)
        for table in tables.values()
        if table.name not in ("claims", "sources")
        for row in table.rows
        for place, column in enumerate(table.columns)
        if re.search(r"p_holm|p_value|verdict|ci95", " ".join(column.names)) or column.spanner == "95 % interval"
        if row[place].text not in ("\u2014", "reference")
    ]


def report_of(store: Path, folder: Path, *, has_pdf: bool = True) -> tuple[ReportResult, str, list[str]]:
    """The report's result, its page without the appendices' SQL, and the text of each page of the PDF."""
    result = write_report(store, folder, formats=("html", "pdf") if has_pdf else ("html",))
    html = (folder / "report.html").read_text(encoding="utf-8")
    if not has_pdf:
        return result, html, []
    pdf = pypdfium2.PdfDocument(folder / "report.pdf")
    return result, html, [pdf[i].get_textpage().get_text_range() for i in range(len(pdf))]


@pytest.mark.parametrize(
    ("study", "has_pdf"),
    [pytest.param("", False, id="nothing is said"), pytest.param(RECORDED, True, id="recorded")],
)
def test_recorded_data_have_no_mark(stores: Stores, tmp_path: Path, study: str, *, has_pdf: bool) -> None:
    result, html, pages = report_of(stores(study), tmp_path, has_pdf=has_pdf)
    assert DAGGER not in html
    assert DOUBLE not in html
    assert "not measurements" not in html
    assert "built in" not in html
    assert not any(DAGGER in page or "not measurements" in page for page in pages)
    assert result.built_in == ()
    assert ("on a machine of ours" in html) is bool(study)  # in the chapter on the test environment
    assert all("on a machine of ours" not in page.split("Results")[0] for page in pages[:1])


def test_a_calibrated_study_says_so_first_and_beside_every_number_of_a_test(stores: Stores, tmp_path: Path) -> None:
    result, html, pages = report_of(stores(CALIBRATED), tmp_path)
    title = html.split("<nav")[0]
    assert "<b>Calibrated data, not measurements</b>: the means are those of a paper; how far" in title
    assert "Calibrated data, not measurements: the means are those of a paper" in " ".join(pages[0].split())
    assert result.built_in == (
        "Calibrated data, not measurements: the means are those of a paper; how far runs differ is made up",
    )
    assert result.built_in[0] in result.summary()
    answers = re.findall(r'<div class="answer">\s*<p>(.*?)</p>', title, re.DOTALL)
    assert answers
    assert all(each.rstrip().endswith(DAGGER) for each in answers)
    assert "both concern simulated data." in title
    with opened(stores(CALIBRATED)) as store:
        view = StudyView(store)
        tables, figures = all_tables(view), all_figures(view)
    cells = inferred(tables)
    assert len(cells) >= 8  # intervals of three configurations, verdicts and intervals of two ratios
    assert [text for _, text in cells if not text.endswith(DAGGER)] == []
    assert all(f"{DAGGER} Calibrated data, not measurements." in tables[name].notes for name in ("own", "claims"))
    assert [row[-1].text for row in tables["claims"].rows] == [f"PASS{DAGGER}"] * 2
    assert all("Calibrated data, not measurements." in each.notes for each in figures.values())
    conclusion = html.split('id="section-conclusion"')[1]
    assert re.search(rf"times as much \(1\.\d+ to 2\.\d+{DAGGER}\)", conclusion)
    assert "The numbers above: Calibrated data, not measurements." in conclusion


def test_values_of_data_files_have_no_mark(stores: Stores) -> None:
    with opened(stores(CALIBRATED)) as store:
        tables = all_tables(StudyView(store))
    assert DAGGER not in str([table.data_rows() for table in tables.values()])


def test_one_configuration_that_was_made_up_is_marked_alone(stores: Stores) -> None:
    made_up = 'origin = "simulated"\norigin_note = "nobody ran it"'
    store = stores(RECORDED, idle=made_up)
    with opened(store) as connection:
        view = StudyView(connection)
        tables, reported = all_tables(view), lead(view)
        title, notes = data_origin.title_origin(view), data_origin.origin_notes(view)
        rows = connection.rows("from data_origin where configuration <> 'logs' order by position")
    assert title is not None
    assert title.sentences == (("Simulated data, not measurements", ", in Idle."),)
    assert "Simulated data, not measurements, in Idle: nobody ran it" in notes
    assert [DOUBLE in each.sentence for each in reported] == [True]
    cells = inferred(tables)
    assert {key for key, text in cells if text.endswith(DOUBLE)} == {"idle"}
    assert {key for key, text in cells if not text.endswith(DOUBLE)} == {"slow", "fast"}
    assert [row[-1].text for row in tables["claims"].rows] == ["PASS", f"PASS{DOUBLE}"]
    note, nobody = "on a machine of ours", "nobody ran it"
    assert [tuple(row.values())[1:] for row in rows] == [
        ("slow", "recorded", note, "study", False),
        ("fast", "recorded", note, "study", False),
        ("idle", "simulated", nobody, "configuration", True),
    ]


def test_what_was_built_in_is_said_beside_claim_and_table(stores: Stores) -> None:
    parts = {"claim": 'built_in = "the factor was put in"', "table": 'built_in = "the order is measured"'}
    with opened(stores(CALIBRATED, **parts)) as store:
        tables = all_tables(StudyView(store))
    assert tables["claims"].rows[0][0].text.endswith("Fast is twice as fast. Built in: the factor was put in.")
    assert tables["own"].notes[-1] == "Built in: the order is measured."


def test_a_claim_can_be_taken_out(stores: Stores) -> None:
    with opened(stores(CALIBRATED, claim="built_in = false", table="built_in = false")) as store:
        tables = all_tables(StudyView(store))
    assert [row[-1].text for row in tables["claims"].rows] == ["PASS", f"PASS{DAGGER}"]
    assert DAGGER not in str([tables["own"].rows, tables["own"].notes])


def test_comparison_marks_its_numbers_in_text_and_json(stores: Stores, tmp_path: Path) -> None:
    store = stores(RECORDED, idle='origin = "simulated"')
    recorded = compare(*sides("fast", "slow", store, tmp_path))
    made_up = compare(*sides("idle", "slow", store, tmp_path))
    for found, is_made in ((recorded, False), (made_up, True)):
        text, reported = "\n".join(comparison.lines(found, 200)), _dict(found.to_dict())
        assert (DOUBLE in text) is is_made
        assert (DOUBLE in comparison.markdown(found)) is is_made
        assert (reported["built_in"], reported["pairs"][0]["built_in"]) == (is_made, is_made)
    assert "idle (Idle): 5 runs; simulated, not recorded" in "\n".join(comparison.lines(made_up, 200))
    assert _dict(made_up.to_dict())["a"]["origin"] == "simulated"
    assert _dict(made_up.to_dict())["b"]["origin_note"] == "on a machine of ours"


def test_check_shows_of_which_data_a_claim_is(tmp_path: Path) -> None:
    study = written(tmp_path, RECORDED, idle='origin = "simulated"\norigin_note = "nobody ran it"')
    reported = _dict(check(study).to_dict())
    assert (reported["origin"], reported["built_in"]) == ("recorded", ["Simulated data, not measurements, in idle."])
    assert [(each["origin"], each["built_in"]) for each in reported["claims"]] == [
        ("recorded", False),
        ("simulated", True),
    ]


def _dict(found: dict[str, object]) -> dict[str, Any]:
    return found
