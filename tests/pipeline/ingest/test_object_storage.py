"""An unchanged study at an address is not read again; what changed is, and all else stays."""

from pathlib import Path

import duckdb
import pytest

from pipeline.discovery import address
from pipeline.discovery.address import study_at
from pipeline.ingest.ingest import ingest
from tests.pipeline.discovery.test_address import LINES, Counting, storage, tarred

__all__ = ["storage"]


def read(storage: Counting) -> set[str]:
    found = {path.removeprefix("/lab/study/") for path, _, _ in storage.read}
    storage.read.clear()
    return found


def test_an_unchanged_object_is_not_read_again(storage: Counting, tmp_path: Path) -> None:
    files = {
        "study.toml": b"[study]\nyear = 2003\n",
        "run01/messages": LINES,
        "run02/messages": LINES[:400],
        "run03/messages.7z": b"7z\xbc\xaf\x27\x1c rest",
        "more.tar.gz": tarred(messages=LINES[:800]),
    }
    for path, content in files.items():
        storage.pipe_file(f"/lab/study/{path}", content)
    study, db = study_at("counting://lab/study"), tmp_path / "x.duckdb"
    first = ingest(study, db)
    assert (first.read_count, first.status_counts["parsed"]) == (3, 3)
    assert read(storage) == set(files)
    assert ingest(study, db).is_unchanged
    assert read(storage) == set()
    storage.pipe_file("/lab/study/run02/messages", LINES[:800])
    storage.rm_file("/lab/study/run01/messages")
    again = ingest(study, db)
    assert (again.read_count, again.reused_count, again.vanished_count) == (1, 1, 1)
    assert read(storage) == {"run02/messages"}
    with duckdb.connect(db, read_only=True) as con:
        found = con.execute("select path, sha256 is not null from log.file_ledger order by path").fetchall()
    assert found == [("more.tar.gz!/messages", True), ("run02/messages", True)]


def test_a_folder_asks_no_file_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_opened", lambda _scheme: pytest.fail("a file system was asked for"))
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "messages").write_bytes(LINES[:400])
    assert ingest(tmp_path / "study", tmp_path / "x.duckdb").read_count == 1
