"""The files of a study against the SHA-256 that a ledger holds of them."""

from collections.abc import Collection, Mapping
from pathlib import Path

from pipeline.discovery import Source, discover
from pipeline.reading import digest


def compare_sources(study: Path, hashes: Mapping[str, str | None], own: Collection[Path]) -> list[tuple[str, str]]:
    """What is not as it was, as (`changed`, `vanished`, `new` or `unreadable`; path), by path.

    `hashes`: SHA-256 by path, None for what was not read. `own`: files of ours in the study, to be passed over.
    """
    found = discover(study, own=own)
    sources = {each.path: each for each in found.sources}
    paths = {*sources, *(each.path for each in found.skipped)}
    differing = [(_change(sources[path], hashes[path]), path) for path in sources.keys() & hashes.keys()]
    differing += [("vanished", path) for path in hashes.keys() - paths]
    differing += [("new", path) for path in paths - hashes.keys()]
    return sorted(((word, path) for word, path in differing if word), key=lambda each: each[1])


def _change(source: Source, sha256: str | None) -> str:
    if sha256 is None:
        return ""
    try:
        with source.open_stored() as stream:
            return "" if digest(stream) == sha256 else "changed"
    except OSError:
        return "unreadable"
