"""What killed processes leave is removed by the next one, and nothing else is."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from pipeline import scratch
from pipeline.scratch import HOST, replacing, scratch_folder

HOLD = """
from time import sleep
from pipeline.scratch import scratch_folder
with scratch_folder() as folder:
    print(folder, flush=True)
    sleep(600)
"""
DEAD = 99_999_999


def test_folder_of_a_killed_process_is_removed_and_one_in_use_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "OPEN", set())
    (tmp_path / "haledger-notes").mkdir()
    environment = {"TMPDIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([sys.executable, "-c", HOLD], env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        held = Path(process.stdout.readline().strip())
        for each in tmp_path.iterdir():
            os.utime(each, (time.time() - 100,) * 2)
        with scratch_folder():
            assert held.exists()
        process.kill()
    with scratch_folder() as own:
        assert sorted(tmp_path.iterdir()) == sorted([tmp_path / "haledger-notes", own])


def test_file_of_a_killed_process_is_removed_and_that_of_another_output_or_host_stays(tmp_path: Path) -> None:
    here, elsewhere = f"tmp-{HOST}", f"tmp-{HOST + 1}"
    others = {f"a.{here}-{os.getppid()}", f"a.b.{here}-{DEAD}", f"a.{here}-x", f"a.{elsewhere}-{DEAD}"}
    for name in (f"a.{here}-{DEAD}", *others):
        (tmp_path / name).mkdir()
    (tmp_path / f"a.{here}-{DEAD}" / "half").touch()
    with replacing(tmp_path / "a") as new:
        new.touch()
    assert {each.name for each in tmp_path.iterdir()} == {"a", *others}
