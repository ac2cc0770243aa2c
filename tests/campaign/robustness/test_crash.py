"""Ends of the process: killed, interrupted, two at once, read while written. The old store or the new one, whole."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from haledger.cli import main
from tests.support.command import haledger as called
from tests.support.failover_logs import (
    Failover,
    environment_of,
    haledger,
    slower,
    write,
    write_run,
    write_timers,
)

RUNS = 3


def started(study: Path) -> "subprocess.Popen[str]":
    """An ingest of a study into the store beside it, running."""
    return subprocess.Popen(
        [sys.executable, "-m", "haledger", "ingest", study.name, "--db", "a.duckdb"],
        cwd=study.parent,
        # an interrupt between the opening of a file and its `with` leaves the file to the collector, which warns
        env=environment_of(PYTHONWARNINGS="error,ignore::ResourceWarning"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of some runs; the tests change it, so that there is work to do."""
    root = tmp_path_factory.mktemp("crash") / "logs"
    write_timers(root / "default")
    for number in range(RUNS):
        write_run(root / "default" / f"run{number:02d}", slower(number))
    assert haledger("ingest", root.name, "--db", "a.duckdb", cwd=root.parent).returncode == 0
    return root


def content(db: Path) -> tuple[int, list[tuple[object, ...]]]:
    """The number of runs, and what does not add up."""
    with duckdb.connect(str(db), read_only=True) as con:
        lines = con.execute(
            "select path from source_file where lines is distinct from "
            "parsed_lines + continuation_lines + ignored_lines + blank_lines + rejected_lines"
        ).fetchall()
        rows = con.execute(
            "select path from source_file left join log.syslog_event using (file_id) where format = 'syslog' "
            "group by path, rows having count(log.syslog_event.line_no) > rows"
        ).fetchall()
        count = con.execute("select count(*) from run").fetchall()[0][0]
    return int(count), [*lines, *rows]


def leftovers(db: Path) -> list[str]:
    return [each.name for each in db.parent.iterdir() if ".tmp-" in each.name or each.suffix == ".wal"]


@pytest.mark.slow
def test_a_killed_ingest_leaves_the_old_store_or_the_new_one(study: Path) -> None:
    """Twelve kills at random moments, each of an ingest that has a changed study to read."""
    db, source = study.with_name("a.duckdb"), random.Random(12)  # noqa: S311  moments, not secrets
    run_count = content(db)[0]
    outcomes = []
    for number in range(12):
        extra = study / "default" / f"run{50 + number}"
        write_run(extra, slower(number))
        with started(study) as process:
            try:
                process.wait(source.uniform(0.2, 2.2))
            except subprocess.TimeoutExpired:
                process.kill()
            process.communicate()
        found, broken = content(db)
        assert broken == []
        # the run of this round, and those of rounds that were killed too
        assert run_count <= found <= RUNS + number + 1
        outcomes.append(process.returncode)
        run_count = found
    assert -signal.SIGKILL in outcomes
    last = haledger("ingest", study.name, "--db", "a.duckdb", cwd=study.parent)
    assert last.returncode == 0, last.stderr
    assert leftovers(db) == []
    clean = haledger("ingest", study.name, "--db", "clean.duckdb", cwd=study.parent)
    assert clean.returncode == 0
    with duckdb.connect() as con:
        con.execute(f"attach '{db}' as mended (read_only)")
        con.execute(f"attach '{db.with_name('clean.duckdb')}' as clean (read_only)")
        for name in ("main.source_file", "log.vcs_event", "log.syslog_event", "log.db2diag_record", "log.gab_event"):
            for one, other in (("mended", "clean"), ("clean", "mended")):
                differing = con.execute(
                    f"select * from {one}.{name} except all select * from {other}.{name}"
                ).fetchall()
                assert differing == [], name


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_an_interrupted_ingest_leaves_the_old_store(study: Path, number: signal.Signals) -> None:
    db = study.with_name("a.duckdb")
    before = db.read_bytes()
    write(study / "default" / f"{number.name}.txt", "changed\n")
    with started(study) as process:
        deadline = time.monotonic() + 120
        while not set(leftovers(db)) - {"a.duckdb.tmp-lock"} and time.monotonic() < deadline:
            time.sleep(0.01)  # in the instant in which the lock is made, its file may stay; it locks nothing
        process.send_signal(number)
        _, errors = process.communicate(timeout=120)
    assert "Traceback" not in errors
    if number is signal.SIGINT:
        assert process.returncode == 130
        assert errors in ("", "haledger: interrupted\n")
        assert leftovers(db) == []
    assert db.read_bytes() == before
    again = haledger("ingest", study.name, "--db", "a.duckdb", cwd=study.parent)
    assert (again.returncode, leftovers(db)) == (0, [])


def test_an_early_end_of_some_file_is_no_interruption(
    study: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Typer takes EOFError for a person who leaves; half a byte-code file raised it, and the exit code was 130."""

    def failing(*_: object, **__: object) -> None:
        raise EOFError("marshal data too short")

    monkeypatch.setattr("pipeline.ingest.ingest.ingest", failing)
    assert main(["ingest", str(study), "--db", str(study.with_name("b.duckdb"))]) == 1
    assert "internal error: EOFError: marshal data too short" in capsys.readouterr().err


def test_of_three_ingests_at_once_one_wins_and_losers_say_so(study: Path) -> None:
    db = study.with_name("a.duckdb")
    write_run(study / "default" / "run80", Failover())
    with started(study) as one, started(study) as another, started(study) as third:
        results = [(each, each.communicate(timeout=300)[1]) for each in (one, another, third)]
    codes = sorted(each.returncode for each, _ in results)
    assert codes[0] == 0, results
    assert set(codes) <= {0, 4}, results
    for process, errors in results:
        assert "Traceback" not in errors
        if process.returncode == 4:
            assert "a.duckdb: being written by another haledger" in errors
    assert content(db)[1] == []
    assert leftovers(db) == []


def test_a_reader_keeps_its_store_while_another_is_written(study: Path) -> None:
    """A query that began before the swap ends on the old store; the writer wins or is informed of the reader."""
    db = study.with_name("a.duckdb")
    with duckdb.connect(str(db), read_only=True) as con:
        before = con.execute("select count(*) from run").fetchall()
        write_run(study / "default" / "run81", Failover())
        outcome = haledger("ingest", study.name, "--db", "a.duckdb", cwd=study.parent)
        assert outcome.returncode in (0, 4), outcome.stderr
        assert con.execute("select count(*) from run").fetchall() == before
    assert haledger("ingest", study.name, "--db", "a.duckdb", cwd=study.parent).returncode == 0
    assert content(db)[1] == []


def test_queries_answer_while_an_ingest_runs(study: Path) -> None:
    write_run(study / "default" / "run82", Failover())
    with started(study) as process:
        codes = []
        while process.poll() is None:
            codes.append(called("sql", "select count(*) from run", "--db", "a.duckdb", cwd=study.parent).returncode)
            time.sleep(0.3)
        process.communicate()
    assert process.returncode == 0
    assert set(codes) == {0}
