"""Of what a report is made: while none of it changes, what was made stays as it is."""

import filecmp
import hashlib
import os
import sys
from pathlib import Path

from pipeline.discovery.entry_names import REPORT_MARKER, STORE_NAME
from pipeline.version import version


def made_of(*further: object) -> str:
    """A hash of what decides beside the store, of the program and of all that is installed beside it."""
    installed = sorted(name for place in sys.path if os.path.isdir(place) for name in os.listdir(place))  # noqa: PTH112, PTH208  pathlib takes time
    libraries = [name for name in installed if name.endswith((".dist-info", ".egg-info"))]
    return hashlib.sha256(repr((further, version(), sys.version, libraries)).encode()).hexdigest()


def is_store_of(store: Path, last: Path) -> bool:
    """Whether a store is, byte by byte, the one that the report in a folder was made of, and none wrote to it since."""
    old = last / STORE_NAME
    try:
        is_older = old.stat().st_mtime_ns <= (last / REPORT_MARKER).stat().st_mtime_ns
        is_written = _log_of(store).exists() or _log_of(old).exists()
        return is_older and not is_written and filecmp.cmp(store, old, shallow=False)
    except OSError:
        return False


def digest(store: Path) -> str:
    """The SHA-256 of a store, and of what other programs wrote beside it, to be put into it."""
    found = ""
    for each in (store, _log_of(store)):
        if each.exists():
            with each.open("rb") as file:
                found += hashlib.file_digest(file, "sha256").hexdigest()
    return found


def _log_of(store: Path) -> Path:
    return store.with_name(f"{store.name}.wal")
