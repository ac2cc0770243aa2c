"""A study whose runs were put under several loads: no line, bar or mean mixes them."""

from collections.abc import Iterator

import pytest

from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from reports.figures import catalogue
from reports.figures.draw.chart import Chart
from reports.figures.draw.scene import Dot, Line
from reports.figures.measured.measured import asked
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.naming import Naming
from reports.study.store import opened
from reports.study.view import StudyView
from tests.support.drawings import marks, panels

OUTPUT = """\
sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Number of threads: {clients}
Threads started!

{progress}SQL statistics:
    transactions:                        {count}  ({tps:.2f} per sec.)
General statistics:
    total time:                          3.0000s
Latency (ms):
         avg:                                    {latency:.2f}
"""
LOADS = (8, 32, 128)
MEANS = {"async": 100.0, "sync": 80.0}
"""Transactions per second under 8 clients, and twice and four times as many under more; runs are 2 below to 2 above."""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyView]:
    folder = tmp_path_factory.mktemp("loads")
    for configuration, mean in MEANS.items():
        (folder / "study" / configuration).mkdir(parents=True)
        for place, clients in enumerate(LOADS):
            for run, shift in enumerate((-2, 0, 2), 1):
                tps = mean * 2**place + shift
                progress = "".join(f"[ {s}s ] thds: {clients} tps: {tps:.2f} qps: 9.00\n" for s in (1, 2, 3))
                text = OUTPUT.format(clients=clients, progress=progress, count=3 * tps, tps=tps, latency=1000 / tps)
                (folder / "study" / configuration / f"rw_t{clients}_r{run}.log").write_text(text)
    ingest(folder / "study", folder / "haledger.duckdb")
    with opened(folder / "haledger.duckdb") as connection:
        yield StudyView(connection)


@pytest.fixture(scope="module")
def figures(study: StudyView) -> dict[str, Figure]:
    return catalogue.all_figures(study)


def test_throughput_and_latency_are_drawn_against_the_load_first(figures: dict[str, Figure]) -> None:
    names = list(figures)
    assert names[:2] == ["load-tps", "load-latency-avg-ms"]
    assert not any(name.startswith("measurement-") for name in names)
    (panel,) = panels(figures["load-tps"])
    dots = marks(panel, Dot)
    means, runs = [dot for dot in dots if dot.radius > 3], [dot for dot in dots if dot.radius < 3]
    assert [(dot.x, dot.y) for dot in means] == [
        (c, mean * 2**i) for mean in MEANS.values() for i, c in enumerate(LOADS)
    ]
    assert means[1].words.endswith("3 runs (transactions per second, 32 clients)")
    # t(2) = 4.303, s = 2: half width 4.303 * 2 / sqrt(3) = 4.968
    interval = next(line for line in marks(panel, Line) if line.points[0][0] == line.points[1][0] == LOADS[0])
    assert interval.points[0][1] == pytest.approx(100 - 4.968, abs=0.001)
    assert panel.x.scale.is_log
    assert sorted(dot.y for dot in runs)[:3] == [78, 80, 82]
    assert len(figures["load-tps"].rows) == 2 * 3 * 3


def test_each_load_has_a_panel_over_time_with_a_mean_of_its_own(figures: dict[str, Figure]) -> None:
    found = panels(figures["series-tps"])
    assert [panel.title for panel in found] == [f"{clients} clients" for clients in LOADS]
    for place, panel in enumerate(found):
        lines = marks(panel, Line)
        expected = [mean * 2**place for mean in MEANS.values()]
        thin = [{y for _, y in line.points} for line in lines if line.look.width < 1]
        assert thin == [{mean + shift} for mean in expected for shift in (-2, 0, 2)]
        assert [{y for _, y in line.points} for line in lines if line.look.width > 1] == [{mean} for mean in expected]


def test_a_figure_of_study_toml_names_one_load(study: StudyView) -> None:
    plain = Request(study, study.configurations, Naming("x"), {"metric": "tps"}, "figure x")
    with pytest.raises(UsageError, match=r"figure x: tps has several clients; option `clients` picks one: 8, 32, 128"):
        asked(plain, "tps")
    chosen = Request(study, study.configurations, Naming("x"), {"metric": "tps", "clients": 32}, "figure x")
    found = asked(chosen, "tps")
    assert [each["mean"] for each in found.points.values()] == [200, 160]
    assert [each["value"] for each in found.runs] == [198, 200, 202, 158, 160, 162]


def test_lines_are_named_in_a_legend_with_dash_and_shape(figures: dict[str, Figure]) -> None:
    scene = figures["load-tps"].scene
    assert isinstance(scene, Chart)
    assert [entry.name for entry in scene.legend] == list(MEANS)
    assert len({(entry.look.dash, entry.shape) for entry in scene.legend}) == len(MEANS)
