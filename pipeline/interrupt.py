"""Ctrl-C at any instant: heard once, and never lost.

Native code and callbacks turn a KeyboardInterrupt into an error of their own, or drop it. So an interrupt is
remembered, and code asks for it before it replaces older files. Native code also prints such an error, past Python:
after an interrupt, standard error is silent until the command writes its own message.

What makes files and removes them is a context manager with `uncut`: an interrupt waits until they are made or removed.
"""

import _thread
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import wraps
from types import FrameType, TracebackType
from typing import Final, Generic, ParamSpec, TypeVar

Given = ParamSpec("Given")
Value = TypeVar("Value")

EXIT_CODE: Final = 130
MESSAGE: Final = "haledger: interrupted"

_heard: list[int] = []
_late: list[int] = []
"""Those that wait until something is made or removed."""

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
        _late.clear()
        raise KeyboardInterrupt


def uncut(function: Callable[Given, Iterator[Value]]) -> Callable[Given, "_Uncut[Value]"]:
    """As `contextlib.contextmanager`; an interrupt before or after the block comes once that part is done.

    What waits or takes long there asks `heed`.
    """
    whole = contextmanager(function)
    return wraps(function)(lambda *given, **named: _Uncut(whole(*given, **named)))


class _Uncut(AbstractContextManager[Value], Generic[Value]):
    """A context manager around which interrupts wait.

    The handler knows by the stack whether one is at work: an instruction that says so would be one too late.
    """

    def __init__(self, whole: AbstractContextManager[Value]) -> None:
        self._whole = whole

    def __enter__(self) -> Value:
        value = self._whole.__enter__()
        try:
            _raise_late()
        except KeyboardInterrupt:
            self._whole.__exit__(*sys.exc_info())
            raise
        return value

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        try:
            return self._whole.__exit__(kind, error, trace)
        finally:
            _raise_late()


UNCUT: Final = frozenset({_Uncut.__enter__.__code__, _Uncut.__exit__.__code__})


def _is_uncut(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code not in UNCUT:
        frame = frame.f_back
    return frame is not None


def _raise_late() -> None:
    """Raise the interrupt that has waited, once nothing is made or removed but by the caller."""
    if _late and not _is_uncut(sys._getframe(2)):  # noqa: SLF001  the way to see the stack
        heed()


def forget() -> None:
    """Go on after an interrupt that stopped what it was meant to stop."""
    _heard.clear()
    _late.clear()
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


def _raise(number: int, frame: FrameType | None) -> None:
    _heard.append(number)
    _silence()
    if not _is_uncut(frame):
        raise KeyboardInterrupt
    _late.append(number)


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
