from datetime import datetime

import pytest

from parsers.ha.pacemaker import FORMAT
from tests.support.message_lines import claimed_by, reasons, row, verdicts

at = datetime.fromisoformat
OWN = "Mar 22 10:34:48 15sp1-1 pacemakerd          [1761] (main) \tnotice: Starting Pacemaker 2.0.1 | build=2.0.1"
OLD = "Feb 14 23:30:37 [27964] node1      attrd:     info: pcmk_cpg_membership:   Group attrd event 6: node1 is member"
COROSYNC = "Feb 20 03:29:11 [1155] node2 corosync notice  [QUORUM] Members[2]: 1 2"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            OWN,
            {
                "stamp": at("2000-03-22T10:34:48"),
                "host": "15sp1-1",
                "level": "notice",
                "tag": "pacemakerd",
                "pid": 1761,
                "text": "Starting Pacemaker 2.0.1 | build=2.0.1",
            },
            id="REAL: 2.x",
        ),
        pytest.param(
            "Feb 20 03:29:09 node2 pacemaker-controld  [1323] (tengine_stonith_notify)  crit: We were allegedly fenced",
            {
                "stamp": at("2000-02-20T03:29:09"),
                "host": "node2",
                "level": "crit",
                "tag": "pacemaker-controld",
                "pid": 1323,
                "text": "We were allegedly fenced",
            },
            id="REAL: 2.1",
        ),
        pytest.param(
            OLD,
            {
                "stamp": at("2000-02-14T23:30:37"),
                "host": "node1",
                "level": "info",
                "tag": "attrd",
                "pid": 27964,
                "text": "pcmk_cpg_membership: Group attrd event 6: node1 is member",
            },
            id="REAL: 1.1, blanks after the function as one",
        ),
    ],
)
def test_head(line: str, expected: dict[str, object]) -> None:
    assert row(FORMAT, line) == {"framing": "pacemaker", "has_year": False} | expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            "Nov 21 12:02:26  pgsql(database)[283]:    INFO: PostgreSQL is started.",
            {"stamp": at("2000-11-21T12:02:26"), "level": "info", "tag": "pgsql(database)", "pid": 283}
            | {"text": "PostgreSQL is started."},
            id="REAL",
        ),
        pytest.param(
            "Nov 21 12:02:17  IPaddr2(address)[154]:    INFO: ",
            {"stamp": at("2000-11-21T12:02:17"), "level": "info", "tag": "IPaddr2(address)", "pid": 154, "text": ""},
            id="REAL: no text",
        ),
        pytest.param(
            "Nov 21 12:02:16  pgsql(database)[283]:    ERROR: command failed: runuser postgres -c cd /srv/postgresql",
            {"stamp": at("2000-11-21T12:02:16"), "level": "err", "tag": "pgsql(database)", "pid": 283}
            | {"text": "command failed: runuser postgres -c cd /srv/postgresql"},
            id="REAL: error",
        ),
    ],
)
def test_line_of_a_resource_agent(line: str, expected: dict[str, object]) -> None:
    assert row(FORMAT, line) == {"framing": "agent", "has_year": False} | expected
    assert claimed_by([OWN, line, line]) == "pacemaker"


def test_started_database_is_recognised_by_its_agent() -> None:
    line = "Nov 21 12:02:26  pgsql(database)[283]:    INFO: PostgreSQL is started."
    line_verdicts = row(FORMAT, line, table="ha_event")
    assert (line_verdicts["kind"], line_verdicts["agent"], line_verdicts["object"]) == ("db_ready", "pgsql", "database")


def test_stamp_to_the_thousandth() -> None:
    line = "Nov 21 12:02:16.010 node2 pacemaker-schedulerd[27] (log_summary) \tnotice: Calculated transition 1"
    line_verdicts = row(FORMAT, line)
    assert (line_verdicts["stamp"], line_verdicts["tag"], line_verdicts["pid"]) == (
        at("2000-11-21T12:02:16.010"),
        "pacemaker-schedulerd",
        27,
    )


def test_remark_on_the_log_file_is_no_message() -> None:
    remark = "Set r/w permissions for uid=90, gid=90 on /var/log/pacemaker/pacemaker.log"
    assert verdicts(FORMAT, remark, OWN, "no head") == [3, 1, 5]
    assert reasons(FORMAT, remark) == ["remark of Pacemaker on its log file"]


def test_whose_lines_are_more_names_a_mixed_file() -> None:
    assert claimed_by([OLD, OLD, COROSYNC]) == "pacemaker"
    assert claimed_by([OLD, COROSYNC]) == "pacemaker"
    assert claimed_by([OLD, COROSYNC, COROSYNC]) == "corosync"
