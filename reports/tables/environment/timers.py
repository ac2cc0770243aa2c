"""The table of the timers by which a cluster notices a lost node."""

from collections.abc import Sequence

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView, statement
from reports.tables.catalogue import table
from reports.tables.fields import place_names
from reports.tables.model import Cell, Table, figures, rows_of, words

TIMERS = (  # layer is there, its heading, the timer's, its column, name in is_..._assumed and is_..._inferred
    ("has_llt", "LLT", "peerinact", "peerinact_s", "peerinact"),
    ("has_llt", "LLT", "peertrouble", "peertrouble_s", "peertrouble"),
    ("has_llt", "LLT", "Heartbeat", "heartbeat_s", None),
    ("has_llt", "GAB", "Stable timeout", "stable_s", "stable"),
    ("has_heartbeat", "Heartbeat", "deadtime", "deadtime_s", "deadtime"),
    ("has_heartbeat", "Heartbeat", "keepalive", "keepalive_s", None),
    ("has_corosync", "Corosync", "token", "token_s", "token"),
    ("has_corosync", "Corosync", "consensus", "consensus_s", "token"),
)
ASSUMED = (
    "* Neither a configuration file nor a line of the logs shows this timer; it is the product's default. Fault times "
    "allow for all its usual values."
)
INFERRED = (
    "† No configuration file specifies this timer; it is inferred from lines of the runs, and is the middle of what "
    "they allow."
)


@table(section="environment", after="resources", is_marked=False)
def timers(study: StudyView) -> list[Table]:
    """Timers in force of the cluster layers that the logs show."""
    with_failover = {row["configuration"] for row in study.failover_runs}
    found = [row for row in study.rows("timers") if not with_failover.isdisjoint(row["configurations"])]
    everywhere = sorted({each for row in found for each in row["configurations"]} & with_failover)
    shown = [timer for timer in TIMERS if any(row[timer[0]] for row in found)]
    if not shown:
        return []
    columns = (
        words("Configurations", "configurations"),
        *(figures(label, name, unit="s", spanner=layer) for _, layer, label, name, _ in shown),
    )
    rows = [
        (
            _configurations(study, [each for each in row["configurations"] if each in with_failover], everywhere),
            *(
                _timer(row[name] if row[has_layer] else None, _timer_mark(row, timer))
                for has_layer, _, _, name, timer in shown
            ),
        )
        for row in found
    ]
    marks = "".join(cell.text for row in rows for cell in row[1:])
    notes = tuple(note for note in (ASSUMED, INFERRED) if note[0] in marks)
    caption = "Timers of the cluster layers that decide how soon a lost node is noticed"
    source = "Source: relation cluster_timer (llttab, gabtab, ha.cf, corosync.conf; lines of the runs)."
    return [Table("timers", caption, columns, rows_of(rows, columns, found), notes, source, statement("timers"))]


def _configurations(study: StudyView, own: Sequence[str], everywhere: Sequence[str]) -> Cell:
    return Cell(place_names(study, own, everywhere), (", ".join(own),))


def _timer_mark(row: Row, timer: str | None) -> str:
    if timer is not None and row[f"is_{timer}_assumed"]:
        return ASSUMED[0]
    return INFERRED[0] if timer is not None and row.get(f"is_{timer}_inferred") else ""


def _timer(value: float | None, mark: str) -> Cell:
    if value is None:
        return Cell(numbers.DASH, (None,))
    return Cell(numbers.as_given(value) + mark, (value,))
