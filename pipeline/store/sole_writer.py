"""The lock of a store or report folder: one process builds it at a time, from before the first byte to after the swap.

The lock is a file beside it that the system locks, and unlocks when its process ends, however it ends. The file holds
the number of that process, for the message of the others.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

from pipeline import interrupt
from pipeline.errors import StoreError
from pipeline.scratch import is_alive

POLL_S: Final = 0.1

SIGN_S: Final = 2.0
"""So long the number of a process that has just got the lock is waited for."""


@interrupt.uncut
def sole_writer(place: Path, wait_s: float = 0.0) -> Iterator[None]:
    """Hold the lock of a file or folder. A StoreError names who has it, if that takes longer than `wait_s` seconds."""
    path = place.with_name(f"{place.name}.tmp-lock")
    until = time.monotonic() + wait_s
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        file = _locked(place, path, until)
    except OSError as error:
        raise StoreError(f"{place}: cannot be written: {error.strerror or error}") from error
    with file:
        try:
            _sign(file, place)
            yield
        finally:
            with suppress(OSError):  # a file that stays holds no lock
                path.unlink()


def _sign(file: TextIO, place: Path) -> None:
    """Write the number of this process into the file of its lock."""
    try:
        os.ftruncate(file.fileno(), 0)
        os.write(file.fileno(), b"%d\n" % os.getpid())
    except OSError as error:
        raise StoreError(f"{place}: cannot be written: {error.strerror or error}") from error


def _locked(place: Path, path: Path, until: float) -> TextIO:
    """The file of the lock, which is ours."""
    while True:
        file = path.open("a+", encoding="ascii")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_still(file.fileno(), path):  # else the holder before has removed it: what is locked has no name
                return file
        except BlockingIOError as error:
            if time.monotonic() >= until:
                message = (
                    f"{place}: being written by another haledger{_holder(file)}; wait for it to end, or give --wait"
                )
                file.close()
                raise StoreError(message) from error
            time.sleep(POLL_S)
            interrupt.heed()
        except BaseException:
            file.close()
            raise
        file.close()


def _holder(file: TextIO) -> str:
    """The process that has the lock; nothing where that has not written its number after a while.

    Between the lock and the number lies an instant, in which the file may hold the number of one that was killed.
    """
    until = time.monotonic() + SIGN_S
    while True:
        file.seek(0)
        number = file.read(20).strip()
        if number.isdecimal() and is_alive(int(number)):
            return f" (process {number})"
        if number == str(os.getpid()) or time.monotonic() >= until:
            return ""
        time.sleep(POLL_S / 10)


def _is_still(descriptor: int, path: Path) -> bool:
    """Whether an open file is the one of that name."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
