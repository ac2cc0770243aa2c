"""Any history of ingests gives a store that `verify` finds sound, until a source changes."""

import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from bench.growth.seeds import OTHERS
from pipeline import parallel
from pipeline.ask.verify.verify import verify_store
from pipeline.ingest.ingest import ingest
from pipeline.ingest.layout import AS_BEFORE, Layout
from tests.support.cluster_here import ClusterHere

COUNT = int(os.environ.get("HALEDGER_HISTORIES", "6"))
STEPS = 4
ZONES = ("UTC", "America/Toronto", "Asia/Kathmandu", "Pacific/Auckland")


def logs(study: Path) -> list[Path]:
    return sorted(each for each in study.rglob("*") if each.is_file() and each.name != "study.toml")


def add(study: Path, source: random.Random) -> None:
    name = source.choice(sorted(OTHERS))
    folder = study / "default" / source.choice(["run01", "run02", "run03"]) / "sun-ha5"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.log").write_text(OTHERS[name])


def remove(study: Path, source: random.Random) -> None:
    if len(found := logs(study)) > 1:
        source.choice(found).unlink()


def append(study: Path, source: random.Random) -> None:
    with source.choice(logs(study)).open("a") as file:
        file.write(f"Jul 28 10:28:{source.randrange(60):02} sun-ha3 su: more\nno head\n")


def change(study: Path, source: random.Random) -> None:
    """A digit, of a file that keeps its size."""
    file = source.choice([each for each in logs(study) if b"1" in each.read_bytes()])
    old = file.stat()
    file.write_bytes(file.read_bytes().replace(b"1", b"2", 1))
    os.utime(file, ns=(old.st_atime_ns, old.st_mtime_ns + 1))


def rename(study: Path, source: random.Random) -> None:
    file = source.choice(logs(study))
    file.rename(file.with_name(f"{source.randrange(100)}-{file.name}"))


def restore(study: Path, _: random.Random) -> None:
    for each in logs(study):
        each.unlink()
    shutil.copytree(study.with_name("first"), study, dirs_exist_ok=True)


def touch(study: Path, source: random.Random) -> None:
    os.utime(source.choice(logs(study)), ns=(source.randrange(2 * 10**18),) * 2)


def leave(_: Path, __: random.Random) -> None:
    pass


def go_elsewhere(study: Path, source: random.Random) -> None:
    os.chdir(source.choice([study, study.parent, study / ".." / "first"]))


def move_clock(_: Path, source: random.Random) -> None:
    os.environ["TZ"] = source.choice(ZONES)
    time.tzset()


def share(_: Path, source: random.Random) -> None:
    parallel.THREADS = source.choice([1, 2])


DEEDS: tuple[Callable[[Path, random.Random], None], ...] = (
    *(add, remove, append, change, rename, restore, touch, leave, go_elsewhere, move_clock, share),
)


def ingest_somehow(study: Path, db: Path, source: random.Random) -> None:
    """In this process or on workers, in one file or in parts, with a bound or without, over one of other code too."""
    if source.randrange(4) == 0:
        with duckdb.connect(str(db)) as con:
            con.execute("update main.store_info set program_key = 'other', reading_key = 'other'")
    ingest(
        study,
        db,
        cluster=source.choice([None, None, ClusterHere()]),  # type: ignore[arg-type]  # all that is asked of a cluster
        layout=source.choice([AS_BEFORE, AS_BEFORE, Layout("duckdb"), Layout("parquet", db.with_name("parts"))]),
        until=source.choice(["", "", "2004-01-01"]),
    )


@pytest.fixture
def _as_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """What histories change of the process."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setattr(parallel, "THREADS", parallel.THREADS)
    monkeypatch.chdir(tmp_path)
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.slow
@pytest.mark.usefixtures("_as_before", "without_views")
@pytest.mark.parametrize("number", range(COUNT))
def test_verify_is_silent_after_any_history_and_speaks_once_a_source_changed(
    study: Path, tmp_path: Path, number: int
) -> None:
    source, db = random.Random(number), tmp_path / "a.duckdb"  # noqa: S311  deeds, not secrets
    shutil.copytree(study, tmp_path / "first")
    ingest(study, db)
    deeds = []
    for _ in range(STEPS):
        deeds.append(source.choice(DEEDS))
        deeds[-1](study, source)
        ingest_somehow(study, db, source)
    found = verify_store(db, study)
    assert [(each.check, each.holds) for each in found.findings if each.holds is not True] == [], (deeds, found)
    change(study, source)
    assert verify_store(db, study).broken == ["sources"]
