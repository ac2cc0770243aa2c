"""Ctrl-C at any instant: heard once, and never lost.

Native code and callbacks turn a KeyboardInterrupt into an error of their own, or drop it. So what was heard is kept,
and what is about to take the place of older files asks first. Native code also prints such an error, past Python: from
an interrupt on, standard error is silent until the command has come to its own words.
"""

import _thread
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Final

EXIT_CODE: Final = 130
MESSAGE: Final = "haledger: interrupted"

_heard: list[int] = []
_kept: list[int] = []
"""Standard error itself, while it is silent."""


def end_at_once() -> None:
    """From now on an interrupt ends the process: nothing is open yet, or all is closed."""
    speak()
    _install(_leave)


def raise_error() -> None:
    """From now on an interrupt raises KeyboardInterrupt, so that what is open is closed."""
    sys.unraisablehook = _unraisable
    _install(_raise)


def is_heard() -> bool:
    """Whether there was an interrupt, even if its KeyboardInterrupt was dropped."""
    return bool(_heard)


def heed() -> None:
    """Raise the KeyboardInterrupt that some code has dropped."""
    if _heard:
        raise KeyboardInterrupt


def forget() -> None:
    """Go on after an interrupt that stopped what it was meant to stop."""
    _heard.clear()
    speak()


def speak() -> None:
    """Let standard error be heard again after an interrupt: what follows are our own words."""
    while _kept:
        kept = _kept.pop()
        os.dup2(kept, 2)
        os.close(kept)


def _install(handler: "signal._HANDLER") -> None:
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # what a shell starts in the background passes over it
        signal.signal(signal.SIGINT, handler)


def _leave(_number: int, _frame: FrameType | None) -> None:
    try:
        os.write(2, f"{MESSAGE}\n".encode())
    finally:
        os._exit(EXIT_CODE)


def _raise(number: int, _frame: FrameType | None) -> None:
    _heard.append(number)
    _silence()
    raise KeyboardInterrupt


def _silence() -> None:
    if not _kept:
        with suppress(OSError):  # it may be closed
            _kept.append(os.dup(2))
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 2)
            os.close(nowhere)


def _unraisable(given: "sys.UnraisableHookArgs") -> None:
    """A KeyboardInterrupt in a callback, where none can be raised, comes again a moment later."""
    if given.exc_type is KeyboardInterrupt:
        _thread.interrupt_main()
    else:
        sys.__unraisablehook__(given)
