"""What the logs hold where they show neither a failover that counts nor a measurement."""

from typing import Final

from reports import numbers
from reports.findings.highlights import Highlight
from reports.study.store import Row
from reports.study.view import StudyView
from reports.typeset.text import shortened
from reports.words import counted, planned_changes

MOST_OF_A_LINE: Final = 120
"""Characters of a log line that a sentence quotes."""


def holdings(study: StudyView) -> list[Highlight]:
    """Sentences on failovers, planned changes, errors, changes of state, disks and messages; at least on none."""
    planned = planned_changes(study)
    set_aside = [] if planned else study.failover_runs
    found = [
        *([Highlight("Planned", f"{planned}; no failover was found.")] if planned else []),
        *_errors(study),
        *_changes(study),
        *_disks(study),
        *_messages(study),
    ]
    if planned:
        return found
    if set_aside:
        failovers = counted(len(set_aside), "failover")
        reason = set_aside[0]["excluded_reason"] or "see the doubts"
        return [Highlight("In these logs", f"{failovers}, set aside: {reason}."), *found]
    return [Highlight("In these logs", "no failover was found, and no result of a benchmark."), *found]


def _errors(study: StudyView) -> list[Highlight]:
    return [
        Highlight(
            "Errors",
            f"{counted(row['lines'], 'line')} with "
            f"{counted(row['errors'], 'error message', 'different error messages')}; the first: "
            f"\u201c{shortened(row['text'], MOST_OF_A_LINE)}\u201d.",
        )
        for row in study.rows("held_errors")
    ]


def _changes(study: StudyView) -> list[Highlight]:
    rows = study.rows("held_changes")
    text = ", ".join(f"{numbers.count(row['changes'])} of {row['subject']}s" for row in rows)
    return [Highlight("Changes of state", f"{text}.")] if rows else []


def _disks(study: StudyView) -> list[Highlight]:
    """The busiest disk, or the one with most reports where none says how busy it was."""
    rows = study.rows("held_disks")
    if not rows:
        return []
    first = rows[0]
    parts = [_busy(first), _waits(first)]
    shown = ", ".join(filter(None, parts)) or _rates(first) or counted(first["reports"], "report")
    span = f" over {numbers.seconds_and_hours(first['span_s'], 0)}" if first["span_s"] else ""
    where = f" on {first['node']}" if first["node"] else ""
    disks = counted(len(rows), "disk")
    which = "" if len(rows) == 1 else f"monitors of {disks}; "
    return [Highlight("Disks", f"{which}{first['device']}{where}: {shown}{span}.")]


def _busy(row: Row) -> str:
    return "" if row["util_pct"] is None else f"{numbers.fixed(row['util_pct'], 0)} % busy"


def _waits(row: Row) -> str:
    return "" if row["await_ms"] is None else f"{numbers.fixed(row['await_ms'], 1)} ms a request"


def _rates(row: Row) -> str:
    shown = (("tps", 1, "requests/s"), ("rkb_per_s", 0, "KiB/s read"), ("wkb_per_s", 0, "KiB/s written"))
    return ", ".join(
        f"{numbers.fixed(row[name], decimals)} {unit}" for name, decimals, unit in shown if row[name] is not None
    )


def _messages(study: StudyView) -> list[Highlight]:
    rows = study.rows("held_messages")
    text = ", ".join(f"{numbers.count(row['messages'])} of {row['source']}" for row in rows)
    return [Highlight("Messages", f"{text}.")] if rows else []
