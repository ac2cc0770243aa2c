"""The streams of a process: readers that leave, outputs that go nowhere, terminals."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import haledger, ran

ROOT = Path(__file__).parents[3]
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "engine_A.log").write_text(
        "2011/05/13 03:31:40 VCS INFO V-16-1-10077 Received new cluster membership\n"
        "2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System NODEC (Node '2') changed state from RUNNING to FAULTED\n"
    )
    return folder


def test_reader_that_leaves_early_is_no_error(study: Path, tmp_path: Path) -> None:
    haledger("ingest", str(study), cwd=tmp_path)
    command = f"{sys.executable} -m haledger sql 'select * from range(200000)' --format csv | head -n 1"
    outcome = ran("/bin/sh", "-c", command, cwd=tmp_path, env=ENVIRONMENT)
    assert outcome.stdout == "range\n"
    assert outcome.stderr == ""


def test_no_color_holds_on_a_terminal(study: Path, tmp_path: Path) -> None:
    def reported(*options: str, **own: str) -> str:
        command = [sys.executable, "-m", "haledger", "-q", "explain", str(study), *options]
        code = f"import pty, sys; sys.exit(pty.spawn({command!r}))"
        environment = {"PATH": "", "PYTHONPATH": str(ROOT), "TERM": "xterm", **own}
        outcome = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        return outcome.stdout

    assert "\x1b[1mengine_A.log\x1b[0m" in reported()
    assert "\x1b[" not in reported("--no-color")
    assert "\x1b[" not in reported(NO_COLOR="1")


@pytest.mark.parametrize(
    ("redirection", "code"),
    [
        pytest.param(">&-", 0, id="nobody listens"),
        pytest.param("2>&-", 0, id="nobody listens to talk"),
        pytest.param(">/dev/full", 4, id="no space left"),
    ],
)
@pytest.mark.parametrize("command", ["ingest", "-v explain"])
def test_output_that_goes_nowhere_is_no_fault_of_haledger(
    study: Path, tmp_path: Path, command: str, redirection: str, code: int
) -> None:
    line = f"{sys.executable} -m haledger {command} {study} {redirection}"
    outcome = ran("/bin/sh", "-c", line, cwd=tmp_path, env=ENVIRONMENT)
    assert outcome.returncode == code, outcome.stderr
    assert "internal error" not in outcome.stderr
    assert (code == 4) == ("the output: cannot be written: No space left on device" in outcome.stderr)
