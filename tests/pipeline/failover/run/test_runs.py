import pytest

from pipeline.failover.fault.fault_times import FaultTime
from pipeline.failover.fault.injected_faults import InjectedFault
from pipeline.failover.incident.identities import CopiedUnit
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.incident.missing_incidents import MissingIncident
from pipeline.failover.partition.partitions import NetworkPartition
from pipeline.failover.recorded_runs import RecordedRun
from pipeline.failover.run.run_doubts import ClockDoubt, RunDoubt
from pipeline.failover.run.runs import Run, run
from tests.support.evidence_rows import at, row

NODES = {"lost_node": "alder", "surviving_node": "birch", "search_start_at": at(-60), "membership_at": at(0)}


def incident(name: str = "run03", **others: object) -> Incident:
    plain = {"unit_run": name, "run_no": 3, "is_extra": False, "is_planned": False, "event_no": 1}
    return row(Incident, run=name, **(plain | NODES | others))


def of(
    found: Incident,
    recorded: RecordedRun | None = None,
    doubts: list[RunDoubt] | None = None,
    clock: ClockDoubt | None = None,
    injections: list[InjectedFault] | None = None,
) -> Run:
    fault = row(FaultTime, run=found.run, source="membership", middle_at=at(-5), is_consistent=True)
    partition = row(NetworkPartition, unit_run=found.unit_run, event_no=1, doubt="both started it")
    clocks, entries = [clock] if clock else [], [recorded] if recorded else []
    (only,) = run(
        [found], [], [fault], [], [], [partition], [], doubts or [], clocks, entries, injections or [], [], []
    )
    return only


def state(found: Run) -> tuple[str, str | None]:
    return found.flags, found.excluded_reason


def test_run_without_doubts_counts() -> None:
    found = of(incident())
    assert (found.used, state(found), found.fault_at, found.lost_node) == (True, ("", None), at(-5), "alder")


@pytest.mark.parametrize("name", ["3", "run03"])
def test_study_leaves_a_run_out_by_name_or_number(name: str) -> None:
    found = of(incident(is_extra=True), row(RecordedRun, run=name, exclude="wrong node"))
    assert state(found) == ("excluded, extra_incident", "wrong node")


def test_nobody_is_lost_where_both_served() -> None:
    found = of(incident(partition_outcome="split_brain"))
    assert found.flags == "partition, split_brain, undecided_partition"
    assert found.excluded_reason == "split brain: the nodes declared each other lost, and both started it"
    assert (found.lost_node, found.surviving_node) == (None, None)


def test_doubts_leave_a_run_in_use_but_for_a_clock_that_is_not_proved() -> None:
    doubts = [row(RunDoubt, run="run03", flag="jeopardy")]
    assert of(incident(), doubts=doubts, clock=row(ClockDoubt, run="run03", is_step=True, is_unproved=False)).used
    unproved = of(incident(), doubts=doubts, clock=row(ClockDoubt, run="run03", is_step=True, is_unproved=True))
    assert (unproved.used, unproved.flags) == (False, "clock_step, jeopardy")


def test_unit_without_an_incident_has_a_place_where_its_name_has_no_single_number() -> None:
    units = [row(MissingIncident, unit_run=each, reason=None) for each in ("cold-10", "cold-9-b2", "cold-9-b10")]
    found = run([], units, [], [], [], [], [], [], [], [], [], [], [])
    assert [(each.run, each.run_no) for each in found] == [("cold-9-b2", 1), ("cold-9-b10", 2), ("cold-10", 10)]


def test_copy_is_left_out_and_says_what_counts() -> None:
    found = of(incident(same_as="a/run01"))
    assert (found.used, found.same_as, *state(found)) == (
        False,
        "a/run01",
        "copy",
        "the same as `a/run01`, which counts",
    )
    assert of(incident("run03#2", is_extra=True, same_as="a/run01")).flags == "extra_incident"


def test_measured_runs_are_copies_by_their_files() -> None:
    units = [row(MissingIncident, unit_run=each, reason=None) for each in ("run01", "run02")]
    copies = [CopiedUnit("a", "run02", "b", "run07")]
    found = run([], units, [], [], [], [], [], [], [], [], [], copies, [])
    assert [(each.used, each.same_as) for each in found] == [(True, None), (False, "b/run07")]


def test_last_fault_that_was_injected_closely_enough_is_the_reference() -> None:
    spans = [(1, -50, -49), (2, -40, -39), (3, -30, -20)]
    faults = [row(InjectedFault, run="run03", fault_no=n, asked_at=at(a), done_at=at(d)) for n, a, d in spans]
    assert of(incident(is_commanded=False), injections=faults).true_fault_at == at(-39.5)
    assert of(incident(is_commanded=True), injections=faults).true_fault_at is None


def test_run_that_counts_from_its_first_symptom_is_averaged_with_its_like_only() -> None:
    seen = row(FaultTime, run="run03", source="first symptom", middle_at=at(-5))
    other = row(FaultTime, run="run04", source="leader signs", middle_at=at(-5))
    both = [incident(), incident("run04", run_no=4)]
    alone, beside = (
        run(both[: len(faults)], [], faults, [], [], [], [], [], [], [], [], [], [])
        for faults in ([seen], [seen, other])
    )
    assert [(each.used, each.flags) for each in alone] == [(True, "first_symptom")]
    assert [each.used for each in beside] == [False, True]
