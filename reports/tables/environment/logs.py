"""Tables of what was read: formats, hosts, and every file."""

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import code, count, from_rows, word, worded
from reports.tables.model import Table

ACCOUNT = (
    count("Lines", "lines"),
    count("Parsed", "parsed_lines"),
    count("Continuation", "continuation_lines"),
    count("Ignored", "ignored_lines"),
    count("Blank", "blank_lines"),
    count("Rejected", "rejected_lines"),
)
SOURCE_DETAILS = (
    "bytes",
    "status",
    "reason",
    "format",
    "configuration",
    "run",
    "node",
    "encoding",
    "timezone",
    "timezone_source",
    "year_source",
)
PRINTED_FILES = 60  # a page of them; the attached sources.csv is the whole ledger
IDENTITY_NOTE = "Every line is one of parsed, continuation, ignored, blank and rejected; the five add up to the lines."
SOURCE = "Source: relation source_file."


@table(section="machines", after=None, is_marked=False)
def formats(study: StudyView) -> list[Table]:
    """Formats found, and what became of the lines."""
    return from_rows(
        study.rows("formats"),
        "Log files read, by format",
        (code("Format", "format"), count("Files", "files"), *ACCOUNT),
        note=IDENTITY_NOTE,
        source=SOURCE,
    )


@table(section="machines", after="formats", is_marked=False)
def hosts(study: StudyView) -> list[Table]:
    """Hosts that wrote logs."""
    columns = (
        code("Host", "node"),
        word("Formats", "formats"),
        count("Files", "files"),
        count("Lines", "lines"),
        word("Time zone (known from)", "timezones"),
        worded("First message (UTC)", "first_at", lambda row: numbers.moment(row["first_at"])),
        worded("Last message (UTC)", "last_at", lambda row: numbers.moment(row["last_at"])),
    )
    return from_rows(study.rows("hosts"), "Hosts that wrote the logs", columns, source=SOURCE)


@table(section="sources", after="parameters", is_marked=False)
def sources(study: StudyView) -> list[Table]:
    """Every input file."""
    columns = (
        code("File", "path"),
        worded("SHA-256 (first 12)", "sha256", lambda row: (row["sha256"] or numbers.DASH)[:12], is_code=True),
        worded("Format or status", SOURCE_DETAILS, _format_or_status),
        *ACCOUNT,
    )
    return from_rows(
        study.rows("sources"),
        "Every file of the study with its SHA-256 and line accounting",
        columns,
        note=IDENTITY_NOTE,
        source="Source: relation source_file; the attached sources.csv has the full hashes.",
        printed_rows=PRINTED_FILES,
    )


def _format_or_status(row: Row) -> str:
    if row["status"] == "parsed":
        return str(row["format"])
    return f"{row['status']}: {row['reason']}" if row["reason"] else str(row["status"])
