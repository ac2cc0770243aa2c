"""Figures that study.toml asks for beyond one metric: own statements, several metrics, notes, queries, proportions."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from reports.figures import catalogue
from reports.figures.draw.scene import Axis, Bar
from reports.figures.model import Figure
from reports.figures.picture import svg
from reports.findings.sections import prose
from reports.lineage.run_values import run_values
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import declared
from tests.support.drawings import WIDTHS, covered, marks, outside, panels

RATES = {"old": (90.0, 100.0, 110.0), "new": (180.0, 200.0, 220.0)}
LATENCY_MS = {"old": 4.0, "new": 3.632}
QUERIES = {"query 2": (10.0, 5.0), "query 10": (4.0, 8.0), "query 1": (1.0, 1.0)}
"""Seconds on the old and the new system: ratios 0.5, 2 and 1, whose geometric mean is 1."""

TENTH, GEOMETRIC = "query 10, 2.000 times the reference's time", "geometric mean of 3 queries: 1.000"

MANIFEST = """\
[study]
reference = "old"
timezone = "UTC"

[[event]]
at = 2009-02-02T09:00:10
configuration = "new"
run = "run01"
text = "begin"

[[event]]
at = 2009-02-02T09:00:20
configuration = "new"
run = "run01"
text = "end"

[[figure]]
name = "own"
kind = "measurements"
options = { metric = "square", unit = "m" }
sql = "select configuration, run, value * value as value from measurement where metric = 'tps'"

[[figure]]
name = "own-latency"
kind = "measurements"
options = { metric = "wait", unit = "us" }
sql = "select configuration, run, value * 1000 as value from measurement where metric = 'latency_avg_ms'"

[[figure]]
name = "both"
kind = "measurements"
options = { metrics = ["tps", "latency_avg_ms"] }

[[figure]]
name = "common-base"
kind = "measurements"
configurations = ["new"]
options = { metric = "latency_avg_ms", normalised = "old" }

[[figure]]
name = "noted"
kind = "series"
configurations = ["new"]
options = { metric = "tps", runs = ["run01"], scale_with = ["old"], shade = ["begin", "end"] }

[[figure]]
name = "queries"
kind = "relative-times"

[[figure]]
name = "proportion"
kind = "against"
options = { x = "rate", y = "twice" }
sql = "select configuration, run, value as x, 2 * value as y from measurement where metric = 'tps'"

