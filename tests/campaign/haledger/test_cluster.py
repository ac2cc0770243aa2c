"""On a cluster of two workers the store is that of one process, whatever becomes of the workers meanwhile."""

import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from haledger import worker
from pipeline.cluster import Cluster, Entry
from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from pipeline.reading import distributed_reading, file_reading
from tests.support.command import haledger
from tests.support.dask_cluster import POISON, entry, served
from tests.support.same_rows import different

pytestmark = pytest.mark.filterwarnings("ignore")  # those of Dask are not ours

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "samples" / "failover-modern"


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("cluster"), reading_s=0.5) as cluster:
        yield cluster.address


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample, a part of it once more in a compressed archive."""
    folder = tmp_path_factory.mktemp("study") / "study"
    copy(SAMPLE, folder)
    with tarfile.open(folder / "more.tar.gz", "w:gz") as archive:
        archive.add(next(each for each in sorted(SAMPLE.iterdir()) if each.is_dir()), "further")
    return folder


def copy(source: Path, target: Path) -> None:
    subprocess.run(["cp", "-r", source, target], check=True)


@pytest.fixture(scope="module")
def local(study: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = tmp_path_factory.mktemp("local") / "local.duckdb"
    ingest(study, db)
    return db


def test_workers_give_the_store_of_one_process(
    study: Path, local: Path, scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distributed_reading, "BATCH_BYTES", 200_000)
    monkeypatch.setattr(distributed_reading, "SPANNED_BYTES", 100_000)
    monkeypatch.setattr(file_reading, "chunk_bytes", lambda _: 30_000)
    db = tmp_path / "distributed_reading.duckdb"
    said: list[str] = []
    with Cluster(scheduler, entry(), study) as cluster:
        result = ingest(study, db, cluster=cluster, progress=lambda step, _share: said.append(step))
    assert result.read_count > 10
    assert "reading on 2 workers" in said
    for threads in (1, 2, 4):
        assert different(local, db, threads, has_views=threads == 4) == []


def test_a_file_that_ends_its_reader_is_named_and_all_else_is_read(scheduler: str, study: Path, tmp_path: Path) -> None:
    poisoned = tmp_path / "study"
    copy(study, poisoned)
    log = next(each for each in sorted(poisoned.rglob("*messages*")) if each.is_file())
    with log.open("a") as file:
        file.write(f"Nov  3 10:00:00 node1 app: {POISON}\n")
    db = tmp_path / "poisoned.duckdb"
    options = ("--db", db, "--engine", "dask", "--scheduler", scheduler)
    assert haledger("ingest", poisoned, *options, cwd=tmp_path).returncode == 0
    with duckdb.connect(str(db), read_only=True) as con:
        found = con.execute("select path, reason from source_file where status = 'unreadable'").fetchall()
        assert found == [(log.relative_to(poisoned).as_posix(), "reading it fails: its process was ended by SIGKILL")]
        (parsed,) = con.execute("select count(*) from source_file where status = 'parsed'").fetchall()
    assert parsed[0] > 10


def test_what_cannot_work_is_refused_by_name(study: Path, scheduler: str, tmp_path: Path) -> None:
    other = Entry("another haledger", worker.hello, worker.work)
    with pytest.raises(UsageError, match=r"the worker tcp://\S+ has another program, haledger \S+ .* this is another"):
        Cluster(scheduler, other, study)
    with pytest.raises(UsageError, match="cannot see /nowhere: no such file or directory; workers need the study"):
        Cluster(scheduler, entry(), Path("/nowhere"))
    with pytest.raises(UsageError, match="no Dask scheduler answers there"):
        Cluster("tcp://127.0.0.1:9", entry(), study)
    with Cluster(scheduler, entry(), study) as cluster:
        cluster._entry = other  # as for a worker that came later
        with pytest.raises(UsageError, match="has another program"):
            ingest(study, tmp_path / "a.duckdb", cluster=cluster)
    assert not (tmp_path / "a.duckdb").exists()
