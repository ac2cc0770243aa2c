"""What a report folder says of itself: its files, and answers that hold while its store and the program are the same.

An answer is data (`pipeline.values`), so that nothing in the folder can run.
"""

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pipeline import values
from pipeline.discovery.entry_names import REPORT_MARKER, STORE_NAME
from pipeline.version import version

LEFT_OUT: Final[Mapping[str, object]] = {"origins": (), "behind": {}}
"""Fields that lead back to statements of the report: who traces a number asks these again."""

SEAL: Final = "sealed"
"""The hash of all that is noted."""


def notes_of(folder: Path) -> dict[str, Any]:
    """What a folder says of itself; empty where it says nothing."""
    try:
        content = json.loads((folder / REPORT_MARKER).read_bytes() or b"null")
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def valid_notes(store: Path, folder: Path | None = None) -> dict[str, Any]:
    """The notes of a store's folder, or of another one.

    They are empty where they are of another store or another program, or were changed since.
    """
    notes = notes_of(folder or store.parent) if store.name == STORE_NAME else {}
    return notes if is_sealed(notes) and notes.get("made_of") == made_of(store) else {}


def sealed(notes: Mapping[str, Any]) -> bytes:
    """The notes as they are written for good, with a hash of them all."""
    return json.dumps({**notes, SEAL: _seal(notes)}, indent=1, sort_keys=True).encode() + b"\n"


def is_sealed(notes: Mapping[str, Any]) -> bool:
    """Whether notes are as they were written for good."""
    return notes.get(SEAL) == _seal(notes)


def _seal(notes: Mapping[str, Any]) -> str:
    return hash_of(json.dumps({name: each for name, each in notes.items() if name != SEAL}, sort_keys=True))


def made_of(store: Path) -> str:
    """A hash of all that decides what a store gives: its bytes, the program and all that is installed beside it."""
    installed = sorted(name for place in sys.path if os.path.isdir(place) for name in os.listdir(place))  # noqa: PTH112, PTH208  pathlib takes time
    libraries = [name for name in installed if name.endswith((".dist-info", ".egg-info"))]
    return hash_of(digest(store), version(), sys.version, libraries)


def hash_of(*values: object) -> str:
    """A hash of plain values."""
    return hashlib.sha256(repr(values).encode("utf-8", "surrogatepass")).hexdigest()


def digest(store: Path) -> str:
    """The SHA-256 of a store, and of what other programs wrote beside it, to be put into it."""
    found = ""
    for each in (store, store.with_name(f"{store.name}.wal")):
        if each.exists():
            with each.open("rb") as file:
                found += hashlib.file_digest(file, "sha256").hexdigest()
    return found


def as_note(value: object) -> str:
    """A value as text that `values.from_text` reads. Raises TypeError for one that is no data."""
    return values.as_text(value, LEFT_OUT)
