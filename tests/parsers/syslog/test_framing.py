import re
from datetime import datetime

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.ascii_pattern import ASCII_BOUNDARY
from parsers.format import LINE_SCHEMA
from parsers.syslog.framing import FRAMINGS, framings_of, read_heads

at = datetime.fromisoformat


def heads(*texts: str) -> list[dict[str, object]]:
    rows = [(1, line_no, text) for line_no, text in enumerate(texts, 1)]
    return read_heads(pl.DataFrame(rows, LINE_SCHEMA, orient="row").with_row_index("row")).to_dicts()


def filled(text: str) -> dict[str, object]:
    """The columns that a line says something in, without its place."""
    (row,) = heads(text)
    return {
        name: value for name, value in row.items() if value is not None and name not in {"row", "file_id", "line_no"}
    }


BSD = {"framing": "bsd", "has_year": False}
SEVENTH = {**BSD, "stamp": at("2000-03-07T04:02:16"), "host": "avas"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            "Mar  7 04:02:16 avas clamd[11165]: part-00003: FOUND ",
            {**SEVENTH, "tag": "clamd", "pid": 11165, "text": "part-00003: FOUND "},
            id="day padded with a blank",
        ),
        pytest.param("Mar 07 04:02:16 avas su: x", {**SEVENTH, "tag": "su", "text": "x"}, id="with a zero"),
        pytest.param("Mar   7 04:02:16 avas su: x", {**SEVENTH, "tag": "su", "text": "x"}, id="with more blanks"),
        pytest.param("Mar 7 04:02:16 avas su: x", {**SEVENTH, "tag": "su", "text": "x"}, id="not at all"),
        pytest.param(
            "<35>Mar  7 04:02:16 avas su: x",
            {**SEVENTH, "facility": "auth", "level": "err", "tag": "su", "text": "x"},
            id="PRI",
        ),
        pytest.param(
            "Mar  7 2004 04:02:16 avas su: x",
            {**SEVENTH, "stamp": at("2004-03-07T04:02:16"), "has_year": True, "tag": "su", "text": "x"},
            id="year",
        ),
        pytest.param(
            "Mar  7 04:02:16.5 avas su: x",
            {**SEVENTH, "stamp": at("2000-03-07T04:02:16.500"), "tag": "su", "text": "x"},
            id="fraction",
        ),
        pytest.param("Mar  7 04:02:16 avas", {**SEVENTH, "text": ""}, id="nothing after the host"),
        pytest.param(
            "Mar  7 04:02:16 avas lookup for opt failed", {**SEVENTH, "text": "lookup for opt failed"}, id="no tag"
        ),
        pytest.param(
            "Mar  7 04:02:16 avas syslogd 1.4.1: restart.",
            {**SEVENTH, "text": "syslogd 1.4.1: restart."},
            id="two words",
        ),
        pytest.param(
            "Mar  7 04:02:16 avas sshd(pam_unix)[19939]: x",
            {**SEVENTH, "tag": "sshd(pam_unix)", "pid": 19939, "text": "x"},
            id="module",
        ),
        pytest.param(
            "Mar  7 04:02:16 avas external/libvirt(s-libvirt)[24525]: [24540]: notice: x",
            {**SEVENTH, "tag": "external/libvirt(s-libvirt)", "pid": 24525, "level": "notice", "text": "x"},
            id="two pids",
        ),
        pytest.param(
            "Mar  7 04:02:16 avas crmd: [24228]: WARN: te_fence_node: x",
            {**SEVENTH, "tag": "crmd", "pid": 24228, "level": "warning", "text": "te_fence_node: x"},
            id="Heartbeat's pid and level",
        ),
        pytest.param(
            "Mar  7 04:02:16 avas corosync[1589]:  [TOTEM ] x",
            {**SEVENTH, "tag": "corosync", "pid": 1589, "text": "[TOTEM ] x"},
            id="corosync",
        ),
        pytest.param(
            "Mar  7 04:02:16 avas ntpd[7788]: [ID 702911 daemon.warning] x",
            {
                **SEVENTH,
                "framing": "solaris",
                "tag": "ntpd",
                "pid": 7788,
                "msgid": "702911",
                "facility": "daemon",
                "level": "warning",
                "text": "x",
            },
            id="Solaris",
        ),
        pytest.param(
            "Mar  7 04:02:16 avas kernel: [7705431.110245] x",
            {**SEVENTH, "framing": "linux_kernel", "tag": "kernel", "uptime_s": 7705431.110245, "text": "x"},
            id="uptime",
        ),
        pytest.param(
            "Mar  7 04:02:16 avas auth|security:info sshd[3]: x",
            {
                **SEVENTH,
                "framing": "aix",
                "facility": "auth|security",
                "level": "info",
                "tag": "sshd",
                "pid": 3,
                "text": "x",
            },
            id="AIX",
        ),
        pytest.param(
            "Mar  7 04:02:16 Message forwarded from avas: sshd[3]: x",
            {**SEVENTH, "tag": "sshd", "pid": 3, "text": "x"},
            id="passed on",
        ),
        pytest.param(
            "Mar  7 04:02:16 avas ARPING eth1#012Sent 5#011probes#0",
            {**SEVENTH, "text": "ARPING eth1\nSent 5\tprobes#0"},
            id="escaped bytes",
        ),
        pytest.param(
            "2019-03-22T10:45:37.687203+08:00 15sp1-1 IPaddr2(vip1)[2067]: INFO: x",
            {
                "framing": "iso",
                "stamp": at("2019-03-22T10:45:37.687203"),
                "has_year": True,
                "host": "15sp1-1",
                "utc_offset_min": 480,
                "tag": "IPaddr2(vip1)",
                "pid": 2067,
                "level": "info",
                "text": "x",
            },
            id="ISO",
        ),
        pytest.param(
            "2019-03-22T10:45:37-0330 n1 a: x",
            {
                "framing": "iso",
                "stamp": at("2019-03-22T10:45:37"),
                "has_year": True,
                "host": "n1",
                "utc_offset_min": -210,
                "tag": "a",
                "text": "x",
            },
            id="ISO of journalctl, half an hour west",
        ),
        pytest.param(
            "<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% now",
            {
                "framing": "rfc5424",
                "stamp": at("2003-08-24T05:14:15.000003"),
                "has_year": True,
                "utc_offset_min": -420,
                "host": "192.0.2.1",
                "facility": "local4",
                "level": "notice",
                "tag": "myproc",
                "pid": 8710,
                "text": "%% now",
            },
            id="RFC 5424",
        ),
        pytest.param(
            '<34>1 2003-10-11T22:14:15Z h su x1 ID47 [a@1 v="\\]"][b c="d"] \ufefftext',
            {
                "framing": "rfc5424",
                "stamp": at("2003-10-11T22:14:15"),
                "has_year": True,
                "utc_offset_min": 0,
                "host": "h",
                "facility": "auth",
                "level": "crit",
                "tag": "su",
                "msgid": "ID47",
                "text": "text",
            },
            id="RFC 5424 with data and a byte order mark",
        ),
        pytest.param(
            "- 1131566461 2005.11.09 dn228 Nov 9 12:01:01 dn228/dn228 crond[2915]: x",
            {
                "framing": "collector",
                "stamp": at("2005-11-09T12:01:01"),
                "has_year": True,
                "host": "dn228",
                "utc_offset_min": -480,
                "tag": "crond",
                "pid": 2915,
                "text": "x",
            },
            id="collector: year of receipt, zone by the epoch",
        ),
        pytest.param(
            "- 1136073601 2006.01.01 dn1 Dec 31 23:59:59 dn1/dn1 a: x",
            {
                "framing": "collector",
                "stamp": at("2005-12-31T23:59:59"),
                "has_year": True,
                "host": "dn1",
                "utc_offset_min": 0,
                "tag": "a",
                "text": "x",
            },
            id="collector: received in the next year",
        ),
    ],
)
def test_head(line: str, expected: dict[str, object]) -> None:
    assert filled(line) == expected
    assert framings_of(pl.Series([line])).item()


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("Aug 14 2010 09:47:20 VCS ERROR V-16-2001-14001 x", "a line of VCS, not of syslog"),
        ("2020-05-29T12:59:39Z INFO foo: x", "a program's own log: a time, but no host"),
        ("2023-01-01T00:00:00.123456Z 0 [System] [MY-010116] x", "a program's own log: a time, but no host"),
        ("- 1117838570 2005.06.03 R02-M1 2005-06-03-15.42.50.363779 R02-M1 RAS KERNEL INFO x", "no head of a log line"),
        ('{"mean": "x"}', "no head of a log line"),
    ],
)
def test_line_of_another_log_has_no_head(line: str, fault: str) -> None:
    assert filled(line) == {"fault": fault}
    assert framings_of(pl.Series([line])).item() == ""


