"""A process of its own for work that native code does: typesetting.

What fails, dies, hangs or takes more memory than its budget there gives a `Failure` and leaves this process as it was.
The child starts with the first call, does one call after the other, and ends with its owner, however that ends: its
standard input is then closed. What it leaves in its folder for temporary files is removed.
"""

import json
import os
import pickle
import resource
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from select import select
from typing import IO, Any, ParamSpec, TypeVar

from pipeline import interrupt
from pipeline.errors import MachineError
from pipeline.failure import Failure
from pipeline.memory import MEBIBYTE, held_bytes
from pipeline.scratch import scratch_folder

SERVE = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from pipeline.child import serve; serve()"
LENGTH = struct.Struct("!Q")
TICK_S = 0.25

PATIENCE = 6.0
"""A call may take this many times its processor time by the clock, as the machine may be busy."""

Given = ParamSpec("Given")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a call may take: seconds of the processor, and mebibytes of memory."""

    cpu_s: float
    mebibytes: float


class Child:
    """A process that runs functions of modules, with values that can be pickled; `child_process` gives one."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._scratch = ExitStack()

    def call(
        self, limits: Limits, function: Callable[Given, Result], *given: Given.args, **named: Given.kwargs
    ) -> Result | Failure[str]:
        """The function's result, or why there is none. After a call that ended the process the next has a new one."""
        name = function.__qualname__
        try:
            process = self._process = self._process or _started(self._folder())
        except OSError as error:  # too many processes, no memory for one, an interpreter that may not be started
            return Failure(name, f"fails: no process can be started: {error.strerror or error}")
        assert process.stdin is not None  # noqa: S101  a pipe was asked for
        assert process.stdout is not None  # noqa: S101  and here
        try:
            _send(process.stdin, (limits.cpu_s, function, given, named))
            reason = _waited(process.pid, process.stdout, limits)
            succeeded, answer = _received(process.stdout) if reason is None else (False, reason)
        except (EOFError, OSError):
            succeeded, answer = False, f"fails: {_death(process.wait())}"
            reason = answer
        except BaseException:
            self.end()
            raise
        if reason is not None:
            self.end()
        return answer if succeeded else Failure(name, answer)

    def _folder(self) -> Path | None:
        """A folder for the temporary files of a process, which is killed and removes none; None where there is none."""
        try:
            return self._scratch.enter_context(scratch_folder())
        except MachineError:
            return None

    def end(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()
        self._scratch.close()


@interrupt.uncut
def child_process() -> Iterator[Child]:
    """Give a process to call, and end it in the end."""
    child = Child()
    try:
        yield child
    finally:
        child.end()


def serve() -> None:
    """Answer calls until there are no more; what functions print goes to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the owner is interrupted, and ends this
    calls, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    while True:
        try:
            cpu_s, function, given, named = _received(calls)
        except EOFError:
            return
        spent = resource.getrusage(resource.RUSAGE_SELF)
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(spent.ru_utime + spent.ru_stime + cpu_s) + 1, most))
        try:
            answer = (True, function(*given, **named))
        except Exception as error:  # noqa: BLE001  the owner decides
            answer = (False, f"fails: {type(error).__name__}: {' '.join(str(error).split())}"[:1000])
        _send(answers, answer)


def _started(folder: Path | None) -> subprocess.Popen[bytes]:
    """A process of this interpreter that finds the same modules, and none in the working folder."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", SERVE, json.dumps(sys.path)],
        env=os.environ | ({"TMPDIR": str(folder)} if folder else {}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # what dying native code prints helps nobody
    )


def _waited(process: int, answers: IO[bytes], limits: Limits) -> str | None:
    """Wait for the beginning of an answer; in words, what the process takes too much of."""
    until = time.monotonic() + PATIENCE * limits.cpu_s
    while not select([answers], [], [], TICK_S)[0]:
        if held_bytes(process) > limits.mebibytes * MEBIBYTE:
            return f"takes more than {limits.mebibytes:,.0f} MiB of memory"
        if time.monotonic() > until:
            return f"takes longer than {PATIENCE * limits.cpu_s:.0f} s"
    return None


def _death(code: int) -> str:
    """How a process ended."""
    if code == -signal.SIGXCPU:
        return "takes too much time of the processor"
    return f"its process was ended by {signal.Signals(-code).name}" if code < 0 else f"its process ended with {code}"


def _send(stream: IO[bytes], message: object) -> None:
    content = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(LENGTH.pack(len(content)) + content)
    stream.flush()


def _received(stream: IO[bytes]) -> tuple[Any, ...]:
    """The next message; EOFError where there is none, or not all of it."""
    (length,) = LENGTH.unpack(_exactly(stream, LENGTH.size))
    found: tuple[Any, ...] = pickle.loads(_exactly(stream, length))  # noqa: S301  of our own process
    return found


def _exactly(stream: IO[bytes], length: int) -> bytes:
    content = stream.read(length)
    if len(content) < length:
        raise EOFError
    return content
