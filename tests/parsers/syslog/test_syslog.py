import re

import polars as pl
import pytest

from parsers.format import Recognition, Refusal, Verdict
from parsers.syslog.event import parse
from parsers.syslog.syslog import BOUNDARY, FORMAT, recognise
from tests.support.message_lines import claimed_by, numbered, row

PARSED, CONTINUATION, IGNORED, BLANK, REJECTED = Verdict

HEARTBEAT = "Aug 15 19:55:11 mail2 heartbeat[554]: WARN: node mail1.X.X: is dead"
INACTIVE = (
    "Jul 28 10:27:12 sun-ha4 llt: [ID 000001 kern.notice] LLT:10032: link 0 (qfe:0) node 0 inactive 8 sec (2903317)"
)
MEMBERSHIP = "Feb  6 10:27:09 sun-ha4 kernel: GAB INFO V-15-1-20036 Port a gen   1bbf01 membership ;1"
FAULTED = (
    "Feb  6 10:27:09 sun-ha4 Had[412]: [ID 000006 daemon.notice] VCS ERROR V-16-1-10322 System sun-ha3 (Node '0') "
    "changed state from RUNNING to FAULTED"
)
REPEAT = "Feb  6 10:27:30 sun-ha4 last message repeated 5 times"
CRON = "Feb  6 10:27:10 sun-ha4 cron[77]: (root) CMD (true)"


def messages(*texts: str) -> list[dict[str, object]]:
    return parse(numbered(list(texts))).tables["syslog_event"].to_dicts()


def message(*texts: str) -> dict[str, object]:
    (only,) = messages(*texts)
    return only


def verdicts(*texts: str) -> list[int]:
    return parse(numbered(list(texts))).lines["verdict"].to_list()


def reasons(*texts: str) -> list[str | None]:
    return parse(numbered(list(texts))).lines["reason"].to_list()


def test_journal_export_that_says_so_is_left_to_its_own_format() -> None:
    begin = "-- Logs begin at Fri 2019-03-22 10:34:24 CST, end at Fri 2019-03-22 11:37:01 CST. --"
    line = "2019-03-22T11:36:57+0800 15sp1-1 kernel: sd 2:0:0:0: [sda] Attached SCSI disk"
    assert isinstance(recognise(pl.Series([begin, line, line])), Refusal)
    assert isinstance(recognise(pl.Series([line, "-- Reboot --", line])), Recognition)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([], id="no line"),
        pytest.param(["", "  "], id="blank lines"),
        pytest.param(["<0>x"], id="PRI alone"),
        pytest.param(["[mysqld]", "port = 3306", "# Feb  6 10:27:09 host a: b"], id="an ini file"),
        pytest.param(["2020-05-29 12:59:39,513 INFO: no action. I am (pg1)"] * 3, id="Patroni's own log"),
        pytest.param(["2023-01-01T00:00:00.123456Z 0 [System] [MY-010116] [Server] x"] * 3, id="MySQL's own log"),
        pytest.param(["Fri Nov  8 17:41:18 2019 x"], id="ctime"),
        pytest.param([HEARTBEAT, "a", "b"], id="one head of three lines"),
        pytest.param(
            [f"2026-03-01T10:00:0{second}Z 1:follower 2:{'leader' if second % 2 else ''} 3:" for second in range(9)],
            id="states of several servers",
        ),
        pytest.param(
            [
                "2026-03-01T10:00:00.5Z probe says: node1 answers",
                "2026-03-01T10:00:09.5Z crash node1 without a word",
                "2026-03-01T10:00:31.2Z node2 answers",
                "2026-03-01T10:01:02.8Z start node1 again",
            ],
            id="notes of a tester",
        ),
    ],
)
def test_what_is_no_syslog_is_refused(lines: list[str]) -> None:
    assert isinstance(recognise(pl.Series(lines, dtype=pl.String)), Refusal)


