"""Figures and words of a study of performance, from output of pgbench that was written for this test."""

from collections.abc import Iterator

import altair as alt
import pytest

from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from reports.figures import catalogue
from reports.figures.measured.measured import asked
from reports.figures.measured.measurement_bars import bars_of
from reports.figures.measured.sweep import Sweep, sweep_of
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.figures.series.series import Drawing, metric_series, series_of
from reports.findings.highlights import highlights
from reports.naming import Naming
from reports.study.store import Store, opened
from reports.study.view import StudyView
from reports.tables.catalogue import declared
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
    layers = figures["measurement-tps"].spec["layer"]
    means = layers[0]["data"]["values"]
    assert [each["mean"] for each in means] == list(MEANS.values())
    # t(2) = 4.303, s = 2: half width 4.303 * 2 / sqrt(3) = 4.968
    assert means[0]["low"] == pytest.approx(100 - 4.968, abs=0.001)
    dots = layers[2]["data"]["values"]
    assert len(dots) == 9
    assert dots[0]["description"].endswith("queue_depth=32/run01/pgbench.txt:17")


def test_sweep_is_drawn_along_the_factor_of_the_folder_names(figures: dict[str, Figure]) -> None:
    layers = figures["sweep"].spec["layer"]
    ideal, line = layers[0]["data"]["values"], layers[1]["data"]["values"]
    assert [(each["at"], each["mean"]) for each in line] == [(32, 1.0), (64, 1.5), (128, 2.0)]
    assert ideal[-1] == {"at": 128, "mean": 4.0}


def test_few_configurations_share_a_panel_with_every_run_and_their_means(figures: dict[str, Figure]) -> None:
    (panel,) = figures["series-tps"].spec["vconcat"]
    runs, means = (each["data"]["values"] for each in panel["layer"])
    first = next(iter(MEANS))
    own = [each for each in runs if each["configuration"].endswith(f"={first}") and " run01" in each["run"]]
    assert [(each["x"], each["value"]) for each in own] == [(1.0, 98.0), (2.0, 98.0), (3.0, 98.0)]
    assert len({each["run"] for each in runs}) == 9
    # 98, 100 and 102
    assert [(each["x"], each["value"]) for each in means[:3]] == [(1.0, 100.0), (2.0, 100.0), (3.0, 100.0)]
    looks = panel["layer"][1]["encoding"]
    assert len(set(looks["color"]["scale"]["range"])) == len(MEANS)
    assert len({tuple(each) for each in looks["strokeDash"]["scale"]["range"]}) == len(MEANS)


def test_many_configurations_and_those_asked_for_have_a_panel_each_on_one_scale(study: StudyView) -> None:
    what = metric_series(study, "tps")
    assert what is not None
    panels = series_of(study, what, study.configurations, Naming("x"), Drawing(overlaid=False)).spec["vconcat"]
    assert len(panels) == len(MEANS)
    assert len({panel["layer"][-1]["encoding"]["y"]["scale"]["domain"][1] for panel in panels}) == 1


def test_every_figure_follows_the_schema_of_vega_lite(figures: dict[str, Figure]) -> None:
    for figure in figures.values():
        alt.Chart.from_dict({**figure.spec})


def test_table_and_highlights_say_the_same(study: StudyView) -> None:
    (table,) = declared("measurements").tables(study)
    row = next(row for row in table.rows if row[0].text.startswith("transactions per second") and "=64" in row[1].text)
    assert [cell.text for cell in row][2:5] == ["3", "150 ± 2", "1.500"]
    reported = {each.subject: each.sentence for each in highlights(study).found}
    sentence = reported["queue_depth=64 against queue_depth=32"]
    assert sentence.startswith("150 instead of 100 transactions per second, 50 % more (95 % CI ")


def test_asked_for_what_is_not_there_the_answer_names_what_is(study: StudyView) -> None:
    request = Request(study, study.configurations, Naming("x"), {}, "figure")
    with pytest.raises(UsageError, match=r"no metric 'iops' in the data; known: .*tps"):
        asked(request, "iops")
    what = asked(request, "tps")
    with pytest.raises(UsageError, match="no factor 'cpus' with numbers; known: queue_depth"):
        sweep_of(what, Sweep("cpus"), Naming("x"), "figure")


def test_bars_by_a_factor_are_in_a_panel_for_each_value(study: StudyView) -> None:
    what = asked(Request(study, study.configurations, Naming("x"), {}, "figure"), "tps")
    panels = bars_of(what, Naming("x"), group="queue_depth").spec["vconcat"]
    assert [panel["title"]["text"] for panel in panels] == [f"queue depth: {depth}" for depth in MEANS]


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
