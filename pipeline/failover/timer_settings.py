"""Timers of node loss that configuration files specify."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import RunUnit
from pipeline.failover.rules import rules
from pipeline.failover.step import CONFIGURATION, Int32, step

LAST_NUMBER = re.compile(r"(\d+)\D*\Z", re.ASCII)  # 1600, or peerinact:1600


class TimerSetting(NamedTuple):
    """A line of a configuration file that may set a timer, as `timer_setting` has it."""

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
    file specifies. From llttab (1/100 s), gabtab (ms), ha.cf, corosync.conf (ms) and `get db cfg` of the run or
    configuration, the nearest file first.
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


@step(by=CONFIGURATION)
def specified_timer(run_unit: Sequence[RunUnit], timer_setting: Sequence[TimerSetting]) -> Iterator[SpecifiedTimer]:
    """The nearest file that sets a timer counts, in it the last line."""
    by_run: dict[str | None, dict[str, tuple[float, TimerSetting]]] = {}
    for setting in sorted(timer_setting, key=lambda each: (each.distance, each.file_id, -each.line_no)):
        timer = _timer_set_by(setting)
        if timer is not None:
            by_run.setdefault(setting.run, {}).setdefault(timer[0], (timer[1], setting))
    for unit in run_unit:
        found = {**by_run.get(None, {}), **by_run.get(unit.unit_run, {})}
        for name, (seconds, setting) in found.items():
            yield SpecifiedTimer(unit.configuration, unit.unit_run, name, seconds, setting.file_id, setting.line_no)


def _timer_set_by(setting: TimerSetting) -> tuple[str, float] | None:
    """Name and seconds of the timer that a line sets."""
    value = (setting.value or "").lower()
    settings = (each for each in rules("timers")["settings"] if each["scope"] == setting.scope)
    rule = next((each for each in settings if re.search(each["pattern"], f"{setting.name} {value}".lower())), None)
    number = LAST_NUMBER.search(value)
    if rule is None or number is None or not int(number[1]):
        return None
    per_second = rule.get("per_second", 1)
    return rule["timer"], float(number[1]) / (1000 if "per_second" in rule and "ms" in value else per_second)
