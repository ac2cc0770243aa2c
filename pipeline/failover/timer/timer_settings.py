"""Timers of node loss that configuration files specify, or logs print as their program starts."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import RunUnit
from pipeline.failover.rules import rules
from pipeline.failover.step import CONFIGURATION, Int32, step

# 1600, "1600"; 1600 and words behind it, peerinact:1600, pt3s
FIRST_NUMBER = re.compile(
    r"[\"'= ]*(?:[a-z-]+:|pt)?(?P<number>[0-9]+(?:\.[0-9]+)?)\s*(?P<unit>[a-z]*)(?![\w.])", re.ASCII
)
UNIT_S = {"ms": 0.001, "milli": 0.001, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}


class TimerSetting(NamedTuple):
    """A line that may set a timer, as `timer_setting` has it."""

    configuration: str
    run: str | None
    distance: Int32
    scope: str
    name: str
    value: str | None
    file_id: Int32
    line_no: Int32


class SpecifiedTimer(NamedTuple):
    """One row per unit (run folder, or folder group without run folders) and timer of node loss that a configuration
    file specifies or a log prints: llttab (1/100 s), gabtab (ms), ha.cf, corosync.conf (ms), `get db cfg`, Galera's log
    and others of the run or configuration, the nearest file first.
    """

    configuration: str
    unit_run: str | None
    timer: Annotated[
        str,
        "peerinact, peertrouble, heartbeat, stable, deadtime, keepalive, token, consensus, hold, hadr_timeout, ...",
    ]
    seconds: Annotated[float, "its value; a count where it is one"]
    file_id: Int32
    line_no: Int32


@step(by=CONFIGURATION, of="run_unit")
def specified_timer(run_unit: Sequence[RunUnit], timer_setting: Sequence[TimerSetting]) -> Iterator[SpecifiedTimer]:
    """The nearest file that sets a timer counts, in it the last line, of some timers the longest."""
    by_run: dict[str | None, dict[str, tuple[float, TimerSetting]]] = {}
    for setting in sorted(timer_setting, key=lambda each: (each.distance, each.file_id, -each.line_no)):
        timer = _timer_set_by(setting)
        if timer is not None:
            known = by_run.setdefault(setting.run, {})
            name, seconds, is_longest = timer
            if name not in known or (is_longest and seconds > known[name][0]):
                known[name] = (seconds, setting)
    for unit in run_unit:
        found = {**by_run.get(None, {}), **by_run.get(unit.unit_run, {})}
        for name, (seconds, setting) in found.items():
            yield SpecifiedTimer(unit.configuration, unit.unit_run, name, seconds, setting.file_id, setting.line_no)


def _timer_set_by(setting: TimerSetting) -> tuple[str, float, bool] | None:
    """Name and seconds of the timer that a line sets, and whether the longest of several counts."""
    value = (setting.value or "").lower()
    settings = (each for each in rules("timers")["settings"] if setting.scope in each["scopes"])
    matches = ((each, re.search(each["pattern"], f"{setting.name} {value}".lower())) for each in settings)
    rule, match = next(((rule, match) for rule, match in matches if match), (None, None))
    if rule is None or match is None:
        return None
    number = FIRST_NUMBER.match(match.groupdict().get("value") or value)
    if number is None or not float(number["number"]):
        return None
    unit_s = UNIT_S.get(number["unit"], 1 / rule["per_second"]) if "per_second" in rule else 1.0
    return rule["timer"], float(number["number"]) * unit_s, rule.get("is_longest", False)