[[table]]
name = "decided"
options = { decimals = { "a" = 3 }, place = "environment" }
sql = "select 0.908::double as a, 0.908::double as b"
"""


def _written(folder: Path, manifest: str = MANIFEST) -> Path:
    for configuration, rates in RATES.items():
        for run, rate in enumerate(rates, start=1):
            place = folder / "study" / configuration / f"run{run:02d}"
            place.mkdir(parents=True)
            (place / "summary.csv").write_text(
                f"duration_s,tps,latency_ms\n30,{rate},{LATENCY_MS[configuration] + (run - 2) / 10}\n"
            )
            points = "".join(f"2009-02-02 09:00:{second:02d},{rate}\n" for second in (0, 10, 20, 30))
            (place / "series.csv").write_text(f"time,tps\n{points}")
            times = "".join(f"{name.split()[1]}\t{pair[configuration == 'new']}\n" for name, pair in QUERIES.items())
            (place / "queries.tsv").write_text(f"query\tavg\n{times}")
    (folder / "study" / "study.toml").write_text(manifest)
    ingest(folder / "study", folder / "haledger.duckdb")
    return folder / "haledger.duckdb"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyView]:
    with opened(_written(tmp_path_factory.mktemp("figures"))) as store:
        yield StudyView(store)


@pytest.fixture(scope="module")
def figures(study: StudyView) -> dict[str, Figure]:
    return catalogue.all_figures(study)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_text_covers_another_or_leaves_the_drawing(figures: dict[str, Figure], width: float) -> None:
    for figure in figures.values():
        assert covered(figure.scene, width) == []
        assert outside(figure.scene, width) == []


def test_own_statement_is_averaged_over_runs(figures: dict[str, Figure]) -> None:
    # 90², 100², 110² have the mean 10 066.7
    assert figures["own"].description.startswith("old: mean 10\N{NO-BREAK SPACE}067 (")
    assert ("old", "run01", "square", "m", 8100.0) in [row[:5] for row in figures["own"].rows]


def test_marks_lead_to_the_values_that_their_own_number_is_computed_from(
    study: StudyView, figures: dict[str, Figure]
) -> None:
    found = run_values(study, [], figures.values())
    items = {each.anchor: (each.label, each.item) for each in found.values}
    sides = {each.anchor: [(side.label, side.item) for side in each.sides] for each in found.several}
    means = {mark: items.get(each.anchor) for mark, each in found.marks.items() if ": mean " in mark[1]}
    assert {figure for figure, _ in means} == {"own", "own-latency", "both", "common-base"}
    for (figure, words), listed in means.items():
        latency = figure in {"own-latency", "common-base"} or words.endswith("(mean latency)")
        assert listed is not None, (figure, words)
        label, item = listed
        assert label == words[:3], (figure, words)
        assert item.split(", ")[0] == ("mean latency" if latency else "transactions per second"), (figure, words)
    ratio, mean = (found.marks["queries", f"new: {words}"].anchor for words in (TENTH, GEOMETRIC))
    assert sides[ratio] == [("new", "query 10"), ("old", "query 10")]
    assert len(sides[mean]) == 6
    units = {each.item.split(", ")[0]: each.unit for each in found.values}
    assert (units["transactions per second"], units["mean latency"]) == ("", "ms")  # the one says its unit itself


def test_several_metrics_have_a_panel_each_and_no_further_figure(figures: dict[str, Figure]) -> None:
    assert [panel.title for panel in panels(figures["both"])] == ["Transactions per second", "Mean latency, ms"]
    assert not {"measurement-tps", "measurement-latency-avg-ms"} & figures.keys()


def test_ratios_to_one_common_configuration_are_printed_as_computed(figures: dict[str, Figure]) -> None:
    figure = figures["common-base"]
    assert "new: mean 0.908 (" in figure.description  # 3.632 / 4
    assert ">0.908 (" in svg(figure)


def test_series_of_one_run_on_the_scale_of_both_with_the_time_between_two_notes(figures: dict[str, Figure]) -> None:
    figure = figures["noted"]
    assert {row[:2] for row in figure.rows} == {("new", "run01")}
    (panel,) = panels(figure)
    assert [bar.x for bar in marks(panel, Bar)] == [(10.0, 20.0)]
    assert isinstance(panel.y, Axis)
    assert panel.y.scale.share(220.0) == pytest.approx(1 / 1.05)  # the highest of both configurations
    assert [(note.x, note.text) for note in panel.notes] == [(10.0, "begin"), (20.0, "end")]
    assert "“begin” to “end”" in figure.notes[0]


def test_queries_are_in_natural_order_with_their_geometric_mean(figures: dict[str, Figure]) -> None:
    figure = figures["queries"]
    assert [(row[1], row[3]) for row in figure.rows] == [("query 1", 1.0), ("query 2", 0.5), ("query 10", 2.0)]
    assert "geometric mean 1.000 of 3 queries, from 0.500 (query 2) to 2.000 (query 10)" in figure.description


def test_proportion_says_how_far_any_run_is_from_it(figures: dict[str, Figure]) -> None:
    assert figures["proportion"].description == "twice against rate: 6 runs, none further than 0 % from the proportion"


def test_table_prints_the_decimals_and_stands_where_the_study_says(study: StudyView) -> None:
    (table,) = declared("custom").tables(study)
    assert [cell.text for cell in table.rows[0]] == ["0.908", "0.908"]
    assert table.section == "environment"


def test_prose_names_measurements_as_it_names_milestones(study: StudyView) -> None:
    text = '{{ mean("tps", "new", 0) }} {{ ratio("tps", "new") }} {{ improvement_pct("tps", "new") }}'
    assert "200 2.000 100" in prose(study, text)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        pytest.param('kind = "against"\nsql = "select 1 as x"', "it lacks configuration, run, y", id="against"),
        pytest.param(
            'kind = "measurements"\nsql = "select 1 as value"', "it lacks configuration, run", id="own values"
        ),
    ],
)
def test_statement_without_the_columns_of_its_kind_is_an_error(tmp_path: Path, entry: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        _written(tmp_path, f'[[figure]]\nname = "f"\n{entry}\n')
