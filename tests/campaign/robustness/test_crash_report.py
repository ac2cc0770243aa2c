"""A report that is killed while it is written: its folder is the old or the new one, and the next one is complete."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.discovery.entry_names import REPORT_MARKER, STORE_NAME
from reports.document.folder import changed_files
from tests.support.failover_logs import environment_of, slower, write, write_run, write_timers


@pytest.fixture
def study(tmp_path: Path) -> Path:
    root = tmp_path / "logs"
    write_timers(root / "default")
    write_run(root / "default" / "run01", slower(1))
    return root


def written(folder: Path) -> dict[str, bytes]:
    """The files of a report but for its store, whose bytes are not promised, and for notes that hold its hash."""
    files = [each.relative_to(folder) for each in sorted(folder.rglob("*")) if each.is_file()]
    return {str(each): (folder / each).read_bytes() for each in files if str(each) not in {STORE_NAME, REPORT_MARKER}}


def started(study: Path) -> "subprocess.Popen[bytes]":
    """A report of the study, running."""
    return subprocess.Popen(
        [sys.executable, "-m", "haledger", "report", "logs", "-o", "out"],
        cwd=study.parent,
        env=environment_of(TMPDIR=str(study.parent / "temporary")),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.slow
def test_a_killed_report_leaves_the_old_folder_or_the_new_one(study: Path) -> None:
    """HALEDGER_REPORT_KILLS at random moments, each of a report whose folder differs from the one that is there."""
    source, out = random.Random(8), study.parent / "out"  # noqa: S311  moments, not secrets
    (study.parent / "temporary").mkdir()
    expected, longest_s = {}, 0.0
    for title in ("One", "Two"):
        write(study / "study.toml", f"[study]\ntitle = '{title}'\n")
        begin = time.monotonic()
        with started(study) as process:
            assert process.wait() == 0
        longest_s = max(longest_s, time.monotonic() - begin)
        expected[title] = written(out)
    assert expected["One"].keys() == expected["Two"].keys()
    assert expected["One"]["report.pdf"] != expected["Two"]["report.pdf"]
    codes = []
    for number in range(int(os.environ.get("HALEDGER_REPORT_KILLS", "3"))):
        write(study / "study.toml", f"[study]\ntitle = '{('One', 'Two')[number % 2]}'\n")
        with started(study) as process:
            try:
                process.wait(source.uniform(0.05, 1.05) * longest_s)
            except subprocess.TimeoutExpired:
                process.kill()
        codes.append(process.returncode)
        assert written(out) in expected.values(), number
        assert changed_files(out) == [], number
    assert set(codes) <= {0, -signal.SIGKILL}
    assert -signal.SIGKILL in codes
    write(study / "study.toml", "[study]\ntitle = 'One'\n")
    with started(study) as process:
        assert process.wait() == 0
    assert written(out) == expected["One"]
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
        assert len(set(written(tmp_path / "out").values())) == 1  # all files of one number
