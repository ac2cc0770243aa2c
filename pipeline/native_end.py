"""What becomes of a command whose process native code ends: it begins again, with each unit in a process of its own.

Libraries end a process where they get no memory, or find themselves broken, and Python hears nothing of it. So the
command's process has a handler for such signals, which starts the same command in its place: the process keeps its
number, and whoever waits for it waits on. Now a file that ends its process costs that file. Until then nothing is paid.
"""

import ctypes
import os
import shutil
import signal
import sys
from contextlib import ExitStack, suppress
from typing import Final, NoReturn

from pipeline import scratch

SIGNALS: Final = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGTRAP)
APART: Final = "HALEDGER_UNITS_APART"
LEFT: Final = "HALEDGER_LEFT_FOLDERS"
MESSAGE: Final = "haledger: native code ended by {}; beginning again, each unit in a process of its own\n"

AT_END: Final = ExitStack()
"""What is closed as the command ends."""


class _Process:
    """Whether this process is that of a command, which may begin again, and its handler, which has to stay."""

    may_begin_again = False
    handler: object = None


def allow() -> None:
    """Say that this process is that of a command, and remove what the one before left that began it again."""
    _Process.may_begin_again = APART not in os.environ
    for folder in filter(None, os.environ.pop(LEFT, "").split(os.pathsep)):
        shutil.rmtree(folder, ignore_errors=True)


def is_apart() -> bool:
    """Return whether each unit is to be read in a process of its own, as the first try ended this one."""
    return APART in os.environ


def guard() -> None:
    """Begin the command again where native code ends the process from now on."""
    if not _Process.may_begin_again or _Process.handler is not None:
        return
    _Process.handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(_begin_again)
    with suppress(OSError, AttributeError):
        set_handler = ctypes.CDLL(None).signal
        set_handler.argtypes = (ctypes.c_int, type(_Process.handler))
        set_handler.restype = ctypes.c_void_p
        for number in SIGNALS:
            set_handler(number, _Process.handler)


def _begin_again(number: int) -> NoReturn:
    try:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for each in SIGNALS:
            signal.signal(each, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        os.write(2, MESSAGE.format(signal.Signals(number).name).encode())
        left = os.pathsep.join(map(str, scratch.OPEN))
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | {APART: "1", LEFT: left})  # noqa: S606  ourselves
    finally:
        os._exit(128 + number)
