"""The result of an ingest on the command line: its summary, and the errors that follow from it."""

from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.discovery.address import Address
from pipeline.errors import InputError

if TYPE_CHECKING:
    from pipeline.ingest.ingest import IngestResult


def summary_lines(result: "IngestResult") -> list[str]:
    """Summarise an ingest for people."""
    formats = ", ".join(f"{count} {name}" for name, count in sorted(result.format_counts.items()))
    others = [f"{count} {status}" for status, count in sorted(result.status_counts.items()) if status != "parsed"]
    read = "nothing has changed" if result.is_unchanged else f"{result.read_count} read, {result.reused_count} kept"
    lines = [f"Files: {result.file_count} ({read})" + (f": {formats}" if formats else "")]
    if others:
        lines.append(f"Not parsed: {', '.join(others)}; `haledger explain` and the relation source_file show why")
    lines.append(f"Lines: {result.lines:,}, {result.rejected_lines:,} of them rejected")
    return [*lines, *(f"Note: {each}" for each in result.remarks)]


def require_recognised(study: Path | Address, result: "IngestResult") -> None:
    """Refuse a study without any file that was recognised."""
    if result.nothing_recognised:
        raise InputError.unrecognised(study, result.file_count)


def apply_strict(result: "IngestResult", *, strict: bool) -> None:
    """Fail on rejected lines and unreadable files if --strict was given."""
    unreadable = result.status_counts.get("unreadable", 0)
    if strict and unreadable:
        files = "1 file is" if unreadable == 1 else f"{unreadable} files are"
        raise InputError(f"{files} unreadable (--strict); see the relation source_file")
    if strict and result.rejected_lines:
        lines = "1 line was" if result.rejected_lines == 1 else f"{result.rejected_lines} lines were"
        raise InputError(f"{lines} rejected (--strict); see the relation rejected_line")
