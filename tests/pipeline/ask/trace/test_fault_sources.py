"""How each source shows the time of a fault, as a trace and the report's method say it."""

import re

from pipeline.ask.trace.fault import FAULT_SOURCES, PARAMETERS
from pipeline.store import relations


def test_every_source_of_a_fault_time_is_described() -> None:
    estimate = next(each for each in relations.catalogue() if each.name == "fault_estimate")
    sources = {name.strip() for name in re.sub(r"\s+", " ", estimate.columns["source"]).split(",")}
    assert sources | {"first symptom"} == set(FAULT_SOURCES)  # a moment, where nothing gives an interval


def test_every_timer_of_a_source_is_a_column_of_the_timers_in_force() -> None:
    timers = next(each for each in relations.catalogue() if each.name == "cluster_timer")
    named = {name for each in FAULT_SOURCES.values() for name in each.timers} | set(PARAMETERS)
    assert named <= {re.sub(r"(_low|_high)?_s$", "", name) for name in timers.columns}
