"""An interrupt is heard, and what native code prints of it is not."""

import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from itertools import count
from pathlib import Path
from types import FrameType

import pytest

from pipeline import interrupt
from pipeline.scratch import adding_to, replacing, scratch_folder
from pipeline.store.sole_writer import sole_writer
from pipeline.store.store import building
from reports.document.folder import rebuilt

PROGRAM = """
import os, signal
from pipeline import interrupt
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
interrupt.raise_error()
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    os.write(2, b"thread panicked")
assert interrupt.is_heard()
interrupt.forget()
os.write(2, b"our words")
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    os.write(2, b"thread panicked")
interrupt.end_at_once()
os.kill(os.getpid(), signal.SIGINT)
"""


def test_from_an_interrupt_on_only_our_own_words_are_printed() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (130, "our wordshaledger: interrupted\n", "")


def of_file(place: Path) -> None:
    with sole_writer(place), replacing(place) as new:
        new.write_text("new")


def of_folder(place: Path) -> None:
    with replacing(place) as new:
        new.mkdir()
        (new / "a").write_text("new")


def of_files(place: Path) -> None:
    with adding_to(place) as new:
        (new / "a").write_text("new")


def of_nothing(_: Path) -> None:
    with scratch_folder() as folder:
        (folder / "a").write_text("new")


def of_store(place: Path) -> None:
    with sole_writer(place), building(place) as store:
        store.con.execute("create table new (number integer)")


def of_report(place: Path) -> None:
    with rebuilt(place) as new:
        (new / "report.html").write_text("new")


@pytest.fixture
def hearing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Interrupts are heard as in a command."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    interrupt.raise_error()
    yield
    signal.signal(signal.SIGINT, before)
    interrupt.forget()


def is_interrupted(work: Callable[[Path], None], place: Path, number: int) -> bool:
    """Interrupt where Python looks for signals for this time: as a function begins, or one of C has ended."""
    instants = count()

    def look(_frame: FrameType, event: str, _argument: object) -> None:
        if event in {"call", "c_return"} and next(instants) == number:
            signal.raise_signal(signal.SIGINT)

    with suppress(KeyboardInterrupt):
        try:
            sys.setprofile(look)
            work(place)
        finally:
            sys.setprofile(None)
    found = interrupt.is_heard()
    interrupt.forget()
    return found


@pytest.mark.usefixtures("hearing")
@pytest.mark.parametrize(
    ("work", "step"),  # with a step of 1 the last two take some seconds
    [(of_file, 1), (of_folder, 1), (of_files, 1), (of_nothing, 1), (of_store, 11), (of_report, 11)],
)
def test_whatever_is_interrupted_leaves_the_old_or_the_new_and_nothing_beside(
    work: Callable[[Path], None], step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    work(tmp_path / "out")
    expected = sorted(tmp_path.rglob("*"))
    for number in range(0, 10_000, step):
        if not is_interrupted(work, tmp_path / "out", number):
            break
        assert sorted(tmp_path.rglob("*")) == expected, number
    assert 50 < number < 9_000


@pytest.mark.usefixtures("hearing")
@pytest.mark.parametrize("making", [replacing, adding_to, rebuilt])
def test_an_interrupt_that_native_code_dropped_puts_nothing_in_place(
    making: Callable[[Path], AbstractContextManager[Path]], tmp_path: Path
) -> None:
    def make() -> None:
        with making(tmp_path / "out") as new:
            new.mkdir(exist_ok=True)
            (new / "report.html").write_text("half")
            with suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        make()
    assert list(tmp_path.iterdir()) == []
