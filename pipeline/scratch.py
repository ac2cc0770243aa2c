"""Folders for files that nobody keeps."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import MachineError

OPEN: set[Path] = set()
"""Folders that are in use, and that nobody would remove if this process ended now."""


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Give an empty folder that is removed in the end; a MachineError where no place for one can be written."""
    with tempfile.TemporaryDirectory(prefix="haledger-", dir=scratch_place()) as folder:
        OPEN.add(Path(folder))
        try:
            yield Path(folder)
        finally:
            OPEN.discard(Path(folder))


def scratch_place() -> Path:
    """Where temporary files go: TMPDIR, else the system's folder for them, else the current one."""
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError as error:
        raise MachineError("no folder for temporary files can be written; name one with TMPDIR=DIR") from error
