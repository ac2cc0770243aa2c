"""Figures and words of a study of performance, from output of pgbench that was written for this test."""

from collections.abc import Iterator

import pytest

from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from reports.figures import catalogue
from reports.figures.draw.scene import Axis, Bar, Dot, Line
from reports.figures.measured.measured import asked
from reports.figures.measured.measurement_bars import bars_of
from reports.figures.measured.sweep import Sweep, sweep_of
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.figures.series.series import Drawing, metric_series, series_of
from reports.findings.highlights import lead
from reports.naming import Naming
from reports.study.store import Store, opened
from reports.study.view import StudyView
from reports.tables.catalogue import declared
from tests.support.drawings import WIDTHS, covered, marks, outside, panels
from tests.support.hand_made import Ledger, add_default_run

SUMMARY = """\
pgbench (15.18)
{progress}transaction type: <builtin: TPC-B (sort of)>
scaling factor: 1
query mode: simple
number of clients: 4
number of threads: 2
maximum number of tries: 1
duration: 3 s
number of transactions actually processed: {count}
number of failed transactions: 0 (0.000%)
latency average = 2.000 ms
latency stddev = 0.100 ms
initial connection time = 5.000 ms
tps = {tps:.6f} (without initial connection time)
"""
MEANS = {32: 100.0, 64: 150.0, 128: 200.0}
"""Transactions per second by queue depth; three runs of each lie 2 below, at, and 2 above."""

MANIFEST = """\
[study]
reference = "queue_depth=32"
[[figure]]
name = "sweep"
kind = "sweep"
options = { metric = "tps", factor = "queue_depth", ideal = true, normalised = true }
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyView]:
    folder = tmp_path_factory.mktemp("performance")
    for depth, mean in MEANS.items():
        for run, shift in enumerate((-2, 0, 2), start=1):
            place = folder / "study" / f"queue_depth={depth}" / f"run{run:02d}"
            place.mkdir(parents=True)
            tps = mean + shift
            progress = "".join(f"progress: {s}.0 s, {tps} tps, lat 2.0 ms stddev 0.1, 0 failed\n" for s in (1, 2, 3))
            (place / "pgbench.txt").write_text(SUMMARY.format(progress=progress, count=round(3 * tps), tps=tps))
    (folder / "study" / "study.toml").write_text(MANIFEST)
    ingest(folder / "study", folder / "haledger.duckdb")
    with opened(folder / "haledger.duckdb") as connection:
        yield StudyView(connection)


@pytest.fixture(scope="module")
def figures(study: StudyView) -> dict[str, Figure]:
    return catalogue.all_figures(study)


def test_bars_show_mean_interval_and_every_run_with_its_line(figures: dict[str, Figure]) -> None:
    (panel,) = panels(figures["measurement-tps"])
    assert [bar.x for bar in marks(panel, Bar)] == [(0.0, mean) for mean in MEANS.values()]
    # t(2) = 4.303, s = 2: half width 4.303 * 2 / sqrt(3) = 4.968
    assert marks(panel, Line)[0].points[0][0] == pytest.approx(100 - 4.968, abs=0.001)
    dots = marks(panel, Dot)
    assert len(dots) == 9
    assert dots[0].words.endswith("queue_depth=32/run01/pgbench.txt:17")


def test_sweep_is_drawn_along_the_factor_of_the_folder_names(figures: dict[str, Figure]) -> None:
    (panel,) = panels(figures["sweep"])
    ideal, line, *_ = marks(panel, Line)
    assert line.points == ((32, 1.0), (64, 1.5), (128, 2.0))
    assert isinstance(panel.y, Axis)
    x, y = ideal.points[-1]
    assert y / x == pytest.approx(1 / 32)
    assert y == pytest.approx(panel.y.scale.high), "it ends at the top of the plot"


def test_few_configurations_share_a_panel_with_every_run_and_their_means(figures: dict[str, Figure]) -> None:
    (panel,) = panels(figures["series-tps"])
    lines = marks(panel, Line)
    runs, means = [each for each in lines if each.look.width < 1], [each for each in lines if each.look.width > 1]
    assert runs[0].points == ((1.0, 98.0), (2.0, 98.0), (3.0, 98.0))
    assert len(runs) == 9
    assert means[0].points == ((1.0, 100.0), (2.0, 100.0), (3.0, 100.0))  # of 98, 100 and 102
    assert len({each.look.stroke for each in means}) == len({each.look.dash for each in means}) == len(MEANS)


def test_many_configurations_and_those_asked_for_have_a_panel_each_on_one_scale(study: StudyView) -> None:
    what = metric_series(study, "tps")
    assert what is not None
    found = panels(series_of(study, what, study.configurations, Naming("x"), Drawing(overlaid=False)))
    assert len(found) == len(MEANS)
    assert len({panel.y for panel in found}) == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_no_text_covers_another_or_leaves_the_drawing(figures: dict[str, Figure], width: float) -> None:
    for figure in figures.values():
        assert covered(figure.scene, width) == []
        assert outside(figure.scene, width) == []


def test_table_and_highlights_say_the_same(study: StudyView) -> None:
    (table,) = declared("measurements").tables(study)
    row = next(row for row in table.rows if row[0].text.startswith("transactions per second") and "=64" in row[1].text)
    assert [cell.text for cell in row][2:5] == ["3", "150 ± 2", "1.500"]
    (found,) = lead(study)
    means = "means from 100 (queue_depth=32) to 200 (queue_depth=128)"
    assert found.sentence == f"{means}; compared with queue_depth=32, both are higher."


def test_asked_for_what_is_not_there_the_answer_names_what_is(study: StudyView) -> None:
    request = Request(study, study.configurations, Naming("x"), {}, "figure")
    with pytest.raises(UsageError, match=r"no metric 'iops' in the data; known: .*tps"):
        asked(request, "iops")
    what = asked(request, "tps")
    with pytest.raises(UsageError, match="no factor 'cpus' with numbers; known: queue_depth"):
        sweep_of(what, Sweep("cpus"), Naming("x"), "figure")


def test_bars_by_a_factor_are_in_a_panel_for_each_value(study: StudyView) -> None:
    what = asked(Request(study, study.configurations, Naming("x"), {}, "figure"), "tps")
    found = panels(bars_of(what, Naming("x"), group="queue_depth"))
    assert [panel.title for panel in found] == [f"queue depth: {depth}" for depth in MEANS]


@pytest.mark.parametrize(("first_s", "is_after_fault"), [(-40, True), (-160_000, False)])
def test_a_load_of_another_day_than_the_fault_has_a_zero_of_its_own(first_s: int, *, is_after_fault: bool) -> None:
    ledger = Ledger()
    add_default_run(ledger)
    file_id = ledger.file("default/run01/load.csv", "measurements_csv", "default", "run01", None)
    point = {"summary_no": 1, "metric": "tps", "unit": "1/s", "interval_s": 1.0, "is_interval_end": False}
    for second in range(60):
        ledger.add("measurement_point", file_id, first_s + second, value=10.0 + second, **point)
    rows = StudyView(Store(ledger.build())).rows("series", metric="tps")
    assert len(rows) == 60
    assert {row["is_after_fault"] for row in rows} == {is_after_fault}
    assert rows[0]["x"] == pytest.approx(first_s if is_after_fault else 0, abs=1.5)
