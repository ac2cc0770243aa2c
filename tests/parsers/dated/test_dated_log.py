from datetime import datetime

import pytest

from parsers.dated.dated_log import FORMAT
from tests.support.message_lines import claimed_by, counts, reasons, rows

at = datetime.fromisoformat


def record(line: str) -> dict[str, object]:
    (only,) = rows(FORMAT, line, table="log_record")
    return only


# ADAPTED: structures of public documentation and of real logs, texts changed
@pytest.mark.parametrize(
    ("line", "stamp", "level", "offset"),
    [
        ("I0405 07:42:06.606288      11 gc.go:688] deleting", "2000-04-05T07:42:06.606288", "info", None),
        ("2020-01-31T12:34:56,123+02:00 ERROR [main] a.B: no", "2020-01-31T12:34:56.123", "err", 120),
        ("[2020-01-31 12:34:56,123] WARN [Controller 1]: no (kafka)", "2020-01-31T12:34:56.123", "warning", None),
        ("WARN [2020-01-31 12:34:56,123] main - no", "2020-01-31T12:34:56.123", "warning", None),
        ("2020/01/31-12:34:56.123 ERR  [NM] no", "2020-01-31T12:34:56.123", "err", None),
        ("0f3c.1e48::2011/05/13-13:47:42.465 INFO  [RCM] x", "2011-05-13T13:47:42.465", "info", None),
        ('time="2020-01-31T12:34:56Z" level=warning msg="x y"', "2020-01-31T12:34:56", "warning", 0),
        ("level=info ts=1580473466.123 caller=x msg=y", "2020-01-31T12:24:26.123", "info", 0),
        ('10.0.0.1 - - [31/Jan/2020:12:34:56 +0100] "GET / HTTP/1.1" 200 1', "2020-01-31T12:34:56", None, 60),
        ("31-Jan-2020 12:34:56.123 SEVERE [main] x.y.Z no", "2020-01-31T12:34:56.123", "err", None),
        ("1234:M 31 Jan 2020 12:34:56.123 # no", "2020-01-31T12:34:56.123", "warning", None),
        ("80493:X 07 Jan 00:28:02.510 * +switch-master a", "2000-01-07T00:28:02.510", "notice", None),
        ("[Sun Dec 04 04:47:44 2005] [notice] workerEnv.init() ok", "2005-12-04T04:47:44", "notice", None),
        ("[Sun Dec 04 04:47:44.123456 2005] [core:error] [pid 1] no", "2005-12-04T04:47:44.123456", "err", None),
        ("[04-Dec-2005 04:47:44] NOTICE: fpm is running", "2005-12-04T04:47:44", "notice", None),
        ("200131  2:34:56 [Warning] no", "2020-01-31T02:34:56", "warning", None),
        ("1580473466123 it happened", "2020-01-31T12:24:26.123", None, 0),
        ("31.01.2020 12:34:56 Warnung: nein", "2020-01-31T12:34:56", "warning", None),
        ("01/31/2020 03:34:56 PM error: no", "2020-01-31T15:34:56", "err", None),
        ("I, [2020-01-31T12:34:56.123456 #1234]  INFO -- : x", "2020-01-31T12:34:56.123456", "info", None),
        ("I200131 12:34:56.123456 1 server/node.go:1  [n1] text", "2020-01-31T12:34:56.123456", "info", None),
        ("2020-01-31|12:34:56.123|INFO|text", "2020-01-31T12:34:56.123", "info", None),
        ("01-31 12:34:56.123  1234  5678 I ActivityManager: text", "2000-01-31T12:34:56.123", None, None),
        ("20200131123456123 INFO text", "2020-01-31T12:34:56.123", "info", None),
        ("200131 123456 148 INFO dfs.DataNode: text", "2020-01-31T12:34:56", "info", None),
        ("  1234:20200131:123456.123 server #1 started", "2020-01-31T12:34:56.123", None, None),
        ("[ns_server:info,2020-01-31T12:34:56.123+02:00,ns_1@n1:<0.1.0>:x]text", "2020-01-31T12:34:56.123", None, 120),
        ("(1580473466.123456) DEBUG text here", "2020-01-31T12:24:26.123456", "debug", 0),
        ('date=2020-01-31 time=12:34:56 devname="x" level="notice"', "2020-01-31T12:34:56", "notice", None),
        ("2020年01月31日 12時34分56秒 エラー 接続", "2020-01-31T12:34:56", None, None),
        ("2020/01/31(金) 12:34:56 [エラー] 接続", "2020-01-31T12:34:56", "err", None),
        ("2020-01-31 오후 03:34:56 [오류] 연결 끊김", "2020-01-31T15:34:56", "err", None),
        ("00:0000:00000:00001:2020/01/31 12:34:56.00 server  Recovery", "2020-01-31T12:34:56", None, None),
        ("17 mei 2020 12:34:56 [fout] verbinding", "2020-05-17T12:34:56", "err", None),
        ("17 maja 2020 12:34:56 [błąd] utracono", "2020-05-17T12:34:56", "err", None),
        ("INFO: monitor: 2021/12/15 19:49:50 x", "2021-12-15T19:49:50", "info", None),
        ("[W000 2025-06-04T23:45:35.617+07:00] x y", "2025-06-04T23:45:35.617", None, 420),
        ("=ERROR REPORT==== 16-Oct-2017::14:20:54 ===", "2017-10-16T14:20:54", "err", None),
        ("2020年1月31日 12:34:56 始", "2020-01-31T12:34:56", None, None),
        ("22. März 2020 12:34:56 fertig geworden", "2020-03-22T12:34:56", None, None),
        ("2020-01-31 12:34:56.123456 W | raft: no", "2020-01-31T12:34:56.123456", "warning", None),
    ],
)
def test_stamps_and_severities(line: str, stamp: str, level: str | None, offset: int | None) -> None:
    found = record(line)
    assert found["stamp"] == at(stamp)
    assert (found.get("level"), found.get("utc_offset_min")) == (level, offset)