def test_a_relay_of_many_hosts_is_syslog_with_few_tags() -> None:
    tagged = [f"2026-03-01T10:00:0{number}Z host{number} sshd[{number}]: closed" for number in range(5)]
    untagged = [f"2026-03-01T10:00:1{number}Z host{number} the disk is full" for number in range(5)]
    assert isinstance(recognise(pl.Series(tagged + untagged)), Recognition)


def test_a_message_of_every_kind_has_its_typed_row() -> None:
    tables = parse(numbered([INACTIVE, MEMBERSHIP, FAULTED])).tables
    assert {name: frame.height for name, frame in tables.items()} == {
        "syslog_event": 3,
        "llt_event": 1,
        "gab_event": 1,
        "vcs_event": 1,
    }
    assert tables["vcs_event"]["line_no"].to_list() == [3]
    assert tables["vcs_event"]["message_id"].to_list() == ["V-16-1-10322"]
    assert tables["syslog_event"]["message_id"].to_list() == ["V-14-1-10032", "V-15-1-20036", "V-16-1-10322"]
    assert tables["syslog_event"]["product"].to_list() == ["LLT", "GAB", "VCS"]


@pytest.mark.parametrize(
    ("text", "message_id"),
    [
        pytest.param("VCS:10322:System a (Node '0') changed state from RUNNING to FAULTED", "V-16-1-10322", id="3.5"),
        pytest.param('WARNING:: VCS Concurrency Violation!!! Group="webgrp" Hosts=(alder birch)', None, id="1.x"),
    ],
)
def test_old_engines_speak_through_syslog_too(text: str, message_id: str | None) -> None:
    tables = parse(numbered([f"Oct 19 09:12:07 alder {text}"])).tables
    assert tables["vcs_event"].height == 1
    assert tables["syslog_event"].select("product", "message_id").row(0) == ("VCS", message_id)


def test_several_messages_on_one_line_are_one_parsed_line_and_numbered_parts() -> None:
    glued = (
        "Feb  6 10:27:06 n1 kernel: LLT INFO V-14-1-10205 link 0 (eth1) node 0 in trouble "
        "LLT INFO V-14-1-10032 link 0 (eth1) node 0 inactive 8 sec (69)  "
        "GAB INFO V-15-1-20036 Port a gen 1bbf01 membership ;1  4"
    )
    parsed = parse(numbered([glued, CRON]))
    assert parsed.lines["verdict"].to_list() == [PARSED, PARSED]
    assert parsed.tables["syslog_event"].select("line_no", "part").rows() == [(1, 1), (1, 2), (1, 3), (2, 1)]
    assert parsed.tables["llt_event"].select("line_no", "part").rows() == [(1, 1), (1, 2)]
    assert parsed.tables["gab_event"].select("part", "membership").rows() == [(3, ";1  4")]


def test_repeat_adds_to_the_record_and_to_its_typed_row_and_gives_no_stamp() -> None:
    tables = parse(numbered([INACTIVE, "Jul 28 10:27:20 sun-ha4 last message repeated 3 times"])).tables
    assert tables["syslog_event"].select("line_no", "repeat_count").rows() == [(1, 3)]
    assert tables["llt_event"].select("line_no", "repeat_count", "silent_s").rows() == [(1, 3, 8)]


def test_orphan_repeat_is_ignored_with_its_reason() -> None:
    assert verdicts(REPEAT, CRON) == [IGNORED, PARSED]
    assert reasons(REPEAT, CRON) == ["repeat of a line that is not in the file", None]
    assert verdicts(REPEAT) == [IGNORED]


def test_lines_below_a_record_belong_to_it() -> None:
    assert verdicts(CRON, "\tin folders", "", "  of the root") == [PARSED, CONTINUATION, BLANK, CONTINUATION]
    row = message(CRON, "\tin folders", "", "  of the root")
    assert row["text"] == "(root) CMD (true)\n\tin folders\n  of the root"