def test_severity_of_a_veritas_message_stays_in_its_text() -> None:
    row = filled("Feb  6 10:27:09 n1 kernel: WARNING: msgcnt 3: mesg 019: V-2-19: vx_log_add - /db01 full")
    assert row["text"] == "WARNING: msgcnt 3: mesg 019: V-2-19: vx_log_add - /db01 full"


@pytest.mark.parametrize(
    ("framing", "line"),
    [
        ("journal_json", '{"__REALTIME_TIMESTAMP" : "1534860261221373", "MESSAGE" : "x"}'),
        ("postgresql_json", '{"timestamp":"2025-08-13 01:45:01.123 PDT","pid":1,"error_severity":"LOG","message":"x"}'),
        ("json", '{"log":"x","stream":"stderr","time":"2016-10-06T00:17:09.669794202Z"}'),
        ("cri", "2016-10-06T00:17:09.669794202Z stdout F The content of the log entry 1"),
        ("rfc5424", "<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - 'su root' failed"),
        ("heartbeat", "heartbeat[13209]: 2013/01/23_04:09:36 info: Link a:eth0 up."),
        ("postgresql", "2025-08-13 01:45:01.123 PDT [12345] LOG:  starting PostgreSQL 15.4"),
        ("postgresql", "2025-08-13 01:46:12.212 PDT [12389] STATEMENT:  SELECT * FROM nonexistent_table;"),
    ],
)
def test_a_line_with_the_mark_of_its_framing_has_that_framing(framing: str, line: str) -> None:
    assert re.search(FRAMINGS[framing].mark, line)
    assert framings_of(pl.Series(["x", line, ""]), tuple(FRAMINGS)).to_list() == ["", framing, ""]


@pytest.mark.parametrize("framing", [name for name, each in FRAMINGS.items() if each.mark])
def test_each_head_of_a_framing_has_its_mark(framing: str) -> None:
    pattern = FRAMINGS[framing].pattern.replace(ASCII_BOUNDARY, r"\b")

    @settings(max_examples=10, deadline=None)
    @given(st.from_regex(pattern))
    def each(line: str) -> None:
        assert re.search(FRAMINGS[framing].mark, line)

    each()
