"""What shows the progress of a command: one line of a terminal, lines of a log, or nothing."""

import os
import re
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from haledger.progress_lines import Lines
from tests.support.bare_system import pseudo_terminal

ROOT = Path(__file__).parents[2]
STEPS = """
from haledger.terminal import Talk, end_progress, progress
Talk.is_quiet = {quiet}
show = progress()
if show:
    show("reading a file with a long name that no narrow terminal holds", 0.0)
    show("typesetting the PDF", 0.35)
    end_progress()
"""


def on_a_terminal(columns: int, *, quiet: bool = False, kind: str = "xterm") -> str:
    """What the terminal gets on standard error while two steps are shown."""
    ours, theirs = pseudo_terminal()
    termios.tcsetwinsize(theirs, (24, columns))
    environment = {"PATH": "", "PYTHONPATH": str(ROOT), "TERM": kind}
    with subprocess.Popen([sys.executable, "-c", STEPS.format(quiet=quiet)], env=environment, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                block = os.read(ours, 65536)
            except OSError:  # the process has ended
                break
            if not block:
                break
            shown += block
    os.close(ours)
    assert process.returncode == 0
    return shown.decode()


@pytest.mark.parametrize("columns", [40, 80])
def test_bar_keeps_to_one_line_and_is_gone_at_the_end(columns: int) -> None:
    shown = on_a_terminal(columns)
    lines = [re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", each) for each in re.split(r"[\r\n]+", shown)]
    assert "35 %" in shown
    assert [each for each in lines if len(each) > columns] == []
    assert shown.count("\n") <= 1  # rich ends the last line, and goes back to it
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l")  # the cursor is back
    assert "\x1b[2K" in shown[shown.rindex("35 %") :]


def test_a_terminal_that_redraws_nothing_gets_no_codes() -> None:
    assert on_a_terminal(80, kind="dumb") == ""


def test_quiet_shows_nothing() -> None:
    assert on_a_terminal(80, quiet=True) == ""


def test_a_log_gets_a_line_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    moments, said = iter([0.0, 1.0, 6.0, 7.0, 25.0, 60.0]), list[str]()
    monkeypatch.setattr("time.monotonic", lambda: next(moments))
    spent = iter([0.0, 3.0, 3.0, 3.0])
    monkeypatch.setattr("time.process_time", lambda: next(spent))
    lines = Lines(said.append, is_eager=False)
    for step, share in (("looking", 0.0), ("reading", 0.1), ("reading", 0.2), ("writing", 0.9), ("done", 1.0)):
        lines.show(step, share)
    assert said == ["haledger: reading (10% done after 6 s)", "haledger: writing (90% done after 25 s)"]


def test_verbose_gets_a_line_for_every_step() -> None:
    said = list[str]()
    lines = Lines(said.append, is_eager=True)
    for step in ("looking", "reading", "reading", "done"):
        lines.show(step, 0.0)
    assert said == ["looking", "reading", "done"]


def test_a_log_needs_no_library_that_draws() -> None:
    probe = "import sys; from haledger.terminal import progress; progress(); print('rich' in sys.modules)"
    outcome = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    assert outcome.stdout.strip() == "False"
