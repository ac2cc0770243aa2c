import io
import lzma
import pickle
import tarfile
from pathlib import Path

import pytest

from pipeline.discovery.walk import discover
from pipeline.errors import MachineError
from pipeline.parallel import most_bytes, most_s
from pipeline.reading import distributed_reading
from pipeline.reading.distributed_reading import Batch, batches, read_batch, read_one_by_one
from pipeline.reading.file_reading import FileToRead
from pipeline.study.manifest_entries import FileOverride


def files_of(study: Path) -> list[FileToRead]:
    return [
        FileToRead(number, source, FileOverride(match="*")) for number, source in enumerate(discover(study).sources)
    ]


def test_batches_are_filled_in_order_by_bytes_and_the_largest_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distributed_reading, "BATCH_BYTES", 100)
    for name, size in {"a": 10, "b": 90, "c": 60, "d": 150, "e": 30}.items():
        (tmp_path / f"{name}.log").write_text("x" * size)
    found = [[each.source.name[0] for each in batch.files] for batch in batches(files_of(tmp_path))]
    assert found == [["d"], ["a", "b"], ["c"], ["e"]]


def test_members_of_a_compressed_archive_stay_together_and_travel_without_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distributed_reading, "BATCH_BYTES", 100)
    with tarfile.open(tmp_path / "logs.tar.gz", "w:gz") as archive:
        for number in range(200):
            info = tarfile.TarInfo(f"{number}.log")
            info.size = 60
            archive.addfile(info, io.BytesIO(b"Nov  3 10:00:00 node1 kernel: up and running, all is well.\n\n"))
    (batch,) = batches(files_of(tmp_path))
    assert len(batch.files) == 200
    assert batch.files[0].source.inside is not None
    assert batch.files[0].source.inside.archive.listing.members == ()
    arrived: Batch = pickle.loads(pickle.dumps(Batch(batch.files[:3])))  # noqa: S301  our own
    with arrived.files[2].source.open() as stream:
        assert stream.read(6) == b"Nov  3"


def test_a_worker_names_the_files_that_it_does_not_see(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("Nov  3 10:00:00 node1 kernel: up\n")
    (tmp_path / "b.log").write_text("Nov  3 10:00:00 node1 kernel: up\n")
    files = files_of(tmp_path)
    (tmp_path / "b.log").rename(tmp_path / "away")
    found = read_batch(Batch((*files,)))
    assert found.unseen == {1: "no such file or directory"}
    assert set(found.facts) == {0}
    assert distributed_reading._seen_here(files[1], found.unseen[1]).facts[1].status == "unreadable"
    (tmp_path / "away").rename(tmp_path / "b.log")
    with pytest.raises(MachineError, match=r"a worker cannot read \S+b\.log: no such file or directory"):
        distributed_reading._seen_here(files[1], found.unseen[1])


def test_one_by_one_gives_what_a_batch_gives(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.log").write_text("Nov  3 10:00:00 node1 kernel: up\n" * 3)
    batch = Batch((*files_of(tmp_path),))
    assert read_one_by_one(batch).facts == read_batch(batch).facts


def test_a_batch_of_compressed_logs_may_take_what_its_lines_may(tmp_path: Path) -> None:
    text = b"Nov  3 10:00:00 node1 kernel: up and running, all is well.\n" * 300
    for name in "ab":
        (tmp_path / f"{name}.log.xz").write_bytes(lzma.compress(text))
    batch = Batch((*files_of(tmp_path),))
    assert most_s(batch.budget_bytes) >= 2 * most_s(len(text))
    assert most_bytes(batch.budget_bytes) >= most_bytes(2 * len(text))
