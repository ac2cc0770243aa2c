"""Parts: the Parquet files that hold the lines of a store of that layout, and whether they are as they were written.

A part never changes. Its name is the SHA-256 of its content, and the store lists each part that belongs to it. So a
file that a killed ingest left is not seen, and one that was changed, cut or removed is known by name.
"""

import hashlib
import re
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import duckdb

from pipeline.errors import StoreError

LISTED = 'select "table", path, sha256, bytes, modified_ns from log.part order by all'
NAME = re.compile(r"[0-9a-f]{64}\.parquet")
BEGUN = "begun-"
"""Begins the name of a part that is being written, and of a folder that holds none."""

ROWS = f"{BEGUN}rows"
"""The folder, beside those of parts, in which workers of a cluster leave rows until they write them as parts."""

OWN_DIGITS = 8
"""Hexadecimal digits of the hash that tell the folder of one store from that of another."""

AGAIN = (
    "put it back as it was, or build the store again with `haledger ingest --replace`, its --store-layout and --parts"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part as the store lists it. `table`: the relation of schema `log`; `modified_ns`: since 1970."""

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
    for each in parts:
        if wrong := _difference(each, is_thorough=is_thorough):
            raise StoreError(f"{each.path}: {wrong}, a part of the store {db}; {AGAIN}")


def damaged(parts: Iterable[Part]) -> list[str]:
    """What is wrong with parts, in words; the content of each is compared."""
    return [f"{each.path}: {wrong}" for each in parts if (wrong := _difference(each, is_thorough=True))]


def named_in(message: str) -> bool:
    """Whether DuckDB complains of a part."""
    return NAME.search(message) is not None


def strays(folder: Path, parts: Iterable[Part]) -> list[Path]:
    """The files in the folder of a store that are, or began to be, parts, and do not belong to it."""
    own = {each.path for each in parts}
    found = [*folder.glob("*/*.parquet"), *folder.glob(f"*/{BEGUN}*")]
    return sorted(
        each for each in found if str(each) not in own and (NAME.fullmatch(each.name) or each.name.startswith(BEGUN))
    )


def remove_strays(folder: Path, parts: Sequence[Part]) -> None:
    """Remove such files. Only who holds the lock of the store may."""
    for each in folder.glob(f"{BEGUN}*/"):
        remove_rows(each)
    for each in strays(folder, parts):
        with suppress(OSError):  # what stays is not seen, and the next ingest tries again
            each.unlink()
    for each in [*folder.glob("*/"), folder]:
        with suppress(OSError):  # not empty
            each.rmdir()


def remove_rows(folder: Path) -> None:
    """Remove a folder of rows. A worker that still writes there finds it gone at once, and leaves nothing."""
    gone = folder.with_name(f"{BEGUN}{uuid4().hex}")
    with suppress(OSError):
        shutil.rmtree(folder.rename(gone))


def own_folder(folder: Path, db: Path) -> Path:
    """The folder of a store's parts in the one that `--parts` names: no two stores share one."""
    key = hashlib.sha256(str(db.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:OWN_DIGITS]
    return folder.resolve() / f"{re.sub(r'[^A-Za-z0-9_.-]', '_', db.stem)}-{key}"


def _difference(part: Part, *, is_thorough: bool = False) -> str:
    path = Path(part.path)
    try:
        found = path.stat()
        if found.st_size != part.bytes:
            return f"damaged ({found.st_size} bytes instead of {part.bytes})"
        if not is_thorough and found.st_mtime_ns == part.modified_ns:
            return ""
        with path.open("rb") as file:
            is_same = hashlib.file_digest(file, "sha256").hexdigest() == part.sha256
    except FileNotFoundError:
        return "missing"
    except OSError as error:
        return f"cannot be read ({error.strerror or error})"
    return "" if is_same else "damaged (its SHA-256 is another)"
