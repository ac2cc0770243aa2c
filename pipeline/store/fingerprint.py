"""By what a store is known to be up to date: hashes of the study's place, of its manifest and of the program."""

import hashlib
import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from pipeline.discovery.address import Address
from pipeline.store import store, user_cache
from pipeline.store.locate import key_of
from pipeline.version import version

if TYPE_CHECKING:
    from pipeline.study.manifest import Manifest  # loads pydantic

PROGRAM = Path(__file__).parents[2]

DERIVED = "derived"
"""The kind of files in the user's cache that are values of this version of the program."""

ASK = "pipeline/ask/"
"""What only asks a store: no module of it decides what rows a file gives. Any other may, a new one too."""


class OwnKeys(TypedDict):
    """The part of `StoreInfo` that does not depend on what study.toml and the command ask for."""

    schema_version: int
    haledger_version: str
    study_key: str
    reading_key: str
    program_key: str


@cache
def reading_key() -> str:
    """A hash of all that decides what rows a file gives: parsers, rules, modules that lead to and from them."""
    decides = {"parsers": (".py", ".toml"), "pipeline": (".py",)}
    names = (name for name in _digests() if name.endswith(decides[name.partition("/")[0]]))
    return _hash(name for name in names if not name.startswith(ASK))


@cache
def program_key() -> str:
    """A hash of all that decides what a store holds: parsers, pipeline, statements, rules."""
    return _hash(_digests())


@cache
def _digests() -> dict[str, bytes]:
    """The SHA-256 of every module, statement and rule, by its path in the program."""
    found: dict[str, bytes] = {}
    for folder in ("parsers", "pipeline"):
        for place, _, names in os.walk(PROGRAM / folder):  # a quarter of what `rglob` takes
            within = Path(place).relative_to(PROGRAM).as_posix()
            for name in names:
                if name.endswith((".py", ".sql", ".toml")):
                    with open(f"{place}/{name}", "rb") as file:  # noqa: PTH123  of six hundred files
                        found[f"{within}/{name}"] = hashlib.sha256(file.read()).digest()
    return found


def _hash(names: Iterable[str]) -> str:
    sha256 = hashlib.sha256()
    for each in sorted(names):
        sha256.update(each.encode() + b"\0" + _digests()[each])
    return sha256.hexdigest()


def kept_by_version(name: str, make: Callable[[], bytes]) -> bytes | None:
    """What this version of the program, run by this Python, kept under a name in the user's cache folder.

    None where others can write there: it may be more than data.
    """
    if not user_cache.is_private(DERIVED):
        return None
    return user_cache.kept(DERIVED, f"{name} {program_key()} {sys.version}", make)


def own_keys(study: Path | Address) -> OwnKeys:
    """What a store of this study says about where that lies and which program wrote it."""
    return OwnKeys(
        schema_version=store.SCHEMA_VERSION,
        haledger_version=version(),
        study_key=key_of(study),
        reading_key=reading_key(),
        program_key=program_key(),
    )


def own_info(study: Path | Address, manifest: "Manifest", reference: str = "", asked_span: str = "") -> store.StoreInfo:
    """What a store of this study, written now, says about itself, but for the instants of the span."""
    return store.StoreInfo(
        **own_keys(study),
        study=manifest.name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"),
        manifest_key=hashlib.sha256(manifest.content).hexdigest(),
        reference=reference,
        asked_span=asked_span,
    )
