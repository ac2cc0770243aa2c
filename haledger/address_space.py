"""Little address space (`ulimit -v`): few threads, and a process of its own whose sudden end is reported in words.

Libraries of native code end the process where they get no memory. Threads and their heaps reserve most of the address
space; with one thread of each kind a small study needs less than 512 MiB.
"""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

from pipeline.errors import MachineError

ROOMY: Final = 4 * 2**30
"""From this many bytes on nothing is done: figures alone need more."""

MARK: Final = "HALEDGER_IS_SUPERVISED"
FRUGAL: Final = {
    "MALLOC_ARENA_MAX": "1",
    "POLARS_MAX_THREADS": "1",
    "_RJEM_MALLOC_CONF": "background_thread:false,narenas:1",
    "PYTHONWARNINGS": "ignore",
}
SUDDEN: Final = {-signal.SIGABRT, -signal.SIGBUS, -signal.SIGILL, -signal.SIGSEGV, -signal.SIGTRAP, 127}
"""How processes end whose native code gets no memory; 127: the C library, for memory of a thread."""


def limit() -> int | None:
    """The bytes of address space that this process may have, if they are few."""
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    return most if most != resource.RLIM_INFINITY and most < ROOMY else None


def too_little(reason: str) -> MachineError | None:
    """The error that explains another one by little address space; None where there is enough."""
    most = limit()
    if most is None:
        return None
    return MachineError(f"{most // 2**20:,} MiB of address space are too little here ({reason}); raise `ulimit -v`")


def supervised(run: Callable[[], int]) -> int:
    """The exit code of the command line: `run`, or where address space is little, the same in a second process."""
    if limit() is None:
        return run()
    if MARK in os.environ:
        _mute_native_code()
        return run()
    code = _second()
    error = too_little(f"native code ended by {_end(code)}") if code in SUDDEN else None
    if error is None:
        return code if code >= 0 else 128 - code
    sys.stderr.write(f"haledger: {error}\n")
    return error.exit_code


def _second() -> int:
    """Start this program once more, with few threads, and wait for its end."""
    with subprocess.Popen([sys.executable, *sys.orig_argv[1:]], env=os.environ | FRUGAL | {MARK: "1"}) as process:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is interrupted too, and ends in its own way

        def hand_on(number: int, _frame: FrameType | None) -> None:
            process.send_signal(number)

        signal.signal(signal.SIGTERM, hand_on)
        return process.wait()


def _mute_native_code() -> None:
    """Keep standard error for what haledger has to say: native code writes there how it dies."""
    if sys.stderr is not None:
        sys.stderr = os.fdopen(os.dup(2), "w", encoding=sys.stderr.encoding, errors=sys.stderr.errors, buffering=1)
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            os.dup2(nowhere.fileno(), 2)


def _end(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
