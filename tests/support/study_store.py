"""A store as the ingest leaves it: runs, milestones and phases by hand, their statistics by the relations."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from pipeline.ingest import store_template
from pipeline.store import relations

PHASES = {"detection": (None, "gab"), "disk_group_import": ("gab", "vm"), "crash_recovery": ("detect", "complete")}
FAULT = datetime(2003, 7, 28, 10, 0, 1)  # noqa: DTZ001  the store holds naive UTC
DEFAULT = {"llt": 15, "gab": 19, "vm": 24, "fs": 31, "ip": 21, "db2udb": 109, "detect": 49, "complete": 61}
TUNED = {"llt": 3, "gab": 5, "vm": 10, "fs": 18, "ip": 8, "db2udb": 52, "detect": 34, "complete": 40}
PRESTARTED = {"llt": 3, "gab": 5, "cvm_cfs": 7, "ip": 8, "db2udb": 35, "detect": 12, "complete": 19}
COMPUTED = ("sample_stats", "mean_comparison", "comparison")
"""Statistics that a store holds as tables; the others are views."""

Row = Mapping[str, object]
Rows = Sequence[Row]


@dataclass
class Study:
    """What goes into the store. Run k of a configuration is later than the first by k mod 3 seconds at every step."""

    configurations: dict[str, dict[str, int]] = field(default_factory=dict)
    runs: int = 10
    labels: dict[str, str] = field(default_factory=dict)
    setting: dict[str, object] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)
    tables: list[dict[str, object]] = field(default_factory=list)
    sections: list[tuple[str, str, str]] = field(default_factory=list)
    findings: list[tuple[str, str]] = field(default_factory=list)
    files: list[tuple[str, str]] = field(default_factory=list)


def paper(**changes: object) -> Study:
    """Three configurations of the failover paper."""
    content: dict[str, object] = {
        "configurations": {"default": DEFAULT, "tuned": TUNED, "prestart": PRESTARTED},
        "labels": {"default": "Default parameters", "tuned": "Tuned parameters", "prestart": "Instance pre-started"},
        "references": {"tuned": "default", "prestart": "tuned", "default": "default"},
        "setting": {"title": "Shorter failover", "subtitle": "Three configurations", "date": "2004-02-04"},
        "files": [("default/run01/engine_A.log", "parsed"), ("notes.txt", "unrecognised")],
    }
    return Study(**(content | changes))  # type: ignore[arg-type]  # fields by name


def write(path: Path, study: Study) -> Path:
    """Write the store."""
    measured = ("configurations", "runs", "labels", "references", "setting")
    path.write_bytes(_measured(json.dumps({name: getattr(study, name) for name in measured})))
    with duckdb.connect(str(path)) as connection:
        for relation, rows in ({"source_file": _files(study)} | _words(study)).items():
            _insert(connection, relation, rows)
    return path


@cache
def _measured(content: str) -> bytes:
    """The store of a study, its fields as JSON, before files and words are added: its statistics take half a second."""
    study = Study(**json.loads(content))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "store.duckdb"
        store_template.into(path, path.parent)
        with duckdb.connect(str(path)) as connection:
            connection.execute("begin; delete from study.setting; create table given as from finding limit 0")
            connection.execute("drop view finding; alter table given rename to finding")
            info = {"study": "paper", "since": "", "until": ""}
            given: dict[str, Rows] = {"store_info": [info], "study.setting": [{"name": None} | study.setting]}
            for relation, rows in (given | _configurations(study) | _runs(study)).items():
                _insert(connection, relation, rows)
            relations.fill(connection, COMPUTED, {each.name for each in relations.catalogue()} - {*COMPUTED})
            connection.execute("commit")
        return path.read_bytes()


def _insert(connection: duckdb.DuckDBPyConnection, relation: str, rows: Rows) -> None:
    """Insert rows with the same columns by one statement: each has its price."""
    if rows:
        row = f"({', '.join('?' * len(rows[0]))})"
        values = [value for each in rows for value in each.values()]
        names = ", ".join(f'"{name}"' for name in rows[0])
        connection.execute(f"insert into {relation} ({names}) values {', '.join([row] * len(rows))}", values)


def _files(study: Study) -> Rows:
    counts = ("lines", "parsed_lines", "continuation_lines", "ignored_lines", "blank_lines", "rejected_lines", "rows")
    return [
        {"file_id": i, "path": name, "sha256": f"{i:064x}", "bytes": 100, "status": status}
        | {"format": "vcs_engine" if status == "parsed" else None}
        | {"configuration": "default", "run": "run01", "node": "node-a", "encoding": "utf-8", "timezone": "UTC"}
        | dict(zip(counts, (12, 9, 1, 1, 1, 0, 9) if status == "parsed" else (0,) * 7, strict=True))
        | {
            "first_at": FAULT,
            "last_at": FAULT + timedelta(hours=2),
            "timezone_source": "assumed",
            "year_source": "line",
        }
        | {"reason": None if status == "parsed" else "no format fits"}
        for i, (name, status) in enumerate(study.files, 1)
    ]


def _configurations(study: Study) -> dict[str, Rows]:
    order = [
        {
            "position": i,
            "configuration": name,
            "label": study.labels.get(name, name),
            "reference": study.references.get(name),
        }
        for i, name in enumerate(study.configurations, 1)
    ]
    pair = {"is_proposed": False, "reason": "study.toml names it"}
    pairs = [{name: each[name] for name in ("position", "configuration", "reference")} | pair for each in order]
    return {"configuration_order": order, "comparison_pair": [each for each in pairs if each["reference"] is not None]}


def _runs(study: Study) -> dict[str, Rows]:
    second = timedelta(seconds=1)
    fault = {"fault_at": FAULT, "fault_at_low": FAULT - second, "fault_at_high": FAULT + second}
    words = {"fault_source": "inactive series", "fault_kind": "node lost", "flags": ""}
    nodes = {"lost_node": "node-a", "surviving_node": "node-b"}
    errors = {"uncertainty_s": 0, "common_error_s": 0, "resolution_s": 1}
    runs: list[Row] = []
    milestones: list[Row] = []
    phases: list[Row] = []
    for configuration, steps in study.configurations.items():
        for no in range(1, study.runs + 1):
            place: Row = {"configuration": configuration, "run": f"run{no:02d}"}
            times = {milestone: at + no % 3 for milestone, at in steps.items()}
            runs.append({**place, **fault, **words, **nodes, "run_no": no, "used": True})
            milestones += [
                {**place, "milestone": milestone, "at": FAULT + at * second, "elapsed_s": at}
                | {**errors, "stack": "vcs_db2", "method": "message", "file_id": 1, "line_no": no}
                for milestone, at in times.items()
            ]
            for phase, (begin, end) in PHASES.items():
                if end in times and (begin is None or begin in times):
                    start = 0 if begin is None else times[begin]
                    span = {"start_s": start, "end_s": times[end], "duration_s": times[end] - start}
                    phases.append({**place, **span, **errors, "phase": phase, "begin": "milestone"})
    back = {"milestone": "complete", "is_headline": True, "is_shown": True}
    ends = [{"configuration": each, **back} for each, steps in study.configurations.items() if "complete" in steps]
    return {"run": runs, "milestone": milestones, "phase": phases, "recovery_step": ends}


def _words(study: Study) -> dict[str, Rows]:
    tables = [
        {"position": i, "name": table["name"], "kind": table.get("kind"), "caption": table.get("caption")}
        | {"sql": table.get("sql"), "spanners": json.dumps(table.get("spanners", {}))}
        | {"configurations": table.get("configurations"), "options": json.dumps(table.get("options", {}))}
        for i, table in enumerate(study.tables, 1)
    ]
    sections = [
        {"position": i, "title": title, "place": place, "body": body}
        for i, (title, place, body) in enumerate(study.sections, 1)
    ]
    line = {"kind": "outlier", "file_id": 1, "line_no": 3}
    findings: Rows = [{"severity": severity, "text": text, **line} for severity, text in study.findings]
    return {
        "study.publication_table": tables,
        "study.section": sections,
        "finding": findings,
    }
