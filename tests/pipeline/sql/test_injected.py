"""Faults that a test injected: when each began and ended, and how long clients had no answer because of it."""

from datetime import datetime
from typing import Any

from tests.support.hand_made import Ledger, add_default_run, rows

Rows = list[tuple[Any, ...]]  # of any columns
Operation = tuple[float, str, str, str, str | None]
"""Seconds since the history began, process, type, f, value."""

RUN = "20030728T102700.000+0000"
OUTAGES = "select kind, gap_s, usual_gap_s, outage_s, faults, answered, failed from fault_outage order by fault_no"
FAULTS = """\
select kind, target, result, epoch_ms(asked_at) - epoch_ms(timestamp '2003-07-28 10:27:00'),
    epoch_ms(done_at) - epoch_ms(timestamp '2003-07-28 10:27:00'),
    epoch_ms(end_done_at) - epoch_ms(timestamp '2003-07-28 10:27:00')
from injected_fault order by fault_no"""


def nemesis(second: float, f: str, value: str | None = None) -> Operation:
    return second, "nemesis", "info", f, value


def answered(*seconds: float, process: str = "0", ends_as: str = "ok") -> list[Operation]:
    """Operations of a client, each asked a hundredth of a second before it ends."""
    return [
        (second - before, process, of_type, "read", None)
        for second in seconds
        for before, of_type in ((0.01, "invoke"), (0, ends_as))
    ]


def history(*operations: Operation, run: str = RUN) -> Ledger:
    ledger = Ledger()
    add_history(ledger, *operations, run=run)
    return ledger


def add_history(ledger: Ledger, *operations: Operation, run: str = RUN) -> None:
    file_id = ledger.file(f"default/{run}/history.edn", "jepsen_history", "default", run, None)
    for second, process, of_type, f, value in sorted(operations, key=lambda each: each[0]):
        ledger.add("history_operation", file_id, None, process=process, type=of_type, f=f, value=value, offset_s=second)


def test_each_fault_has_the_outage_of_its_own() -> None:
    steady = [second for second in range(1, 30) if not 5 <= second <= 8]
    con = history(
        *answered(*steady),
        *answered(5, 6, process="1", ends_as="fail"),
        nemesis(4.5, "kill", ":all"),
        nemesis(4.75, "kill", "{n1 :killed}"),
        nemesis(8, "start", ":all"),
        nemesis(8.5, "start", "{n1 :started}"),
        nemesis(15.25, "start-partition", ":one"),
        nemesis(15.5, "start-partition", "[:isolated]"),
        nemesis(17.5, "stop-partition", "nil"),
        nemesis(17.75, "stop-partition", ":network-healed"),
        nemesis(18, "check-clock-offsets"),
        nemesis(18, "check-clock-offsets"),
    ).build()
    # answered at 4 and 9, the kill asked at 4.5; otherwise once a second
    assert rows(con, OUTAGES) == [("kill", 5, 1, 4.5, 1, 0, 2), ("start-partition", 1, 1, 0, 1, 2, 0)]
    assert rows(con, FAULTS) == [
        ("kill", ":all", "{n1 :killed}", 4500, 4750, 8500),
        ("start-partition", ":one", "[:isolated]", 15250, 15500, 17750),
    ]


def test_faults_without_an_end_last_until_the_next_and_may_share_a_gap() -> None:
    con = history(
        *answered(1, 2, 3, 12, 13),
        *(nemesis(second, "kill") for second in (3.5, 3.75)),
        *(nemesis(second, "pause") for second in (6, 6.25)),
        *(nemesis(second, "bump-clock") for second in (12.5,)),
    ).build()
    assert rows(con, FAULTS) == [
        ("kill", None, None, 3500, 3750, None),
        ("pause", None, None, 6000, 6250, None),
        ("bump-clock", None, None, 12500, None, None),
    ]
    # nobody knows which of the first two it was
    assert rows(con, OUTAGES) == [
        ("kill", 9, 1, 8.5, 2, 0, 0),
        ("pause", 9, 1, 6, 2, 1, 0),
        ("bump-clock", 1, 1, 0, 1, 1, 0),
    ]


def test_an_outage_whose_end_is_not_seen_has_no_length() -> None:
    failed = answered(4, 5, 6, ends_as="fail")
    con = history(*answered(1, 2, 3), *failed, nemesis(3.5, "kill"), nemesis(3.75, "kill")).build()
    assert rows(con, OUTAGES) == [("kill", None, 1, None, 1, 0, 3)]


