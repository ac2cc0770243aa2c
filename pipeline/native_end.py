"""What becomes of a command whose process native code ends: it begins again, with each unit in a process of its own.

Libraries end a process where they get no memory, or find themselves broken, and Python hears nothing of it. So the
command's process has a handler for such signals, which starts the same command in its place: the process keeps its
number, and whoever waits for it waits on. Now a file that ends its process costs that file. Until then nothing is paid.
A stack that overflowed has no room for the handler: on Linux it has a stack of its own in each thread that reads.
"""

import ctypes
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Final, NoReturn

from pipeline import interrupt, scratch

SIGNALS: Final = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGTRAP)
APART: Final = "HALEDGER_UNITS_APART"
LEFT: Final = "HALEDGER_LEFT_FOLDERS"
MESSAGE: Final = "haledger: native code ended by {}; beginning again, each unit in a process of its own\n"

AT_END: Final = ExitStack()
"""What is closed as the command ends."""


@interrupt.uncut
def ending() -> Iterator[None]:
    """Close at the end of the command what was opened for all of it."""
    with AT_END:
        yield


_Handler = ctypes.CFUNCTYPE(None, ctypes.c_int)
STACK_BYTES: Final = 1 << 20
ON_OWN_STACK: Final = 0x08000000
"""SA_ONSTACK of Linux."""


class _Stack(ctypes.Structure):
    """`stack_t` of Linux."""

    _fields_ = (("start", ctypes.c_void_p), ("flags", ctypes.c_int), ("bytes", ctypes.c_size_t))


class _Action(ctypes.Structure):
    """`struct sigaction` of Linux."""

    _fields_ = (
        ("handler", _Handler),
        ("mask", ctypes.c_byte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


class _Process:
    """Whether this process is that of a command, which may begin again, and its handler, which has to stay."""

    may_begin_again = False
    handler: object = None
    of_thread = threading.local()


def allow() -> None:
    """Say that this process is that of a command, and remove what the one before left that began it again."""
    _Process.may_begin_again = APART not in os.environ
    for folder in filter(None, os.environ.pop(LEFT, "").split(os.pathsep)):
        shutil.rmtree(folder, ignore_errors=True)


def is_restarted() -> bool:
    """Return whether each unit is to be read in a process of its own, as the first try ended this one."""
    return APART in os.environ


def guard() -> None:
    """Begin the command again where native code ends the process from now on."""
    if not _Process.may_begin_again or _Process.handler is not None:
        return
    _Process.handler = handler = _Handler(_begin_again)
    library = ctypes.CDLL(None)
    with suppress(OSError, AttributeError):
        library.signal.argtypes = (ctypes.c_int, _Handler)
        library.signal.restype = ctypes.c_void_p
        for number in SIGNALS:
            if sys.platform == "linux":
                library.sigaction(number, ctypes.byref(_Action(handler, flags=ON_OWN_STACK)), None)
            else:
                library.signal(number, handler)
    give_stack()


def give_stack() -> None:
    """Give the handler a stack of its own for what ends this thread, if there is a handler."""
    if _Process.handler is None or sys.platform != "linux" or hasattr(_Process.of_thread, "stack"):
        return
    _Process.of_thread.stack = stack = ctypes.create_string_buffer(STACK_BYTES)
    ctypes.CDLL(None).sigaltstack(ctypes.byref(_Stack(ctypes.addressof(stack), 0, STACK_BYTES)), None)


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
