"""By what a store is known to be up to date: hashes of the study's place, of its manifest and of the program."""

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

from pipeline.store import store
from pipeline.store.locate import key_of
from pipeline.study.manifest import Manifest

PROGRAM = Path(__file__).parents[2]

ASK = PROGRAM / "pipeline" / "ask"
"""What only asks a store: no module of it decides what rows a file gives. Any other may, a new one too."""


@cache
def reading_key() -> str:
    """A hash of all that decides what rows a file gives: parsers, rules, modules that lead to and from them."""
    pipeline = [each for each in (PROGRAM / "pipeline").rglob("*.py") if not each.is_relative_to(ASK)]
    parsers = [each for each in (PROGRAM / "parsers").rglob("*") if each.suffix in {".py", ".toml"}]
    return _hash([*parsers, *pipeline])


@cache
def program_key() -> str:
    """A hash of all that decides what a store holds: parsers, pipeline, statements, rules."""
    files = [each for folder in ("parsers", "pipeline") for each in (PROGRAM / folder).rglob("*")]
    return _hash([each for each in files if each.suffix in {".py", ".sql", ".toml"}])


def _hash(files: Iterable[Path]) -> str:
    sha256 = hashlib.sha256()
    for each in sorted(files):
        sha256.update(each.relative_to(PROGRAM).as_posix().encode() + b"\0" + each.read_bytes() + b"\0")
    return sha256.hexdigest()


def own_info(study: Path, manifest: Manifest, reference: str = "") -> store.StoreInfo:
    """What a store of this study, written now, says about itself."""
    return store.StoreInfo(
        schema_version=store.SCHEMA_VERSION,
        haledger_version=_version(),
        study=manifest.name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"),
        study_key=key_of(study),
        manifest_key=hashlib.sha256(manifest.content).hexdigest(),
        reading_key=reading_key(),
        program_key=program_key(),
        reference=reference,
    )


def _version() -> str:
    try:
        return metadata.version("haledger")
    except metadata.PackageNotFoundError:
        return "from a checkout"
