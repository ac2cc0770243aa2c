"""Tables of take-overs, from a log of Heartbeat and one of the kernel that were written for this test."""

from collections.abc import Iterator

import pytest

from pipeline.ingest.ingest import ingest
from reports.findings.highlights import further
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import declared
from reports.tables.failover import operations
from reports.tables.model import Table

HA_LOG = """\
heartbeat[900]: 2024/05/06_11:00:00 info: Received shutdown notice from 'alder'.
heartbeat[900]: 2024/05/06_11:00:00 info: Resources being acquired from alder.
ResourceManager[950]: 2024/05/06_11:00:01 info: Acquiring resource group: alder IPaddr::10.1.1.5/24/eth0 mysqld
ResourceManager[950]: 2024/05/06_11:00:01 info: Running /etc/ha.d/resource.d/IPaddr 10.1.1.5/24/eth0 start
IPaddr[960]: 2024/05/06_11:00:03 INFO: Success
ResourceManager[950]: 2024/05/06_11:00:03 info: Running /etc/init.d/mysqld start
ResourceManager[950]: 2024/05/06_11:00:09 ERROR: Return code 1 from /etc/init.d/mysqld
ResourceManager[950]: 2024/05/06_11:00:09 CRIT: Giving up resources due to failure of mysqld
"""
MESSAGES = """\
May  6 11:02:00 birch kernel: [500.100000] block drbd0: Began resync as SyncSource (will sync 4096 KB [1024 bits set]).
May  6 11:02:02 birch kernel: [  502.350000] block drbd0: Resync done (total 2 sec; paused 0 sec; 2048 K/sec)
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyView]:
    folder = tmp_path_factory.mktemp("takeover")
    node = folder / "study" / "birch"
    node.mkdir(parents=True)
    (node / "ha-log").write_text(HA_LOG)
    (node / "messages").write_text(MESSAGES)
    store = folder / "haledger.duckdb"
    ingest(folder / "study", store)
    with opened(store) as connection:
        yield StudyView(connection)


def printed(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_operations_show_when_they_ended_how_long_they_took_and_what_failed(study: StudyView) -> None:
    (table,) = declared("operations").tables(study)
    assert [row[2:] for row in printed(table)] == [
        ["birch", "IPaddr 10.1.1.5", "start", "2024-05-06 11:00:03", "1.0 to 3.0", "2", "ok"],
        ["birch", "mysqld", "start", "2024-05-06 11:00:09", "3.0 to 9.0", "6", "failed, return code 1"],
    ]


def test_many_operations_are_looked_up_in_the_appendix(study: StudyView, monkeypatch: pytest.MonkeyPatch) -> None:
    assert declared("operations").tables(study)[0].section == "results"
    monkeypatch.setattr(operations, "AMONG_RESULTS", 1)
    assert declared("operations").tables(study)[0].section == "runs"


def test_resync_is_timed_by_uptime_beside_what_drbd_reports(study: StudyView) -> None:
    (table,) = declared("resynchronisations").tables(study)
    assert printed(table)[0][2:] == [
        *("birch", "drbd0", "SyncSource", "2024-05-06 11:02:00", "2.250000", "2", "4096", "1820"),
    ]


def test_story_names_the_line_of_every_message(study: StudyView) -> None:
    (table,) = declared("story").tables(study)
    first = printed(table)[0]
    assert first[3] == "0.0"
    assert first[-2] == "Received shutdown notice from 'alder'."
    assert first[-1] == "birch/ha-log:1"
    assert [row[-1] for row in printed(table)][-1] == "birch/messages:2"


def test_highlights_tell_the_failure_and_the_resync(study: StudyView) -> None:
    reported = {each.subject: each.sentence for each in further(study)}
    assert reported["Failed operation"] == "start of mysqld on birch failed at 2024-05-06 11:00:09 with return code 1."
    assert reported["Resynchronisation"] == "the only one took 2.25 s for 4096 KiB (drbd0)."
