"""Objects of Chaos Mesh and Litmus, as `kubectl get -o yaml`, `-o json` and `kubectl describe` print them.

From documentation: the fields are those of the programs' sources, and of one real `describe`
Written by  `kubectl get podchaos,networkchaos -A -o yaml`, `kubectl get chaosengine,chaosresult -o json`, ...
One row     per event of a record (`status.experiment.containerRecords`): `Apply` has injected the fault, `Recover` has
            taken it back; a first `Apply` gives one for the creation of its object too, before which no fault was.
            Of a ChaosEngine the last update of an experiment that is completed: its fault is over
Time        with a zone, whole seconds
Ignored     all other lines of an object: what was to be done, what was not done, events by their age, and verdicts,
            which are on probes and not on an outage
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import polars as pl

from parsers.by_line import LineVerdict, Row, ignored, parse_by_line, parsed, rejected
from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.messages.ha_message import HA_EVENT

# REAL:         Timestamp:      2026-06-05T08:46:54Z
ENTRY = re.compile(r'^(?P<indent>\s*(?:- +)?)"?(?P<key>[A-Za-z][\w./ -]{0,60}?)"?:(?P<value>(?: .*)?)$')
OF_OBJECT = re.compile(r'^\s*(?:[-{}\[\]"|>]|[\w./:-]+:?(?:\s|$)|[A-Za-z])')
STACKS = {"chaos-mesh.org": "chaos_mesh", "litmuschaos.io": "litmus"}
API = r'(?i)^\s*(?:- +)?"?api ?version"?: +"?(?:chaos-mesh\.org|litmuschaos\.io)/'
ANY_API = r'(?i)^\s*(?:- +)?"?api ?version"?: '
NOTHING = ignored("part of an object that says nothing of when a fault was")
APPLY, RECOVER, SUCCEEDED = "apply", "recover", "succeeded"


@dataclass(slots=True)
class Event:
    """An event of a record, or an experiment of an engine: its keys, and the line of its time."""

    keys: dict[str, str] = field(default_factory=dict)
    line: int = -1


@dataclass(slots=True)
class Chaos:
    """What is known of the object at which the reader is."""

    indent: int = -1
    is_list: bool = False
    stack: str | None = None
    kind: str = ""
    action: str = ""
    created: str = ""
    in_records: bool = False
    events: list[Event] = field(default_factory=list)


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file whose first object, or the first of its list, is one of Chaos Mesh or Litmus."""
    versions = head.filter(head.str.contains(ANY_API)).head(2).to_list()
    is_chaos = [re.search(API, each) is not None for each in versions]
    is_list = head.str.contains(r'^\s*(?:"?items"?: *\[?|"?kind"?: *"?List"?,?)\s*$').any()
    if not any(is_chaos[:1]) and not (is_list and any(is_chaos)):
        return Refusal("no object of Chaos Mesh or Litmus: no apiVersion of theirs", 1)
    line_no = (head.str.contains(API).arg_max() or 0) + 1
    return Recognition(0.94, "an object whose apiVersion is of Chaos Mesh or Litmus", line_no)


def read(lines: list[str]) -> Iterable[LineVerdict]:
    """Verdicts of the lines of one file."""
    rows: dict[int, list[Row]] = {}
    for line, row in _rows(lines):
        rows.setdefault(line, []).append(row)
    is_within = False
    for number, text in enumerate(lines):
        is_within = is_within or re.match(ANY_API, text) is not None or ENTRY.match(text) is not None
        if number in rows:
            yield parsed(*rows[number])
        elif is_within and OF_OBJECT.match(text):
            yield NOTHING
        else:
            yield rejected("no line of an object")