@pytest.mark.parametrize(
    "before",
    [
        pytest.param([], id="nothing"),
        pytest.param(["no head"], id="a rejected line"),
        pytest.param([CRON, "no head"], id="a rejected line below a record"),
        pytest.param([CRON, "Feb 30 10:27:09 n1 x: y"], id="a head of no day"),
        pytest.param([CRON, "..."], id="an elision mark"),
    ],
)
def test_a_continuation_of_nothing_is_rejected(before: list[str]) -> None:
    assert verdicts(*before, "  indented")[-1] == REJECTED


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        pytest.param("   \t", BLANK, id="white space"),
        pytest.param("... ...", IGNORED, id="elision"),
        pytest.param("==== END logs for container pg of pod default/pg-0 ====", IGNORED, id="mark of kubectl"),
        pytest.param("-- Boot 5d1d --", IGNORED, id="journal mark"),
        pytest.param("==> /var/log/messages <==", IGNORED, id="tail"),
        pytest.param("[root@node1 log]# tail messages", IGNORED, id="prompt"),
        pytest.param("Feb 29 10:27:09 n1 x: y", PARSED, id="leap day"),
        pytest.param("Feb 30 10:27:09 n1 x: y", REJECTED, id="no such day"),
        pytest.param("Feb 30 10:27:09 n1 x: [1] y", REJECTED, id="no such day, not plain"),
        pytest.param("Feb  3 24:00:00 n1 x: y", REJECTED, id="no such hour"),
        pytest.param("2019-02-29T10:00:00+08:00 n1 x: y", REJECTED, id="no leap year"),
        pytest.param("2019-02-28T10:00:00+99:00 n1 x: y", REJECTED, id="no such zone"),
        pytest.param("<192>Feb  3 10:00:00 n1 x: y", REJECTED, id="no such PRI"),
        pytest.param("ResourceManager[1]:\t2009/06/30_13:46:12 info: Acquiring", PARSED, id="Heartbeat's own"),
        pytest.param("[335776.845165] drbd fastexport: BAD!", PARSED, id="uptime only"),
        pytest.param("\0\0\0\0", REJECTED, id="NULs"),
        pytest.param("\0\0Feb  3 10:00:00 n1 x: y", PARSED, id="first line after NULs"),
    ],
)
def test_verdict(line: str, verdict: int) -> None:
    assert verdicts(line) == [verdict]
    assert (reasons(line)[0] is not None) == (verdict in {REJECTED, IGNORED})


def test_a_new_file_under_tail_is_another_log() -> None:
    lines = [CRON, "==> b <==", REPEAT]
    assert reasons(*lines)[-1] == "repeat of a line that is not in the file"


# -- cutting a file ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "is_boundary"),
    [
        (CRON, True),
        (INACTIVE, True),
        (FAULTED, True),
        ("2019-03-22T10:36:02.651273+08:00 15sp1-1 systemd[1]: Reloading.", True),
        ("Apr  6 00:09:31 node1 kernel: [7705431.110245] block drbd0: asender terminated", True),
        ("Dec 14 20:06:35 xen-e cib: [24223]: info: crm_log_init_worker: Changed active directory", True),
        ("Feb 20 03:26:56 node1 corosync[1722]:  [TOTEM ] A processor failed, forming new configuration.", True),
        ("Aug 24 10:38:29 ipaaix auth|security:info sshd[348394]: Invalid user admin from x.x.x.x", True),
        ("- 1131566461 2005.11.09 dn228 Nov 9 12:01:01 dn228/dn228 crond[2916]: (root) CMD (run-parts)", True),
        ("<34>1 2003-10-11T22:14:15.003Z mymachine su - ID47 - 'su root' failed", True),
        (REPEAT, False),
        ("Feb  6 10:27:30 n1 kernel: last message repeated 5 times", False),
        ("Feb  6 10:27:30 n1 sshd[1]: message repeated 5 times: [ Failed]", False),
        ("Feb  6 10:27:30 n1 sshd[1]: message repeated 5 times: [ a: [x] ] b]", False),
        ("Aug 16 00:28:56 --- last message repeated 1 time ---", False),
        ('<34>1 2003-10-11T22:14:15.003Z h su - ID47 [a b="c"] message repeated 2 times: [ [x] y]', False),
        ("  below", False),
        ("no head", False),
    ],
)
def test_boundary(line: str, is_boundary: bool) -> None:  # noqa: FBT001 a case has a truth in it
    assert bool(re.search(BOUNDARY, line)) == is_boundary
    assert pl.Series([line]).str.contains(BOUNDARY).item() == is_boundary


