"""Ctrl-C at random instants: exit 130 and one line, nothing left behind, and the next run is as if it had not been."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from tests.support.failover_logs import environment_of, slower, write_run, write_timers

COUNT = int(os.environ.get("HALEDGER_INTERRUPTS", "8"))
"""For each command."""

STARTED_S = 0.04
"""Python itself needs this long; what interrupts it before it runs a line of haledger is its own affair."""

LIKE_THE_COMMAND = "from haledger import main; main()"

COMMANDS = {
    "ingest": ("logs", "--db", "out.duckdb"),
    "report": ("logs", "-o", "out"),
    "explain": ("logs",),
}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    root = tmp_path / "logs"
    write_timers(root / "default")
    for number in range(2):
        write_run(root / "default" / f"run{number:02d}", slower(number))
    return root


def started(command: str, folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", LIKE_THE_COMMAND, command, *COMMANDS[command]],
        cwd=folder,
        # an interrupt may leave a file of code open
        env=environment_of(PYTHONWARNINGS="ignore", TMPDIR=str(folder / "before")),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509  what a shell does
    )


def is_before_haledger(code: int, errors: str) -> bool:
    """Whether Python was interrupted before the first line of haledger."""
    return code == -signal.SIGINT and "haledger/" not in errors


def is_whole(made: Path, example: Path) -> bool:
    """Whether a store or report folder is complete: all files of another one, and a store that tells what it is."""
    paths = [{path.relative_to(each) for path in (each, *each.rglob("*"))} for each in (made, example)]
    for db in (each for each in (made, *made.rglob("*")) if each.suffix == ".duckdb"):
        with duckdb.connect(str(db), read_only=True) as con:
            if con.execute("select count(*) from main.store_info").fetchall() != [(1,)]:
                return False
    return example.exists() and paths[0] == paths[1]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_an_interrupt_at_any_instant_is_no_fault(study: Path, command: str) -> None:
    source, folder = random.Random(command), study.parent  # noqa: S311  moments, not secrets
    (folder / "before").mkdir()
    began = time.monotonic()
    with started(command, folder) as process:
        expected, errors = process.communicate()
    longest_s = time.monotonic() - began
    assert process.returncode == 0, errors
    for each in set(folder.iterdir()) - {study, folder / "before"}:
        each.rename(folder / "before" / each.name)
    codes = []
    for number in range(COUNT):
        moment = STARTED_S + longest_s * source.random() ** (2 if number % 2 else 1)  # imports are as likely as work
        with started(command, folder) as process:
            try:
                process.wait(moment)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
            shown, talk = process.communicate(timeout=300)
        errors = "".join(each for each in talk.splitlines(keepends=True) if not each.endswith(" s)\n"))  # its progress
        if process.returncode == 0 or is_before_haledger(process.returncode, errors):
            assert errors == "" or process.returncode, (moment, errors)
        else:
            assert (process.returncode, errors) == (130, "haledger: interrupted\n"), (moment, errors)
            assert shown == "" or command == "explain", moment
        codes.append(process.returncode)
        assert [each.name for each in folder.iterdir() if ".tmp-" in each.name] == [], moment
        assert [each.name for each in (folder / "before").glob("haledger-*")] == [], moment
        if process.returncode != 0:
            for name in {each.name for each in folder.iterdir()} - {"logs", "before"}:  # heard after all was written
                assert is_whole(folder / name, folder / "before" / name), moment
        for each in set(folder.iterdir()) - {study, folder / "before"}:
            each.rename(folder / "before" / f"{number}-{each.name}")
    assert 130 in codes
    with started(command, folder) as process:
        found, errors = process.communicate()
    assert (process.returncode, found) == (0, expected), errors
