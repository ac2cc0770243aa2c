"""Work in a process of its own: whatever becomes of that process, this one goes on."""

import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.child import Limits, child_process
from pipeline.failure import Failure
from tests.support.bare_system import require_process_files

LIMITS = Limits(20.0, 1024)
SOON = Limits(0.3, 1024)


def reason(outcome: object) -> str:
    """Why a call failed."""
    assert isinstance(outcome, Failure)
    return outcome.reason


def test_results_come_from_another_process() -> None:
    with child_process() as child:
        first = child.call(LIMITS, os.getpid)
        assert first != os.getpid()
        assert child.call(LIMITS, divmod, 7, 2) == (3, 1)
        assert child.call(LIMITS, sorted, [2, 3, 1], reverse=True) == [3, 2, 1]
        assert child.call(LIMITS, os.getpid) == first


def test_large_values_go_both_ways() -> None:
    content = bytes(range(256)) * 100_000
    with child_process() as child:
        assert child.call(LIMITS, bytes, content) == content


def test_what_is_raised_is_a_failure_and_the_process_goes_on() -> None:
    with child_process() as child:
        first = child.call(LIMITS, os.getpid)
        assert reason(child.call(LIMITS, divmod, 1, 0)).startswith("fails: ZeroDivisionError: ")
        assert child.call(LIMITS, os.getpid) == first


def test_temporary_files_go_with_the_process() -> None:
    """Each report left the fonts that it had unpacked behind: the process is killed and removes nothing."""
    with child_process() as child:
        first = child.call(LIMITS, tempfile.mkdtemp)
        assert isinstance(first, str)
        assert Path(first).is_dir()
        child.call(LIMITS, os.abort)
        assert not Path(first).exists()
        second = child.call(LIMITS, tempfile.mkdtemp)
        assert isinstance(second, str)
        assert Path(second).is_dir()
    assert not Path(second).parent.exists()


def test_what_is_printed_disturbs_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with child_process() as child:
        assert child.call(LIMITS, print, "x" * 10_000) is None
        assert child.call(LIMITS, os.system, "echo y") == 0
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("limits", "function", "given", "words"),
    [
        pytest.param(LIMITS, os.abort, (), "ended by SIGABRT", id="dies"),
        pytest.param(LIMITS, os._exit, (3,), "ended with 3", id="leaves"),
        pytest.param(SOON, eval, ("[None for _ in iter(int, 1)]",), "takes ", id="computes without end"),
        pytest.param(SOON, time.sleep, (60,), "takes longer than 2 s", id="waits without end"),
        pytest.param(Limits(20.0, 64), eval, ("[bytes(2**20) + b'x' for _ in range(2000)]",), "64 MiB", id="grows"),
    ],
)
def test_a_process_that_is_lost_is_a_failure_and_the_next_call_has_another(
    limits: Limits, function: Callable[..., object], given: tuple[object, ...], words: str
) -> None:
    if "MiB" in words:
        require_process_files()
    with child_process() as child:
        assert words in reason(child.call(limits, function, *given))
        assert child.call(LIMITS, abs, -1) == 1


@pytest.fixture
def interrupted_by_sigint() -> Iterator[None]:
    """As in a program of one's own: where tests run side by side, their processes ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupted_by_sigint")
def test_an_interrupt_ends_both() -> None:
    with child_process() as child:
        first = child.call(LIMITS, os.getpid)
        assert isinstance(first, int)
        threading.Timer(0.2, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt):
            child.call(LIMITS, time.sleep, 60)
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


def test_modules_are_those_of_this_process_and_none_of_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("json.py").write_text("raise SystemExit(9)\n", encoding="ascii")
    with child_process() as child:
        assert child.call(LIMITS, eval, "__import__('sys').path") == sys.path


def test_where_no_process_can_be_started_that_is_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with child_process() as child:
        assert reason(child.call(LIMITS, os.getpid)) == "fails: no process can be started: No such file or directory"
        monkeypatch.undo()
        assert child.call(LIMITS, divmod, 7, 2) == (3, 1)
