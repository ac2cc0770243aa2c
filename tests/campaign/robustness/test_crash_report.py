"""A report that is killed while it is written: its folder is the old or the new one, and the next one is complete."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reports.document.folder import changed_files
from tests.support.failover_logs import environment_of, haledger, slower, write_run, write_timers


@pytest.fixture
def study(tmp_path: Path) -> Path:
    root = tmp_path / "logs"
    write_timers(root / "default")
    for number in range(3):
        write_run(root / "default" / f"run{number:02d}", slower(number))
    return root


def written(folder: Path) -> dict[str, bytes]:
    """The files of a report but for its store, whose bytes are not promised."""
    files = [each for each in sorted(folder.rglob("*")) if each.is_file() and each.suffix != ".duckdb"]
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in files}


@pytest.mark.slow
def test_a_killed_report_leaves_a_whole_folder_and_the_next_one_is_complete(study: Path) -> None:
    """Five kills at random moments, into an empty folder and over an older report."""
    assert haledger("report", "logs", "-o", "whole", cwd=study.parent).returncode == 0
    expected = written(study.parent / "whole")
    source = random.Random(8)  # noqa: S311  moments, not secrets
    codes = []
    for _ in range(5):
        process = subprocess.Popen(
            [sys.executable, "-m", "haledger", "report", "logs", "-o", "out"],
            cwd=study.parent,
            env=environment_of(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            process.wait(source.uniform(0.3, 6.0))
        except subprocess.TimeoutExpired:
            process.kill()
        codes.append(process.wait())
        assert written(study.parent / "out") in ({}, expected)
    assert -signal.SIGKILL in codes
    last = haledger("report", "logs", "-o", "out", cwd=study.parent)
    assert last.returncode == 0, last.stderr
    assert written(study.parent / "out") == expected
    assert [each.name for each in study.parent.iterdir() if ".tmp-" in each.name] == []


SWAPS = """
import itertools, sys
from pathlib import Path
from reports.document.folder import rebuilt
for number in itertools.count():
    with rebuilt(Path("out")) as new:
        for name in ("report.pdf", "report.html", "tables/a.csv"):
            (new / name).parent.mkdir(exist_ok=True)
            (new / name).write_text(str(number))
    print(number, flush=True)
"""


def test_folder_of_a_process_killed_at_any_instant_is_whole(tmp_path: Path) -> None:
    """HALEDGER_KILLS more: each time a process that does nothing but write report folders is killed."""
    source = random.Random(9)  # noqa: S311  moments, not secrets
    environment = environment_of() | {"PYTHONPATH": str(Path(__file__).parents[3])}
    for _ in range(int(os.environ.get("HALEDGER_KILLS", "15"))):
        with subprocess.Popen(
            [sys.executable, "-c", SWAPS], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(source.uniform(0, 0.05))
            process.kill()
        assert changed_files(tmp_path / "out") == []
        assert len(set(written(tmp_path / "out").values())) == 2  # all files of one number, and the list of them
