"""Parts: the Parquet files that hold the lines of a store of that layout, and whether they are as they were written.

A part never changes. Its name is the SHA-256 of its content, and the store lists each part that belongs to it. So a
file that a killed ingest left is not seen, and one that was changed, cut or removed is known by name.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from pipeline.discovery import written_files
from pipeline.discovery.written_files import BEGUN, Folder, State, folder_at
from pipeline.errors import StoreError

LISTED = 'select "table", path, sha256, bytes, modified_ns from log.part order by all'
NAME = re.compile(r"[0-9a-f]{64}\.parquet")
RAISED = re.compile(r"\A(?:Traceback|.*: Traceback)[\s\S]*\n\w+: (?:\[Errno -?[0-9]+\] )?(?P<words>.*)\s*\Z")
"""How DuckDB says that a file system in Python raised an error."""

ROWS = f"{BEGUN}rows"
"""The folder, beside those of parts, in which workers of a cluster leave rows until they write them as parts."""

OWN_DIGITS = 8
"""Hexadecimal digits of the hash that tell the folder of one store from that of another."""

AGAIN = (
    "put it back as it was, or build the store again with `haledger ingest --replace`, its --store-layout and --parts"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part as the store lists it. `table`: the relation of schema `log`; `modified_ns`: since 1970.

    `path`: where it lies, on a disk or as an address.
    """

    table: str
    path: str
    sha256: str
    bytes: int
    modified_ns: int


def listed(con: duckdb.DuckDBPyConnection) -> list[Part]:
    """The parts of a store; none where its lines are in the file itself."""
    try:
        return [Part(*row) for row in con.execute(LISTED).fetchall()]
    except duckdb.CatalogException:  # a store of an older haledger
        return []


def refuse_damaged(parts: Iterable[Part], db: Path, *, is_thorough: bool = False) -> None:
    """Refuse a store with a part that is missing, or is not what was written, as far as its size and time tell.

    Where only the time is another, as after copying, the content is compared; `is_thorough`: that of all.
    """
    for each, wrong in _differences(parts, is_thorough=is_thorough):
        raise StoreError(f"{each.path}: {wrong}, a part of the store {db}; {AGAIN}")


def damaged(parts: Iterable[Part]) -> list[str]:
    """What is wrong with parts, in words; the content of each is compared."""
    return [f"{each.path}: {wrong}" for each, wrong in _differences(parts, is_thorough=True)]


def named_in(message: str) -> bool:
    """Whether DuckDB complains of a part."""
    return NAME.search(message) is not None


def unread(message: str) -> str:
    """What kept DuckDB from reading a part in object storage, which it gives as the end of a traceback; empty: none."""
    found = RAISED.search(message) if NAME.search(message) else None
    return f"cannot be read: {found['words']}" if found else ""


def let_read(con: duckdb.DuckDBPyConnection, folder: str, parts: Iterable[Part] = ()) -> None:
    """Let statements of a connection read parts in object storage. `folder`: that of a store's parts; empty: none."""
    if folder and not isinstance(folder_at(folder), Path):
        from pipeline.store import stored_parts  # fsspec is imported for an address only

        stored_parts.let_read(con, folder, [(each.path, each.bytes) for each in parts])


def _strays(folder: Folder, listed: Iterable[str], parts: Iterable[Part]) -> list[str]:
    """The files in the folder of a store that are, or began to be, parts, and do not belong to it: by path in it."""
    own = {each.path for each in parts}
    return sorted(path for path in listed if _is_part(path) and str(folder / path) not in own)


def _is_part(path: str) -> bool:
    table, _, name = path.partition("/")
    return not table.startswith(BEGUN) and (NAME.fullmatch(name) is not None or name.startswith(BEGUN))


def remove_strays(folder: Folder, parts: Sequence[Part]) -> None:
    """Remove files that do not belong to a store, as far as it can be done.

    What stays is not seen, and the next ingest tries again. Only who holds the lock of the store may.
    """
    with suppress(OSError):
        listed = written_files.files(folder)
        for each in {path.partition("/")[0] for path in listed}:
            if each.startswith(BEGUN):
                written_files.remove_folder(folder / each)
        written_files.remove(folder, _strays(folder, listed, parts))


def own_folder(folder: Folder, db: Path) -> Folder:
    """The folder of a store's parts in the one that `--parts` names: no two stores share one."""
    key = hashlib.sha256(str(db.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:OWN_DIGITS]
    above = folder.resolve() if isinstance(folder, Path) else folder
    return above / f"{re.sub(r'[^A-Za-z0-9_.-]', '_', db.stem)}-{key}"


def _differences(parts: Iterable[Part], *, is_thorough: bool) -> Iterator[tuple[Part, str]]:
    """The parts that are not as they were written, and what is wrong. Objects of a folder are listed, not asked."""
    listed: dict[Folder, dict[str, State] | OSError] = {}
    for each in parts:
        place = folder_at(each.path)
        try:
            if isinstance(place, Path):
                found = written_files.state(place)
            else:
                folder = place.parent.parent
                if folder not in listed:
                    listed[folder] = _listing(folder)
                found = _of_listing(listed[folder], place)
            wrong = _difference(each, place, found, is_thorough=is_thorough)
        except FileNotFoundError:
            wrong = "missing"
        except OSError as error:
            wrong = f"cannot be read ({error.strerror or error})"
        if wrong:
            yield each, wrong


def _listing(folder: Folder) -> dict[str, State] | OSError:
    try:
        return written_files.files(folder)
    except OSError as error:
        return error


def _of_listing(listing: Mapping[str, State] | OSError, place: Folder) -> State:
    if isinstance(listing, OSError):
        raise listing
    found = listing.get(f"{place.parent.name}/{place.name}")
    if found is None:
        raise FileNotFoundError
    return found


def _difference(part: Part, place: Folder, found: State, *, is_thorough: bool) -> str:
    size, modified_ns = found
    if size != part.bytes:
        return f"damaged ({size} bytes instead of {part.bytes})"
    if not is_thorough and modified_ns == part.modified_ns:
        return ""
    return "" if written_files.sha256(place) == part.sha256 else "damaged (its SHA-256 is another)"