def _rows(lines: list[str]) -> Iterator[tuple[int, Row]]:
    """Line and row of every fault that the objects show."""
    chaos = Chaos()
    for number, text in enumerate(lines):
        found = ENTRY.match(text)
        if found is None:
            continue
        key = found["key"].replace(" ", "").lower()
        value, indent = found["value"].strip().removesuffix(",").strip("\"'"), len(found["indent"])
        if key == "apiversion" and (chaos.is_list or indent <= chaos.indent or chaos.indent < 0):
            yield from _engine_rows(chaos)
            chaos = Chaos(indent, stack=STACKS.get(value.split("/")[0]))
        elif key == "items" and indent == chaos.indent:
            chaos.is_list = True
        elif key == "kind" and indent == chaos.indent:
            chaos.kind = value
        elif key == "creationtimestamp" and not chaos.created:
            chaos.created = value
        elif key == "action" and not chaos.in_records:
            chaos.action = chaos.action or value
        else:
            yield from _of_status(chaos, number, key, value, is_item=found["indent"].rstrip().endswith("-"))
    yield from _engine_rows(chaos)


def _of_status(chaos: Chaos, number: int, key: str, value: str, *, is_item: bool) -> Iterator[tuple[int, Row]]:
    """What a key below `status` adds; the name of what was hit ends the events of a record."""
    if key in {"containerrecords", "experiments"}:
        chaos.in_records, chaos.events = True, []
    if not chaos.in_records:
        return
    if key == "id":
        yield from _record_rows(chaos, value)
        chaos.events = []
    elif key in {"operation", "timestamp", "type", "lastupdatetime", "name", "status"}:
        if not chaos.events or is_item or key in chaos.events[-1].keys:
            chaos.events.append(Event())
        chaos.events[-1].keys[key] = value
        if key in {"timestamp", "lastupdatetime"}:
            chaos.events[-1].line = number


def _record_rows(chaos: Chaos, hit: str) -> Iterator[tuple[int, Row]]:
    """Rows of the events of a record."""
    if chaos.stack != "chaos_mesh":
        return
    is_first = True
    for event in chaos.events:
        operation, outcome = event.keys.get("operation", "").lower(), event.keys.get("type", SUCCEEDED).lower()
        if event.line < 0 or outcome != SUCCEEDED or operation not in {APPLY, RECOVER}:
            continue
        action = f"{chaos.kind} {chaos.action}".strip()
        if operation == APPLY and is_first:
            is_first = False
            yield from _row(chaos, event.line, "fault_asked", chaos.created, hit, action)
        kind = "fault_injected" if operation == APPLY else "fault_over"
        yield from _row(chaos, event.line, kind, event.keys["timestamp"], hit, action)


def _engine_rows(chaos: Chaos) -> Iterator[tuple[int, Row]]:
    """Rows of the experiments of an engine that are completed."""
    if chaos.stack != "litmus" or chaos.kind != "ChaosEngine":
        return
    for event in chaos.events:
        if event.line >= 0 and event.keys.get("status", "").lower() == "completed":
            action = event.keys.get("name", "")
            yield from _row(chaos, event.line, "fault_over", event.keys.get("lastupdatetime", ""), None, action)


def _row(chaos: Chaos, line: int, kind: str, time: str, hit: str | None, action: str) -> Iterator[tuple[int, Row]]:  # noqa: PLR0913,PLR0917  the fields of a row
    try:
        at = datetime.fromisoformat(time)
    except ValueError:
        return
    if at.tzinfo is None:
        return
    stamp = at.astimezone(UTC).replace(tzinfo=None)
    row = {"stamp": stamp, "has_year": True, "utc_offset_min": 0, "stack": chaos.stack, "kind": kind}
    yield (
        line,
        {**row, "object": hit, "action": action, "text": f"{action} {kind.removeprefix('fault_')} {hit or ''}".strip()},
    )


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn the objects of each file into what they say of faults."""
    return parse_by_line(lines, read, HA_EVENT)


FORMAT = Format(
    name="chaos_object",
    title="Objects of Chaos Mesh and Litmus (kubectl, YAML, JSON, describe)",
    tables=(HA_EVENT,),
    recognise=recognise,
    parse=parse,
    needs=r"(?i)(?:chaos-mesh\.org|litmuschaos\.io)/",
    is_of_client=True,
)
