"""How the time of a fault is known, and from which lines: no log gives the moment of a crash."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import duckdb

from pipeline.ask.trace.parts import Inference, Line, Run, clock, number, query_rows
from pipeline.store.statements import Row

PARAMETERS: Final = {
    "peerinact": r"peerinact",
    "peertrouble": r"peertrouble",
    "heartbeat": r"^llttab.*heartbeat",
    "stable": r"^gabtab (-t|t|stable)",
    "deadtime": r"deadtime",
    "keepalive": r"keepalive",
    "token": r"totem\.token |token_coefficient",
    "hold": r"totem\.(token|hold)",
    "ring_nodes": r"ring0_addr",
    "consensus": r"consensus",
    "hadr_timeout": r"^db HADR_TIMEOUT",
}
"""By timer of `cluster_timer`: a pattern of the parameters that set it. `membership` is peerinact with stable."""


class FaultSource(NamedTuple):
    """How a source shows the time of a fault. `timers`: what that rests on. `is_reported`: a line gives the moment."""

    how: str
    timers: tuple[str, ...] = ()
    is_reported: bool = False

    @property
    def sentence(self) -> str:
        """How the time is known, and that no line says it where that is so."""
        return self.how if self.is_reported else f"no line reports it: {self.how}"


FAULT_SOURCES: Final[Mapping[str, FaultSource]] = {
    "first symptom": FaultSource(
        "nothing bounds the fault, so times count from the first line by which anybody saw the loss", is_reported=True
    ),
    "manifest": FaultSource("study.toml declares it (fault_at); no log line is needed", is_reported=True),
    "inactive series": FaultSource(
        "each line `inactive N sec` says that the last heartbeat came N to N + 1 seconds before its stamp; the fault "
        "lies in what these spans have in common, extended by one heartbeat"
    ),
    "in trouble": FaultSource("a link is in trouble peertrouble seconds after the last heartbeat", ("peertrouble",)),
    "expired": FaultSource("a link expires peerinact seconds after the last heartbeat", ("peerinact",)),
    "membership": FaultSource(
        "the membership changes peerinact and the stable timeout after the last heartbeat",
        ("membership", "peerinact", "stable"),
    ),
    "had membership": FaultSource(
        "HAD's membership changes peerinact and the stable timeout after the last heartbeat",
        ("membership", "peerinact", "stable"),
    ),
    "dead time": FaultSource("a node is declared dead deadtime after its last heartbeat", ("deadtime", "keepalive")),
    "token loss": FaultSource(
        "corosync loses the token its timeout after it was last seen; the lost node then kept it for the hold time at "
        "most, and lived while it still wrote",
        ("token", "hold"),
    ),
    "token timeout": FaultSource(
        "the token is lost after its timeout, and the others agree within consensus", ("token", "consensus")
    ),
    "hadr connection": FaultSource(
        "the standby gives its primary up as their connection ends, or HADR_TIMEOUT after it fell silent",
        ("hadr_timeout",),
    ),
    "client questions": FaultSource(
        "the node lived when the client asked the last question that was answered, and no longer when the first one "
        "without an answer would have had it; the client's clock is compared with the surviving node's (relation "
        "host_clock)"
    ),
    "last words": FaultSource(
        "the node lived when it wrote its last line; its clock is compared with the surviving node's (relation "
        "host_clock)"
    ),
    "leader signs": FaultSource(
        "the leader lived when its program wrote its last line, when another node last said so, or before the timers "
        "ran out by which it was missed, and no longer when anybody missed it; nothing compares the clocks of such "
        "nodes, which are taken to agree within half a second"
    ),
    "shutdown notice": FaultSource("the node announced its departure on this line, which is t = 0", is_reported=True),
    "take-over command": FaultSource("the take-over was ordered on this line, which is t = 0", is_reported=True),
    "marker line": FaultSource("a person marked the fault with this line", is_reported=True),
}
"""By `source` of `fault_estimate`."""


UNSPECIFIED: Final = {
    "is_inferred": "no file specifies a timer that it rests on: lines of the runs show it",
    "is_assumed": "neither a file nor a line shows a timer that it rests on: all its usual values count",
}


class Timers:
    """Which lines set timers of node loss, of all files; read once, when first asked."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con = con

    @cached_property
    def declared(self) -> Mapping[str | None, Sequence[Row]]:
        """By configuration the lines of its files and of those above it."""
        found: dict[str | None, list[Row]] = {}
        for each in query_rows(self.con, "timer_lines"):
            found.setdefault(each["configuration"], []).append(each)
        return found

    def lines(self, configuration: str | None, run: str | None, names: Iterable[str]) -> list[Line]:
        """The lines that set some timers and apply to a run, or to any run where `run` is None."""
        patterns = [PARAMETERS[name] for name in names if name in PARAMETERS]
        if not patterns:
            return []
        unit = None if run is None else run.partition("#")[0]
        return list(
            dict.fromkeys(
                Line(f"timer {each['role']}", each["file_id"], each["line_no"], note=f"value {each['value']}")
                for each in self.declared.get(configuration, ())
                if (unit is None or each["run"] is None or each["run"] == unit)
                and re.search("|".join(patterns), f"{each['role']} {each['value']}".lower())
            )
        )


