"""A store whose parts lie on a real S3 server holds what any store does, and answers as any does."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import s3fs

from pipeline.discovery import written_files
from pipeline.discovery.written_files import folder_at
from pipeline.ingest.ingest import ingest
from pipeline.ingest.layout import Layout
from pipeline.reading import distributed_reading
from pipeline.store import part, rows_by_group, store
from tests.support.command import Outcome, haledger
from tests.support.dask_cluster import served
from tests.support.ingest_study import ENGINE, NOW, age
from tests.support.s3_server import SECRETS, Server
from tests.support.same_rows import comments, different

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the S3 client and of Dask are not ours

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "samples" / "failover-modern"
ROW = ("milestone_stats", "configuration=default,milestone=complete")
PARTS = "s3://lab/parts"
BATCH_BYTES = 60_000
"""The sample has a dozen of these."""

LAYOUT = ("--store-layout", "parquet", "--parts", PARTS)


@pytest.fixture(autouse=True)
def bucket(storage: Any) -> Any:
    storage.mkdir("lab")
    yield
    storage.rm("lab", recursive=True)


def ask(folder: Path, *arguments: object) -> Outcome:
    s3fs.S3FileSystem.clear_instance_cache()  # it has the credentials of before
    found = haledger(*map(str, arguments), cwd=folder, environment=os.environ)
    assert not any(secret in found.stdout + found.stderr for secret in SECRETS.values())
    assert "Traceback" not in found.stderr
    return found


def in_bucket(study: Path, db: Path) -> None:
    ingest(study, db, now=NOW, layout=Layout("parquet", folder_at(PARTS)))


def in_file(study: Path, db: Path) -> Path:
    ingest(study, db, now=NOW, layout=Layout("duckdb"))
    return db


def parts_of(db: Path) -> list[str]:
    """The addresses of a store's parts; there are no other objects in its folder."""
    with store.opened(db) as con:
        parts, folder = part.listed(con), folder_at(store.info(con, db).parts)
    assert {each.path for each in parts} == {str(folder / name) for name in written_files.files(folder)}
    assert part.damaged(parts) == []
    return [each.path for each in parts]


def test_commands_answer_as_from_one_file_and_no_part_is_read_without_need(server: Server, tmp_path: Path) -> None:
    study, db = tmp_path / "study", tmp_path / "a.duckdb"
    shutil.copytree(SAMPLE, study)
    made = ask(tmp_path, "ingest", study, "--db", db, *LAYOUT)
    assert made.returncode == 0, made.stderr
    assert not any(secret.encode() in db.read_bytes() for secret in SECRETS.values())
    expected = tmp_path / "b.duckdb"
    ingest(study, expected)
    for threads in (1, 2):
        assert different(expected, db, threads, has_views=threads == 2) == []
    assert comments(db) == comments(expected)
    for arguments in (
        ("sql", "select * from event_line order by all", "--format", "csv"),
        ("trace", *ROW, "mean_s", "--study", study),
    ):
        answers = [ask(tmp_path, *arguments, "--db", each) for each in (db, expected)]
        assert answers[0].returncode == 0, answers[0].stderr
        assert answers[0].stdout == answers[1].stdout
    verified = ask(tmp_path, "verify", db, "--study", study)
    assert (verified.returncode, "Parquet files" in verified.stdout) == (0, True), verified.stdout
    before = parts_of(db)
    server.requests()
    assert ask(tmp_path, "ingest", study, "--db", db).returncode == 0
    assert [each for each in server.requests() if ".parquet" in each] == []
    log = min(study.rglob("engine_A.log"))
    log.write_text(log.read_text() + ENGINE.format(second=59))
    ingest(study, db)
    requests = server.requests()
    ingest(study, expected)
    assert different(expected, db) == []
    kept = set(before) & set(parts_of(db))
    assert kept
    assert not [each for each in requests if each.startswith("PUT") and any(path[5:] in each for path in kept)]


def test_a_part_that_is_missing_or_damaged_is_named(storage: Any, tmp_path: Path) -> None:
    db = tmp_path / "own.duckdb"
    in_bucket(SAMPLE, db)
    path = next(each for each in parts_of(db) if "/vcs_event_line/" in each)
    content = storage.cat_file(path)
    asked = (
        ("sql", "select count(*) from event", "--db", db),
        ("trace", *ROW, "mean_s", "--db", db),
        ("verify", db),
        ("ingest", SAMPLE, "--db", db),
        ("export", "-o", tmp_path / "out", "--db", db),
    )
    middle = len(content) // 2
    flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    time.sleep(1.1)  # S3 has seconds
    for harm in (None, content[:-9], flipped):
        if harm is None:
            storage.rm_file(path)
        else:
            storage.pipe_file(path, harm)
        for arguments in asked:
            found = ask(tmp_path, *arguments)
            assert (found.returncode, path in found.stderr) == (4, True), (harm, arguments, found.stderr)
    options = ("--replace", *LAYOUT)
    assert ask(tmp_path, "ingest", SAMPLE, "--db", db, *options).returncode == 0
    assert storage.cat_file(path) == content


