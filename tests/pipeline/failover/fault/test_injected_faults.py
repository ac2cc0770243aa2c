from pipeline.failover.fault.injected_faults import (
    InjectedFault,
    InjectionLine,
    LoggedFault,
    NemesisOperation,
    injected_fault,
    logged_fault,
)
from tests.support.evidence_rows import at, row


def line(
    second: float, kind: str, target: str | None = "db", action: str = "toxic", stack: str = "toxiproxy"
) -> InjectionLine:
    return row(InjectionLine, second, stack=stack, kind=kind, object=target, action=action, run="r", resolution_s=1)


def logged(*lines: InjectionLine) -> list[LoggedFault]:
    return list(logged_fault(lines))


def injected(*names: str) -> list[InjectedFault]:
    """The faults of a nemesis that asks on each even second, and has done it on the next."""
    operations = [row(NemesisOperation, n, f=name, run="r", line_no=n) for n, name in enumerate(names)]
    return list(injected_fault(operations, []))


def test_what_is_injected_within_two_seconds_is_one_fault() -> None:
    found = logged(*(line(second, "fault_injected") for second in (0, 2, 4.5)))
    assert [(each.asked_at, each.done_at) for each in found] == [(at(0), at(1)), (at(4.5), at(5.5))]


def test_fault_of_several_toxics_ends_with_the_last_one() -> None:
    (found,) = logged(
        line(0, "fault_injected"), line(1, "fault_injected"), line(8, "fault_ended"), line(9, "fault_ended")
    )
    assert (found.end_asked_at, found.end_done_at) == (at(9), at(10))


def test_end_without_an_object_ends_all_faults_of_the_tool() -> None:
    begun = line(0, "fault_asked", "a"), line(0, "fault_asked", "b"), line(0, "fault_asked", "c", stack="litmus")
    found = logged(*begun, line(9, "fault_over", None))
    assert {each.target: each.end_done_at for each in found} == {"a": at(10), "b": at(10), "c": None}


def test_end_of_a_fault_is_known_by_its_name() -> None:
    pairs = [("start-partition", "stop-partition"), ("kill", "start"), ("pause", "stop"), ("skew", "heal")]
    for begin, end in pairs:
        (found,) = injected(begin, begin, "check", "check", end, end)
        assert found.end_asked_at == (None if begin == "pause" else at(4)), begin


def test_start_begins_a_fault_where_the_test_kills_nothing() -> None:
    assert [(each.kind, each.asked_at, each.done_at) for each in injected("start", "start")] == [
        ("start", at(0), at(1))
    ]
