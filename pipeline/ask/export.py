"""What other programs open without DuckDB: a folder of Parquet files, and failovers as OpenTelemetry traces.

OTLP in JSON as the OpenTelemetry protocol defines it: ids in hex, times as nanoseconds in text. A run is a trace, its
phases are spans, and its milestones events of the root span.
"""

import csv
import hashlib
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pipeline.scratch import adding_to
from pipeline.store.description import DescribedRelation, described
from pipeline.store.store import literal, opened, quoted

if TYPE_CHECKING:
    import duckdb

COLUMNS_NAME: Final = "columns.csv"
TRACES_NAME: Final = "failovers.otlp.json"

WIDE: Final = frozenset({"HUGEINT", "UHUGEINT"})
"""Parquet has no integer of this size; DuckDB would write the nearest double, so digits are written as text."""

RUNS: Final = """
select run.configuration, run.run, run.fault_at, run.fault_at_low, run.fault_at_high, run.fault_source, run.lost_node,
    run.surviving_node, run_outcome.outcome
from run
left join run_outcome using (configuration, run)
where run.fault_at is not null
order by run.configuration, run.run_no, run.run
"""
MILESTONES: Final = """
select milestone, elapsed_s, method, stack from milestone
where configuration = ? and run = ?
order by elapsed_s, milestone
"""
PHASES: Final = """
select phase, start_s, end_s from phase
where configuration = ? and run = ? and start_s is not null and end_s >= start_s
order by start_s, phase
"""


def parquet(store: Path, folder: Path) -> list[str]:
    """Write every public relation as NAME.parquet, with its comments as metadata; columns.csv lists all of these.

    The names of the files, in order. They appear together: on any failure `folder` is as it was.
    """
    with adding_to(folder) as new, opened(store) as con:
        relations = [each for each in described(con) if each.schema == "main"]
        for each in relations:
            con.execute(_copy(each, new / f"{each.name}.parquet"))
        (new / COLUMNS_NAME).write_text(_columns(relations), encoding="utf-8")
    return [*(f"{each.name}.parquet" for each in relations), COLUMNS_NAME]


def traces(store: Path) -> str:
    """Every failover whose fault has a time, as one document of OTLP in JSON."""
    with opened(store) as con:
        spans = [span for row in con.execute(RUNS).fetchall() for span in _spans(con, row)]
    scope = {"name": "haledger"}
    resource = {"attributes": [_attribute("service.name", "haledger")]}
    document = {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": spans}]}]}
    return json.dumps(document, ensure_ascii=True, separators=(",", ":")) + "\n"


def _copy(relation: DescribedRelation, file: Path) -> str:
    columns = ", ".join(
        f"{quoted(each.name)}::varchar as {quoted(each.name)}" if each.data_type in WIDE else quoted(each.name)
        for each in relation.columns
    )
    meanings = json.dumps({each.name: each.comment for each in relation.columns})
    metadata = f"kv_metadata {{comment: {literal(relation.comment)}, columns: {literal(meanings)}}}"
    return (
        f"copy (select {columns} from main.{quoted(relation.name)}) to {literal(str(file))} "
        f"(format parquet, compression zstd, {metadata})"
    )


def _columns(relations: list[DescribedRelation]) -> str:
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(["relation", "column", "type", "meaning"])
    for relation in relations:
        writer.writerow([relation.name, "", relation.kind, relation.comment])
        writer.writerows([relation.name, each.name, each.data_type, each.comment] for each in relation.columns)
    return target.getvalue()


def _spans(con: "duckdb.DuckDBPyConnection", row: tuple[Any, ...]) -> Iterator[dict[str, object]]:
    """The root span from the fault to the last milestone, and a child for each phase."""
    configuration, run, fault_at, low_at, high_at, source, lost, survivor, outcome = row
    trace = hashlib.sha256(f"{configuration}\0{run}".encode()).hexdigest()[:32]
    milestones = con.execute(MILESTONES, [configuration, run]).fetchall()
    phases = con.execute(PHASES, [configuration, run]).fetchall()
    root = _span_id(trace, "failover")
    end_s = max([0.0, *(each[1] for each in milestones), *(each[2] for each in phases)])
    facts = {
        "haledger.configuration": configuration,
        "haledger.run": run,
        "haledger.outcome": outcome,
        "haledger.fault.source": source,
        "haledger.fault.low": low_at and f"{low_at.isoformat()}Z",
        "haledger.fault.high": high_at and f"{high_at.isoformat()}Z",
        "haledger.lost_node": lost,
        "haledger.surviving_node": survivor,
    }
    yield {
        "traceId": trace,
        "spanId": root,
        "name": f"failover {configuration} {run}",
        "kind": 1,
        "startTimeUnixNano": _nanoseconds(fault_at, 0.0),
        "endTimeUnixNano": _nanoseconds(fault_at, end_s),
        "attributes": [_attribute(key, value) for key, value in facts.items() if value is not None],
        "events": [
            {
                "timeUnixNano": _nanoseconds(fault_at, seconds),
                "name": name,
                "attributes": [_attribute("haledger.stack", stack), _attribute("haledger.method", method)],
            }
            for name, seconds, method, stack in milestones
        ],
        "status": {"code": 2 if outcome in {"failed", "aborted"} else 1},
    }
    for name, start_s, phase_end_s in phases:
        yield {
            "traceId": trace,
            "spanId": _span_id(trace, name),
            "parentSpanId": root,
            "name": name,
            "kind": 1,
            "startTimeUnixNano": _nanoseconds(fault_at, start_s),
            "endTimeUnixNano": _nanoseconds(fault_at, phase_end_s),
            "attributes": [_attribute("haledger.configuration", configuration), _attribute("haledger.run", run)],
        }


def _span_id(trace: str, name: str) -> str:
    return hashlib.sha256(f"{trace}\0{name}".encode()).hexdigest()[:16]


def _nanoseconds(fault_at: datetime, elapsed_s: float) -> str:
    """Time since 1970 in text: JSON has no integer of this size."""
    since = fault_at.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    return str(since // timedelta(microseconds=1) * 1000 + round(elapsed_s * 1e9))


def _attribute(key: str, value: Any) -> dict[str, object]:  # noqa: ANN401  what a store holds
    return {"key": key, "value": {"stringValue": str(value)}}
