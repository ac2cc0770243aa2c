"""Files that nobody keeps, and those that take the place of older ones."""

import ctypes
import errno
import fcntl
import os
import shutil
import stat
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from pipeline import interrupt
from pipeline.errors import MachineError

OPEN: set[Path] = set()
"""Folders that are in use, and that nobody would remove if this process ended now."""

PREFIX: Final = "haledger-tmp-"
OF_REPORT: Final = ".haledger"
"""What is in a report folder, whose own writer gives others back what they had put into it."""

YOUNG_S: Final = 60.0
"""So long a folder may be without the lock that says that it is in use."""

HOST: Final = zlib.crc32(os.uname().nodename.encode())
"""In names of what is unfinished: another host that writes to a shared folder has processes of these numbers too."""

AT_WORKING_FOLDER: Final = -100
EXCHANGE: Final = 2
"""`AT_FDCWD` and `RENAME_EXCHANGE` of renameat2(2)."""


@interrupt.uncut
def scratch_folder() -> Iterator[Path]:
    """Give an empty folder that is removed in the end; a MachineError where no place for one can be written."""
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=scratch_place()) as folder, _held(Path(folder)):
        if not OPEN:
            _remove_abandoned(Path(folder))
        OPEN.add(Path(folder))
        try:
            yield Path(folder)
        finally:
            OPEN.discard(Path(folder))


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Hold the lock of a folder in use, which ends with its process; tell whether nobody else has it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_ours = True
    except OSError:  # another process has it, or the file system knows no locks
        is_ours = False
    try:
        yield is_ours
    finally:
        os.close(descriptor)


def _remove_abandoned(own: Path) -> None:
    """Remove what killed processes of this user left beside a folder in use."""
    latest = own.stat().st_mtime - YOUNG_S
    for each in own.parent.glob(f"{PREFIX}*"):
        with suppress(OSError):
            status = each.lstat()
            if stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and status.st_mtime < latest:
                with _held(each) as is_abandoned:
                    if is_abandoned:
                        shutil.rmtree(each, ignore_errors=True)


def scratch_place() -> Path:
    """Where temporary files go: TMPDIR, else the system's folder for them, else the current one."""
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError as error:
        raise MachineError("no folder for temporary files can be written; name one with TMPDIR=DIR") from error


@interrupt.uncut
def replacing(place: Path) -> Iterator[Path]:
    """Give a name for what takes the place of a file or folder in the end. On any failure that stays as it was."""
    with _passing(beside(place)) as new:
        yield new
        interrupt.heed()
        put_in_place(new, place)


@interrupt.uncut
def adding_to(folder: Path) -> Iterator[Path]:
    """Give a folder whose files are put into another one in the end. On any failure that stays as it was."""
    with _passing(beside(folder)) as new:
        new.mkdir()
        yield new
        interrupt.heed()
        folder.mkdir(exist_ok=True)
        for each in sorted(new.iterdir()):
            each.replace(folder / each.name)


@interrupt.uncut
def _passing(new: Path) -> Iterator[Path]:
    """Give the name, and remove what has it in the end; before, what killed processes left under such names."""
    new.parent.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):  # a folder may be open to writers alone
        _remove_unfinished(new)
    try:
        yield new
    finally:
        _remove(new)


def _remove_unfinished(new: Path) -> None:
    """Remove what processes of this host that are dead had under the name that one of this process has."""
    stem = new.name.removesuffix(str(os.getpid()))
    for each in sorted(new.parent.iterdir()):
        number = each.name.removeprefix(stem)
        is_dead = number != each.name and number.isdecimal() and not is_alive(int(number))
        if is_dead and not (each / OF_REPORT).exists():
            _remove(each)


def _remove(place: Path) -> None:
    with suppress(OSError):
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)


def is_alive(process: int) -> bool:
    """Whether another process has this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return process != os.getpid()


def beside(place: Path, end: str = "") -> Path:
    """The name of what this process makes beside a file or folder."""
    return place.with_name(f"{place.name}.tmp-{HOST}-{os.getpid()}{end}")


def put_in_place(new: Path, place: Path) -> None:
    """Let a file or folder take the place of an older one, which has its name then if both are folders."""
    if not (new.is_dir() and place.is_dir()):
        new.replace(place)
    elif not _exchanged(new, place):
        old = beside(place, "-old")
        place.rename(old)
        try:
            new.rename(place)
        except OSError:
            old.rename(place)
            raise
        old.rename(new)


def _exchanged(new: Path, place: Path) -> bool:
    """Swap two folders in one step, where the system can."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    if rename(AT_WORKING_FOLDER, os.fsencode(new), AT_WORKING_FOLDER, os.fsencode(place), EXCHANGE) == 0:
        return True
    if ctypes.get_errno() in {errno.ENOSYS, errno.EINVAL}:
        return False
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(place))
