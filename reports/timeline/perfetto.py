"""A run in the Trace Event Format, which Perfetto and Chrome's tracing page open.

Google: Trace Event Format, 2016. A node is a process, a source of logs a thread, a phase a complete event (`X`) and a
log line an instant event (`i`). Times are microseconds after the first event.
"""

import json
from collections.abc import Iterator

from reports.timeline.run_timeline import RunTimeline

STEPS = 1
"""The process of the phases; nodes are counted from the next."""


def microseconds(seconds: float) -> int:
    """Seconds as the whole microseconds that traces and pages count."""
    return round(seconds * 1_000_000)


def perfetto(timeline: RunTimeline) -> str:
    """The run as JSON: an instant event for each of its lines, a complete one for each phase and for the fault."""
    return (
        json.dumps(
            {
                "displayTimeUnit": "ms",
                "otherData": {
                    "configuration": timeline.configuration,
                    "run": timeline.run,
                    "zero": f"{timeline.zero.isoformat()}Z",
                    "fault_source": timeline.fault_source,
                },
                "traceEvents": list(_events(timeline)),
            },
            ensure_ascii=True,
            indent=None,
            separators=(",", ":"),
        )
        + "\n"
    )


def _events(timeline: RunTimeline) -> Iterator[dict[str, object]]:
    starts = [line.at_s for line in timeline.lines] + [phase.start_s for phase in timeline.phases]
    first = microseconds(min([*starts, *(timeline.fault_s or ())]))
    spans = [("fault", *timeline.fault_s)] if timeline.fault_s else []
    spans += [(phase.name, phase.start_s, phase.end_s) for phase in timeline.phases]
    yield from _name("process_name", STEPS, 0, timeline.title)
    for thread, (name, start, end) in enumerate(spans, 1):
        yield from _name("thread_name", STEPS, thread, name)
        place = {"pid": STEPS, "tid": thread, "ts": microseconds(start) - first}
        yield {"name": name, "cat": "phase", "ph": "X", "dur": microseconds(end) - microseconds(start), **place}
    nodes = list(dict.fromkeys(node for node, _ in timeline.lanes))
    lanes = {lane: (STEPS + 1 + nodes.index(lane[0]), thread) for thread, lane in enumerate(timeline.lanes, 1)}
    for number, node in enumerate(nodes, STEPS + 1):
        yield from _name("process_name", number, 0, node)
    for (_, source), (process, thread) in lanes.items():
        yield from _name("thread_name", process, thread, source)
    for line in timeline.lines:
        process, thread = lanes[(line.node, line.source)]
        facts = {"severity": line.severity, "line": line.place, "seconds after zero": round(line.at_s, 6)}
        at = {"pid": process, "tid": thread, "ts": microseconds(line.at_s) - first}
        yield {"name": line.text, "cat": line.grade or "log", "ph": "i", "s": "t", **at, "args": facts}


def _name(kind: str, process: int, thread: int, name: str) -> Iterator[dict[str, object]]:
    yield {"name": kind, "ph": "M", "pid": process, "tid": thread, "args": {"name": name}}
