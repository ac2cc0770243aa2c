"""The bytes of study.toml, as they are now; what they say is read by `manifest`."""

import os
from dataclasses import dataclass
from pathlib import Path

from pipeline.discovery.address import Address
from pipeline.discovery.containers import open_regular
from pipeline.discovery.entry_names import MANIFEST_NAME
from pipeline.errors import UsageError

MOST_BYTES = 1_000_000
"""Of a study.toml. It is attached to the report and read into every store."""


@dataclass(frozen=True, slots=True)
class KnownManifest:
    """The study.toml of an address as an earlier ingest read it: its ETag and bytes."""

    tag: str
    content: bytes


def content(study: Path | Address, name: str, known: KnownManifest | None = None) -> tuple[bytes, str | None]:
    """The bytes of study.toml and its ETag, read as carefully as a log: an ordinary file inside the study, and small.

    An object whose ETag is known is not read.
    """
    tag = None
    if isinstance(study, Address):
        place = study.object(MANIFEST_NAME)
        tag = place.tag
        is_known = known is not None and known.tag == tag
        content = known.content if known is not None and is_known else place.content(MOST_BYTES + 1)
    else:
        path = study / MANIFEST_NAME
        if path.is_symlink() and not path.resolve(strict=True).is_relative_to(study.resolve()):
            raise UsageError(f"{path}: a link that leads out of the study; copy the file into it")
        with os.fdopen(open_regular(path), "rb") as file:
            content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise UsageError(f"{name}: larger than {MOST_BYTES:,} bytes; expected what a person writes about a study")
    return content, tag


def manifest_bytes(study: Path | Address, known: KnownManifest | None = None) -> bytes:
    """The bytes of study.toml as they are now, none without one. Raises OSError, UsageError."""
    try:
        return content(study, MANIFEST_NAME, known)[0]
    except (FileNotFoundError, NotADirectoryError):
        return b""
