"""Tables of buffers for who plans HADR: TCP windows against what the network needs; sizes asked for and given."""

from reports import numbers
from reports.study_view import StudyView
from reports.tables.model import Cell, Table, figures, text, words
from reports.tables.planned import Plan, count, kibibytes, megabytes, span

WINDOW_NOTE = (
    "Window: the smaller of the buffers asked for; a dash: tuned by the system. Needed: send rate times round "
    "trip. Limit: the most that the window lets through."
)
BUFFER_NOTE = (
    "Before: what the system gives unasked. Given: upon connection. Linux gives twice what is asked for, to count "
    "its own overhead; the window is then the size asked for. Registry variables: DB2_HADR_SOSNDBUF and "
    "DB2_HADR_SORCVBUF."
)


def windows(study: StudyView) -> list[Table]:
    """TCP windows against what the network needs, with advice."""
    columns = (
        words("Configuration", "configuration"),
        words("Mode", "syncmode"),
        figures("Window", "window_bytes", unit="KiB"),
        figures("Given", "granted_bytes", unit="KiB"),
        figures("Needed", "needed_bytes", unit="KiB"),
        figures("Limit", "limit_mb_s", unit="MB/s"),
        figures("Best run", "best_mb_s", unit="MB/s"),
        words("Advice", "advice"),
    )
    plan = Plan("hadr_windows", "TCP window of the runs against send rate times round trip", columns, WINDOW_NOTE)
    return plan.tables(
        study,
        lambda row: (
            text(row["syncmode"]),
            *(Cell(kibibytes(row[name]), (row[name],)) for name in ("window_bytes", "granted_bytes", "needed_bytes")),
            Cell(megabytes(row["limit_mb_s"]), (row["limit_mb_s"],)),
            Cell(megabytes(row["best_mb_s"]), (row["best_mb_s"],)),
            Cell(numbers.rewritten(row["advice"] or row["verdict"] or numbers.DASH), (row["advice"],)),
        ),
    )


def buffers(study: StudyView) -> list[Table]:
    """Socket buffers asked for and given, on either side."""
    columns = (
        words("Configuration", "configuration"),
        words("Side", "side"),
        words("Direction", "direction"),
        figures("Buffers", "buffers"),
        figures("Before", "default_bytes", unit="KiB"),
        figures("Asked for", "requested_bytes", unit="KiB"),
        figures("Given", "granted_low_bytes", "granted_high_bytes", unit="KiB"),
        words("Verdict", "verdict"),
    )
    plan = Plan("hadr_buffers", "Socket buffers: asked for and given", columns, BUFFER_NOTE, row_heads=3)
    given = ("granted_low_bytes", "granted_high_bytes")
    return plan.tables(
        study,
        lambda row: (
            text(row["side"]),
            text(row["direction"]),
            count(row, "buffers"),
            Cell(kibibytes(row["default_bytes"]), (row["default_bytes"],)),
            Cell(kibibytes(row["requested_bytes"]), (row["requested_bytes"],)),
            Cell(span(*(kibibytes(row[name]) for name in given)), tuple(row[name] for name in given)),
            text(row["verdict"]),
        ),
    )
