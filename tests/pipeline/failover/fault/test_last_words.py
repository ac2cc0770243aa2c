from pipeline.failover.fault.last_words import LostNodeLine, last_words
from pipeline.failover.incident.incidents import Incident
from tests.support.evidence_rows import at, row

INCIDENT = row(Incident, run="1", search_start_at=at(0), loss_at=at(50))
LINES = [row(LostNodeLine, second, run="1", node="alder", low_s=0.0) for second in (20, 40, 60)]


def test_last_line_before_the_loss_was_seen_says_that_the_node_lived() -> None:
    assert [each.low_at for each in last_words([INCIDENT], LINES, [])] == [at(40)]


def test_node_that_was_cut_off_writes_on() -> None:
    assert not list(last_words([INCIDENT._replace(partition_outcome="moved")], LINES, []))
