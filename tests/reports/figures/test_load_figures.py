"""A study whose runs were put under several loads: no line, bar or mean mixes them."""

from collections.abc import Iterator
from itertools import pairwise
from statistics import fmean

import pytest

from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from reports.figures import catalogue
from reports.figures.measured.measured import asked
from reports.figures.measured.sweep import Axes, lines_along
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.naming import Naming
from reports.study.store import opened
from reports.study.view import StudyView

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
    layers = {layer["mark"]["type"]: layer for layer in figures["load-tps"].spec["layer"]}
    means = [(each["line"], each["at"], each["mean"]) for each in layers["point"]["data"]["values"]]
    expected = [(name, clients, mean * 2**i) for name, mean in MEANS.items() for i, clients in enumerate(LOADS)]
    assert means == pytest.approx(expected)
    assert layers["point"]["data"]["values"][1]["description"].endswith("3 runs (transactions per second, 32 clients)")
    # t(2) = 4.303, s = 2: half width 4.303 * 2 / sqrt(3) = 4.968
    assert layers["point"]["data"]["values"][0]["low"] == pytest.approx(100 - 4.968, abs=0.001)
    assert layers["point"]["encoding"]["x"]["scale"]["type"] == "log"
    assert [each["value"] for each in layers["circle"]["data"]["values"][:3]] == [98, 198, 398]
    assert len(figures["load-tps"].rows) == 2 * 3 * 3


def test_each_load_has_a_panel_over_time_with_a_mean_of_its_own(figures: dict[str, Figure]) -> None:
    panels = figures["series-tps"].spec["vconcat"]
    assert [panel["title"]["text"].split(",")[0] for panel in panels] == [f"{clients} clients" for clients in LOADS]
    for place, panel in enumerate(panels):
        thin, thick = (layer["data"]["values"] for layer in panel["layer"])
        for configuration, mean in MEANS.items():
            drawn = [each for each in thin if each["configuration"] == configuration]
            lines: dict[str, list[float]] = {}
            for each in drawn:
                lines.setdefault(each["run"], []).append(each["value"])
            assert sorted(map(fmean, lines.values())) == [mean * 2**place + shift for shift in (-2, 0, 2)]
            assert all(len(set(values)) == 1 for values in lines.values())
            means = [each["value"] for each in thick if each["configuration"] == configuration]
            assert means == [mean * 2**place] * 3


def test_a_figure_of_study_toml_names_one_load(study: StudyView) -> None:
    plain = Request(study, study.configurations, Naming("x"), {"metric": "tps"}, "figure x")
    with pytest.raises(UsageError, match=r"figure x: tps has several clients; option `clients` picks one: 8, 32, 128"):
        asked(plain, "tps")
    chosen = Request(study, study.configurations, Naming("x"), {"metric": "tps", "clients": 32}, "figure x")
    found = asked(chosen, "tps")
    assert [each["mean"] for each in found.points.values()] == [200, 160]
    assert [each["value"] for each in found.runs] == [198, 200, 202, 158, 160, 162]


def test_names_of_lines_that_end_at_one_value_are_short_and_clear_of_each_other() -> None:
    ends = {f"a configuration with a very long name, number {number}": 1000.0 + number for number in range(5)}
    points = [
        {"line": name, "at": at, "mean": mean * at, "low": mean * at, "high": mean * at, "description": name}
        for name, mean in ends.items()
        for at in (1, 2)
    ]
    named = lines_along(points, [], Axes("clients", "transactions per second"))["layer"][-1]["data"]["values"]
    places = [each["beside"] for each in named]
    assert places == sorted(places)
    assert all(later - earlier >= 2000 * 12 / 230 for earlier, later in pairwise(places))
    assert len({each["name"] for each in named}) == 5
    assert all(len(each["name"]) <= 22 for each in named)
