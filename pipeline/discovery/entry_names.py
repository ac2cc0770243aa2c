"""Names of files and folders: which are never input, and how one that is not text is shown."""

from collections.abc import Collection
from pathlib import Path

from pipeline.scratch import OF_REPORT

MANIFEST_NAME = "study.toml"

STUDY_DEPTH = 8
"""A study.toml is looked for in this many folders above a path."""

SCHEMA_NAME = "study.schema.json"
"""What editors check study.toml by, beside it."""

STORE_NAME = "haledger.duckdb"
"""The store of a study, beside its logs."""

REPORT_MARKER = OF_REPORT
"""An empty file of this name marks a folder that haledger wrote; the report's writer puts it there."""

IGNORE_MARKER = ".haledgerignore"
"""A file of this name marks a folder inside a study that is no part of it: what recorded the logs, notes."""

NOTES = frozenset({"readme", "readme.md", "readme.txt"})
"""What people write beside logs, and never a log."""

APPENDIX_NAME = "report-data.pdf"
"""What is looked up behind a report, in print."""

REPORT_OUTPUTS = frozenset({STORE_NAME, "report.pdf", APPENDIX_NAME, "report.html", "tables", "figures", REPORT_MARKER})
"""What haledger writes into a report folder."""


MANIFEST_NAMES = {
    MANIFEST_NAME: f"not read, because a {MANIFEST_NAME} counts at the top of the study only",
    SCHEMA_NAME: "the schema of the study's manifest",
}


def study_around(path: Path) -> Path:
    """The folder with a study.toml that a path is or lies in, resolved; without one the path."""
    resolved = path.resolve()
    folders = (resolved, *resolved.parents)[:STUDY_DEPTH]
    return next((folder for folder in folders if (folder / MANIFEST_NAME).is_file()), resolved)


def refusal_of_name(name: str) -> str | None:
    """Why a file of this name is not read, no matter what it holds; None for most."""
    lower = name.lower()
    if name in MANIFEST_NAMES:
        return MANIFEST_NAMES[name]
    if lower == MANIFEST_NAME:
        return f"not read, because its name is not {MANIFEST_NAME} in small letters"
    if name.startswith("."):
        return "a hidden file"
    if lower in NOTES:
        return "notes for people"
    if lower.endswith((".duckdb", ".duckdb.wal")) or ".duckdb.tmp-" in lower:
        return "a DuckDB file"
    return None


def is_misplaced_manifest(path: str) -> bool:
    """Whether a file of the study was probably meant to be its study.toml, and is not."""
    return path.rpartition("/")[2].lower() == MANIFEST_NAME and path != MANIFEST_NAME


def is_report(names: Collection[str]) -> bool:
    """Whether a folder in which there are files of these names was written by haledger."""
    return REPORT_MARKER in names or {STORE_NAME, "report.pdf"} <= set(names)


def as_text(name: str) -> str:
    r"""A name as text: bytes that are not UTF-8 as `\xNN`, as is NUL."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace").replace("\0", "\\x00")
