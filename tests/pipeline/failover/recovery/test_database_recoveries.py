"""Crash recoveries of databases, and take-overs of HADR."""

import pytest

from pipeline.failover.recovery.crash_recoveries import CrashRecovery, RecoveryRecord, crash_recovery
from pipeline.failover.recovery.hadr_takeovers import HadrTakeover, TakeoverRecord, hadr_takeover
from tests.support.evidence_rows import at, row

NEEDED, STARTED, DONE = "crash_recovery_needed", "crash_recovery_started", "crash_recovery_done"


def recovery_record(second: float, kind: str, **others: object) -> RecoveryRecord:
    return row(RecoveryRecord, second, kind=kind, line_no=int(second), **({"database": "sample"} | others))


def recoveries(*records: RecoveryRecord) -> list[CrashRecovery]:
    return list(crash_recovery(records))


def test_recovery_that_is_started_again_is_one_with_a_failed_attempt() -> None:
    kinds = [(0, NEEDED), (1, STARTED), (5, NEEDED), (6, STARTED), (8, "forward_phase_done"), (10, DONE)]
    (found,) = recoveries(*(recovery_record(second, kind) for second, kind in kinds))
    assert (found.failed_attempts, found.needed_at, found.started_at) == (1, at(0), at(6))
    assert (found.redo_s, found.undo_s, found.duration_s) == (2.0, 2.0, 10.0)


def test_need_after_the_end_is_of_another_recovery() -> None:
    kinds = [(0, NEEDED), (10, DONE), (20, NEEDED)]
    assert [each.done_at for each in recoveries(*(recovery_record(*each) for each in kinds))] == [at(10), None]


def test_database_is_named_later_by_the_same_process() -> None:
    (found,) = recoveries(recovery_record(0, NEEDED, database=None, pid=7), recovery_record(10, DONE, pid=7))
    assert (found.database, found.duration_s) == ("SAMPLE", 10.0)


def test_copy_of_a_log_shows_no_further_recovery() -> None:
    copies = [recovery_record(0, NEEDED, file_id=file_id) for file_id in (2, 1)]
    assert [(each.file_id, each.failed_attempts) for each in recoveries(*copies)] == [(1, 0)]


def record(second: float, kind: str, **others: object) -> TakeoverRecord:
    return row(TakeoverRecord, second, kind=f"hadr_{kind}", line_no=int(second), **({"database": "sample"} | others))


def takeovers(*records: TakeoverRecord) -> list[HadrTakeover]:
    return list(hadr_takeover(records))


PEER = {"old_role": "standby", "new_role": "primary", "new_state": "peer"}


@pytest.mark.parametrize(
    ("is_forced", "duration_s", "done_kind"),
    [
        pytest.param(False, 5.0, "hadr_state", id="a switch of roles is done when both are peers"),
        pytest.param(True, 2.0, "hadr_role", id="by force it is done when the role is primary"),
    ],
)
def test_end_of_a_takeover(duration_s: float, done_kind: str, *, is_forced: bool) -> None:
    (found,) = takeovers(
        record(10, "command", command="takeover"),
        record(11, "takeover", is_forced=is_forced, side="standby"),
        record(12, "role", old_role="standby", new_role="primary"),
        record(15, "state", **PEER),
    )
    assert (found.duration_s, found.done_kind, found.database) == (duration_s, done_kind, "SAMPLE")


def test_attempts_fail_until_one_is_done() -> None:
    commands = [record(second, "command", command="takeover") for second in (10, 20, 30, 40)]
    found = takeovers(*commands, record(35, "state", **PEER))
    assert [(each.failed_attempts, each.done_at is not None) for each in found] == [
        (0, False),
        (1, False),
        (2, True),
        (0, False),
    ]


def test_copy_of_a_log_shows_nothing_new() -> None:
    commands = [record(10, "command", command="takeover", file_id=file_id) for file_id in (1, 2)]
    assert [each.file_id for each in takeovers(*commands)] == [1]
