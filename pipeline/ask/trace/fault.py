"""How the time of a fault is known, and from which lines: no log gives the moment of a crash."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import duckdb

from pipeline.ask.trace.parts import Inference, Line, Run, asked, clock, number
from pipeline.store.statements import Row

FAULT_SOURCES: Final[Mapping[str, tuple[str, str]]] = {
    "manifest": ("study.toml declares it (fault_at); no log line is needed", ""),
    "inactive series": (
        (
            "no line reports it: each line `inactive N sec` says that the last heartbeat came N to N + 1 seconds "
            "before its stamp; the fault lies in what these spans have in common, extended by one heartbeat"
        ),
        "",
    ),
    "in trouble": (
        "no line reports it: a link is in trouble peertrouble seconds after the last heartbeat",
        r"peertrouble",
    ),
    "expired": ("no line reports it: a link expires peerinact seconds after the last heartbeat", r"peerinact"),
    "membership": (
        "no line reports it: the membership changes peerinact and the stable timeout after the last heartbeat",
        r"peerinact|^gabtab (-t|t|stable)",
    ),
    "had membership": (
        "no line reports it: HAD's membership changes peerinact and the stable timeout after the last heartbeat",
        r"peerinact|^gabtab (-t|t|stable)",
    ),
    "dead time": (
        "no line reports it: a node is declared dead deadtime after its last heartbeat",
        r"deadtime|keepalive",
    ),
    "token loss": (
        (
            "no line reports it: corosync loses the token its timeout after it was last seen; the lost node then kept "
            "it for the hold time at most, and lived while it still wrote"
        ),
        r"totem\.(token|hold)",
    ),
    "token timeout": (
        "no line reports it: the token is lost after its timeout, and the others agree within consensus",
        r"token|consensus",
    ),
    "client questions": (
        (
            "no line reports it: the node lived when the client asked the last question that was answered, and no "
            "longer when the first one without an answer would have had it; the client's clock is compared with the "
            "surviving node's (relation host_clock)"
        ),
        "",
    ),
    "last words": (
        (
            "no line reports it: the node lived when it wrote its last line; its clock is compared with the surviving "
            "node's (relation host_clock)"
        ),
        "",
    ),
    "shutdown notice": ("the node announced its departure on this line, which is t = 0", ""),
    "take-over command": ("the take-over was ordered on this line, which is t = 0", ""),
    "marker line": ("a person marked the fault with this line", ""),
}
"""By `fault_source`: how it shows the time, and a pattern of the timers that it rests on."""

SOURCE_TIMERS: Final[Mapping[str, tuple[str, ...]]] = {
    "in trouble": ("peertrouble",),
    "expired": ("peerinact",),
    "membership": ("membership", "peerinact", "stable"),
    "had membership": ("membership", "peerinact", "stable"),
    "token loss": ("token",),
    "token timeout": ("token",),
}
"""By source: the timers of `inferred_timer` that it may rest on."""

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


class Timers:
    """Which lines set timers of node loss, of all files; read once, when first asked."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con = con

    @cached_property
    def declared(self) -> Mapping[str | None, Sequence[Row]]:
        """By configuration the lines of its files and of those above it."""
        found: dict[str | None, list[Row]] = {}
        for each in asked(self.con, "timer_lines"):
            found.setdefault(each["configuration"], []).append(each)
        return found

    def lines(self, configuration: str | None, run: str | None, pattern: str) -> list[Line]:
        """The lines that apply to a run, or to any run where `run` is None, whose parameter matches a pattern."""
        unit = None if run is None else run.partition("#")[0]
        return list(
            dict.fromkeys(
                Line(f"timer {each['role']}", each["file_id"], each["line_no"], note=f"value {each['value']}")
                for each in self.declared.get(configuration, ())
                if (unit is None or each["run"] is None or each["run"] == unit)
                and re.search(pattern, f"{each['role']} {each['value']}".lower())
            )
        )


def add_faults(con: duckdb.DuckDBPyConnection, runs: Sequence[Run], source: str | None = None) -> None:
    """Add how the fault time of each run is known, and from which lines. `source` None: the one that was used."""
    timers = Timers(con)
    for configuration in dict.fromkeys(run.configuration for run in runs):
        own = [run for run in runs if run.configuration == configuration]
        runs_asked = [run.run for run in own]
        estimates = asked(con, "fault_estimates", configuration=configuration, runs=runs_asked)
        lines = asked(con, "fault_lines", configuration=configuration, runs=runs_asked)
        for run in own:
            chosen = next((each for each in estimates if each["run"] == run.run and _is_meant(each, source)), None)
            if chosen is None:
                run.inference.append(Inference("fault", "none is known of this run"))
            else:
                _add_fault(timers, run, chosen, _of(run, estimates), _of(run, lines))


