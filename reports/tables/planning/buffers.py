"""Tables of buffers for who plans HADR: TCP windows against what the network needs; sizes asked for and given."""

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import count, printed, word, worded
from reports.tables.model import Table
from reports.tables.planning.plan import kibibytes, planned, rate, size, span

WINDOW_NOTE = (
    "Window: the smaller of the buffers asked for; a dash: tuned by the system. Needed: send rate times round "
    "trip. Limit: the most that the window lets through."
)
BUFFER_NOTE = (
    "Before: what the system gives unasked. Given: upon connection. Linux gives twice what is asked for, to count "
    "its own overhead; the window is then the size asked for. Registry variables: DB2_HADR_SOSNDBUF and "
    "DB2_HADR_SORCVBUF."
)


@table(section="results", topic="planning", after="hadr-bottlenecks")
def hadr_windows(study: StudyView) -> list[Table]:
    """TCP windows against what the network needs, with advice."""
    columns = (
        word("Mode", "syncmode"),
        size("Window", "window_bytes"),
        size("Given", "granted_bytes"),
        size("Needed", "needed_bytes"),
        rate("Limit", "limit_mb_s"),
        rate("Best run", "best_mb_s"),
        worded("Advice", "advice", lambda row: numbers.rewritten(row["advice"] or row["verdict"] or numbers.DASH)),
    )
    caption = "TCP window of the runs against send rate times round trip"
    return planned(study, "hadr_windows", caption, columns, note=WINDOW_NOTE)


@table(section="results", topic="planning", after="hadr-windows")
def hadr_buffers(study: StudyView) -> list[Table]:
    """Socket buffers asked for and given, on either side."""
    columns = (
        word("Side", "side"),
        word("Direction", "direction"),
        count("Buffers", "buffers"),
        size("Before", "default_bytes"),
        size("Asked for", "requested_bytes"),
        printed("Given", ("granted_low_bytes", "granted_high_bytes"), _given, unit="KiB"),
        word("Verdict", "verdict"),
    )
    return planned(study, "hadr_buffers", "Socket buffers: asked for and given", columns, note=BUFFER_NOTE, row_heads=3)


def _given(row: Row) -> str:
    return span(kibibytes(row["granted_low_bytes"]), kibibytes(row["granted_high_bytes"]))
