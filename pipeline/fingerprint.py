"""By what a store is known to be up to date: hashes of the study's place, of its manifest and of the program."""

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

from pipeline import store
from pipeline.manifest import FILE_NAME as MANIFEST_NAME
from pipeline.manifest import Manifest

PROGRAM = Path(__file__).parent.parent

BESIDE_READING = frozenset(
    {"check", "claim_estimates", "claim_verdict", "claims", "init_study", "quality", "spread_interval"}
    | {"study_place", "verify", "verify_rows", "verify_sources"}
    | {"assignment", "blank", "doctor", "relations", "rules", "sandbox"}
    | {"compare", "compare_runs", "compare_sides"}
    | {"trace", "trace_fault", "trace_lines", "trace_parts", "trace_steps"}
    | {"explain", "explain_file", "explain_hints", "explain_lines", "explain_overview", "explain_text"}
)
"""Modules of the pipeline that do not decide what rows a file gives. Any other is taken to: a new one too."""


@cache
def reading_key() -> str:
    """A hash of all that decides what rows a file gives: parsers, rules, modules that lead to and from them."""
    around = [each for each in (PROGRAM / "pipeline").glob("*.py") if each.stem not in BESIDE_READING]
    parsers = [*(PROGRAM / "parsers").glob("*.py"), *(PROGRAM / "parsers").rglob("*.toml")]
    return _hash([*parsers, *around])


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


def own_info(study: Path, manifest: Manifest) -> store.StoreInfo:
    """What a store of this study, written now, says about itself."""
    stated = study / MANIFEST_NAME
    content = stated.read_bytes() if stated.is_file() else b""
    place = str(study.resolve()).encode("utf-8", "surrogateescape")
    return store.StoreInfo(
        schema_version=store.SCHEMA_VERSION,
        haledger_version=_version(),
        study=manifest.name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"),
        study_key=hashlib.sha256(place).hexdigest()[:16],
        manifest_key=hashlib.sha256(content).hexdigest(),
        reading_key=reading_key(),
        program_key=program_key(),
    )


def _version() -> str:
    try:
        return metadata.version("haledger")
    except metadata.PackageNotFoundError:
        return "from a checkout"
