from datetime import datetime

import pytest

from parsers.ha.corosync import FORMAT
from tests.support.message_lines import claimed_by, counts, row

at = datetime.fromisoformat
REAL = [
    "Feb 20 03:29:11 [1155] node2 corosync notice  [TOTEM ] A new membership (1.116fc) was formed. Members joined: 1",
    "Feb 20 03:29:11 [1155] node2 corosync notice  [QUORUM] Members[2]: 1 2",
    "Jan 10 02:46:16 [2297] HA2 corosync info    [QB    ] server name: quorum",
]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            REAL[0],
            {
                "framing": "corosync",
                "stamp": at("2000-02-20T03:29:11"),
                "has_year": False,
                "host": "node2",
                "level": "notice",
                "tag": "corosync",
                "pid": 1155,
                "text": "[TOTEM ] A new membership (1.116fc) was formed. Members joined: 1",
            },
            id="REAL: 2.x",
        ),
        pytest.param(
            "Nov 03 12:00:00.123 [1234] n1 corosync warning [KNET  ] link: host: 2 link: 0 is down",
            {
                "framing": "corosync",
                "stamp": at("2000-11-03T12:00:00.123"),
                "has_year": False,
                "host": "n1",
                "level": "warning",
                "tag": "corosync",
                "pid": 1234,
                "text": "[KNET  ] link: host: 2 link: 0 is down",
            },
            id="RECONSTRUCTED: 3.x, timestamp: hires",
        ),
        pytest.param(
            "Mar 22 10:34:48 corosync [TOTEM ] A processor failed, forming new configuration.",
            {
                "framing": "corosync",
                "stamp": at("2000-03-22T10:34:48"),
                "has_year": False,
                "tag": "corosync",
                "text": "[TOTEM ] A processor failed, forming new configuration.",
            },
            id="RECONSTRUCTED: 1.x, no host",
        ),
        pytest.param(
            "Nov 03 12:00:00 notice  [MAIN  ] Corosync Cluster Engine starting up",
            {
                "framing": "corosync",
                "stamp": at("2000-11-03T12:00:00"),
                "has_year": False,
                "level": "notice",
                "tag": "corosync",
                "text": "[MAIN  ] Corosync Cluster Engine starting up",
            },
            id="RECONSTRUCTED: neither host nor program",
        ),
        pytest.param(
            "[27935] smc40-m09.example.com corosyncnotice  [MAIN  ] Completed service synchronization",
            {
                "framing": "corosync_undated",
                "host": "smc40-m09.example.com",
                "level": "notice",
                "tag": "corosync",
                "pid": 27935,
                "text": "[MAIN  ] Completed service synchronization",
            },
            id="REAL: no time at all",
        ),
    ],
)
def test_head(line: str, expected: dict[str, object]) -> None:
    assert row(FORMAT, line) == expected


def test_own_log_is_recognised() -> None:
    assert claimed_by(REAL) == "corosync"
    assert counts(FORMAT, [*REAL, "no head", ""]) == [3, 0, 0, 1, 1]


def test_corosync_through_syslog_is_syslog() -> None:
    assert claimed_by(["May 11 17:41:18 a2 corosync[1589]: [TOTEM ] A new membership"] * 3) == "syslog"
