"""Commands of haledger, one after the other in a process that is kept: what each takes and leaves is measured.

A process of its own for each would cost two seconds of imports. One that hangs, dies, or leaves a thread behind is
ended, and the next command gets a new one.
"""

import json
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.failover_logs import environment_of

STATEMENT_S = "KEPT_PROCESS_STATEMENT_S"
"""In its environment: the seconds that a statement of a study may take."""

SERVE = "from tests.support.kept_process import serve; serve()"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended. `code`: its exit code, negative for a signal that ended its process, None: out of time."""

    code: int | None
    wall_s: float
    cpu_s: float = 0.0
    mebibytes: float = 0.0
    output: str = ""
    errors: str = ""


@dataclass(slots=True)
class KeptProcess:
    """A context manager. `folder` takes what commands print; `environment` is that of the process."""

    folder: Path
    environment: Mapping[str, str]
    _process: "subprocess.Popen[str] | None" = field(default=None, init=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self._end()

    def run(self, *arguments: str, cwd: Path, limit_s: float) -> Ended:
        """Run a command; its process is killed after some time."""
        process = self._process = self._process or self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"arguments": arguments, "cwd": str(cwd)}) + "\n")
        process.stdin.flush()
        begin = time.monotonic()
        has_answer = bool(select.select([process.stdout], [], [], limit_s)[0])
        answer = process.stdout.readline() if has_answer else ""
        wall_s = time.monotonic() - begin
        if not answer:
            code = self._end()
            return Ended(code if has_answer else None, wall_s, errors=self._text("stderr"))
        measured = json.loads(answer)
        if measured.pop("has_threads"):
            self._end()
        return Ended(**measured, wall_s=wall_s, output=self._text("stdout"), errors=self._text("stderr"))

    def _started(self) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-c", SERVE, str(self.folder)],
            env=environment_of(**self.environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def _end(self) -> int | None:
        """Kill the process and those that it started; how it ended where it was dead before."""
        process, self._process = self._process, None
        if process is None:
            return None
        try:
            code = process.wait(0.5 if process.stdout is not None and process.poll() is None else 0)
        except subprocess.TimeoutExpired:
            code = None
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return code

    def _text(self, name: str) -> str:
        place = self.folder / name
        return place.read_text(encoding="utf-8", errors="replace")[:20_000] if place.exists() else ""


def serve() -> None:
    """Run commands until there are no more."""
    from haledger.cli import main
    from pipeline.query import bounded

    if STATEMENT_S in os.environ:
        limit_s = float(os.environ[STATEMENT_S])
        bounded.STUDY_LIMITS = replace(bounded.STUDY_LIMITS, timeout_s=limit_s)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    folder, answers = Path(sys.argv[1]), os.fdopen(os.dup(1), "w", encoding="utf-8")
    for line in sys.stdin:
        question = json.loads(line)
        os.chdir(question["cwd"])
        for number, name in ((1, "stdout"), (2, "stderr")):
            opened = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(opened, number)
            os.close(opened)
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
        before = _cpu_s()
        code = main(question["arguments"])
        sys.stdout.flush()
        sys.stderr.flush()
        measured = {"code": code, "cpu_s": _cpu_s() - before, "mebibytes": _peak_mebibytes()}
        answers.write(json.dumps(measured | {"has_threads": threading.active_count() > 1}) + "\n")
        answers.flush()


def _cpu_s() -> float:
    spent = [resource.getrusage(each) for each in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)


def _peak_mebibytes() -> float:
    """The largest that this process was, or any that it ever started."""
    own = Path("/proc/self/status").read_text(encoding="ascii").split("VmHWM:")[1].split()[0]
    return max(int(own), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024
