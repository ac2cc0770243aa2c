"""A terminal for tests, where the system has one."""

import pty

import pytest


def pseudo_terminal() -> tuple[int, int]:
    """Both ends of a pseudo-terminal; skips where there is none, as in a root file system without /dev/pts."""
    try:
        return pty.openpty()
    except OSError as error:
        pytest.skip(f"no pseudo-terminal here: {error}")
