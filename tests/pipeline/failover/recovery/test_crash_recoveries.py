from pipeline.failover.recovery.crash_recoveries import CrashRecovery, RecoveryRecord, crash_recovery
from tests.support.evidence_rows import at, row

NEEDED, STARTED, DONE = "crash_recovery_needed", "crash_recovery_started", "crash_recovery_done"


def record(second: float, kind: str, **others: object) -> RecoveryRecord:
    return row(RecoveryRecord, second, kind=kind, line_no=int(second), **({"database": "sample"} | others))


def recoveries(*records: RecoveryRecord) -> list[CrashRecovery]:
    return list(crash_recovery(records))


def test_recovery_that_is_started_again_is_one_with_a_failed_attempt() -> None:
    kinds = [(0, NEEDED), (1, STARTED), (5, NEEDED), (6, STARTED), (8, "forward_phase_done"), (10, DONE)]
    (found,) = recoveries(*(record(second, kind) for second, kind in kinds))
    assert (found.failed_attempts, found.needed_at, found.started_at) == (1, at(0), at(6))
    assert (found.redo_s, found.undo_s, found.duration_s) == (2.0, 2.0, 10.0)


def test_need_after_the_end_is_of_another_recovery() -> None:
    kinds = [(0, NEEDED), (10, DONE), (20, NEEDED)]
    assert [each.done_at for each in recoveries(*(record(*each) for each in kinds))] == [at(10), None]


def test_database_is_named_later_by_the_same_process() -> None:
    (found,) = recoveries(record(0, NEEDED, database=None, pid=7), record(10, DONE, pid=7))
    assert (found.database, found.duration_s) == ("SAMPLE", 10.0)


def test_copy_of_a_log_shows_nothing_new() -> None:
    copies = [record(0, NEEDED, file_id=file_id) for file_id in (2, 1)]
    assert [(each.file_id, each.failed_attempts) for each in recoveries(*copies)] == [(1, 0)]
