import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import polars as pl
import pytest

from parsers.format import tables
from parsers.star import Star
from pipeline.discovery.walk import discover
from pipeline.errors import StoreError
from pipeline.reading import distributed_reading
from pipeline.reading.distributed_reading import Reader
from pipeline.reading.file_reading import FileToRead, read_files
from pipeline.reading.shared_rows import RemoteBatch, RowFiles, RowsPlace, StagedBatch, account, add_dimensions, read
from pipeline.reading.staging import Dimensions, Stage
from pipeline.study.manifest_entries import FileOverride
from tests.support.cluster_here import ClusterHere

if TYPE_CHECKING:
    from pipeline.cluster import Cluster

LINE = "2003/07/28 10:27:{second:02d} VCS INFO V-16-1-10077 it says {what}\n"
OLD_NS = 10**18


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distributed_reading, "BATCH_BYTES", 300)


@pytest.fixture
def files(tmp_path: Path) -> list[FileToRead]:
    """Three logs, each a batch, that say the same and own things."""
    study = tmp_path / "study"
    study.mkdir()
    for name in "abc":
        path = study / f"{name}.log"
        path.write_text("".join(LINE.format(second=each, what=f"{name if each % 3 else 'all'}") for each in range(6)))
        os.utime(path, ns=(OLD_NS, OLD_NS))
    (tmp_path / "rows").mkdir()
    sources = discover(study).sources
    return [FileToRead(number, source, FileOverride(match="*")) for number, source in enumerate(sources)]


def stage(folder: Path) -> Stage:
    folder.mkdir(exist_ok=True)
    return Stage(folder, 10**6, Dimensions(folder, 10**6))


def read_apart(files: list[FileToRead], folder: Path) -> tuple[int, list[RemoteBatch], Stage, dict[int, Any]]:
    here, found, into = ClusterHere(), list[RemoteBatch](), stage(folder / "stage")
    facts = Reader(cast("Cluster", here), folder / "rows").read(files, into, found)
    return here.counts.total(), found, into, facts


def test_rows_in_the_folder_say_what_rows_read_here_say(files: list[FileToRead], tmp_path: Path) -> None:
    sent, found, into, facts = read_apart(files, tmp_path)
    assert (sent, len(found)) == (3, 3)
    here = stage(tmp_path / "here")
    assert read_files(files, here) == facts
    table = tables()["vcs_event"]
    for batch in found:
        add_dimensions(into, batch, table.name)
    here.dimensions.number(table, here.look(table.name))
    into.dimensions.number(table, into.take_uses(table))
    expected = pl.concat(here.dimensions.numbered(table, each) for each in here.look(table.name))
    rows = []
    for batch in found:
        (own,) = [each for each in batch.tables if each.name == table.name]
        lines = read(batch.folder, own.lines)
        for name, staged in own.dimensions.items():
            numbers = into.dimensions.final(table, name).slice(batch.firsts[table.name, name], staged.count)
            lines = lines.with_columns(numbers.gather(lines[f"{name}_no"]).alias(f"{name}_no"))
        rows.append(lines.select(expected.columns))
    assert pl.concat(rows).sort("file_id", "line_no").equals(expected.sort("file_id", "line_no"))
    assert sum(staged.count for batch in found for each in batch.tables for staged in each.dimensions.values()) == 3 * 2


def test_a_batch_that_was_read_before_is_read_again_only_if_its_files_may_have_changed(
    files: list[FileToRead], tmp_path: Path
) -> None:
    _, _, _, facts = read_apart(files, tmp_path)
    sent, found, _, again = read_apart(files, tmp_path)
    assert (sent, len(found), again) == (0, 3, facts)
    log = Path(str(files[1].source.location))
    log.write_text(log.read_text().replace("all", "ALL"))
    now = [
        FileToRead(number, source, FileOverride(match="*"))
        for number, source in enumerate(discover(log.parent).sources)
    ]
    for _ in range(2):  # a file that has just changed may change once more
        assert read_apart(now, tmp_path)[0] == 1
    os.utime(log, ns=(OLD_NS + 1, OLD_NS + 1))
    aged = [
        FileToRead(number, source, FileOverride(match="*"))
        for number, source in enumerate(discover(log.parent).sources)
    ]
    assert [read_apart(aged, tmp_path)[0] for _ in range(2)] == [1, 0]


def test_what_is_not_whole_is_not_taken(files: list[FileToRead], tmp_path: Path) -> None:
    read_apart(files, tmp_path)
    cut, lost, spoilt = sorted((tmp_path / "rows").glob("*.json"))
    for harmed in (cut, lost):
        rows = next((tmp_path / "rows").glob(f"{harmed.stem}-*.parquet"))
        rows.unlink() if harmed is lost else rows.write_bytes(rows.read_bytes()[:-1])
    spoilt.write_bytes(spoilt.read_bytes()[:-1])
    assert read_apart(files, tmp_path)[0] == 3


def test_two_attempts_at_a_batch_do_not_mix(tmp_path: Path) -> None:
    place = RowsPlace(tmp_path, "batch")
    attempts: list[StagedBatch] = []
    for word in ("one", "other"):
        rows = RowFiles(place)
        lines = pl.DataFrame({"file_id": [1], "line_no": [1], "part": [1], "message_no": [0]})
        rows.add_rows("vcs_event", Star(lines, {"message": pl.DataFrame({"text": [word]})}, ("text",)))
        attempts.append(rows.write({}, is_whole=True))
    for word, batch in zip(("one", "other"), attempts, strict=True):
        assert read(tmp_path, batch.tables[0].dimensions["message"].rows)["text"].to_list() == [word]
    assert account(place) == attempts[1]
    with pytest.raises(StoreError, match="cannot be read: No such file"):
        read(tmp_path, "gone.parquet")
