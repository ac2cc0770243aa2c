"""The Nth call of the system fails: the old store stays or the new one is whole, and the next run tidies up.

A small library, built with the C compiler of the machine, stands between the program and the system. `SAMPLED` calls of
each kind are failed, the first one among them; more of them with HALEDGER_FAILING_CALLS=1000. All commands run in
one process, which a failure must not harm either.
"""

import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from errno import EIO, ENOSPC
from pathlib import Path

import duckdb
import pytest

from tests.support.failover_logs import Failover, write, write_run, write_timers
from tests.support.kept_process import Ended, KeptProcess

SOURCE = Path(__file__).parents[2] / "support" / "failing_calls.c"
SAMPLED = int(os.environ.get("HALEDGER_FAILING_CALLS", "2"))

CALLS = ("fsync", "rename", "truncate", "mkdir", "unlink", "write", "open", "read", "mmap", "link")
"""As `kinds` of the library has them."""

PLAN = struct.Struct(f"3q{len(CALLS)}q")


@dataclass(frozen=True)
class Whole:
    """What a command leaves that nothing disturbs, and how many calls of each kind it makes."""

    product: Path
    calls: dict[str, int]


@dataclass(frozen=True)
class Machine:
    """A folder below which calls fail, and a process whose calls are counted and failed."""

    process: KeptProcess
    plan: Path
    folder: Path

    def run(self, call: str | None, nth: int, number: int, *arguments: str) -> tuple[Ended, dict[str, int]]:
        """Run a command whose `nth` call fails, none for None; also how many calls of each kind there were."""
        with self.plan.open("r+b") as file:  # the process has it in its memory
            file.write(PLAN.pack(CALLS.index(call) if call else -1, nth, number, *(0 for _ in CALLS)))
        outcome = self.process.run(*arguments, cwd=self.folder, limit_s=300)
        return outcome, dict(zip(CALLS, PLAN.unpack(self.plan.read_bytes())[3:], strict=True))

    def undisturbed(self, *arguments: str) -> tuple[Ended, dict[str, int]]:
        """Run a command none of whose calls fails."""
        return self.run(None, 0, EIO, *arguments)

    def clear(self) -> None:
        """Remove all but the logs."""
        for each in self.folder.iterdir():
            if each.is_dir() and each.name != "logs":
                shutil.rmtree(each)
            elif each.is_file():
                each.unlink()


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
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
    plan = write(root / "plan", bytes(PLAN.size))
    environment = {"LD_PRELOAD": str(library), "FAIL_PLAN": str(plan), "FAIL_BELOW": str(root / "here")}
    with KeptProcess(root, environment) as process:
        yield Machine(process, plan, root / "here")


def chosen(count: int) -> list[int]:
    """Which of these calls fail: the first one and others by chance, the same in every run."""
    others = random.Random(count).sample(range(2, count + 1), max(0, min(SAMPLED, count) - 1))  # noqa: S311  no secret
    return [1, *sorted(others)] if count else []


def incidents(db: Path) -> list[tuple[object, ...]]:
    with duckdb.connect(str(db), read_only=True) as con:
        return con.execute("select * from milestone order by all").fetchall()


@pytest.fixture(scope="module")
def ingested(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """A store."""
    machine.clear()
    undisturbed, calls = machine.undisturbed("ingest", "logs", "--db", "a.duckdb")
    assert undisturbed.code == 0
    return Whole(Path(shutil.copy(machine.folder / "a.duckdb", tmp_path_factory.mktemp("whole"))), calls)


@pytest.fixture(scope="module")
def reported(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """The folder of a report; the calls are those of a second one in its place."""
    machine.clear()
    for _ in range(2):
        undisturbed, calls = machine.undisturbed("report", "logs", "--force", "-o", "paper")
        assert undisturbed.code == 0
    return Whole(shutil.copytree(machine.folder / "paper", tmp_path_factory.mktemp("whole") / "paper"), calls)


@pytest.mark.parametrize("call", ["fsync", "rename", "truncate", "mkdir", "unlink", "write", "open", "read", "mmap"])
def test_an_ingest_leaves_the_old_store_or_a_whole_new_one(machine: Machine, ingested: Whole, call: str) -> None:
    assert ingested.calls[call] or call == "mmap"
    whole = incidents(ingested.product)
    assert whole
    for nth in chosen(ingested.calls[call]):
        machine.clear()
        shutil.copy(machine.folder / "logs" / "study.toml", machine.folder / "a.txt")
        outcome, _ = machine.run(call, nth, ENOSPC if nth % 2 else EIO, "ingest", "logs", "--db", "a.duckdb")
        place = (call, nth, outcome.errors)
        is_of_study = "study.toml: cannot be read" in outcome.errors
        assert outcome.code in ({2} if is_of_study else {0, 3, 4}), place
        assert "internal error" not in outcome.errors, place
        assert outcome.code == 0 or ": " in outcome.errors, place
        written = machine.folder / "a.duckdb"
        assert written.exists() is (outcome.code == 0), place
        again, _ = machine.undisturbed("ingest", "logs", "--db", "a.duckdb")
        assert again.code == 0, (place, again.errors)
        assert incidents(written) == whole, place
        assert sorted(each.name for each in machine.folder.iterdir()) == ["a.duckdb", "a.txt", "logs"], place


@pytest.mark.parametrize("call", ["rename", "mkdir", "unlink", "write"])
def test_a_report_leaves_the_old_folder_or_a_whole_new_one(machine: Machine, reported: Whole, call: str) -> None:
    assert reported.calls[call]
    machine.clear()
    shutil.copytree(reported.product, machine.folder / "paper")
    for nth in chosen(reported.calls[call])[:2]:
        outcome, _ = machine.run(call, nth, ENOSPC if nth % 2 else EIO, "report", "logs", "--force", "-o", "paper")
        place = (call, nth, outcome.errors)
        assert outcome.code in {0, 4}, place
        assert "internal error" not in outcome.errors, place
        checked, _ = machine.undisturbed("verify", "paper")
        assert checked.code == 0, (place, checked.output, checked.errors)
