"""Tables and the figure of HADR planning, from output of the simulator that was recorded on a made-up network."""

from collections.abc import Iterator
from pathlib import Path

import altair as alt
import pytest

from pipeline.ingest import ingest
from reports.figures.hadr_planning import curves
from reports.store import opened
from reports.study_view import StudyView
from reports.tables import hadr_planning
from reports.tables.model import Table

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "simhadr"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of recorded simulator output is not here")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyView]:
    folder = tmp_path_factory.mktemp("planning")
    network = folder / "study" / "lan"
    network.mkdir(parents=True)
    for file in CORPUS.glob("gen_emu_man_*"):
        (network / file.name).write_bytes(file.read_bytes())
    for name in ("gen_write_fs1.txt", "gen_write_fs1000.txt"):
        (network / name).write_bytes((CORPUS / name).read_bytes())
    ingest(folder / "study", folder / "haledger.duckdb")
    with opened(folder / "haledger.duckdb") as connection:
        yield StudyView(connection)


def printed(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_modes_stand_from_the_safest_to_the_freest_for_each_flush_size(study: StudyView) -> None:
    (table,) = hadr_planning.modes(study)
    shown = [(row[2], row[1]) for row in printed(table)]
    modes = ["SYNC", "NEARSYNC", "ASYNC", "SUPERASYNC"]
    assert shown == [(flush, mode) for flush in ("8", "360") for mode in modes]
    ratios = {(row[2], row[1]): row[-1] for row in printed(table)}
    assert ratios["8", "ASYNC"] == "1.000"


def test_safer_modes_are_no_faster_by_the_model(study: StudyView) -> None:
    (table,) = hadr_planning.what_if(study)
    by_mode = {row[3]: float(row[4]) for row in printed(table) if row[2] == "8"}
    assert by_mode["SYNC"] <= by_mode["NEARSYNC"] <= by_mode["ASYNC"] <= by_mode["SUPERASYNC"]


def test_every_table_has_its_rows_and_statement(study: StudyView) -> None:
    for build in (hadr_planning.bottlenecks, hadr_planning.windows, hadr_planning.disks):
        (table,) = build(study)
        assert table.rows
        assert table.sql.startswith("-- One row per")


def test_curves_have_the_measured_points_on_them(study: StudyView) -> None:
    (figure,) = curves(study)
    alt.Chart.from_dict({**figure.spec})
    points = [each for panel in figure.spec["vconcat"] for each in panel["layer"][1]["data"]["values"]]
    assert {(each["mode"], each["pages"]) for each in points} >= {("SYNC", 8), ("NEARSYNC", 360), ("ASYNC", 8)}
    assert all("measured" in each["told"] for each in points)


def test_without_the_simulator_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "notes.txt").write_text("nothing\n")
    ingest(tmp_path / "study", tmp_path / "haledger.duckdb")
    with opened(tmp_path / "haledger.duckdb") as connection:
        empty = StudyView(connection)
        assert hadr_planning.modes(empty) == []
        assert curves(empty) == []
