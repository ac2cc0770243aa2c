"""Which store a command means when none is named, and where the study of a store lies.

A store keeps no path of its study, but a hash by which the right folder is known.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.discovery.address import Address
from pipeline.discovery.entry_names import STORE_NAME
from pipeline.errors import HaledgerError, StoreError, UsageError

if TYPE_CHECKING:
    from pipeline.store.store import StoreInfo


def find_store(named: Path | None, here: Path) -> Path:
    """Give the store of this name or in the folder of this name; without a name the one that is here.

    In a folder that is haledger.duckdb, else the only *-report/haledger.duckdb.
    """
    if named is None:
        if found := _store_in(here):
            return found
        raise StoreError(
            f"no store here: neither {STORE_NAME} nor a *-report/{STORE_NAME}; "
            "make one with `haledger ingest STUDY` or `haledger report STUDY`, or name one with --db FILE"
        )
    if named.is_file():
        return named
    if named.is_dir() and (found := _store_in(named)):
        return found
    store = named / STORE_NAME if named.is_dir() else named
    report = named.with_name(f"{named.name}-report") / STORE_NAME
    hint = f"did you mean {report}?" if report.is_file() else f"`haledger ingest STUDY --db {store}` creates it"
    raise StoreError(f"{store}: no such store; {hint}")


def last_store(study: str, folder: Path) -> Path | None:
    """Give the newest store of a study in the other report folders beside this one, else the store in this one."""
    stores = [each for each in folder.parent.glob(f"*-report/{STORE_NAME}") if each.parent.name != folder.name]
    newest_first = sorted(stores, key=lambda each: (each.stat().st_mtime, str(each)), reverse=True)
    known = (*newest_first, folder / STORE_NAME)
    candidates = (each for each in known if os.path.isfile(each))  # noqa: PTH113  no error where a folder is closed
    return next((each for each in candidates if _study_of(each) == study), None)


def _study_of(store: Path) -> str | None:
    """The name of the study; None for what is no store of ours."""
    from pipeline.store.store import info, opened  # loads DuckDB

    try:
        with opened(store) as con:
            return info(con, store).study
    except HaledgerError:
        return None


def _store_in(folder: Path) -> Path | None:
    if (folder / STORE_NAME).is_file():
        return folder / STORE_NAME
    candidates = sorted(folder.glob(f"*-report/{STORE_NAME}"))
    if len(candidates) > 1:
        listing = ", ".join(str(each.relative_to(folder)) for each in candidates)
        raise UsageError(f"several stores here ({listing}); say which one with --db FILE")
    return candidates[0] if candidates else None


def key_of(study: Path | Address) -> str:
    """The hash by which a store knows its study's place."""
    return hashlib.sha256(
        str(study if isinstance(study, Address) else study.resolve()).encode("utf-8", "surrogateescape")
    ).hexdigest()[:16]


def find_study(of: "StoreInfo", near: Iterable[Path]) -> Path | None:
    """The study of a store, if it lies in or beside one of these folders or a folder above them, or one level below."""
    folders = list(dict.fromkeys(above for each in near for above in (each.resolve(), *each.resolve().parents)))
    named = (each for each in _candidates(folders, of.study) if key_of(each) == of.study_key)
    return next((each for each in named if each.exists()), None)


def _candidates(folders: Iterable[Path], name: str) -> Iterator[Path]:
    for folder in folders:
        yield folder
        yield folder / name
        try:
            inner = sorted(each for each in folder.iterdir() if each.is_dir())
        except OSError:
            continue
        yield from (each / name for each in inner)
