"""Values as JSON, with frames beside them: whoever reads them runs nothing that a writer sends.

Texts and numbers are JSON, and an array is a tuple. An object has one name, the number of a kind of value or of a
class of ours in the list of names in front, and what the value is made of.
"""

import importlib
import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from io import BytesIO
from pathlib import PosixPath
from types import MappingProxyType
from typing import Any, Final

OWN_PACKAGES: Final = frozenset({"parsers", "pipeline", "reports"})
LENGTH: Final = struct.Struct("!Q")
PLAIN: Final = frozenset({str, int, float, bool, type(None)})
NOTHING: Final[Mapping[str, object]] = MappingProxyType({})

TEXTS: Final[Mapping[str, Callable[[str], object]]] = {
    "PosixPath": PosixPath,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "Decimal": Decimal,
}
COLLECTIONS: Final[Mapping[str, Callable[[Any], object]]] = {
    "list": list,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
    "timedelta": lambda parts: timedelta(*parts),
}


class NotDataError(ValueError):
    """Something that `as_data` or `as_text` did not write."""


def as_text(value: object, left_out: Mapping[str, object] = NOTHING) -> str:
    """A value as text. `left_out`: what stands for fields of these names. Raises TypeError for one that is no data."""
    text, frames = _written(value, left_out)
    if frames:
        raise TypeError("DataFrame: not as text")
    return text


def from_text(text: str) -> Any:  # noqa: ANN401  what `as_text` was given
    """The value that `as_text` was given. Raises NotDataError for anything else."""
    return _read(text, ())


def as_data(value: object) -> bytes:
    """A value as bytes. Raises TypeError for one that is no data."""
    text, frames = _written(value, NOTHING)
    pieces = (text.encode(), *frames)
    lengths = [LENGTH.pack(len(each)) for each in pieces]
    return b"".join([LENGTH.pack(len(lengths)), *lengths, *pieces])


def from_data(content: bytes) -> Any:  # noqa: ANN401  what `as_data` was given
    """The value that `as_data` was given. Raises NotDataError for anything else."""
    try:
        text, *frames = _pieces(content)
    except (ValueError, struct.error) as error:
        raise NotDataError(f"no data of haledger: {error}") from None
    return _read(text, frames)


def _pieces(content: bytes) -> Iterator[bytes]:
    (count,) = LENGTH.unpack_from(content)
    start = LENGTH.size * (1 + count)
    for (length,) in LENGTH.iter_unpack(content[LENGTH.size : start]):
        yield content[start : start + length]
        start += length


def _written(value: object, left_out: Mapping[str, object]) -> tuple[str, list[bytes]]:
    writer = _Writer(left_out)
    described = writer.described(value)
    return json.dumps([list(writer.names), described], separators=(",", ":")), writer.frames


class _Writer:
    """Describes values, and keeps the names and the frames that they need."""

    def __init__(self, left_out: Mapping[str, object]) -> None:
        self.names: dict[str, int] = {}
        self.frames: list[bytes] = []
        self._left_out = left_out

    def described(self, value: Any) -> object:  # noqa: ANN401  any value
        kind = type(value)
        if kind in PLAIN:
            return value
        if kind is tuple:
            return [self.described(each) for each in value]
        name, content = self._object(kind, value)
        return {self.names.setdefault(name, len(self.names)): content}

    def _object(self, kind: type, value: Any) -> tuple[str, object]:  # noqa: ANN401  of this kind
        if kind in {list, set, frozenset}:
            return kind.__name__, [self.described(each) for each in value]
        if kind in {dict, MappingProxyType}:
            return "dict", [[self.described(name), self.described(each)] for name, each in value.items()]
        if kind.__name__ in TEXTS:
            return kind.__name__, str(value)
        if kind is timedelta:
            return "timedelta", [value.days, value.seconds, value.microseconds]
        if kind.__name__ == "DataFrame":
            return "frame", self._frame(value)
        name = f"{kind.__module__}:{kind.__qualname__}"
        return name, self._own_content(value, _own(name)[1])

    def _own_content(self, value: Any, names: Sequence[str]) -> object:  # noqa: ANN401  of a class of ours
        if isinstance(value, Enum):
            return value.name
        if hasattr(value, "as_json"):
            return value.as_json()
        parts = value if isinstance(value, tuple) else [self._field(value, each) for each in names]
        return [self.described(each) for each in parts]

    def _field(self, value: object, name: str) -> object:
        return self._left_out[name] if name in self._left_out else getattr(value, name)

    def _frame(self, frame: Any) -> int:  # noqa: ANN401  Polars' own, which is loaded
        import polars as pl

        file = BytesIO()
        frame.write_ipc(file, compression="uncompressed", compat_level=pl.CompatLevel.newest())
        self.frames.append(file.getvalue())
        return len(self.frames) - 1


def _read(text: str | bytes, frames: Sequence[bytes]) -> object:
    try:
        names, described = json.loads(text)
        return _Reader(names, frames).built(described)
    except (ArithmeticError, AttributeError, ImportError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise NotDataError(f"no data of haledger: {error}") from None


class _Reader:
    """Builds values of what is described."""

    def __init__(self, names: Sequence[str], frames: Sequence[bytes]) -> None:
        self._makers = {str(number): self._maker(name) for number, name in enumerate(names)}
        self._frames = frames

    def built(self, described: Any) -> object:  # noqa: ANN401  JSON
        kind = type(described)
        if kind is list:
            return tuple([self.built(each) for each in described])
        if kind is not dict:
            return described
        ((name, content),) = described.items()
        return self._makers[name](content)

    def _maker(self, name: str) -> Callable[[Any], object]:
        if name == "frame":
            return self._frame
        if name in TEXTS:
            return TEXTS[name]
        if name in COLLECTIONS:
            return lambda content: COLLECTIONS[name](self.built(content))
        own, names = _own(name)
        if issubclass(own, Enum):
            return lambda content: own[content]
        if hasattr(own, "from_json"):
            from_json: Callable[[Any], object] = own.from_json
            return from_json
        return lambda content: _made(own, names, [self.built(each) for each in content])

    def _frame(self, number: int) -> object:
        import polars as pl

        try:
            return pl.read_ipc(self._frames[number])
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise NotDataError(str(error)) from None


def _made(own: Any, names: Sequence[str], parts: Sequence[object]) -> object:  # noqa: ANN401  a class
    if not names:
        return own._make(parts)
    new = object.__new__(own)  # without its `__init__`
    for name, part in zip(names, parts, strict=True):
        object.__setattr__(new, name, part)
    return new


@lru_cache(1024)
def _own(name: str) -> tuple[type, Sequence[str]]:
    """A class of values of ours, and its fields if it is a data class. Raises TypeError."""
    module, _, own_name = name.partition(":")
    is_ours = module.partition(".")[0] in OWN_PACKAGES
    found: Any = getattr(importlib.import_module(module), own_name, None) if is_ours else None
    if isinstance(found, type) and is_dataclass(found):
        return found, tuple(each.name for each in fields(found))
    if isinstance(found, type) and (issubclass(found, Enum) or hasattr(found, "_fields")):
        return found, ()
    raise TypeError(f"{own_name or module}: no data")