def test_statements_read_the_parts_and_no_other_object(storage: Any, tmp_path: Path) -> None:
    db = tmp_path / "own.duckdb"
    in_bucket(SAMPLE, db)
    path = parts_of(db)[0]
    content = storage.cat_file(path)
    storage.pipe_file("lab/other.parquet", content)
    for sql in (
        "from read_parquet('s3://lab/other.parquet')",
        f"from read_parquet('{path.rpartition('/')[0]}/*.parquet')",
        f"explain analyze copy (select 1) to '{path}' (use_tmp_file false)",
        f"copy (select 1) to '{path}' (use_tmp_file false)",
        "copy (select 1) to 's3://lab/new.parquet'",
        "from read_text('/etc/passwd')",
    ):
        found = ask(tmp_path, "sql", sql, "--db", db)
        assert (found.returncode, found.stdout) == (2, ""), (sql, found.stderr)
    assert storage.cat_file(path) == content
    assert not storage.exists("lab/new.parquet")


def test_what_a_killed_ingest_left_is_removed_by_the_next_one(storage: Any, tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    command = [sys.executable, "-m", "haledger", "ingest", str(SAMPLE), "--db", str(db), *LAYOUT]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not [each for each in storage.find("lab") if each.endswith(".parquet")]:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert not db.exists()
    folder = part.own_folder(folder_at(PARTS), db)
    written_files.put(folder / "vcs_event_line", f"{'0' * 64}.parquet", b"of another time")
    in_bucket(SAMPLE, db)
    parts_of(db)
    assert different(in_file(SAMPLE, tmp_path / "b.duckdb"), db) == []
    in_file(SAMPLE, db)
    assert storage.find("lab/parts") == []


def test_workers_write_parts_into_the_bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distributed_reading, "BATCH_BYTES", 400_000)
    monkeypatch.setattr(rows_by_group, "GROUP_LINES", 1)
    study, db = tmp_path / "study", tmp_path / "a.duckdb"
    for name in ("x", "y"):
        shutil.copytree(SAMPLE, study / name, ignore=shutil.ignore_patterns("study.toml"))
    age(study)  # what changes just before it is read is read again
    with served(tmp_path) as two:
        with two.cluster(study) as cluster:
            ingest(study, db, now=NOW, cluster=cluster, layout=Layout("parquet", folder_at(PARTS)))
        assert parts_of(db)
        assert different(in_file(study, tmp_path / "b.duckdb"), db) == []
        log = min(study.rglob("engine_A.log"))
        log.write_text(log.read_text() + ENGINE.format(second=59))
        with two.cluster(study) as cluster:
            ingest(study, db, now=NOW, cluster=cluster)
    parts_of(db)
    assert different(in_file(study, tmp_path / "b.duckdb"), db) == []


def test_what_goes_wrong_is_explained(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "a.duckdb"
    in_bucket(SAMPLE, db)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "messages").write_text("Jul 28 10:27:04 sun-ha4 kernel: up\n" * 20)

    def refused(parts: str, code: int, words: str) -> None:
        options = ("--db", tmp_path / "x.duckdb", "--store-layout", "parquet", "--parts", parts)
        found = ask(tmp_path, "ingest", tmp_path / "new", *options)
        assert (found.returncode, words in found.stderr) == (code, True), found.stderr
        assert not (tmp_path / "x.duckdb").exists()

    refused("s3://nowhere/parts", 4, "no such object or bucket")
    refused("s3://user:password@lab/parts", 2, "without a user, a password or a query")
    refused("s3://lab/a*b", 2, "--parts")
    query = ("sql", "select count(*) from event", "--db", db)
    server.deny("0")
    try:
        refused(PARTS, 4, "no permission")
        denied = ask(tmp_path, *query)
    finally:
        server.deny("inf")
    assert (denied.returncode, "no permission" in denied.stderr) == (4, True), denied.stderr
    for name in SECRETS:
        monkeypatch.delenv(name)
    refused(PARTS, 4, "no credentials were found")
    lost = ask(tmp_path, *query)
    assert (lost.returncode, "no credentials were found" in lost.stderr) == (4, True), lost.stderr
