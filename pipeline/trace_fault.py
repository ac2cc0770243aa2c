"""How the time of a fault is known, and from which lines: no log states the moment of a crash."""

from collections.abc import Mapping, Sequence
from typing import Final

import duckdb

from pipeline.trace_parts import Inference, Line, Row, Run, clock, number, rows, statement

FAULT_SOURCES: Final[Mapping[str, tuple[str, str]]] = {
    "manifest": ("study.toml states it (fault_at); no log line is needed", ""),
    "inactive series": (
        (
            "no line states it: each line `inactive N sec` says that the last heartbeat came N to N + 1 seconds before "
            "its stamp; the fault lies in what these spans have in common, extended by one heartbeat"
        ),
        "",
    ),
    "in trouble": (
        "no line states it: a link is in trouble peertrouble seconds after the last heartbeat",
        r"peertrouble",
    ),
    "expired": ("no line states it: a link expires peerinact seconds after the last heartbeat", r"peerinact"),
    "membership": (
        "no line states it: the membership changes peerinact and the stable timeout after the last heartbeat",
        r"peerinact|^gabtab (-t|t|stable)",
    ),
    "had membership": (
        "no line states it: HAD's membership changes peerinact and the stable timeout after the last heartbeat",
        r"peerinact|^gabtab (-t|t|stable)",
    ),
    "dead time": (
        "no line states it: a node is declared dead deadtime after its last heartbeat",
        r"deadtime|keepalive",
    ),
    "token loss": (
        (
            "no line states it: corosync loses the token its timeout after it was last seen; the lost node then kept "
            "it for the hold time at most, and lived while it still wrote"
        ),
        r"totem\.(token|hold)",
    ),
    "token timeout": (
        "no line states it: the token is lost after its timeout, and the others agree within consensus",
        r"token|consensus",
    ),
    "shutdown notice": ("the node announced its departure on this line, which is t = 0", ""),
    "take-over command": ("the take-over was ordered on this line, which is t = 0", ""),
    "marker line": ("a person marked the fault with this line", ""),
}
"""By `fault_source`: how it tells the time, and a pattern of the timers that it rests on."""

TIMER_PATTERNS: Final = {
    "peerinact_s": r"peerinact",
    "peertrouble_s": r"peertrouble",
    "heartbeat_s": r"^llttab.*heartbeat",
    "stable_s": r"^gabtab (-t|t|stable)",
    "deadtime_s": r"deadtime",
    "keepalive_s": r"keepalive",
    "token_s": r"totem\.token |token_coefficient",
    "hold_s": r"totem\.(token|hold)",
    "ring_nodes": r"ring0_addr",
    "consensus_s": r"consensus",
}


def add_faults(con: duckdb.DuckDBPyConnection, runs: Sequence[Run], source: str | None = None) -> None:
    """Add how the fault time of each run is known, and from which lines. `source` None: the one that was used."""
    for configuration in dict.fromkeys(run.configuration for run in runs):
        own = [run for run in runs if run.configuration == configuration]
        asked = {"configuration": configuration, "runs": [run.run for run in own]}
        estimates = rows(con, statement("fault_estimates"), **asked)
        lines = rows(con, statement("fault_lines"), **asked)
        for run in own:
            chosen = next((each for each in estimates if each["run"] == run.run and _is_meant(each, source)), None)
            if chosen is None:
                run.inference.append(Inference("fault", "none is known of this run"))
            else:
                _add_fault(con, run, chosen, lines)


def _is_meant(estimate: Row, source: str | None) -> bool:
    return bool(estimate["is_chosen"]) if source is None else estimate["source"] == source


def _add_fault(con: duckdb.DuckDBPyConnection, run: Run, chosen: Row, lines: Sequence[Row]) -> None:
    how, timers = FAULT_SOURCES.get(chosen["source"], (chosen["source"], ""))
    own = [each for each in lines if (each["run"], each["source"]) == (run.run, chosen["source"])]
    bounding = _bounding(chosen, own)
    run.lines += bounding
    run.inference.append(Inference(f"fault ({chosen['source']})", how, _span(chosen, bounding)))
    if timers:
        run.lines += _timer_lines(con, run.configuration, run.run, timers)
    if chosen["is_assumed"]:
        run.inference.append(
            Inference("fault", "no file states a timer that it rests on: the product's default counts")
        )


def timer(con: duckdb.DuckDBPyConnection, row: Row, column: str) -> list[Run]:
    """The lines that set a timer of `cluster_timer`."""
    pattern = TIMER_PATTERNS.get(column, "|".join(TIMER_PATTERNS.values()))
    run = Run(row["configuration"], row["unit_run"], number(row.get(column)))
    run.lines = _timer_lines(con, run.configuration, run.run, pattern)
    if not run.lines:
        run.inference.append(Inference("timer", "no file states it: the product's default counts"))
    return [run]


def _timer_lines(
    con: duckdb.DuckDBPyConnection, configuration: str | None, run: str | None, pattern: str
) -> list[Line]:
    stated = rows(con, statement("timer_lines"), configuration=configuration, run=run, pattern=pattern)
    return [Line(f"timer {each['role']}", each["file_id"], each["line_no"], note=each["note"]) for each in stated]


def _bounding(estimate: Row, found: Sequence[Row]) -> list[Line]:
    """The lines behind an estimate; those decide that bound it most tightly, or, where they disagree, most widely."""
    if not found:
        if estimate["file_id"] is None:
            return []
        return [Line("fault", estimate["file_id"], estimate["line_no"])]
    nearest = (max, min) if estimate["is_consistent"] else (min, max)
    low = nearest[0](each["low_at"] for each in found)
    high = nearest[1](each["high_at"] for each in found)
    first_low = next(place for place, each in enumerate(found) if each["low_at"] == low)
    first_high = next(place for place, each in enumerate(found) if each["high_at"] == high)
    return [
        Line(
            "fault",
            each["file_id"],
            each["line_no"],
            note=_note(each),
            is_decisive=place in (first_low, first_high),
        )
        for place, each in enumerate(found)
    ]


def _note(line: Row) -> str:
    if line["source"] == "token loss" and not line["heartbeat_s"]:
        return f"last line of the lost node: it lived at {clock(line['low_at'])}"
    what = "token" if line["source"] == "token loss" else "heartbeat"
    return f"last {what} between {clock(line['low_at'])} and {clock(line['high_at'])}"


def _span(estimate: Row, lines: Sequence[Line]) -> str:
    if not estimate["width_s"]:
        return f"t = 0 is {clock(estimate['middle_at'])} UTC"
    count = len(lines)
    by = f" by {count} lines" if count > 1 else ""
    doubt = "" if estimate["is_consistent"] else "; the lines contradict each other, so that the span holds all of them"
    return (
        f"between {clock(estimate['low_at'])} and {clock(estimate['high_at'])} UTC{by}; "
        f"the middle, {clock(estimate['middle_at'])}, is t = 0{doubt}"
    )
