"""What the logs hold where they show neither a failover that counts nor a measurement."""

from typing import Final

from reports import numbers
from reports.findings.highlights import MOST_HIGHLIGHTS, Highlight
from reports.metrics import main_metric, name_of
from reports.study.store import Row
from reports.study.view import StudyView
from reports.typeset.text import shortened
from reports.words import counted, planned_changes

MOST_OF_A_LINE: Final = 120
"""Characters of a log line that a sentence quotes."""
COMPARED_FIRST: Final = ("util_pct", "await_ms", "w_await_ms", "wkb_per_s")
"""What a comparison of disks is about: the first that was measured."""


def holdings(study: StudyView) -> list[Highlight]:
    """Sentences on failovers, changes, errors, HADR, rates, machines and messages; at least on none."""
    planned = planned_changes(study)
    set_aside = [] if planned else study.failover_runs
    found = [
        *([Highlight("Planned", f"{planned}; no failover was found.")] if planned else []),
        *_errors(study),
        *_changes(study),
        *_hadr(study),
        *_series(study),
        *_disks(study),
        *_processors(study),
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
    latest = max((row for row in rows if row["last"]), key=lambda row: row["last_at"], default=None)
    last = f"; the last: {shortened(latest['last'], MOST_OF_A_LINE)}" if latest else ""
    return [Highlight("Changes of state", f"{text}{last}.")] if rows else []


def _hadr(study: StudyView) -> list[Highlight]:
    """What the monitor of HADR showed of the first database that it was asked about."""
    rows = study.rows("hadr_states")
    if not rows:
        return []
    first = rows[0]
    states = [(first[each] or "").replace(", ", " and ") for each in ("states", "syncmodes", "connect_states")]
    shown = (first["role"], *states[:2], states[2].lower())
    whose = " on ".join(filter(None, (first["database"], first["node"])))
    which = "" if len(rows) == 1 else f"{counted(len(rows), 'monitor')}; "
    return [Highlight("HADR", f"{which}{whose}: {', '.join(filter(None, shown))}.")]


def _series(study: StudyView) -> list[Highlight]:
    """What was measured over time without a value of a whole run, as its median and range."""
    rows = {row["metric"]: row for row in study.rows("held_series")}
    if not rows:
        return []
    metric = main_metric(rows) or next(iter(rows))
    row = rows[metric]
    low, middle, high = (numbers.compact(row[each]) for each in ("least", "median", "most"))
    return [
        Highlight(
            "Over time",
            f"{name_of(metric)} in {counted(row['intervals'], 'interval')} of {counted(row['runs'], 'run')}: "
            f"median {middle}, from {low} to {high}.",
        )
    ]


def _processors(study: StudyView) -> list[Highlight]:
    """The busiest processors, and how long they waited for disks."""
    rows = study.rows("held_processors")
    if not rows:
        return []
    first = rows[0]
    parts = [_share(first["busy_pct"], "busy"), _share(first["iowait_pct"], "waiting for disks")]
    hosts = len({row["node"] for row in rows})
    which = "" if hosts == 1 else f"{counted(hosts, 'host')}; "
    whose = f"{first['node'] or 'one host'}{_within(study, first)}"
    return [Highlight("Processors", f"{which}{whose}: {', '.join(filter(None, parts))}{_over(first)}.")]


def _share(percent: float | None, what: str) -> str:
    return "" if percent is None else f"{numbers.fixed(percent, 0)} % {what}"


def _within(study: StudyView, row: Row) -> str:
    """Of which configuration a row is, where there are several."""
    return f" in {study.label_inside(row['configuration'])}" if len(study.configurations) > 1 else ""


def _over(row: Row) -> str:
    """Of what span its intervals are, where they are known."""
    return f" over {numbers.seconds_and_hours(row['span_s'], 0)}" if row["span_s"] else ""


def _disks(study: StudyView) -> list[Highlight]:
    """What configurations did to the disk that differs most; else the busiest disk, or the one with most reports."""
    rows = study.rows("held_disks")
    if not rows:
        return []
    if changes := study.rows("disk_changes"):
        of_disk = [row for row in changes if row["label"] == changes[0]["label"]]
        metric = next(
            (each for each in COMPARED_FIRST if each in {row["metric"] for row in of_disk}), of_disk[0]["metric"]
        )
        return [_disk_change(study, row) for row in of_disk if row["metric"] == metric][:MOST_HIGHLIGHTS]
    first = rows[0]
    parts = [_share(first["util_pct"], "busy"), _waits(first)]
    shown = ", ".join(filter(None, parts)) or _rates(first) or counted(first["reports"], "report")
    where = f" on {first['node']}" if first["node"] else ""
    disks = len({(row["node"], row["device"]) for row in rows})
    which = "" if disks == 1 else f"monitors of {counted(disks, 'disk')}; "
    return [Highlight("Disks", f"{which}{first['device']}{where}{_within(study, first)}: {shown}{_over(first)}.")]


def _disk_change(study: StudyView, row: Row) -> Highlight:
    name, _, unit = name_of(row["metric"]).partition(", ")
    after, before = numbers.compact_pair(row["mean"], row["reference_mean"])
    sentence = f"{row['label']}, {name}: {after} instead of {before}{unit and f' {unit}'}, {row['verdict']}."
    return Highlight(f"{study.label(row['configuration'])} against {study.label_inside(row['reference'])}", sentence)


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
