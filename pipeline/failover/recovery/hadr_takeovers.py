"""TAKEOVER HADR commands and what became of them."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import zip_longest
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.stamps import microseconds
from pipeline.failover.step import RUN, Int32, grouped, passed_on, step
from pipeline.failover.timeline import Timeline
from pipeline.failover.windows import REPORTED_BEFORE

ROLES = {"primary", "standby"}
NEVER = datetime.max  # noqa: DTZ901  times of logs are in UTC, without a zone


class TakeoverRecord(NamedTuple):
    """A record of DB2 about a command for HADR, or about the state or role that HADR then has."""

    configuration: str
    run: str | None
    node: str | None
    at: datetime
    kind: str
    instance: str | None
    database: str | None
    member: int | None
    side: str | None
    command: str | None
    is_forced: bool | None
    is_peer_window_only: bool | None
    old_role: str | None
    new_role: str | None
    new_state: str | None
    conn_id: int | None
    text: str | None
    file_id: int
    line_no: int
    part: int


class HadrTakeover(NamedTuple):
    """One row per TAKEOVER HADR command that a database received. Times in UTC, durations in seconds. The new
    primary's and, where its log is there too, the old primary's side are rows of their own, distinguished by
    from_role. A role switch is done when the peer state is reached in the other role; a take-over by force when
    the role is primary. A command that is followed by another one before that has no end, and counts as failed
    for the later ones.
    """

    configuration: str
    run: str | None
    node: Annotated[str | None, "host on which the database is"]
    instance: str | None
    database: Annotated[str | None, "database, in capitals"]
    member: Int32 | None
    command_at: Annotated[datetime, "when the command was received"]
    done_at: Annotated[
        datetime | None, "when the database was in its new role; null where that is not logged before the next command"
    ]
    duration_s: Annotated[float | None, "from the command to its end; null without an end"]
    is_forced: Annotated[bool | None, "by force; null where no record says so"]
    is_peer_window_only: Annotated[bool | None, "by force, but only within the peer window"]
    from_role: Annotated[
        str | None, "role before: standby on the new primary, primary on the old one; null where no record shows it"
    ]
    failed_attempts: Annotated[int, "take-overs of the database that were begun and not done directly before this one"]
    conn_id: Annotated[int | None, "connection on which the new state was reached"]
    done_kind: Annotated[str | None, "hadr_state or hadr_role: the record that shows the end"]
    file_id: Annotated[Int32, "file of the command"]
    line_no: Int32
    done_file_id: Int32 | None
    done_line_no: Annotated[Int32 | None, "its line"]


@step(by=RUN)
def hadr_takeover(takeover_record: Sequence[TakeoverRecord]) -> Iterator[HadrTakeover]:
    """The take-overs of a run, by time."""
    databases = grouped(_different(takeover_record), "node", "instance", "database", "member").values()
    found = [each for records in databases for each in _takeovers(Timeline(records))]
    yield from sorted(found, key=attrgetter("command_at", "file_id", "line_no"))


def _different(records: Iterable[TakeoverRecord]) -> list[TakeoverRecord]:
    """Records without those of copies of a log."""
    seen: dict[tuple[object, ...], TakeoverRecord] = {}
    for each in sorted(records, key=attrgetter("file_id", "line_no", "part")):
        database = each.database and each.database.upper()
        content = (each.node, each.instance, database, each.member, each.at, each.kind, each.text)
        seen.setdefault(content, each._replace(database=database))
    return list(seen.values())


def _takeovers(records: Timeline[TakeoverRecord]) -> Iterator[HadrTakeover]:
    """The take-overs of a database: those that were not done fail, until one is done."""
    commands = [each for each in records.rows if each.kind == "hadr_command"]
    failed_attempts = 0
    for command, following in zip_longest(commands, commands[1:]):
        if command.command != "takeover":
            continue
        end_at = following.at if following else NEVER
        report = _report(command, records.within(command.at - REPORTED_BEFORE, end_at))
        is_forced = report is not None and report.is_forced is True
        done = min(
            filter(_is_change, records.within(command.at, end_at)),
            key=lambda each: (not _is_done(each, is_forced=is_forced), each.at, each.file_id, each.line_no),
            default=None,
        )
        yield _takeover(command, report, done, failed_attempts)
        failed_attempts = 0 if done else failed_attempts + 1


def _report(command: TakeoverRecord, records: Iterable[TakeoverRecord]) -> TakeoverRecord | None:
    """The record next to a command that says how it is done; the old primary says so before its agents get it."""
    return min(
        (each for each in records if each.kind == "hadr_takeover"),
        key=lambda each: (abs(each.at - command.at), each.file_id, each.line_no),
        default=None,
    )


def _is_change(record: TakeoverRecord) -> bool:
    """Whether a record shows the database in another role than before."""
    is_other = None not in {record.old_role, record.new_role} and record.old_role != record.new_role
    return is_other and (record.kind == "hadr_state" or (record.kind == "hadr_role" and record.old_role in ROLES))


def _is_done(change: TakeoverRecord, *, is_forced: bool) -> bool:
    """Whether a change of roles is the end of a take-over: the role if it is by force, else the peer state."""
    if is_forced:
        return change.kind == "hadr_role" and change.new_role == "primary"
    return change.kind == "hadr_state" and change.new_state == "peer"


def _takeover(
    command: TakeoverRecord, report: TakeoverRecord | None, done: TakeoverRecord | None, failed_attempts: int
) -> HadrTakeover:
    from_role = done and done.old_role
    return passed_on(
        HadrTakeover,
        command,
        command_at=command.at,
        done_at=done and done.at,
        duration_s=(microseconds(done.at) - microseconds(command.at)) / 1e6 if done else None,
        is_forced=report.is_forced if report else None,
        is_peer_window_only=report.is_peer_window_only if report else None,
        from_role=from_role if from_role is not None else report and report.side,
        failed_attempts=failed_attempts,
        conn_id=done.conn_id if done else None,
        done_kind=done and done.kind,
        done_file_id=done.file_id if done else None,
        done_line_no=done.line_no if done else None,
    )
