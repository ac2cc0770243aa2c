"""Tables and figures of HADR planning, from the sample study that was recorded on emulated networks."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.ingest.ingest import ingest
from reports.figures.draw.scene import Bar, Dot
from reports.figures.model import Figure
from reports.figures.planning.curves import curves
from reports.figures.planning.distributions import MOST_ROWS, distributions, distributions_of_many
from reports.findings.highlights import further, lead
from reports.findings.planning import advice, headlines
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import declared
from reports.tables.model import Table
from samples.files import SAMPLES
from tests.support.drawings import marks, panels, rows
from tests.support.sample import sample_store

TABLES = (
    "hadr-recommendations",
    "hadr-modes",
    "hadr-bottlenecks",
    "hadr-model",
    "hadr-disks",
    "hadr-what-if",
    "hadr-windows",
    "hadr-buffers",
    "hadr-repeats",
    "hadr-shipping",
    "hadr-outliers",
)

SAMPLE = SAMPLES / "hadr-simulator-2009"


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyView]:
    """The sample study of HADR planning."""
    with opened(sample_store(SAMPLE.name, tmp_path_factory)) as connection:
        yield StudyView(connection)


def printed(table: Table, configuration: str) -> list[list[str]]:
    """Cells of a configuration's rows, without its name."""
    return [[cell.text for cell in row[1:]] for row in table.rows if row[0].values == (configuration,)]


@pytest.mark.parametrize("name", TABLES)
def test_every_table_has_its_rows_its_place_and_its_statement(planned: StudyView, name: str) -> None:
    (table,) = declared(name).tables(planned)
    assert (table.name, table.section, table.topic) == (name, "results", "planning")
    assert table.rows
    assert table.sql.startswith("-- One row per")
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert all(len(values) == len(table.data_names) for values in table.data_rows())


def test_modes_stand_from_the_safest_to_the_freest_for_each_flush_size(planned: StudyView) -> None:
    (table,) = declared("hadr-modes").tables(planned)
    modes = ["SYNC", "NEARSYNC", "ASYNC", "SUPERASYNC"]
    rows = printed(table, "metro")
    assert [(row[1], row[0]) for row in rows] == [
        *(("8", mode) for mode in modes),
        ("17", "NEARSYNC"),
        *(("360", mode) for mode in modes),
    ]
    assert {row[-1] for row in rows if row[0] == "ASYNC"} == {"1.000"}


def test_settings_that_differ_in_buffers_only_can_be_distinguished(planned: StudyView) -> None:
    (table,) = declared("hadr-modes").tables(planned)
    assert len({tuple(row[:3]) for row in printed(table, "window-sweep")}) == 3


def test_outliers_name_their_line(planned: StudyView) -> None:
    (table,) = declared("hadr-outliers").tables(planned)
    assert all(row[-1].text.rpartition(":")[2].isdigit() for row in table.rows)
    assert [row[-3] for row in printed(table, "metro")][:1] == ["183"]


def test_the_simulator_s_numbers_are_not_printed_twice(planned: StudyView) -> None:
    assert planned.rows("measurements")
    assert declared("measurements").tables(planned) == []
    reported = [each.subject for each in (*lead(planned), *further(planned))]
    assert reported == [name for name, _ in headlines(planned)]


# --- figures ---------------------------------------------------------------------------------------------------------


def test_curves_have_the_measured_points_on_them(planned: StudyView) -> None:
    (figure,) = curves(planned)
    points = [dot for panel in panels(figure) for dot in marks(panel, Dot)]
    assert {(dot.shape, dot.x) for dot in points} >= {("circle", 8), ("square", 360), ("triangle", 8)}
    assert all("measured" in dot.words for dot in points)


def figure_of(figures: list[Figure], name: str) -> Figure:
    (found,) = [figure for figure in figures if figure.name == name]
    return found


def bars_of(figure: Figure, place: int) -> list[Bar]:
    """The bars of a row, counted over all panels."""
    lines = [(panel, row) for panel in panels(figure) for row in range(len(rows(panel)))]
    panel, row = lines[place]
    return [bar for bar in marks(panel, Bar) if int(bar.y[1]) == row]


def test_distributions_are_drawn_over_the_ranges_that_were_counted(planned: StudyView) -> None:
    figures = distributions_of_many(planned)
    shipping, congestion = figure_of(figures, "hadr-shipping-time"), figure_of(figures, "hadr-congestion")
    (bar,) = bars_of(shipping, 0)  # IBM: From 1024 to 2047, 3130 numbers
    assert bar.x == pytest.approx((1.024, 2.048))
    assert "3130 numbers, 100.0 %" in bar.words
    assert [re.findall(r": (\d+) numbers", each.words) for each in bars_of(congestion, 0)] == [["120"], ["3011"], ["5"]]
    assert "3130 numbers, mean 1.275 ms, at most 1.622" in shipping.description


def test_single_values_are_narrow_bars(planned: StudyView) -> None:
    sizes = figure_of(distributions_of_many(planned), "hadr-send-size")
    panel = next(place for place in range(20) if len(bars_of(sizes, place)) == 1)
    (bar,) = bars_of(sizes, panel)
    assert bar.x[1] / bar.x[0] < 1.1


def test_no_figure_is_taller_than_a_page(planned: StudyView) -> None:
    figures = distributions_of_many(planned)
    assert all(sum(len(rows(panel)) for panel in panels(figure)) <= MOST_ROWS for figure in figures)
    assert max(Counter(figure.name for figure in figures).values()) == 1


# --- sentences -------------------------------------------------------------------------------------------------------


