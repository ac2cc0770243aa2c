"""The Nth call of the system fails: the old store stays or the new one is whole, and the next run tidies up.

A small library, built with the C compiler of the machine, stands between the program and the system. `SAMPLED` calls of
each kind are failed, first and last ones among them; more of them with HALEDGER_FAILING_CALLS=1000.
"""

import os
import random
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass
from errno import EIO, ENOSPC
from pathlib import Path

import duckdb
import pytest

from tests.support.failover_logs import Failover, environment_of, haledger, write, write_run, write_timers

SOURCE = Path(__file__).parents[2] / "support" / "failing_calls.c"
SAMPLED = int(os.environ.get("HALEDGER_FAILING_CALLS", "3"))


@dataclass(frozen=True)
class Machine:
    """A folder below which calls fail."""

    library: Path
    folder: Path

    def run(self, call: str, nth: int, number: int, *arguments: str) -> tuple[subprocess.CompletedProcess[str], int]:
        """Run a command whose `nth` call fails, none for 0; also how many such calls there were."""
        count = self.library.with_suffix(".count")
        count.write_bytes(bytes(8))
        outcome = subprocess.run(
            [sys.executable, "-m", "haledger", *arguments],
            cwd=self.folder,
            env=environment_of(
                LD_PRELOAD=str(self.library),
                FAIL_CALL=call,
                FAIL_NTH=str(nth),
                FAIL_ERRNO=str(number),
                FAIL_BELOW=str(self.folder),
                FAIL_COUNT=str(count),
            ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        return outcome, struct.unpack("q", count.read_bytes())[0]

    def clear(self) -> None:
        """Remove all but the logs."""
        for each in self.folder.iterdir():
            if each.is_dir() and each.name != "logs":
                shutil.rmtree(each)
            elif each.is_file():
                each.unlink()


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    root = tmp_path_factory.mktemp("failing")
    library = root / "failing.so"
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs Linux and a C compiler")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True)
    logs = root / "here" / "logs"
    write_timers(logs / "default")
    write_run(logs / "default" / "run01")
    write_run(logs / "default" / "run02", Failover())
    write(logs / "study.toml", '[study]\ntimezone = "America/Toronto"\n')
    return Machine(library, root / "here")


def chosen(count: int) -> list[int]:
    """Which of so many calls fail."""
    if count <= SAMPLED:
        return list(range(1, count + 1))
    between = random.Random(count).sample(range(2, count), SAMPLED - 2)  # noqa: S311  a choice of tests
    return [1, *sorted(between), count]


def incidents(db: Path) -> list[tuple[object, ...]]:
    with duckdb.connect(str(db), read_only=True) as con:
        return con.execute("select * from milestone order by all").fetchall()


@pytest.mark.parametrize("call", ["fsync", "rename", "truncate", "mkdir", "unlink", "write", "open", "read", "mmap"])
def test_an_ingest_leaves_the_old_store_or_a_whole_new_one(machine: Machine, call: str) -> None:
    machine.clear()
    assert haledger("ingest", "logs", "--db", "a.duckdb", cwd=machine.folder).returncode == 0
    whole = incidents(machine.folder / "a.duckdb")
    assert whole
    machine.clear()
    _, count = machine.run(call, 0, EIO, "ingest", "logs", "--db", "a.duckdb")
    assert count or call == "mmap"
    for nth in chosen(count):
        machine.clear()
        shutil.copy(machine.folder / "logs" / "study.toml", machine.folder / "a.txt")
        outcome, _ = machine.run(call, nth, ENOSPC if nth % 2 else EIO, "ingest", "logs", "--db", "a.duckdb")
        place = (call, nth, outcome.stderr)
        is_of_study = "study.toml: cannot be read" in outcome.stderr
        assert outcome.returncode in ({2} if is_of_study else {0, 3, 4}), place
        assert "internal error" not in outcome.stderr, place
        assert outcome.returncode == 0 or ": " in outcome.stderr, place
        written = machine.folder / "a.duckdb"
        assert written.exists() is (outcome.returncode == 0), place
        again = haledger("ingest", "logs", "--db", "a.duckdb", cwd=machine.folder)
        assert again.returncode == 0, (place, again.stderr)
        assert incidents(written) == whole, place
        assert sorted(each.name for each in machine.folder.iterdir()) == ["a.duckdb", "a.txt", "logs"], place


@pytest.mark.parametrize("call", ["fsync", "rename", "mkdir", "unlink", "write"])
def test_a_report_leaves_the_old_folder_or_a_whole_new_one(machine: Machine, call: str) -> None:
    machine.clear()
    assert haledger("report", "logs", "-o", "paper", cwd=machine.folder).returncode == 0
    _, count = machine.run(call, 0, EIO, "report", "logs", "-o", "paper")
    for nth in chosen(count)[:2]:
        outcome, _ = machine.run(call, nth, ENOSPC if nth % 2 else EIO, "report", "logs", "-o", "paper")
        place = (call, nth, outcome.stderr)
        assert outcome.returncode in {0, 4}, place
        assert "internal error" not in outcome.stderr, place
        checked = haledger("verify", "paper", cwd=machine.folder)
        assert checked.returncode == 0, (place, checked.stdout, checked.stderr)
