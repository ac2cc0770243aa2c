"""What a worker of a cluster answers, as data: whoever reads it runs nothing that a worker sends.

Numbers, texts and collections are JSON, frames are Arrow, and a value of a class of ours is the values of its fields.
"""

import json
import pickle
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from io import BytesIO
from pathlib import PosixPath
from typing import Any, Final

import polars as pl

OWN_PACKAGES: Final = frozenset({"haledger", "parsers", "pipeline"})
LENGTH: Final = struct.Struct("!Q")


class NotDataError(ValueError):
    """An answer that is not what `as_data` writes."""


def as_data(value: object) -> bytes:
    """A value as bytes. Raises TypeError for one that is no data."""
    frames: list[bytes] = []
    tree = json.dumps(_described(value, frames)).encode()
    lengths = [LENGTH.pack(len(each)) for each in (tree, *frames)]
    return b"".join([LENGTH.pack(len(lengths)), *lengths, tree, *frames])


def from_data(content: bytes) -> Any:  # noqa: ANN401  what `as_data` was given
    """The value that `as_data` was given. Raises NotDataError for anything else."""
    try:
        tree, *frames = _pieces(content)
        return _built(json.loads(tree), frames)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, struct.error) as error:
        raise NotDataError(f"not an answer of haledger: {error}") from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise NotDataError(f"not an answer of haledger: {error}") from None


def _pieces(content: bytes) -> Iterator[bytes]:
    (count,) = LENGTH.unpack_from(content)
    start = LENGTH.size * (1 + count)
    for (length,) in LENGTH.iter_unpack(content[LENGTH.size : start]):
        yield content[start : start + length]
        start += length


def _described(value: Any, frames: list[bytes]) -> object:  # noqa: ANN401  any value
    """A value as JSON has it: an object of JSON is a pair of kind and content."""
    kind = type(value)
    if value is None or kind in {bool, int, float, str}:
        return value
    if kind in {list, tuple, set, frozenset}:
        described = [_described(each, frames) for each in value]
        return described if kind is list else {kind.__name__: described}
    if kind is dict:
        return {"dict": [[_described(name, frames), _described(each, frames)] for name, each in value.items()]}
    if kind in {PosixPath, datetime}:
        return {kind.__name__: str(value)}
    if kind is not pl.DataFrame:
        return {"own": [kind.__module__, kind.__qualname__, _content(value, frames)]}
    file = BytesIO()
    value.write_ipc(file, compression="uncompressed", compat_level=pl.CompatLevel.newest())
    frames.append(file.getvalue())
    return {"frame": len(frames) - 1}


def _content(value: Any, frames: list[bytes]) -> object:  # noqa: ANN401  of a class of ours
    _own(type(value).__module__, type(value).__qualname__)
    if isinstance(value, Enum):
        return value.name
    if hasattr(value, "as_json"):
        return value.as_json()
    parts = value if isinstance(value, tuple) else [getattr(value, each.name) for each in fields(value)]
    return [_described(each, frames) for each in parts]


def _built(described: Any, frames: list[bytes]) -> object:  # noqa: ANN401  JSON
    if isinstance(described, list):
        return [_built(each, frames) for each in described]
    if not isinstance(described, dict):
        return described
    ((kind, content),) = described.items()
    if kind == "frame":
        return pl.read_ipc(frames[content])
    if kind == "own":
        module, name, parts = content
        return _built_own(module, name, parts, frames)
    return BUILT[kind](_built(content, frames))


BUILT: Final[Mapping[str, Callable[[Any], object]]] = {
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
    "PosixPath": PosixPath,
    "datetime": datetime.fromisoformat,
}


def _built_own(module: str, name: str, content: Any, frames: list[bytes]) -> object:  # noqa: ANN401  JSON
    own: Any = _own(module, name)
    if issubclass(own, Enum):
        return own[content]
    if hasattr(own, "from_json"):
        return own.from_json(content)
    parts = [_built(each, frames) for each in content]
    if issubclass(own, tuple):
        return own._make(parts)
    new = object.__new__(own)  # without its `__init__`
    for each, part in zip(fields(own), parts, strict=True):
        object.__setattr__(new, each.name, part)
    return new


def _own(module: str, name: str) -> type:
    """A class of values of ours, which is imported by now. Raises TypeError."""
    found: Any = getattr(sys.modules.get(module), name, None)
    is_ours = module.partition(".")[0] in OWN_PACKAGES and isinstance(found, type)
    if not is_ours or not (is_dataclass(found) or issubclass(found, Enum) or hasattr(found, "_fields")):
        raise TypeError(f"{module}.{name} is no data")
    own: type = found
    return own


class Unknown(Exception):  # noqa: N818  stands for any object
    """Stands for what Dask's own messages pickle: it takes everything and does nothing."""

    def __setstate__(self, state: object) -> None:
        """Drop what it is given."""


class _Unpickler(pickle.Unpickler):
    """Builds what is pickled without running anything of it."""

    def find_class(self, module: str, name: str) -> type:
        """KilledWorker, which says that a task ended its workers; for all else what does nothing."""
        from distributed import KilledWorker

        killed: type = KilledWorker
        return killed if (module, name) == (killed.__module__, killed.__name__) else Unknown


def unpickled(content: bytes, *, buffers: Any = ()) -> object:  # noqa: ANN401  as Dask has them
    """What a message of Dask pickles, as far as it is data."""
    return _Unpickler(BytesIO(content), buffers=buffers).load()
