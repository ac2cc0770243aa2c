"""Parts in object storage as DuckDB reads them: through a file system of fsspec, in ranges, and never to be written.

DuckDB's own way (httpfs) is an extension that it downloads when it is first asked for. What lies here never changes
under its name, so that DuckDB may hold what it read, and sizes are asked for once.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from io import RawIOBase

import duckdb
from fsspec.spec import AbstractFileSystem

from pipeline.discovery.address import file_system, plain
from pipeline.memory import MEBIBYTE

NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""When a part was changed after it was written."""

MAX_HELD_BYTES = 64 * MEBIBYTE
"""Held of what was read: a command opens a store several times."""


class StoredParts(AbstractFileSystem):  # type: ignore[misc]  # without types
    """The objects of one scheme, to be read."""

    cachable = False

    def __init__(self, scheme: str) -> None:
        super().__init__()
        self.protocol = scheme
        self._sizes: dict[str, int] = {}
        self._held: dict[tuple[str, int, int], bytes] = {}
        self._held_bytes = 0

    def know(self, sizes: Mapping[str, int]) -> None:
        """Take the sizes of objects by their addresses."""
        self._sizes |= sizes

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return path

    def glob(self, path: str, **_options: object) -> list[str]:
        """The object itself: parts are named one by one."""
        return [path]

    def exists(self, _path: str, **_options: object) -> bool:
        """Reading it shows it."""
        return True

    def info(self, path: str, **_options: object) -> dict[str, object]:
        """Its size."""
        return {"name": path, "size": self._size(path), "type": "file"}

    def modified(self, _path: str) -> datetime:
        """Never."""
        return NEVER

    def _size(self, path: str) -> int:
        if path not in self._sizes:
            with plain(path):
                system, key = file_system(path)
                self._sizes[path] = int(system.info(key)["size"])
        return self._sizes[path]

    def read(self, path: str, first: int, end: int) -> bytes:
        """Bytes of an object."""
        key = (path, first, end)
        if (found := self._held.get(key)) is None:
            with plain(path):
                system, name = file_system(path)
                found = bytes(system.cat_file(name, start=first, end=end))
            self._held_bytes += len(found)
            if self._held_bytes > MAX_HELD_BYTES:
                self._held.clear()
                self._held_bytes = len(found)
            self._held[key] = found
        return found

    def _open(self, path: str, mode: str = "rb", **_options: object) -> "PartFile":
        if mode != "rb":
            raise PermissionError(f"{path}: parts are not written by statements")
        return PartFile(self, path, self._size(path))


class PartFile(RawIOBase):
    """The bytes of an object."""

    def __init__(self, system: StoredParts, path: str, size: int) -> None:
        super().__init__()
        self._system, self._path, self._size, self._at = system, path, size, 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        end = self._size if size < 0 else min(self._at + size, self._size)
        found = self._system.read(self._path, self._at, end) if end > self._at else b""
        self._at += len(found)
        return found

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to an offset from the beginning, from here, or from the end."""
        self._at = max(0, offset + (0, self._at, self._size)[whence])
        return self._at

    def tell(self) -> int:
        """Where it stands."""
        return self._at

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True


@lru_cache
def _stored(scheme: str) -> StoredParts:
    return StoredParts(scheme)


def let_read(con: duckdb.DuckDBPyConnection, address: str, sizes: Iterable[tuple[str, int]]) -> None:
    """Let statements of a connection read the objects of an address's scheme. `sizes`: what is known of some."""
    scheme = address.partition(":")[0]
    system = _stored(scheme)
    system.know(dict(sizes))
    if not con.filesystem_is_registered(scheme):
        con.register_filesystem(system)