def reported(study: StudyView, label: str) -> dict[str, str]:
    (found,) = [each for each in advice(study) if each.label.startswith(label)]
    return {point.about: point.text for point in found.points}


def test_a_recommendation_says_what_to_use_and_what_it_rests_on(planned: StudyView) -> None:
    points = reported(planned, "Metropolitan")
    assert points["Sync mode"].startswith(
        "Use NEARSYNC, the safest mode that ships no more than 10 % less than SUPERASYNC (20.03 MB/s measured): it "
        "ships 18.53 MB/s over 1 run, 7.5 % less. SYNC, the next safer mode that was run, ships 16.43 MB/s, 18.0 % less"
    )
    assert "By the model 256 pages or more will do. Set LOGBUFSZ" in points["Flush size"]
    assert "20 MB/s (declared in study.toml) times 5 ms" in points["Socket buffers"]
    assert "to 128 KiB or more" in points["Socket buffers"]
    assert "a commit waits 119.4 ms" in points["Cost"]
    assert "12.56 ms" in points["Cost"]
    assert points["Bottleneck"].startswith("The network: shipping takes 100.0 % of the run.")
    assert points["Bottleneck"].endswith("Flushes took 1.1 % longer than by the model.")


def test_the_published_run_was_bound_by_the_network_alone(planned: StudyView) -> None:
    points = reported(planned, "Published")
    assert "NEARSYNC is the only mode that was run: it ships 102.54 MB/s" in points["Sync mode"]
    assert "the network is the only bottleneck" in points["Bottleneck"]
    assert "21.2 % of the run is congestion" in points["Bottleneck"]


def test_warnings_stand_beside_the_recommendation_the_gravest_first(planned: StudyView) -> None:
    (metro,) = [each for each in advice(planned) if each.label.startswith("Metropolitan")]
    assert [each.is_grave for each in metro.warnings] == sorted(
        (each.is_grave for each in metro.warnings), reverse=True
    )
    assert metro.warnings[0].text == "All 18 runs: both ends were on one host (loopback): no real network was measured."
    assert metro.warnings[-1].text.startswith("8 of 9 settings: run once")


def test_configurations_are_in_the_order_of_the_study(planned: StudyView) -> None:
    order = [each.label for each in planned.configurations]
    shown = [each.label for each in advice(planned)]
    assert shown == [label for label in order if label in shown]
    assert len(shown) == 4


def test_headlines_name_the_grave_doubts(planned: StudyView) -> None:
    found = dict(headlines(planned))
    assert found["Published run, gigabit Ethernet"] == (
        "NEARSYNC in flushes of 32 pages ships 102.54 MB/s, 10.8 % less than ASYNC by the model (the only mode "
        "run), over 1 run; the bottleneck is the network. Doubtful: runs shorter than 10 s."
    )


def study_in(folder: Path, files: dict[str, str]) -> Path:
    """The store of a study of these files."""
    for path, text in files.items():
        file = folder / "study" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    ingest(folder / "study", folder / "haledger.duckdb")
    return folder / "haledger.duckdb"


def test_runs_without_a_result_give_warnings_and_no_recommendation(tmp_path: Path) -> None:
    text = (SAMPLE / "paper" / "primary.txt").read_text()
    with opened(study_in(tmp_path, {"c/a.txt": text[: text.index("Connected.")]})) as connection:
        (only,) = advice(StudyView(connection))
        assert only.points == ()
        assert only.warnings[0].text == "The only run: ended without a result."


def test_without_a_known_network_it_is_said_what_is_missing(tmp_path: Path) -> None:
    text = (SAMPLE / "paper" / "primary.txt").read_text()
    with opened(study_in(tmp_path, {"c/a.txt": text})) as connection:
        assert "give `network_mb_s` and `round_trip_s`" in reported(StudyView(connection), "c")["Socket buffers"]


def test_a_safer_mode_that_is_faster_ships_more_and_not_less_than_nothing(tmp_path: Path) -> None:
    # on one host without a disk nothing is waited for, and the order of modes is chance
    text = (SAMPLE / "paper" / "primary.txt").read_text()
    slower = text.replace("NEARSYNC", "ASYNC").replace("102.542793 MBytes", "50.000000 MBytes")
    with opened(study_in(tmp_path, {"c/a.txt": text, "c/b.txt": slower})) as connection:
        study = StudyView(connection)
        assert "105.1 % more than ASYNC" in dict(headlines(study))["c"]
        assert "over 1 run, 105.1 % more." in reported(study, "c")["Sync mode"]


def test_a_single_line_of_result_is_enough_for_what_it_shows(tmp_path: Path) -> None:
    # REAL, IBM's page on tuning of TCP
    line = "ASYNC: Total 2097152 bytes in 12.460158 seconds, 0.168309 MBytes/sec\n"
    with opened(study_in(tmp_path, {"c/a.txt": line})) as connection:
        study = StudyView(connection)
        points = reported(study, "c")
        assert points["Flush size"] == "Not shown: the output does not tell it."
        assert points["Cost"] == "Not shown: the output does not tell how long a flush took."
        assert dict(headlines(study))["c"].startswith("ASYNC ships 0.17 MB/s (the only mode run)")


def test_without_the_simulator_there_is_nothing(tmp_path: Path) -> None:
    with opened(study_in(tmp_path, {"notes.txt": "nothing\n"})) as connection:
        empty = StudyView(connection)
        assert [table for name in TABLES for table in declared(name).tables(empty)] == []
        assert curves(empty) == []
        assert distributions(empty) == distributions_of_many(empty) == []
        assert advice(empty) == []
        assert headlines(empty) == []
