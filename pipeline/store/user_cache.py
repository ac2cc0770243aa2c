"""What is costly to make and always the same, kept in the user's cache folder; where that cannot be, done without."""

import hashlib
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from pipeline.scratch import replacing

DIGEST_BYTES: Final = hashlib.sha256().digest_size
MOST_FILES: Final = 60
"""Files of one kind that are kept where nothing else is said; the oldest go first."""


def folder() -> Path | None:
    """Where haledger keeps such files; it need not exist. None for a user without a home, as containers have."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = Path(cache) if Path(cache).is_absolute() else Path("~/.cache").expanduser()
    except RuntimeError:
        return None
    return base / "haledger"


def is_private(kind: str) -> bool:
    """Whether others cannot write where files of this kind are kept, so that even what is run may be among them."""
    if (place := folder()) is None:
        return False
    return all(_is_own(each) for each in (place, place / kind))


def _is_own(place: Path) -> bool:
    try:
        found = place.stat()
    except OSError:  # not there yet
        return True
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def kept(kind: str, made_of: str, make: Callable[[], bytes], most: int = MOST_FILES) -> bytes:
    """What `make` gives, from the folder if it was made of the same before; `made_of` shows all that it depends on.

    Of a kind the last `most` files that were made stay there. A file begins with the SHA-256 of what follows, so
    that a damaged one is made again.
    """
    if (place := folder()) is None:
        return make()
    file = place / kind / hashlib.sha256(made_of.encode("utf-8", "surrogatepass")).hexdigest()
    try:
        content = file.read_bytes()
    except OSError:
        content = b""
    digest, data = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
    if content and hashlib.sha256(data).digest() == digest:
        return data
    data = make()
    _keep(file, hashlib.sha256(data).digest() + data, most)
    return data


def _keep(file: Path, content: bytes, most: int) -> None:
    with suppress(OSError):
        for each in (file.parent.parent, file.parent):
            each.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        with replacing(file) as new:
            new.write_bytes(content)
        by_age = sorted(file.parent.iterdir(), key=lambda each: each.stat().st_mtime)
        for each in by_age[:-most]:
            each.unlink(missing_ok=True)
