"""Crash recoveries of a database: found to be needed, started, redo and undo done."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.stamps import microseconds
from pipeline.failover.step import RUN, Int32, grouped, passed_on, step

BEGINS = {"crash_recovery_needed", "crash_recovery_started", "recovery_initiated"}
ENDS = ("crash_recovery_done", "recovery_ok")
"""Kinds of record that say that it is done, the better one first."""


class RecoveryRecord(NamedTuple):
    """A record of db2diag about a crash recovery."""

    configuration: str
    run: str | None
    node: str | None
    instance: str | None
    database: str | None
    member: int | None
    at: datetime
    kind: str
    message: str | None
    pid: int | None
    appid: str | None
    file_id: int
    line_no: int


class CrashRecovery(NamedTuple):
    """One row per crash recovery of a database. Times in UTC, durations in seconds. It is found to be needed, started,
    its redo (forward phase) done, its undo done. A recovery that is needed or started again before it was done is
    the same one, with a failed attempt; times but needed_at are those of the last attempt.
    """

    configuration: str
    run: str | None
    node: Annotated[str | None, "host on which the database is"]
    instance: str | None
    database: Annotated[str | None, "database, in capitals; null where no record of the recovery names it"]
    member: Int32 | None
    needed_at: Annotated[datetime | None, "first found to be needed"]
    started_at: Annotated[datetime | None, "start of the last attempt"]
    forward_done_at: Annotated[datetime | None, "redo done"]
    sync_done_at: Annotated[
        datetime | None, "synchronous processing done: the database can be connected to, from V11.1 on"
    ]
    done_at: Annotated[datetime | None, "recovery done"]
    redo_s: Annotated[float | None, "from start to redo done"]
    undo_s: Annotated[float | None, "from redo done to done"]
    duration_s: Annotated[float | None, "from the first record, of any attempt, to done"]
    failed_attempts: Annotated[int, "attempts that were followed by another one, or that DB2 says have failed"]
    file_id: Annotated[Int32, "file of the first record"]
    line_no: Int32
    done_file_id: Int32 | None
    done_line_no: Annotated[Int32 | None, "its line"]


@step(by=RUN)
def crash_recovery(recovery_record: Sequence[RecoveryRecord]) -> Iterator[CrashRecovery]:
    """The recoveries of a run, by time."""
    named = _named(_different(recovery_record))
    databases = grouped(named, "node", "instance", "database", "member").values()
    found = [_recovery(records) for of_database in databases for records in _recoveries(of_database)]
    for _, each in sorted(found, key=lambda one: (one[0], one[1].file_id, one[1].line_no)):
        yield each


def _different(records: Iterable[RecoveryRecord]) -> list[RecoveryRecord]:
    """Records without those of copies of a log, in the order of time."""
    seen: dict[tuple[object, ...], RecoveryRecord] = {}
    for each in sorted(records, key=lambda one: (one.file_id, one.line_no)):
        database = each.database and each.database.upper()
        content = (each.node, each.instance, database, each.member, each.at, each.kind, each.message)
        seen.setdefault(content, each if database == each.database else each._replace(database=database))
    return sorted(seen.values(), key=lambda one: (one.at, one.file_id, one.line_no))


def _named(records: Sequence[RecoveryRecord]) -> list[RecoveryRecord]:
    """Records with their database: V8.1 finds the need for a recovery before it names it, by the same process."""
    names: dict[tuple[object, ...], str] = {}
    named = []
    for each in reversed(records):
        writer = (each.file_id, each.instance, each.member, each.pid, each.appid)
        if each.database is not None:
            names[writer] = each.database
        named.append(each if each.database or writer not in names else each._replace(database=names[writer]))
    return named[::-1]


def _recoveries(records: Iterable[RecoveryRecord]) -> list[list[RecoveryRecord]]:
    """The records of a database by recovery: one begins with the first begin after an end."""
    found: list[list[RecoveryRecord]] = []
    is_closed = True
    for each in records:
        if (is_closed and each.kind in BEGINS) or not found:
            found.append([])
        found[-1].append(each)
        is_closed = each.kind in ENDS or (is_closed and each.kind not in BEGINS)
    return found


def _recovery(records: Sequence[RecoveryRecord]) -> tuple[datetime, CrashRecovery]:
    """A recovery, and when its first record was written."""
    first, counts = records[0], Counter(each.kind for each in records)
    started_at = _last(records, "crash_recovery_started") or _last(records, "recovery_initiated")
    attempt = [each for each in records if started_at is None or each.at >= started_at]
    forward_done_at = _last(attempt, "forward_phase_done")
    done = next((each for kind in ENDS for each in records if each.kind == kind), None)
    repeated = max(counts["crash_recovery_needed"], counts["crash_recovery_started"], 1) - 1
    return first.at, passed_on(
        CrashRecovery,
        first,
        needed_at=next((each.at for each in records if each.kind == "crash_recovery_needed"), None),
        started_at=started_at,
        forward_done_at=forward_done_at,
        sync_done_at=next((each.at for each in attempt if each.kind == "sync_phase_done"), None),
        done_at=done and done.at,
        redo_s=_span_s(started_at, forward_done_at),
        undo_s=_span_s(forward_done_at, done and done.at),
        duration_s=_span_s(first.at, done and done.at),
        failed_attempts=max(repeated, counts["recovery_failed"]),
        done_file_id=done and done.file_id,
        done_line_no=done and done.line_no,
    )


def _last(records: Iterable[RecoveryRecord], kind: str) -> datetime | None:
    return max((each.at for each in records if each.kind == kind), default=None)


def _span_s(start: datetime | None, end: datetime | None) -> float | None:
    return None if start is None or end is None else (microseconds(end) - microseconds(start)) / 1e6
