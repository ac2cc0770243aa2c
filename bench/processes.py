"""Runs commands in fresh processes and shows what they cost."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process cost: seconds by the clock, seconds of all cores, most memory that it held."""

    wall_s: float
    cpu_s: float
    peak_mib: float


def cost_of(command: Sequence[str | Path], folder: Path = ROOT) -> Cost:
    """Run a command in a folder to its end, its output going nowhere. One that fails is a CalledProcessError."""
    with tempfile.TemporaryFile() as complaints:
        began = time.perf_counter()
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall_s = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            complaints.seek(0)
            raise subprocess.CalledProcessError(process.returncode, process.args, stderr=complaints.read().decode())
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
    return Cost(wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / MEBIBYTE)


def _environment() -> dict[str, str]:
    """That of this process; modules are compiled once, as those of an installed program are."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**own, "PYTHONPATH": str(ROOT)}


def first_line(command: Sequence[str]) -> str | None:
    """The first line that a command prints, such as its version; None if it cannot be run."""
    try:
        run = subprocess.run(command, capture_output=True, check=True, text=True, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return None
    return (run.stdout.splitlines() or [""])[0].strip()