def test_an_operation_is_a_question() -> None:
    ledger = history(
        *answered(1),
        *answered(2, process="1", ends_as="fail"),
        *answered(3, process="2", ends_as="info"),
        (4, "3", "invoke", "read", None),
        (5, "4", "invoke", "read", None),
        (6, "4", "invoke", "read", None),
    )
    ledger.rows["history_operation"][3]["error"] = '[:conn-refused "n1"]'
    found = rows(
        ledger.build(), """select is_answered, round(elapsed_s, 6), reason from client_question order by "at" """
    )
    assert found == [
        (True, 0.01, None),
        (False, 0.01, "conn-refused"),
        (False, 0.01, "info"),
        *[(False, None, "no outcome")] * 3,
    ]


def test_times_of_a_history_count_from_the_log_else_from_the_folder() -> None:
    query = """select distinct basis, strftime("at", '%H:%M:%S.%g') from test_operation"""
    operation = nemesis(1.5, "kill")
    assert rows(history(operation).build(), query) == [("folder", "10:27:01.500")]
    assert rows(history(operation, run="20030728T102700.000+0530").build(), query) == [("folder", "04:57:01.500")]
    with_log = history(operation)
    log = with_log.file(f"default/{RUN}/jepsen.log", "jepsen_log", "default", RUN, None)
    with_log.add("logged_operation", log, 2, type="begin")
    # which shows the operation too
    with_log.add("logged_operation", log, 3.5, process="nemesis", type="info", f="kill")
    assert rows(with_log.build(), query) == [("begin", "10:27:07.500")]
    nowhere = history(operation, run="run01").build()
    assert rows(nowhere, query) == [(None, None)]
    assert rows(nowhere, "select * from injected_fault") == []


def injected(*seconds: float) -> Rows:
    """The true fault time of a failover at second 0, in seconds, with a kill asked and done then."""
    ledger = Ledger()
    add_default_run(ledger, run="run01")
    log = ledger.file("default/run01/jepsen.log", "jepsen_log", "default", "run01", None)
    for second in seconds:
        ledger.add("logged_operation", log, second, process="nemesis", type="info", f="kill", value="nil")
    return rows(ledger.build(), "select true_fault_at from run")


def test_an_injected_fault_is_the_true_time_of_the_failover_it_made() -> None:
    second = datetime(2003, 7, 28, 10, 27, 4)  # noqa: DTZ001  the store keeps naive UTC
    assert injected(-0.5, 0.5) == [(second,)]
    assert injected(-0.5) == [(None,)]  # nobody knows when it was done
    assert injected(-2, 2) == [(None,)]  # too wide
    assert injected(200, 200.5) == [(None,)]  # later than the membership change


def logged(*marks: tuple[float, str, str | None], tool: str = "litmus") -> Rows:
    """Faults that a tool's log shows: kind, target, and asked, done, end asked and end done as seconds after T0."""
    ledger = Ledger()
    add_default_run(ledger, run="run01")
    log = ledger.file("default/run01/experiment.log", "container_log", "default", "run01", None)
    for second, kind, target in marks:
        ledger.add("ha_event", log, second, stack=tool, kind=kind, object=target, action="a")
    times = ", ".join(
        f"(epoch_ms({name}) - epoch_ms(timestamp '2003-07-28 10:27:04')) / 1000"
        for name in ("asked_at", "done_at", "end_asked_at", "end_done_at")
    )
    return rows(ledger.build(), f"select target, {times} from injected_fault order by fault_no")


def test_a_tool_asks_injects_and_ends_its_faults_by_object() -> None:
    pods = logged(
        (200, "fault_asked", "a"),
        (200, "fault_asked", "b"),
        (201, "fault_injected", None),  # both
        (211, "fault_asked", "a"),  # a new round
        (212, "fault_injected", None),
        (240, "fault_over", None),
    )
    assert pods == [("a", 200, 202, None, None), ("b", 200, 202, None, 241), ("a", 211, 213, None, 241)]
    ended = logged(
        (200, "fault_injected", "a"),
        (201, "fault_injected", "a"),  # said twice
        (205, "fault_ended", "b"),  # of another object
        (210, "fault_ended", "a"),
        (211, "fault_over", "a"),
        tool="chaos_mesh",
    )
    assert ended == [("a", 200, 201, 210, 212)]
    assert logged((200, "fault_over", "a"), (201, "fault_ended", None)) == []
