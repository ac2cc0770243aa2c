from datetime import datetime

import pytest

from parsers.ha.ha_log import FORMAT
from tests.support.message_lines import (
    claimed_by,
    corpus_lines,
    needs_corpus,
    row,
    rows,
    verdicts,
)

at = datetime.fromisoformat
DEAD = "heartbeat[28295]: 2009/06/30_13:46:24 WARN: node ha1.vbm.se: is dead"
DAEMON = "Mar 01 23:20:10 master heartbeat: [3036]: info: mach_down takeover complete."

BASE = {"framing": "heartbeat", "has_year": True}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            DEAD,
            {
                "stamp": at("2009-06-30T13:46:24"),
                "tag": "heartbeat",
                "pid": 28295,
                "level": "warning",
                "text": "node ha1.vbm.se: is dead",
            },
            id="REAL: 2.x, the daemon",
        ),
        pytest.param(
            "ResourceManager[29472]:\t2009/06/30_13:46:12 info: Acquiring resource group: ha2.vbm.se xendomainsHA2",
            {
                "stamp": at("2009-06-30T13:46:12"),
                "tag": "ResourceManager",
                "pid": 29472,
                "level": "info",
                "text": "Acquiring resource group: ha2.vbm.se xendomainsHA2",
            },
            id="REAL: 2.x, a script",
        ),
        pytest.param(
            "ResourceManager[14385][14395]: 2009/12/01_14:52:04 info: Acquiring resource group: x",
            {
                "stamp": at("2009-12-01T14:52:04"),
                "tag": "ResourceManager",
                "pid": 14385,
                "level": "info",
                "text": "Acquiring resource group: x",
            },
            id="REAL: 2.1.4 with logd, two pids",
        ),
        pytest.param(
            "/usr/lib/ocf/resource.d//heartbeat/IPaddr(IPaddr_172.30.105.201)[3111]:\t2018/03/01_23:20:10 INFO:  "
            "Resource is stopped",
            {
                "stamp": at("2018-03-01T23:20:10"),
                "tag": "/usr/lib/ocf/resource.d//heartbeat/IPaddr(IPaddr_172.30.105.201)",
                "pid": 3111,
                "level": "info",
                "text": "Resource is stopped",
            },
            id="REAL: 3.x, full path of an agent",
        ),
        pytest.param(
            "ip-request-resp[29696]:\t2009/06/30_13:46:13 received ip-request-resp xendomainsHA2 OK yes",
            {
                "stamp": at("2009-06-30T13:46:13"),
                "tag": "ip-request-resp",
                "pid": 29696,
                "text": "received ip-request-resp xendomainsHA2 OK yes",
            },
            id="REAL: no level",
        ),
        pytest.param(
            "heartbeat: 2005/10/12_10:27:04 info: Local status now set to: 'up'",
            {
                "stamp": at("2005-10-12T10:27:04"),
                "tag": "heartbeat",
                "level": "info",
                "text": "Local status now set to: 'up'",
            },
            id="RECONSTRUCTED: 1.x, no pid",
        ),
    ],
)
def test_own_head(line: str, expected: dict[str, object]) -> None:
    assert row(FORMAT, line) == BASE | expected


def test_line_of_the_daemon_has_a_syslog_head_in_heartbeat_3() -> None:
    assert row(FORMAT, DAEMON) == {
        "stamp": at("2000-03-01T23:20:10"),
        "has_year": False,
        "framing": "bsd",
        "host": "master",
        "level": "info",
        "tag": "heartbeat",
        "pid": 3036,
        "text": "mach_down takeover complete.",
    }


@pytest.mark.parametrize("head", [DEAD, DAEMON])
def test_output_of_a_script_belongs_to_the_record_above(head: str) -> None:
    printed = "Starting auto Xen domains: hejsan(skip) *   [done] "
    (record,) = rows(FORMAT, head, printed)
    assert str(record["text"]).endswith("\n" + printed)
    assert verdicts(FORMAT, printed, head, printed, "", printed) == [5, 1, 2, 4, 2]


def test_impossible_day_is_rejected_and_nothing_continues_it() -> None:
    assert verdicts(FORMAT, "heartbeat[1]: 2009/02/30_13:46:24 info: x", "output") == [5, 5]


@needs_corpus
def test_both_heads_of_one_file_keep_their_order_in_time() -> None:
    """The second must-pass of the format's reference: 29 of 29 lines."""
    found = rows(FORMAT, *corpus_lines("syslog/heartbeat3_drbddisk_filesystem_mysqld_2018_halog.log"))
    assert len(found) == 29
    stamps = [each["stamp"].replace(year=2018) for each in found if isinstance(each["stamp"], datetime)]
    assert stamps == sorted(stamps)
    assert {each["framing"] for each in found} == {"heartbeat", "bsd"}


def test_syslog_with_some_lines_of_heartbeat_is_syslog() -> None:
    cron = "Feb  6 10:27:10 n1 cron[77]: (root) CMD (true)"
    assert claimed_by([cron] * 8 + [DEAD]) == "syslog"
    assert claimed_by([DAEMON] * 8 + [DEAD]) == "ha_log"
