import pytest

from pipeline.failover.recovery.milestone_candidates import MilestoneCandidate
from pipeline.failover.recovery.milestone_lines import EarliestFault, RuleLine, milestone_line
from tests.support.evidence_rows import at, row


def candidate(second: float, milestone: str, **others: object) -> MilestoneCandidate:
    plain = {"line_no": int(second), "evidence": 1, "pick": "first", "stack": "any", "is_other_node": False}
    return row(MilestoneCandidate, second, milestone=milestone, run="run01", **(plain | others))


def lines(*found: MilestoneCandidate) -> list[tuple[str, int, int]]:
    return [(each.milestone, each.evidence, each.line_no) for each in milestone_line(found, [], [])]


@pytest.mark.parametrize(
    ("second", "elected_at", "expected"),
    [
        pytest.param(2, 1, ("routed", 1, 2), id="evidence after the election is preferred"),
        pytest.param(2, 3, ("routed", 2, 2), id="before the election the other evidence is left"),
    ],
)
def test_milestone_occurs_once_whatever_its_evidence_follows(
    second: int, elected_at: int, expected: tuple[str, int, int]
) -> None:
    after_election = candidate(second, "routed", after="elected")
    by_itself = candidate(second, "routed", evidence=2)
    assert lines(candidate(elected_at, "elected"), by_itself, after_election) == [("elected", 1, elected_at), expected]


@pytest.mark.parametrize(
    ("pick", "line_no"), [pytest.param("first", 1, id="first"), pytest.param("last", 2, id="last")]
)
def test_own_log_comes_before_another_nodes(pick: str, line_no: int) -> None:
    own = [candidate(second, "ip", pick=pick) for second in (1, 2)]
    others = [candidate(second, "ip", pick=pick, is_other_node=True) for second in (0, 3)]
    assert lines(*own, *others) == [("ip", 1, line_no)]


def test_recovery_is_of_the_database_that_was_found_to_need_it() -> None:
    needed = candidate(1, "detect", instance="db2inst1", database="SAMPLE")
    other = candidate(2, "complete", after="detect", instance="db2inst1", database="OTHER")
    unnamed = candidate(3, "complete", after="detect", instance="db2inst1")
    assert lines(needed, other, unnamed) == [("complete", 1, 3), ("detect", 1, 1)]


@pytest.mark.parametrize(
    ("after", "is_found"),
    [
        pytest.param("fault", True, id="an instant"),
        pytest.param("ip", True, id="a milestone"),
        pytest.param("db2udb", False, id="a milestone that the run does not show"),
    ],
)
def test_rule_of_the_study_may_name_instants_and_milestones(after: str, *, is_found: bool) -> None:
    of = {"milestone": "warm", "run": "run01", "stack": "study", "evidence": 1, "pick": "first", "before": "end"}
    own = row(RuleLine, 5, **of, after=after, fault_at=at(0), end_at=at(60), resolution_s=1.0, is_other_node=False)
    found = [each.milestone for each in milestone_line([candidate(4, "ip")], [own], [])]
    assert found == ["ip", "warm"] if is_found else ["ip"]


def test_no_line_before_the_earliest_fault_shows_what_follows_a_fault() -> None:
    run = row(EarliestFault, 0, run="run01", fault_at=at(5), fault_at_low=at(3))
    moves = [candidate(second, "address_moved", after="fault", resolution_s=1.0) for second in (1, 4)]
    assert [each.line_no for each in milestone_line(moves, [], [run])] == [4]