def add_faults(timers: Timers, runs: Sequence[Run]) -> None:
    """Add how the fault time of each run is known, and from which lines."""
    for configuration in dict.fromkeys(run.configuration for run in runs):
        own = {str(run.run): run for run in runs if run.configuration == configuration}
        wanted = {"configuration": configuration, "runs": list(own)}
        estimates, lines = (
            _by_run(query_rows(timers.con, name, **wanted)) for name in ("fault_estimates", "fault_lines")
        )
        for name, run in own.items():
            chosen = next((each for each in estimates.get(name, ()) if each["is_chosen"]), None)
            if chosen is None:
                run.inference.append(Inference("fault", "none is known of this run"))
            else:
                _add_fault(timers, run, chosen, _bounding(chosen, estimates[name], lines.get(name, [])))


def _by_run(found: Sequence[Row]) -> dict[str, list[Row]]:
    by_run: dict[str, list[Row]] = {}
    for each in found:
        by_run.setdefault(each["run"], []).append(each)
    return by_run


def _add_fault(timers: Timers, run: Run, chosen: Row, bounding: Sequence[Line]) -> None:
    run.lines += bounding
    ends = dict.fromkeys((chosen["source"], chosen["low_source"], chosen["high_source"]))
    timers_used: dict[str, None] = {}
    for place, source in enumerate(ends):
        known = FAULT_SOURCES[source]
        timers_used |= dict.fromkeys(known.timers)
        run.inference.append(Inference(f"fault ({source})", known.sentence, "" if place else _span(chosen, bounding)))
    run.lines += timers.lines(run.configuration, run.run, timers_used)
    if chosen["is_inferred"]:
        run.lines += _inferred_lines(timers.con, run.configuration, timers_used)
    run.inference += [Inference("fault", how) for flag, how in UNSPECIFIED.items() if chosen[flag]]


def _inferred_lines(con: duckdb.DuckDBPyConnection, configuration: str | None, timers: Iterable[str]) -> list[Line]:
    found = query_rows(con, "inferred_timers", configuration=configuration, timers=list(timers))
    return [Line(each["role"], each["file_id"], each["line_no"], note=f"inferred: {each['note']}") for each in found]


def timer(timers: Timers, row: Row, column: str) -> list[Run]:
    """The lines that set a timer of `cluster_timer`."""
    names = [name for name in (*PARAMETERS, "membership") if name in column]
    run = Run(row["configuration"], row["unit_run"], number(row.get(column)))
    run.lines = timers.lines(run.configuration, run.run, names or PARAMETERS)
    if not run.lines:
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
    if line["source"] == "leader signs":
        if line["low_at"] is None:
            return f"the leader was missed by {clock(line['high_at'])}"
        return (
            f"the leader lived at {clock(line['low_at'])}, by a sign of life or the timers that had run out, and no "
            f"longer at {clock(line['high_at'])}"
        )
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