@pytest.mark.parametrize(
    "line",
    [
        # REAL
        "2020-01-24T09:11:32.073+0000 I REPL     [replexec-5] not becoming primary, we received insufficient votes",
        # ADAPTED
        "2020-03-12T00:00:01.936+0000 I  CONTROL  [thread] Replica Set Member State: PRIMARY",
        "2020-03-12T00:00:01.936+0000 D1 STORAGE  [thread] running: a",
        "2020-03-12T00:00:01.936+0000 W NETWORK  [thread] no: b",
        "2019-02-27T07:06:04.256Z INFO cmd/sentinel.go:264: text",
        "2019-02-27T07:06:04.256Z Information server[5]: text",
        "2019-02-27 07:06:04,256 - INFO - server: text",
        "2019-02-27T07:06:04,256 ERR server: text",
        "Feb 27 07:06:04 INFO server: text",
        "Feb 27 07:06:04 W server: text",
        "2026-11-22T14:14:35.556Z OK 0.003",
        "2026-11-22T14:14:35.556Z 2026-11-22T14:14:35.559Z 3",
        "2024-04-17 12:05:36 +0200 x: text",
    ],
)
def test_levels_zones_and_dates_are_no_hosts(line: str) -> None:
    assert claimed_by([line] * 20) in {None, "dated_log", "client_probe"}


def test_host_of_one_capital_letter_that_is_no_level_is_a_host() -> None:
    assert row(FORMAT, "Feb 27 07:06:04 B sshd[5]: text")["host"] == "B"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("May 17 22:59:57 | sda: remaining active paths: 1", id="multipathd"),
        pytest.param("May 17 2024 22:59:57 GMT: INFO (drv): text", id="Aerospike"),
        pytest.param("May 17 22:59:57 imap-login: Info: Login: user", id="Dovecot"),
        pytest.param("2024-05-17T22:59:57.123456+0200 7f3c1b2d9700 -1 osd.0 12 text", id="Ceph"),
    ],
)
def test_marks_zones_programs_and_threads_are_no_hosts(line: str) -> None:
    assert claimed_by([line] * 5) == "dated_log"


FURTHER_LINES = [
    "2019-03-22T10:36:03.360696+08:00 sun-ha4 systemd[1]: message repeated 3 times: [ Reloading.]",
    "2019-03-22T10:36:02.651273+08:00 sun-ha4 systemd[1]: Reloading.",
    "<34>1 2003-10-11T22:14:15.003Z sun-ha4 su - ID47 - 'su root' failed",
    "Feb 3 17:09:21 maple unix: [ID676452 kern.notice]",
    "GAB INFOV-15-1-20033 Port o nid 1 3 3 3 2 0 704419 60 20",
    "- 1131566461 2005.11.09 dn228 Nov 9 12:01:01 dn228/dn228 crond[2916]: (root) CMD (run-parts)",
    "Apr  6 00:09:31 node1 kernel: [7705431.110245] block drbd0: asender terminated",
    "Feb  6 10:27:09 n1 vxfs: [ID 1 kern.warning] WARNING: msgcnt 3: mesg 019: V-2-19: vx_log_add - /db01 full",
    "==> b <==",
]
"""Lines that tests/parsers/test_format.py cuts and splices, besides those above."""
