"""Where the study of a store lies. A store keeps no path, but a hash by which the right folder is known."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from pipeline.store import StoreInfo


def key_of(study: Path) -> str:
    """The hash by which a store knows its study's place."""
    return hashlib.sha256(str(study.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def find_study(info: StoreInfo, near: Iterable[Path]) -> Path | None:
    """The study of a store, if it lies in or beside one of these folders or a folder above them, or one level below."""
    folders = list(dict.fromkeys(above for each in near for above in (each.resolve(), *each.resolve().parents)))
    named = (each for each in _candidates(folders, info.study) if key_of(each) == info.study_key)
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
