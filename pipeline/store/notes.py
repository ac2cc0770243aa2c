"""What a report folder says of itself: its files, and answers that hold while its store and the program are the same.

An answer is JSON of values whose classes its reader names, so that nothing in the folder can run.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from pipeline.discovery.entry_names import REPORT_MARKER, STORE_NAME
from pipeline.version import version

LEFT_OUT: Final[Mapping[str, object]] = {"origins": (), "behind": {}}
"""Fields that lead back to statements of the report: who traces a number asks these again."""

PLAIN: Final = frozenset({str, int, float, bool, type(None)})


class _List(list[object]):
    """A list that was one: all other arrays of JSON were tuples."""


MAKERS: Final[Mapping[str, Callable[..., object]]] = {
    "list": lambda *items: _List(items),
    "dict": lambda *items: dict(items),
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": timedelta,
    "Decimal": Decimal,
}


def notes_of(folder: Path) -> dict[str, Any]:
    """What a folder says of itself; empty where it says nothing."""
    try:
        content = json.loads((folder / REPORT_MARKER).read_bytes() or b"null")
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def valid_notes(store: Path, folder: Path | None = None) -> dict[str, Any]:
    """The notes of a store's folder, or of another one; empty where they are of another store or another program."""
    notes = notes_of(folder or store.parent) if store.name == STORE_NAME else {}
    return notes if notes and notes.get("made_of") == made_of(store) else {}


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


def as_text(value: object) -> str:
    """A value as JSON. Raises TypeError for one that `from_text` could not give back."""
    return json.dumps(_as_json(value), separators=(",", ":"))


def _as_json(value: object) -> object:
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is tuple:
        return [_as_json(each) for each in value]  # type: ignore[attr-defined]  # a tuple
    return {kind.__name__ if kind is not MappingProxyType else "dict": [_as_json(each) for each in _parts(value)]}


def _parts(value: Any) -> Iterable[object]:  # noqa: ANN401  values of many types
    """What a value is made of again, by the name of its class."""
    kind = type(value)
    if is_dataclass(kind):
        return [LEFT_OUT.get(name, getattr(value, name)) for name in _names(kind)]
    if isinstance(value, Enum):
        return [value.value]
    if kind is list:
        return list(value)
    if isinstance(value, Mapping):
        return value.items()
    if kind is timedelta:
        return [value.days, value.seconds, value.microseconds]
    if kind in {datetime, date, time, Decimal}:
        return [str(value)]
    raise TypeError(f"{kind.__name__}: no value of a note")


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def from_text(text: str, classes: Iterable[type]) -> Any:  # noqa: ANN401  whatever was written
    """The value that `as_text` wrote. `classes`: of all objects in it."""
    known: dict[str, Callable[..., object]] = {**MAKERS, **{each.__name__: each for each in classes}}

    def made(found: dict[str, list[object]]) -> object:
        ((name, given),) = found.items()
        return known[name](*map(_as_tuples, given))

    return _as_tuples(json.loads(text, object_hook=made))


def _as_tuples(value: object) -> object:
    return tuple(map(_as_tuples, value)) if type(value) is list else value
