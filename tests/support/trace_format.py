"""The rules of the Trace Event Format for what we write: Google, Trace Event Format, 2016.

The format asks for no order of events; ours are in order of time within each thread, so that a viewer need not sort.
"""

from collections.abc import Iterator, Mapping
from typing import Any

KINDS = {"M", "X", "i"}
METADATA = {"process_name", "thread_name"}
SCOPES = {"g", "p", "t"}
UNITS = {"ms", "ns"}


def faults(trace: Mapping[str, Any]) -> list[str]:
    """What a trace breaks of the rules."""
    return list(_faults(trace))


def _faults(trace: Mapping[str, Any]) -> Iterator[str]:
    if trace.get("displayTimeUnit") not in UNITS:
        yield "displayTimeUnit: ms or ns"
    named: set[tuple[int, ...]] = set()
    latest: dict[tuple[int, int], int] = {}
    for place, event in enumerate(trace["traceEvents"]):
        missing = {"name", "ph", "pid", "tid"} - event.keys()
        if missing or event["ph"] not in KINDS:
            yield f"event {place}: {sorted(missing)}, kind {event.get('ph')!r}"
            continue
        if not (isinstance(event["pid"], int) and isinstance(event["tid"], int) and isinstance(event["name"], str)):
            yield f"event {place}: pid and tid are whole numbers, the name is text"
        if event["ph"] == "M":
            if event["name"] not in METADATA or not isinstance(event["args"]["name"], str):
                yield f"event {place}: metadata that no viewer knows"
            about = (event["pid"], event["tid"])[: 1 if event["name"] == "process_name" else 2]
            if about in named:
                yield f"event {place}: a second name for {about}"
            named.add(about)
        else:
            yield from (f"event {place}: {fault}" for fault in _timed(event, named))
            thread = (event["pid"], event["tid"])
            if event.get("ts", 0) < latest.get(thread, 0):
                yield f"event {place}: before the event above it in its thread"
            latest[thread] = event.get("ts", 0)


def _timed(event: Mapping[str, Any], named: set[tuple[int, ...]]) -> Iterator[str]:
    if not isinstance(event.get("ts"), int) or event["ts"] < 0:
        yield "ts is a time from 0 on"
    if event["ph"] == "X" and (not isinstance(event.get("dur"), int) or event["dur"] < 0):
        yield "a complete event lasts 0 or longer"
    if event["ph"] == "i" and event.get("s") not in SCOPES:
        yield "an instant event has a scope"
    if not {(event["pid"],), (event["pid"], event["tid"])} <= named:
        yield "its process or thread has no name before it"
