"""A store as the ingest leaves it, reduced to what a report reads and filled by hand."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import duckdb

from pipeline.study import rules

MILESTONES = {  # position is the order here
    "llt": ("LLT", "Membership change detection"),
    "gab": ("GAB", "Membership change detection"),
    "vm": ("VM", "Storage recovery"),
    "fs": ("FS", "Storage recovery"),
    "cvm_cfs": ("CVM/CFS", "Storage recovery"),
    "ip": ("IP", "Service group restart"),
    "db2udb": ("Db2udb", "Service group restart"),
    "detect": ("Detect", "DB2 UDB recovery"),
    "complete": ("Complete", "DB2 UDB recovery"),
}
PHASES = {  # label, from, to, colour role
    "detection": ("Failure detection", None, "gab", "detection"),
    "disk_group_import": ("Disk group import", "gab", "vm", "storage"),
    "crash_recovery": ("Crash recovery", "detect", "complete", "recovery"),
}
FAULT = datetime(2003, 7, 28, 10, 0, 1)  # noqa: DTZ001  the store holds naive UTC
DEFAULT = {"llt": 15, "gab": 19, "vm": 24, "fs": 31, "ip": 21, "db2udb": 109, "detect": 49, "complete": 61}
TUNED = {"llt": 3, "gab": 5, "vm": 10, "fs": 18, "ip": 8, "db2udb": 52, "detect": 34, "complete": 40}
PRESTARTED = {"llt": 3, "gab": 5, "cvm_cfs": 7, "ip": 8, "db2udb": 35, "detect": 12, "complete": 19}


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
    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema study")
        _files(connection, study)
        _order(connection, study)
        _runs(connection, study)
        _statistics(connection)
        _words(connection, study)
    return path


def _files(connection: duckdb.DuckDBPyConnection, study: Study) -> None:
    connection.execute(
        """create table source_file (file_id int, path varchar, sha256 varchar, bytes bigint, format varchar,
        configuration varchar, run varchar, node varchar, encoding varchar, lines int, parsed_lines int,
        continuation_lines int, ignored_lines int, blank_lines int, rejected_lines int, rows int, first_at timestamp,
        last_at timestamp, timezone varchar, timezone_source varchar, year_source varchar, status varchar,
        reason varchar)"""
    )
    for i, (name, status) in enumerate(study.files, 1):
        is_parsed = status == "parsed"
        counts = (12, 9, 1, 1, 1, 0, 9) if is_parsed else (0, 0, 0, 0, 0, 0, 0)
        connection.execute(
            f"insert into source_file values ({', '.join('?' * 23)})",
            [
                *(
                    i,
                    name,
                    f"{i:064x}",
                    100,
                    "vcs_engine" if is_parsed else None,
                    "default",
                    "run01",
                    "node-a",
                    "utf-8",
                ),
                *counts,
                *(FAULT, FAULT + timedelta(hours=2), "UTC", "assumed", "line", status),
                None if is_parsed else "no format fits",
            ],
        )


def _order(connection: duckdb.DuckDBPyConnection, study: Study) -> None:
    connection.execute(
        "create table milestone_order (position int, milestone varchar, label varchar, spanner varchar, phrase varchar,"
        " ends_recovery boolean)"
    )
    built_in = {row["milestone"]: row for row in rules.table([]).iter_rows(named=True)}
    for i, (name, (label, spanner)) in enumerate(MILESTONES.items(), 1):
        row = [i, name, label, spanner, built_in[name]["phrase"], built_in[name]["ends_recovery"] == 1]
        connection.execute("insert into milestone_order values (?, ?, ?, ?, ?, ?)", row)
    connection.execute(
        "create table configuration_order (position int, configuration varchar, label varchar, reference varchar)"
    )
    for i, name in enumerate(study.configurations, 1):
        row = [i, name, study.labels.get(name, name), study.references.get(name)]
        connection.execute("insert into configuration_order values (?, ?, ?, ?)", row)
    connection.execute(
        """create table study.phase_rule (position int, phase varchar, label varchar, from_terms varchar,
        to_milestone varchar, colour_role varchar)"""
    )
    for i, (name, (label, begin, end, role)) in enumerate(PHASES.items(), 1):
        connection.execute("insert into study.phase_rule values (?, ?, ?, ?, ?, ?)", [i, name, label, begin, end, role])


def _runs(connection: duckdb.DuckDBPyConnection, study: Study) -> None:
    connection.execute(
        """create table run (configuration varchar, run varchar, run_no int, fault_at timestamp, fault_at_low timestamp,
        fault_at_high timestamp, fault_source varchar, fault_kind varchar, true_fault_at timestamp, lost_node varchar,
        surviving_node varchar, used boolean, excluded_reason varchar, flags varchar)"""
    )
    connection.execute(
        """create table milestone (configuration varchar, run varchar, stack varchar, milestone varchar, "at" timestamp,
        elapsed_s double, resolution_s double, method varchar, file_id int, line_no int)"""
    )
    connection.execute(
        """create table phase (configuration varchar, run varchar, phase varchar, start_s double, end_s double,
        duration_s double, begin varchar, begin_milestone varchar)"""
    )
    runs, milestones, phases = [], [], []
    for configuration, steps in study.configurations.items():
        for no in range(1, study.runs + 1):
            run, late = f"run{no:02d}", no % 3
            inferred = (FAULT, FAULT - timedelta(seconds=1), FAULT + timedelta(seconds=1), "inactive series")
            runs.append((configuration, run, no, *inferred, "node lost", None, "node-a", "node-b", True, None, ""))
            for milestone, at in steps.items():
                moment = (FAULT + timedelta(seconds=at + late), float(at + late))
                milestones.append((configuration, run, "vcs_db2", milestone, *moment, 1, "message", 1, no))
            for phase, (_, begin, end, _) in PHASES.items():
                if end in steps and (begin is None or begin in steps):
                    start = 0.0 if begin is None else float(steps[begin] + late)
                    done = float(steps[end] + late)
                    phases.append((configuration, run, phase, start, done, done - start, "milestone", None))
    for relation, found in (("run", runs), ("milestone", milestones), ("phase", phases)):
        _insert(connection, relation, found)


def _insert(connection: duckdb.DuckDBPyConnection, relation: str, rows: Sequence[tuple[object, ...]]) -> None:
    """Insert rows by one statement: each has its price."""
    if rows:
        row = f"({', '.join('?' * len(rows[0]))})"
        values = [value for each in rows for value in each]
        connection.execute(f"insert into {relation} values {', '.join([row] * len(rows))}", values)


def _statistics(connection: duckdb.DuckDBPyConnection) -> None:
    for name in ("milestone", "phase"):
        connection.execute(f"create view counted_{name} as select * from {name}")
    connection.execute(
        """create table milestone_stats as select configuration, milestone, count(*) as runs, avg(elapsed_s) as mean_s,
        stddev_samp(elapsed_s) as stddev_s, 100 * stddev_samp(elapsed_s) / avg(elapsed_s) as cv_pct,
        case when count(*) > 2 then avg(elapsed_s) - 0.6 end as ci95_low_s,
        case when count(*) > 2 then avg(elapsed_s) + 0.6 end as ci95_high_s, min(elapsed_s) as min_s,
        median(elapsed_s) as median_s, max(elapsed_s) as max_s, max(resolution_s) as resolution_s,
        'not known' as fault_kind
        from milestone group by all"""
    )
    connection.execute(
        """create table phase_stats as select configuration, phase, count(*) as runs, avg(start_s) as mean_start_s,
        avg(end_s) as mean_end_s, avg(duration_s) as mean_duration_s, stddev_samp(duration_s) as stddev_duration_s,
        0.0 as cv_pct, avg(duration_s) - 0.6 as ci95_low_s, avg(duration_s) + 0.6 as ci95_high_s,
        1.0::double as resolution_s, null::varchar as assumed_since
        from phase group by all"""
    )
    connection.execute(
        """create table milestone_change as select s.configuration, o.reference, s.milestone, s.mean_s,
        r.mean_s as reference_mean_s, s.mean_s - r.mean_s as difference_s, s.mean_s / r.mean_s as ratio,
        s.mean_s / r.mean_s - 0.02 as ratio_ci95_low, s.mean_s / r.mean_s + 0.02 as ratio_ci95_high,
        100 * (1 - s.mean_s / r.mean_s) as reduction_pct, 0.00001 as p_value, 0.0001 as p_holm,
        '33.9 % less (95 % CI 31.8 to 35.9 %)' as verdict
        from milestone_stats s join configuration_order o using (configuration)
        join milestone_stats r on r.configuration = o.reference and r.milestone = s.milestone"""
    )
    connection.execute(
        "create table comparison_pair as select position, configuration, reference, false as is_proposed,"
        " 'study.toml names it' as reason from configuration_order where reference is not null"
    )
    connection.execute(
        """create table comparison as select c.configuration, c.reference, 'milestone' as subject, milestone as item,
        's' as unit, null::varchar as label, null::int as clients, s.runs, mean_s as mean, r.runs as reference_runs,
        reference_mean_s as reference_mean, difference_s as difference, ratio, ratio_ci95_low, ratio_ci95_high,
        p_value, p_holm, verdict, s.stddev_s as stddev, r.stddev_s as reference_stddev, 0.02 as cv,
        0.02 as reference_cv, 1 as comparisons, 0.0 as common_ratio_error, null::int as margin_runs, true as is_decided
        from milestone_change c join milestone_stats s using (configuration, milestone, mean_s)
        join milestone_stats r on r.configuration = c.reference and r.milestone = c.milestone
        where c.configuration <> c.reference"""
    )
    connection.execute(
        """create view sample_stats as select 'milestone' as subject, milestone as item, 's' as unit,
        null::varchar as label, null::int as clients, configuration, mean_s as mean from milestone_stats"""
    )


def _words(connection: duckdb.DuckDBPyConnection, study: Study) -> None:
    connection.execute(
        """create table study.setting (name varchar, title varchar, subtitle varchar, organisation varchar,
        date varchar, abstract varchar, authors varchar[], margin_pct double)"""
    )
    keys = ("name", "title", "subtitle", "organisation", "date", "abstract", "authors", "margin_pct")
    connection.execute(
        "insert into study.setting values (?, ?, ?, ?, ?, ?, ?, ?)", [study.setting.get(key) for key in keys]
    )
    connection.execute(
        """create table study.publication_table (position int, name varchar, kind varchar, caption varchar, sql varchar,
        spanners varchar, configurations varchar[], options varchar)"""
    )
    for i, table in enumerate(study.tables, 1):
        connection.execute(
            "insert into study.publication_table values (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                *(i, table["name"], table.get("kind"), table.get("caption"), table.get("sql")),
                json.dumps(table.get("spanners", {})),
                table.get("configurations"),
                json.dumps(table.get("options", {})),
            ],
        )
    connection.execute("create table study.section (position int, title varchar, place varchar, body varchar)")
    for i, section in enumerate(study.sections, 1):
        connection.execute("insert into study.section values (?, ?, ?, ?)", [i, *section])
    connection.execute(
        """create table finding (severity varchar, kind varchar, configuration varchar, run varchar, text varchar,
        file_id int, line_no int,
        lines struct(configuration varchar, run varchar, item varchar, file_id int, line_no int)[])"""
    )
    for severity, text in study.findings:
        connection.execute("insert into finding values (?, 'outlier', null, null, ?, 1, 3, null)", [severity, text])
