"""Frames that wait: the same in memory and on disk, in the order in which they came."""

from pathlib import Path

import polars as pl
import pytest

from pipeline.memory import MEBIBYTE, held_bytes
from pipeline.reading.frames import Frames

FRAMES = [pl.DataFrame({"line_no": [number], "text": ["a" * 100]}) for number in range(4)]


@pytest.mark.parametrize(
    ("budget_bytes", "spilled_count"),
    [pytest.param(10_000, 0, id="memory"), pytest.param(0, 4, id="disk"), pytest.param(250, 2, id="both")],
)
def test_frames_come_out_as_they_went_in(tmp_path: Path, budget_bytes: int, spilled_count: int) -> None:
    stage = Frames(tmp_path, budget_bytes)
    for frame in FRAMES:
        stage.add("vcs_event", frame)
    assert len(list(tmp_path.iterdir())) == spilled_count
    assert pl.concat(stage.take("vcs_event")).equals(pl.concat(FRAMES))
    assert list(tmp_path.iterdir()) == []


def test_what_was_taken_is_gone(tmp_path: Path) -> None:
    stage = Frames(tmp_path, 0)
    stage.add("vcs_event", FRAMES[0])
    stage.add("db2diag_record", FRAMES[1])
    assert stage.names() == ["db2diag_record", "vcs_event"]
    list(stage.take("vcs_event"))
    assert stage.names() == ["db2diag_record"]
    assert list(stage.take("vcs_event")) == []


@pytest.mark.parametrize("budget_bytes", [pytest.param(10_000, id="memory"), pytest.param(0, id="disk")])
@pytest.mark.parametrize("multiple", [1, 2, 3, 5])
def test_rows_come_out_in_multiples(tmp_path: Path, budget_bytes: int, multiple: int) -> None:
    stage = Frames(tmp_path, budget_bytes)
    for frame in FRAMES:
        stage.add("vcs_event", frame)
    taken = list(stage.take("vcs_event", multiple))
    assert pl.concat(taken).equals(pl.concat(FRAMES))
    assert [frame.height % multiple for frame in taken[:-1]] == [0] * (len(taken) - 1)


def test_a_column_without_a_value_comes_back(tmp_path: Path) -> None:
    stage = Frames(tmp_path, 10_000)
    frames = [
        pl.DataFrame({"line_no": [1], "host": host}, schema_overrides={"host": pl.String}) for host in (None, "a")
    ]
    for frame in frames:
        stage.add("vcs_event", frame)
    assert pl.concat(stage.take("vcs_event")).equals(pl.concat(frames))


@pytest.mark.parametrize("budget_bytes", [pytest.param(10_000, id="memory"), pytest.param(0, id="disk")])
def test_rows_are_found_at_their_places_in_all_frames(tmp_path: Path, budget_bytes: int) -> None:
    stage = Frames(tmp_path, budget_bytes)
    schema = {"line_no": pl.Int64, "host": pl.String, "tag": pl.String}
    frames = [
        pl.DataFrame({"line_no": [0, 1], "host": [None, None], "tag": ["x", None]}, schema=schema),
        pl.DataFrame({"line_no": [2], "host": ["a"], "tag": [None]}, schema=schema),
        pl.DataFrame({"line_no": [3, 4, 5], "host": ["b", None, "c"], "tag": [None] * 3}, schema=schema),
    ]
    for each in frames:
        stage.add("vcs_event", each)
    for places in ([], [0], [1, 2, 5], [3, 4], [0, 1, 2, 3, 4, 5]):
        found = stage.gather("vcs_event", pl.Series(places, dtype=pl.UInt32))
        assert found.equals(pl.concat(frames)[places])
    assert pl.concat(stage.take("vcs_event")).equals(pl.concat(frames))


@pytest.mark.parametrize(
    "cut",
    [
        pytest.param(pl.col("text").str.slice(0, 30), id="a piece"),
        pytest.param(pl.col("text").str.extract(r"(word, other words of \d+)"), id="what a pattern finds"),
        pytest.param(pl.col("text").str.slice(0, 30).str.split(", "), id="a list of pieces"),
    ],
)
def test_no_staged_text_keeps_the_lines_it_was_cut_from(tmp_path: Path, cut: pl.Expr) -> None:
    stage, before, most = Frames(tmp_path, 1024 * MEBIBYTE), held_bytes(), 0
    for chunk in range(30):
        texts = [f"{chunk} {number} word, other words of {number}; {'x' * 4000}" for number in range(1000)]
        stage.add("a", pl.DataFrame({"text": texts}).select(cut))
        del texts
        most = max(most, held_bytes() - before)
    assert most < 30 * 4_000_000 / 2  # a third of it and less; all of it where pieces keep their chunks
