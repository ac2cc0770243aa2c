"""Workers number what lines say as one process does."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import polars as pl
import pytest

from parsers.format import tables
from parsers.star import number_column
from pipeline.discovery.walk import discover
from pipeline.ingest.distributed_numbers import number_on_workers
from pipeline.ingest.part_writing import Parts, Written
from pipeline.reading import distributed_reading
from pipeline.reading.distributed_reading import Reader
from pipeline.reading.file_reading import FileToRead, read_files
from pipeline.reading.shared_rows import RemoteBatch, read
from pipeline.reading.staging import Dimensions, Stage
from pipeline.study.manifest_entries import FileOverride
from tests.support.cluster_here import ClusterHere

if TYPE_CHECKING:
    from pipeline.cluster import Cluster
    from pipeline.ingest.staged_rows import StagedRows

LINE = "2003/07/28 10:27:{second:02d} VCS INFO V-16-1-10077 it says {what}\n"
OLD_NS = 10**18
TABLE, DIMENSION = "vcs_event", "message"
SPOILT = 2
"""A file of which no row counts: others say first what it says."""


class TakenParts(Parts):
    """Parts that are written into a folder and of which no store knows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written: list[str] = []

    def take(self, written: Written) -> None:
        self.written.append(written.part.path)


class Rows:
    """Rows that all lie in the folder."""

    def __init__(self, batches: list[RemoteBatch]) -> None:
        self._batches = batches

    def batches(self) -> Iterator[tuple[RemoteBatch, frozenset[int]]]:
        return ((each, frozenset({SPOILT}).intersection(each.file_ids)) for each in self._batches)

    def is_on_workers(self, _table: object) -> bool:
        return True


@pytest.fixture
def files(tmp_path: Path) -> list[FileToRead]:
    """Logs that say the same and own things, in another order in each."""
    study = tmp_path / "study"
    study.mkdir()
    (tmp_path / "rows").mkdir()
    for number in range(7):
        texts = [LINE.format(second=each, what=f"no {(each * each + 7 * number * each) % 41}") for each in range(30)]
        path = study / f"{number}.log"
        path.write_text("".join(texts))
        os.utime(path, ns=(OLD_NS, OLD_NS))
    return [FileToRead(number, each, FileOverride(match="*")) for number, each in enumerate(discover(study).sources)]


def test_numbers_and_rows_are_those_of_one_process(
    files: list[FileToRead], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distributed_reading, "BATCH_BYTES", 4_000)
    here, parts, table = ClusterHere(), TakenParts(tmp_path / "parts"), tables()[TABLE]
    batches: list[RemoteBatch] = []
    Reader(cast("Cluster", here), tmp_path / "rows").read(files, stage(tmp_path / "facts"), batches)
    assert here.counts["read_batch"] > 2
    own = number_on_workers(parts, cast("StagedRows", Rows(batches)), (), cast("Cluster", here))
    assert own == {TABLE}
    assert here.counts["number_table"] == 1

    local = stage(tmp_path / "local")
    read_files([each for each in files if each.file_id != SPOILT], local)
    local.dimensions.number(table, local.look(TABLE))
    lines = pl.concat(local.dimensions.numbered(table, each) for each in local.look(TABLE))
    said = pl.concat(local.dimensions.take(table, DIMENSION))

    assert numbered_lines(batches).equals(in_order(lines))
    written = pl.concat(pl.read_parquet(each) for each in parts.written).sort("message_no")
    assert written.equals(said.select(written.columns).sort("message_no"))
    assert written["message_no"].to_list() == list(range(1, said.height + 1))


def numbered_lines(batches: list[RemoteBatch]) -> pl.DataFrame:
    """The lines of batches that count, with the numbers that workers gave."""
    column, found = number_column(DIMENSION), []
    for batch in batches:
        (staged,) = [each for each in batch.tables if each.name == TABLE]
        numbers, own = batch.numbers[TABLE, DIMENSION].read(batch.folder).to_series(), read(batch.folder, staged.lines)
        assert len(numbers) == staged.dimensions[DIMENSION].count
        found.append(own.with_columns(numbers.gather(own[column]).alias(column)))
    return in_order(pl.concat(found).filter(pl.col("file_id") != SPOILT))


def in_order(lines: pl.DataFrame) -> pl.DataFrame:
    return lines.select("file_id", "line_no", "part", number_column(DIMENSION)).sort("file_id", "line_no", "part")


def stage(folder: Path) -> Stage:
    folder.mkdir()
    return Stage(folder, 10**6, Dimensions(folder, 10**6))
