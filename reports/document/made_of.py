"""Of what a report is made: while none of it changes, what was made stays as it is."""

import hashlib
import os
import sys
from pathlib import Path

from pipeline.version import version


def made_of(store: Path, *further: object) -> str:
    """A hash of a store, of what else decides, and of the program with all that is installed beside it."""
    installed = sorted(name for place in sys.path if os.path.isdir(place) for name in os.listdir(place))  # noqa: PTH112, PTH208  pathlib takes time
    libraries = [name for name in installed if name.endswith((".dist-info", ".egg-info"))]
    return hashlib.sha256(repr((digest(store), further, version(), sys.version, libraries)).encode()).hexdigest()


def digest(store: Path) -> str:
    """The SHA-256 of a store and of what other programs wrote beside it, to be put into it."""
    log = store.with_name(f"{store.name}.wal")
    found = ""
    for each in (store, log):
        if each.exists():
            with each.open("rb") as file:
                found += hashlib.file_digest(file, "sha256").hexdigest()
    return found