def _of(run: Run, found: Sequence[Row]) -> list[Row]:
    return [each for each in found if each["run"] == run.run]


def _is_meant(estimate: Row, source: str | None) -> bool:
    return bool(estimate["is_chosen"]) if source is None else estimate["source"] == source


def _add_fault(timers: Timers, run: Run, chosen: Row, estimates: Sequence[Row], lines: Sequence[Row]) -> None:
    bounding = _bounding(chosen, estimates, lines)
    run.lines += bounding
    ends = dict.fromkeys((chosen["source"], chosen["low_source"], chosen["high_source"]))
    patterns = []
    for place, source in enumerate(ends):
        how, pattern = FAULT_SOURCES.get(source, (source, ""))
        patterns += [pattern] if pattern else []
        run.inference.append(Inference(f"fault ({source})", how, "" if place else _span(chosen, bounding)))
    if patterns:
        run.lines += timers.lines(run.configuration, run.run, "|".join(patterns))
    if chosen["is_inferred"]:
        run.lines += _inferred_lines(
            timers.con, run.configuration, [name for end in ends for name in SOURCE_TIMERS.get(end, ())]
        )
        run.inference.append(
            Inference("fault", "no file specifies a timer that it rests on: lines of the runs show it")
        )
    if chosen["is_assumed"]:
        run.inference.append(
            Inference("fault", "neither a file nor a line shows a timer that it rests on: all its usual values count")
        )


def _inferred_lines(con: duckdb.DuckDBPyConnection, configuration: str | None, timers: Sequence[str]) -> list[Line]:
    found = asked(con, "inferred_timers", configuration=configuration, timers=list(timers))
    return [Line(each["role"], each["file_id"], each["line_no"], note=f"inferred: {each['note']}") for each in found]


def timer(timers: Timers, row: Row, column: str) -> list[Run]:
    """The lines that set a timer of `cluster_timer`."""
    pattern = TIMER_PATTERNS.get(column, "|".join(TIMER_PATTERNS.values()))
    run = Run(row["configuration"], row["unit_run"], number(row.get(column)))
    run.lines = timers.lines(run.configuration, run.run, pattern)
    if not run.lines:
        names = [name for name in ("peerinact", "peertrouble", "stable", "token", "deadtime") if column.find(name) >= 0]
        run.lines = _inferred_lines(timers.con, run.configuration, names)
        how = "no file specifies it: lines of the runs show it" if run.lines else "neither a file nor a line shows it"
        run.inference.append(Inference("timer", how))
    return [run]


def _bounding(chosen: Row, estimates: Sequence[Row], lines: Sequence[Row]) -> list[Line]:
    """The lines behind an estimate; those decide that bound it most tightly, or, where they disagree, most widely."""
    found = [each for each in lines if each["source"] in chosen["sources"]]
    known = {each["source"] for each in found}
    decisive = _decisive(found, chosen["low_source"], "low_at", is_last=chosen["is_consistent"])
    decisive += _decisive(found, chosen["high_source"], "high_at", is_last=not chosen["is_consistent"])
    bounding = [
        Line("fault", each["file_id"], each["line_no"], note=_note(each), is_decisive=place in decisive)
        for place, each in enumerate(found)
    ]
    others = [
        Line("fault", each["file_id"], each["line_no"], note=each["source"] if known else "")
        for each in estimates
        if not (each["is_chosen"] and each["source"] != "manifest")
        and each["source"] in chosen["sources"]
        and each["source"] not in known
        and each["file_id"] is not None
    ]
    return bounding + others


def _decisive(found: Sequence[Row], source: str, end: str, *, is_last: bool) -> list[int]:
    """The place of the line of a source whose span ends last, or first."""
    ends = [
        (each[end], place) for place, each in enumerate(found) if each["source"] == source and each[end] is not None
    ]
    if not ends:
        return []
    wanted = (max if is_last else min)(each for each, _ in ends)
    return [next(place for each, place in ends if each == wanted)]


def _note(line: Row) -> str:
    if line["source"] == "last words":
        return f"last line of the lost node: it lived at {clock(line['low_at'])}"
    if line["high_at"] is None:
        return f"the last answered question was asked at {clock(line['low_at'])}"
    if line["low_at"] is None:
        return f"a question without an answer: the node had died by {clock(line['high_at'])}"
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
