"""A report that is killed while it is written: no half file has its name, and the next one is as if never killed."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.robustness.failover_logs import environment_of, haledger, slower, write_run, write_timers


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
def test_a_killed_report_leaves_whole_files_and_the_next_one_is_complete(study: Path) -> None:
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
        for name, content in written(study.parent / "out").items() if (study.parent / "out").exists() else ():
            if ".tmp-" not in name:
                assert content == expected[name], name
    assert -signal.SIGKILL in codes
    (study.parent / "out" / ".report.pdf.tmp-99999999").write_bytes(b"%PDF")  # killed between writing and renaming
    last = haledger("report", "logs", "-o", "out", cwd=study.parent)
    assert last.returncode == 0, last.stderr
    assert written(study.parent / "out") == expected
