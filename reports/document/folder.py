"""A report folder that is replaced as a whole: built beside the old one, then swapped with it in one step.

`.haledger` in it lists its files with their SHA-256: the generation. `haledger verify DIR` compares, because a folder
that cannot be swapped (a mount, a parent that is read-only) gets its files one by one. It also says of what the report
was made (`pipeline.store.notes`), so that one of the same is not made again.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline import interrupt
from pipeline.discovery.entry_names import REPORT_MARKER, REPORT_OUTPUTS, STORE_NAME
from pipeline.errors import HaledgerError
from pipeline.scratch import beside, put_in_place
from pipeline.store.notes import is_sealed, notes_of, sealed, valid_notes
from pipeline.store.sole_writer import sole_writer


@interrupt.uncut
def rebuilt(folder: Path, wait_s: float = 0.0) -> Iterator[Path]:
    """Give a folder to write the report to, with the store of the last one; at the end it takes the place of `folder`.

    On any failure `folder` stays as it was. What others put into it stays in it. A link is followed. `wait_s`: how long
    to wait for another program that writes the same folder.
    """
    place = folder.resolve() if folder.is_symlink() else folder
    with sole_writer(place, wait_s):
        new = _beside(place)
        try:
            new.mkdir()
            if place.is_dir():
                shutil.copymode(place, new)
            (new / REPORT_MARKER).touch()
            if (place / STORE_NAME).is_file():
                _link(place / STORE_NAME, new / STORE_NAME)
            yield new
            _seal(new)
            interrupt.heed()
            _put_in_place(new, place)
        except HaledgerError as error:
            raise type(error)(str(error).replace(str(new), str(folder))) from error
        except OSError as error:
            if error.filename is not None:
                error.filename = str(error.filename).replace(str(new), str(folder))
            raise
        finally:
            _discard(new, place)


def kept(store: Path, old: Path, asked: str) -> Mapping[str, Any] | None:
    """What was noted of a report in `old`, whose files are put beside a store.

    None unless this was asked for of the same store, and the files are as they were.
    """
    notes = valid_notes(store, old)
    report = notes.get("report")
    if not report or report["asked"] != asked or changed_files(old) != []:
        return None
    for name in notes["files"]:
        if name != STORE_NAME:
            (store.parent / name).parent.mkdir(exist_ok=True)
            _link((old / name).resolve(), store.parent / name)
    shutil.copy2(old / REPORT_MARKER, store.parent / REPORT_MARKER)
    found: Mapping[str, Any] = report["result"]
    return found


def changed_files(folder: Path) -> list[str] | None:
    """What is no longer as it was written together, in words; None where the folder does not say how it was.

    The list itself is empty while files are replaced one by one, and stays so where that is killed.
    """
    if not (folder / REPORT_MARKER).exists():
        return None
    if not is_sealed(notes_of(folder)):
        return [f"{REPORT_MARKER}: changed"]
    listed, found = _listed(folder) or {}, _hashes(folder)
    missing = [f"{name}: missing" for name in listed if name not in found]
    changed = [f"{name}: changed" for name, digest in found.items() if listed.get(name, digest) != digest]
    return sorted([*missing, *changed])


def _listed(folder: Path) -> dict[str, str] | None:
    """The SHA-256 of the files that were written together; None where the folder does not say."""
    listed = notes_of(folder).get("files")
    return listed if isinstance(listed, dict) else None


def _beside(place: Path) -> Path:
    """Where the new folder is built: beside the old one, or in it where only that can be written."""
    is_fixed = os.path.ismount(place) or (place.is_dir() and not os.access(place.parent, os.W_OK))
    for where in (place, place.parent):
        if where.is_dir():
            for left in where.glob("*.tmp-*"):
                if left.name.startswith(f"{place.name}.tmp-") and left.is_dir():
                    _discard(left, place)
    new = beside(place)
    return place / new.name if is_fixed else new


def _link(old: Path, new: Path) -> None:
    """The same file under a second name: a store is never changed in place."""
    try:
        new.hardlink_to(old)
    except OSError:
        shutil.copy2(old, new)


def _seal(folder: Path) -> None:
    """List what is in the folder."""
    (folder / REPORT_MARKER).write_bytes(sealed(notes_of(folder) | {"files": _hashes(folder)}))


def _hashes(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file that haledger writes into a report folder."""
    files = [each for name in sorted(REPORT_OUTPUTS - {REPORT_MARKER}) for each in _files(folder / name)]
    return {each.relative_to(folder).as_posix(): _digest(each) for each in files}


def _files(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(each for each in place.rglob("*") if each.is_file())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _put_in_place(new: Path, place: Path) -> None:
    if new.parent == place:
        _one_by_one(new, place)
    else:
        put_in_place(new, place)


def _one_by_one(new: Path, place: Path) -> None:
    """Replace the files of the old report, its list last."""
    old, written = _listed(place) or {}, _listed(new) or {}
    (place / REPORT_MARKER).write_bytes(b"")
    for each in _files(new):
        target = place / each.relative_to(new)
        if target.name != REPORT_MARKER:
            target.parent.mkdir(parents=True, exist_ok=True)
            each.replace(target)
    for name in old.keys() - written.keys():
        (place / name).unlink(missing_ok=True)
    (new / REPORT_MARKER).replace(place / REPORT_MARKER)


def _discard(left: Path, place: Path) -> None:
    """Remove a folder that was built or replaced; what others had put into it goes back to the report folder."""
    listed = _listed(left)
    for each in _files(left):
        name = each.relative_to(left)
        is_own = name.as_posix() in listed if listed else name.parts[0] in REPORT_OUTPUTS
        target = place / name
        if not is_own and ".duckdb.tmp-" not in name.parts[0] and name.name != REPORT_MARKER and not target.exists():
            with suppress(OSError):
                target.parent.mkdir(parents=True, exist_ok=True)
                each.rename(target)
    shutil.rmtree(left, ignore_errors=True)
