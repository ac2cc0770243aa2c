"""Workers that write the Parquet parts of a store write those of one process, whatever ends while they do."""

import gzip
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

from pipeline.cluster import Cluster
from pipeline.discovery import written_files
from pipeline.errors import MachineError, StoreError, UsageError
from pipeline.ingest import distributed_relations
from pipeline.ingest import layout as layouts
from pipeline.ingest.ingest import ingest
from pipeline.reading import distributed_reading
from pipeline.store import part, rows_by_group, store
from tests.support.dask_cluster import ROOT, Served, ingest_in_parts, served
from tests.support.ingest_study import ENGINE, NOW, age
from tests.support.same_rows import comments, different

pytestmark = pytest.mark.filterwarnings("ignore")  # those of Dask are not ours

SAMPLE = ROOT / "samples" / "failover-modern"
BATCH_BYTES = 60_000
"""The sample has a dozen of these."""

BEFORE_RELATIONS = {"read_batch", "write_parts", "reading"}
"""Steps of an ingest before its relations are filled."""


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("cluster"), reading_s=0.1, part_s=0.03) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample with copies of logs: half of one, a whole one compressed, and a folder in an archive."""
    folder = tmp_path_factory.mktemp("study") / "study"
    shutil.copytree(SAMPLE, folder)
    log = max(folder.rglob("messages*"), key=lambda each: each.stat().st_size)
    lines = log.read_text().splitlines(keepends=True)
    (log.parent / f"{log.name}.1").write_text("".join(lines[: len(lines) // 2]))
    with gzip.open(log.parent / f"{log.name}.2.gz", "wt") as file:
        file.writelines(lines)
    with tarfile.open(folder / "more.tar.gz", "w:gz") as archive:
        archive.add(next(each for each in sorted(SAMPLE.iterdir()) if each.is_dir()), "further")
    age(folder)
    return folder


@pytest.fixture(scope="module")
def local(study: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = tmp_path_factory.mktemp("local") / "local.duckdb"
    ingest(study, db, now=NOW)
    return db


@pytest.fixture(scope="module")
def batches(study: Path, two: Served, tmp_path_factory: pytest.TempPathFactory) -> int:
    """In how many batches the study is read."""
    with pytest.MonkeyPatch.context() as patch, two.cluster(study) as cluster:
        patch.setattr(distributed_reading, "BATCH_BYTES", BATCH_BYTES)
        return in_parts(study, tmp_path_factory.mktemp("whole") / "a.duckdb", cluster)


@pytest.fixture(autouse=True)
def small_batches(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relations are filled in groups, which costs as much as the rest, but where what ends has ended before."""
    monkeypatch.setattr(distributed_reading, "BATCH_BYTES", BATCH_BYTES)
    step = request.node.callspec.params.get("step") if hasattr(request.node, "callspec") else None
    if step not in BEFORE_RELATIONS:
        monkeypatch.setattr(rows_by_group, "GROUP_LINES", 1)


def in_parts(study: Path, db: Path, cluster: Cluster, after: Callable[[str, int], None] = lambda _n, _c: None) -> int:
    """Ingest on a cluster, with parts beside the store; give how many batches were read."""
    return ingest_in_parts(study, db, cluster, db.parent / "parts", after)


def holds(db: Path, expected: Path) -> None:
    """The store has all rows, and there is no file beside its parts."""
    assert different(expected, db) == []
    with store.opened(db) as con:
        listed, folder = part.listed(con), store.info(con, db).parts
        rows = dict(con.execute("select path, rows from log.part").fetchall())
    assert {each.path for each in listed} == {str(each) for each in Path(folder).rglob("*") if each.is_file()}
    assert part.damaged(listed) == []
    assert all(pl.scan_parquet(path).select(pl.len()).collect().item() == count for path, count in rows.items())
    assert [each.name for each in Path(folder).glob(f"{written_files.BEGUN}*")] == []


