"""What tests need of a system and a bare root has not; they skip where it is missing."""

import pty
from pathlib import Path

import pytest


def require_process_files() -> None:
    """Skip where the system does not say how much memory a process has, as without /proc."""
    if not Path("/proc/self/statm").exists():
        pytest.skip("the memory of a process is read from /proc, which is not here")


def pseudo_terminal() -> tuple[int, int]:
    """Both ends of a pseudo-terminal; skips where there is none, as in a root file system without /dev/pts."""
    try:
        return pty.openpty()
    except OSError as error:
        pytest.skip(f"no pseudo-terminal here: {error}")
