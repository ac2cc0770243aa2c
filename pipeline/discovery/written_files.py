"""Files that haledger writes into a folder, or below an address in object storage: each appears whole, or not at all.

On a disk a file is begun under another name and renamed; an object is there once all of it was sent. What goes wrong is
an OSError without secrets, as in `pipeline/discovery/address.py`.
"""

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from uuid import uuid4

from pipeline.discovery.address import Address, file_system, identity_of, plain, study_at
from pipeline.scratch import scratch_folder

BEGUN = "begun-"
"""Begins the name of a file that is being written, and of a folder that holds none."""

Folder = Path | Address
"""Where files lie; `folder / name` is the place of one, and `str` of it what people and DuckDB call it."""

State = tuple[int, int]
"""Size, and time of the last change in nanoseconds since 1970."""


def folder_at(text: str) -> Folder:
    """The folder of this name: a path, or an address."""
    return study_at(text)


def make(folder: Folder) -> None:
    """Make a folder; an address comes to be with its first object."""
    if isinstance(folder, Path):
        folder.mkdir(parents=True, exist_ok=True)


def put(folder: Folder, name: str, content: bytes | memoryview, begun: Folder | None = None) -> State:
    """Write a file. `begun`: the folder in which it is begun, and which has to be there; None: where it is going to be.

    Of an address it means nothing.
    """
    if isinstance(folder, Address):
        return _sent(folder / name, content)
    if begun is None:
        make(folder)
    path = (begun if isinstance(begun, Path) else folder) / f"{BEGUN}{uuid4().hex}"
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
        found = os.fstat(file.fileno())
    make(folder)
    path.replace(folder / name)
    return found.st_size, found.st_mtime_ns


def _sent(place: Address, content: bytes | memoryview) -> State:
    with plain(place.text):
        system, key = file_system(place.text)
        system.pipe_file(key, bytes(content))
        size, modified_ns, _ = identity_of(system.info(key))
        return size, modified_ns


@contextmanager
def writing(folder: Folder, name: str) -> Iterator[Path]:
    """Give the path of a file that another program writes."""
    if isinstance(folder, Path):
        yield folder / name
        return
    with scratch_folder() as scratch:
        yield scratch / name
        put(folder, name, (scratch / name).read_bytes())


def content(place: Folder) -> bytes:
    """The bytes of a file."""
    if isinstance(place, Path):
        return place.read_bytes()
    with plain(place.text):
        system, key = file_system(place.text)
        found: bytes = system.cat_file(key)
    return found


def sha256(place: Folder) -> str:
    """The SHA-256 of a file."""
    if isinstance(place, Path):
        with place.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    return hashlib.sha256(content(place)).hexdigest()


def readable(place: Folder) -> Path | BytesIO:
    """A file as Polars takes it."""
    return place if isinstance(place, Path) else BytesIO(content(place))


def state(place: Folder) -> State:
    """Size and time of a file."""
    if isinstance(place, Path):
        found = place.stat()
        return found.st_size, found.st_mtime_ns
    with plain(place.text):
        system, key = file_system(place.text)
        size, modified_ns, _ = identity_of(system.info(key))
    return size, modified_ns


def files(folder: Folder) -> dict[str, State]:
    """All files below a folder by their path in it, `/` between parts; none where there is no such folder."""
    if isinstance(folder, Path):
        return {
            each.relative_to(folder).as_posix(): state(each) for each in sorted(folder.rglob("*")) if each.is_file()
        }
    with plain(folder.text):
        system, root = file_system(folder.text)
        try:
            listed = system.find(root, detail=True)
        except FileNotFoundError:  # no bucket, or one in which the first object appears just now
            listed = {}
    return {key[len(root) + 1 :]: identity_of(about)[:2] for key, about in listed.items() if key.startswith(f"{root}/")}


def remove(folder: Folder, names: Iterable[str]) -> None:
    """Remove files, as far as it can be done, and the folders that are empty then."""
    if isinstance(folder, Path):
        for name in names:
            with suppress(OSError):
                (folder / name).unlink()
        for each in [*folder.glob("*/"), folder]:
            with suppress(OSError):  # not empty
                each.rmdir()
        return
    with suppress(OSError), plain(folder.text):
        system, root = file_system(folder.text)
        if keys := [f"{root}/{name}" for name in names]:
            system.rm(keys)


def remove_file(place: Folder) -> None:
    """Remove a file, as far as it can be done."""
    with suppress(OSError):
        if isinstance(place, Path):
            place.unlink()
        else:
            with plain(place.text):
                system, key = file_system(place.text)
                system.rm_file(key)


def remove_folder(folder: Folder) -> None:
    """Remove a folder with all in it, as far as it can be done; who still writes there finds it gone at once.

    Whoever writes below an address is not kept from it.
    """
    if isinstance(folder, Path):
        gone = folder.with_name(f"{BEGUN}{uuid4().hex}")
        with suppress(OSError):
            shutil.rmtree(folder.rename(gone))
        return
    with suppress(OSError):
        remove(folder, files(folder))