def test_parts_of_any_number_of_workers_hold_what_one_process_stores(
    study: Path, local: Path, two: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with two.cluster(study) as cluster:
        assert cluster.most_beside == 2
        assert in_parts(study, tmp_path / "2.duckdb", cluster) > 5
    holds(tmp_path / "2.duckdb", local)
    assert different(local, tmp_path / "2.duckdb", has_views=True) == []
    with store.opened(tmp_path / "2.duckdb") as con:  # what lines say was written by workers too, each once
        said = "select sum(rows) from log.part where \"table\" = 'vcs_event_message'"
        ((rows, stored),) = con.execute(f"select ({said}), count(*) from log.vcs_event_message").fetchall()
    assert rows == stored > 100
    assert comments(tmp_path / "2.duckdb") == comments(local)
    monkeypatch.setattr(distributed_reading, "BATCH_BYTES", 200_000)
    (tmp_path / "of4").mkdir()
    with served(tmp_path / "of4", 4) as other, other.cluster(study) as cluster:
        in_parts(study, tmp_path / "4.duckdb", cluster)
    holds(tmp_path / "4.duckdb", local)


def test_histories_keep_the_parts_of_files_that_did_not_change(study: Path, two: Served, tmp_path: Path) -> None:
    """From one layout to the other, then a file that grows, one that comes, one that goes, and another zone."""
    own, db = tmp_path / "study", tmp_path / "a.duckdb"
    shutil.copytree(study, own)
    age(own)
    ingest(own, db, now=NOW)
    engine = max(own.rglob("engine_A.log"), key=lambda each: each.stat().st_size)

    def grow() -> None:
        engine.write_text(engine.read_text() + ENGINE.format(second=58))

    def come() -> None:
        (own / "a/run1").mkdir(parents=True)
        (own / "a/run1/engine_A.log").write_text(ENGINE.format(second=1).replace("V-16-1-10077", "V-16-1-10079"))

    def go() -> None:
        next(own.rglob("messages*.1")).unlink()

    def change_zone() -> None:
        text = (own / "study.toml").read_text()
        (own / "study.toml").write_text(text.replace("[study]", '[study]\ntimezone = "Asia/Tokyo"', 1))

    with two.cluster(own) as cluster:
        for number, (change, keeps) in enumerate([(None, False), (grow, True), (come, True), (go, True)]):
            before = set((tmp_path / "parts").rglob("*.parquet"))
            if change is not None:
                change()
            age(own)
            in_parts(own, db, cluster)
            assert bool(before & set((tmp_path / "parts").rglob("*.parquet"))) is keeps, change
            ingest(own, tmp_path / f"{number}.duckdb", now=NOW)
            holds(db, tmp_path / f"{number}.duckdb")
        if "timezone" not in (own / "study.toml").read_text():
            change_zone()
            in_parts(own, db, cluster)
            ingest(own, tmp_path / "zone.duckdb", now=NOW)
            holds(db, tmp_path / "zone.duckdb")


# --- what ends meanwhile ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["read_batch", "write_parts", "fill_group"])
def test_a_worker_that_is_killed_changes_nothing(
    study: Path, local: Path, two: Served, tmp_path: Path, step: str
) -> None:
    with two.cluster(study) as cluster:
        victim = next(iter(cluster._client.run(os.getpid).values()))
        killed = threading.Event()

        def kill(name: str, count: int) -> None:
            if name == step and count == 1:
                killed.set()
                os.kill(victim, signal.SIGKILL)

        in_parts(study, tmp_path / "a.duckdb", cluster, kill)
    assert killed.is_set()
    holds(tmp_path / "a.duckdb", local)


@pytest.mark.parametrize("step", ["read_batch", "fill_group"])
def test_after_the_scheduler_was_killed_what_was_read_is_not_read_again(
    study: Path, local: Path, two: Served, tmp_path: Path, *, batches: int, step: str
) -> None:
    after = batches // 2 if step == "read_batch" else 1
    db = tmp_path / "a.duckdb"
    (tmp_path / "served").mkdir()
    with served(tmp_path / "served", reading_s=0.1, part_s=0.03) as other, other.cluster(study) as cluster:

        def kill(name: str, count: int) -> None:
            if name == step and count == after:
                other.process.kill()

        with pytest.raises(MachineError):
            in_parts(study, db, cluster, kill)
    assert not db.exists()
    with two.cluster(study) as cluster:
        again = in_parts(study, db, cluster)
    assert again <= (batches - after if step == "read_batch" else 0)
    holds(db, local)


@pytest.mark.parametrize("step", ["reading", "relations"])
def test_after_the_command_was_killed_what_was_read_is_not_read_again(
    study: Path, local: Path, two: Served, tmp_path: Path, *, batches: int, step: str
) -> None:
    db, folder = tmp_path / "a.duckdb", tmp_path / "parts"
    program = (
        f"from pipeline.reading import distributed_reading; distributed_reading.BATCH_BYTES = {BATCH_BYTES}; "
        f"from pipeline.store import rows_by_group; rows_by_group.GROUP_LINES = {rows_by_group.GROUP_LINES}; "
        "from haledger.cli import main; import sys; sys.exit(main(sys.argv[1:]))"
    )
    options = ("--engine", "dask", "--scheduler", two.address, "--store-layout", "parquet", "--parts", str(folder))
    command = [sys.executable, "-c", f"import haledger; haledger.find_application(); {program}", "ingest", str(study)]
    with subprocess.Popen(
        [*command, "--db", str(db), *options], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        patterns = {
            "reading": f"*/{part.ROWS}/*.json",
            "relations": f"*/{part.ROWS}/{distributed_relations.FILLED}*",
        }
        while process.poll() is None and len(list(folder.glob(patterns[step]))) < 2:
            time.sleep(0.01)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    read = len(list(folder.glob(f"*/{part.ROWS}/*.json")))
    assert read >= 2
    with two.cluster(study) as cluster:
        again = in_parts(study, db, cluster)
    assert again <= batches - read
    assert again == 0 or step == "reading"
    holds(db, local)


# --- refusals --------------------------------------------------------------------------------------------------------


def test_a_folder_that_a_worker_cannot_write_to_is_refused_by_name(
    study: Path, two: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with two.cluster(study) as cluster:
        answers = cluster.on_each(layouts.try_to_write, tmp_path / "missing")
        assert set(answers.values()) == {"no such file or directory"}
        monkeypatch.setattr(Path, "mkdir", lambda *_, **__: None)  # so that it is here as if on another machine
        with pytest.raises(UsageError, match=r"the worker tcp://\S+ cannot write to .*: no such file or directory"):
            in_parts(study, tmp_path / "a.duckdb", cluster)
    assert not (tmp_path / "a.duckdb").exists()


def test_a_folder_that_is_lost_while_logs_are_read_ends_the_ingest(study: Path, two: Served, tmp_path: Path) -> None:
    expected = f"{part.ROWS}: (a worker cannot write there|cannot be read): No such file"

    def lose(_name: str, _count: int) -> None:
        shutil.rmtree(tmp_path / "parts", ignore_errors=True)

    with two.cluster(study) as cluster, pytest.raises(StoreError, match=expected):
        in_parts(study, tmp_path / "a.duckdb", cluster, lose)
    assert not (tmp_path / "a.duckdb").exists()
