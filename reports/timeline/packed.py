"""Runs as a page carries them: JSON in columns, each text once, deflated, in letters that no element ends at."""

import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain, pairwise

from pipeline.failover.fault_sources import FIRST_SYMPTOM
from reports import numbers
from reports.timeline.perfetto import microseconds
from reports.timeline.run_timeline import RunTimeline
from reports.typeset.text import visible


def packed(timelines: Sequence[RunTimeline]) -> str:
    """What `lanes.js` unpacks."""
    return deflated(_content(timelines))


def deflated(content: object) -> str:
    """JSON that a browser inflates."""
    written = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return b64encode(zlib.compress(written.encode("ascii"), 9)).decode("ascii")


def characters(timelines: Sequence[RunTimeline]) -> set[str]:
    """The characters of the lines, which a font of the page has to draw."""
    texts = {line.text for each in timelines for line in (*each.lines, *each.measured)}
    return set(chain.from_iterable(map(visible, texts)))


def _content(timelines: Sequence[RunTimeline]) -> dict[str, object]:
    texts: dict[str, int] = {}
    shown = cache(visible)

    @cache
    def number(text: str) -> int:
        return texts.setdefault(shown(text), len(texts))

    runs = [_run(each, shown, number) for each in timelines]
    return {"runs": runs, "texts": list(texts)}


def _run(timeline: RunTimeline, shown: Callable[[str], str], number: Callable[[str], int]) -> dict[str, object]:
    logs = timeline.lanes
    lanes = {lane: place for place, lane in enumerate([*logs, *timeline.measured_lanes])}
    lines = sorted([*timeline.lines, *timeline.measured], key=lambda line: line.at_s)
    files = [line.place.rpartition(":") for line in lines]
    return {
        "configuration": shown(timeline.configuration),
        "label": shown(timeline.title.removesuffix(f", {timeline.run}")),
        "run": shown(timeline.run),
        "outcome": timeline.outcome,
        "reason": shown(timeline.reason),
        "facts": shown(facts(timeline)),
        "remarks": [shown(each) for each in timeline.remarks],
        "zero": f"{timeline.zero.isoformat()}Z",
        "source": shown(timeline.fault_source),
        "fault": [microseconds(each) for each in timeline.fault_s] if timeline.fault_s else None,
        "phases": [
            [shown(each.name), microseconds(each.start_s), microseconds(each.end_s)] for each in timeline.phases
        ],
        "steps": [
            [shown(each.name), *map(microseconds, (each.at_s, each.low_s, each.high_s)), shown(each.place)]
            for each in timeline.steps
        ],
        "curves": [
            [
                shown(each.name),
                shown(each.unit),
                _differences([microseconds(at_s) for at_s, _ in each.points]),
                [float(f"{value:.4g}") for _, value in each.points],
            ]
            for each in timeline.curves
        ],
        "lanes": [[shown(node), shown(source)] for node, source in lanes],
        "logs": len(logs),
        "at": _differences([microseconds(line.at_s) for line in lines]),
        "lane": [lanes[line.node, line.source] for line in lines],
        "severity": [number(line.severity) for line in lines],
        "grade": "".join(line.grade[:1] or "-" for line in lines),
        "text": [number(line.text) for line in lines],
        "file": [number(path) for path, _, _ in files],
        "line": _differences([int(line or 0) for _, _, line in files]),
    }


def _differences(values: Sequence[int]) -> list[int]:
    """The first value, then each less the one before."""
    return [after - before for before, after in pairwise([0, *values])]


def facts(timeline: RunTimeline) -> str:
    """What is known of a run, in a line."""
    parts = [f"{numbers.count(len(timeline.lines))} log lines"]
    if timeline.fault_s is not None:
        low, high = timeline.fault_s
        what = f"the fault, {numbers.moment(timeline.zero)} UTC, known to {high - low:.3g} s ({timeline.fault_source})"
        if timeline.fault_source == FIRST_SYMPTOM:
            what = f"the first symptom, {numbers.moment(timeline.zero)} UTC; nothing shows when the fault was"
        parts.append(f"t = 0: {what}")
    if timeline.lost_node:
        parts.append(f"lost: {timeline.lost_node}")
    if timeline.surviving_node:
        parts.append(f"took over: {timeline.surviving_node}")
    return "; ".join(parts)