def test_what_is_around_a_stamp_is_the_text() -> None:
    assert record("[main] 2020-01-31 12:34:56,1 - started")["text"] == "[main] started"
    access = record('10.0.0.1 - - [31/Jan/2020:12:34:56 +0100] "GET / HTTP/1.1" 200 1')
    assert access["text"] == '10.0.0.1 - - "GET / HTTP/1.1" 200 1'


def test_lines_without_a_stamp_belong_to_the_record_above() -> None:
    lines = ["Welcome", "2020-01-31 12:34:56 ERROR a", "  at b", "", "c", "2020-01-31 12:34:57 INFO d"]
    assert counts(FORMAT, lines) == [2, 2, 0, 1, 1]
    assert reasons(FORMAT, *lines)[0] == "before the first stamp"
    assert [each["text"] for each in rows(FORMAT, *lines, table="log_record")] == ["ERROR a\n  at b\nc", "INFO d"]


def test_a_stamp_alone_owns_the_lines_below() -> None:
    lines = [
        "Sun Dec 04 04:47:44 2005",
        "ORA-00600: internal error",
        "Node name:\tora1",
        "Sun Dec 04 04:47:50 2005",
        "ok",
    ]
    first, second = rows(FORMAT, *lines, table="log_record")
    assert first["text"] == "ORA-00600: internal error\nNode name:\tora1"
    assert (first["host"], first["message_id"], second["text"]) == ("ora1", "ORA-00600", "ok")


def test_a_stamp_of_no_day_is_rejected_with_what_continues_it() -> None:
    lines = ["2020-02-30 12:34:56 a", "b", "2020-03-01 25:00:00 c", "2020-03-01 12:00:00 d"]
    assert reasons(FORMAT, *lines) == [
        "impossible date or time",
        "continues no record",
        "impossible date or time",
        None,
    ]


def test_severity_on_the_line_below_and_none_of_prose() -> None:
    assert rows(FORMAT, "Jan 31, 2020 12:34:56 PM a.B c", "SEVERE: no", table="log_record")[0]["level"] == "err"
    assert "level" not in record("2020-01-31 12:34:56 there was an error in the text")


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["2020-01-31 12:34:56 1.0 2.0", "2020-01-31 12:34:57 1.5 2.5"], id="numbers"),
        pytest.param(["time,host,value", "2020-01-31 12:34:56,web,1", "2020-01-31 12:34:57,web,2"], id="table"),
        pytest.param(["The outage began at", "2020-01-31 12:34:56 and took", "an hour.", "Nobody saw it."], id="prose"),
        pytest.param(["import time", "2020-01-31 12:34:56 a", "2020-01-31 12:34:57 b"], id="source code"),
        pytest.param(["1580473466 1 2", "1580473467 1 2"], id="epoch numbers"),
    ],
)
def test_what_is_no_log(lines: list[str]) -> None:
    assert claimed_by(lines) != "dated_log"


def test_a_known_format_comes_first() -> None:
    assert (
        claimed_by(["2018-06-24 21:26:16,277 INFO: no action.  i am a secondary and i am following a leader"])
        == "patroni"
    )
    assert claimed_by(["2018-06-24 21:26:16,277 INFO: backup finished"] * 2) == "dated_log"
