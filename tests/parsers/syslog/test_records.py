"""Records of syslog: framed, dated, and counted where they are repeated (`repeats`)."""

from datetime import datetime

import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, Verdict
from parsers.ha.ha_log import FORMAT as HA_LOG
from parsers.syslog import dmesg, journal, syslog
from parsers.syslog.event import parse
from parsers.syslog.locale import in_english
from parsers.syslog.syslog import FORMAT as SYSLOG
from tests.support.message_lines import claimed_by, numbered, reasons, row, rows, verdicts

CRON = "Feb  6 10:27:10 n1 cron[77]: (root) CMD (true)"
HEARTBEAT = "heartbeat[28295]: 2009/06/30_13:46:24 WARN: node n2: is dead"


def part(number: str, text: str = "LOG:  x", pid: int = 10, host: str = "n1") -> str:
    return f"Feb 11 13:15:39 {host} postgres[{pid}]: [{number}] db=,user= {text}"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([CRON, "out"], [1, 5], id="nothing continues a line of syslog but what is indented"),
        pytest.param([HEARTBEAT, "out", "", "  out"], [1, 2, 4, 2], id="anything continues a program's own log"),
        pytest.param([HEARTBEAT, CRON, "out"], [1, 1, 5], id="unless a line of syslog is between"),
        pytest.param([HEARTBEAT, "...", "out"], [1, 3, 5], id="or an elision"),
        pytest.param([HEARTBEAT, "\0\0", "out"], [1, 5, 5], id="or the machine stopped"),
        pytest.param(["out", HEARTBEAT], [5, 1], id="nothing continues the beginning of a file"),
    ],
)
def test_lines_below_a_record(lines: list[str], expected: list[int]) -> None:
    assert verdicts(SYSLOG, *lines) == expected


def test_a_format_may_say_more_of_its_own_logs() -> None:
    daemon = "Mar 01 23:20:10 master heartbeat: [3036]: info: x"
    assert verdicts(SYSLOG, daemon, "out") == [1, 5]
    assert verdicts(HA_LOG, daemon, "out") == [1, 2]


def test_another_file_is_another_log() -> None:
    parsed = SYSLOG.parse(numbered([HEARTBEAT], ["out"]))
    assert parsed.lines["verdict"].to_list() == [1, 5]


def test_nul_bytes_date_a_crash() -> None:
    assert reasons(SYSLOG, CRON, "\0\0\0") == [
        None,
        "NUL bytes: never written, the machine stopped after the line above",
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([part("3-1"), part("3-2")], [1, 2], id="parts of a message"),
        pytest.param([part("3-1"), part("4-1", pid=11), part("3-2")], [1, 1, 2], id="another process between"),
        pytest.param([part("3-1"), CRON, part("3-2"), part("3-3")], [1, 1, 2, 2], id="another program between"),
        pytest.param([part("3-1", pid=11), part("3-2")], [1, 1], id="another process' is none of it"),
        pytest.param([part("3-1", host="n2"), part("3-2")], [1, 1], id="nor another host's"),
        pytest.param([part("2-1"), part("3-2")], [1, 1], id="nor another line of the session"),
        pytest.param([part("3-2"), part("3-1")], [1, 1], id="nor one that comes later"),
        pytest.param([part("9" * 30 + "-2")], [1], id="no number of a line"),
    ],
)
def test_parts_of_messages_of_postgresql(lines: list[str], expected: list[int]) -> None:
    assert verdicts(SYSLOG, *lines) == expected


def test_parts_are_joined_in_order() -> None:
    lines = [part("3-1"), part("3-2", "#011select"), CRON, part("3-3", "HINT:  y")]
    found = {each["text"] for each in rows(SYSLOG, *lines)}
    assert found == {"x\ndb=,user= \tselect\nHINT:  y", "(root) CMD (true)"}


def test_rows_keep_the_order_of_lines() -> None:
    lines = [CRON, HEARTBEAT, "out", CRON, part("3-1"), CRON, part("3-2"), HEARTBEAT] * 3
    events = SYSLOG.parse(numbered(lines)).tables["syslog_event"]
    assert events["line_no"].to_list() == sorted(events["line_no"])
    assert events.filter(pl.col("text").str.contains("out")).height == 3


A = "Apr  6 13:43:13 {host} kernel: interrupt_ecf(local=d3698c00, ccs = 0x0"
LAST = "Apr  6 13:44:00 {host} last message repeated {count} times"


def counts(*lines: str) -> list[int]:
    rows = [(1, line_no, text) for line_no, text in enumerate(lines, 1)]
    parsed = parse(pl.DataFrame(rows, LINE_SCHEMA, orient="row"))
    events = parsed.tables.get("syslog_event")
    return [] if events is None else events["repeat_count"].to_list()


def quoted(text: str, count: int = 5, pid: int = 1) -> str:
    return f"Dec 10 07:13:56 LabSZ sshd[{pid}]: message repeated {count} times: [ {text}]"


SAID = "Dec 10 07:13:50 LabSZ sshd[1]: Failed password for root"
OTHER = "Dec 10 07:13:51 LabSZ cron[2]: (root) CMD (true)"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([A.format(host="h"), LAST.format(host="h", count=2)], [2], id="the record above"),
        pytest.param(
            [A.format(host="h"), LAST.format(host="h", count=2), LAST.format(host="h", count=3)], [5], id="a chain"
        ),
        pytest.param(
            [A.format(host="h"), A.format(host="i"), LAST.format(host="h", count=2)], [2, 0], id="of its host"
        ),
        pytest.param([A.format(host="i"), LAST.format(host="h", count=2)], [0], id="another host's record is not it"),
        pytest.param([A.format(host="h"), "Apr  6 13:44:00 h: last message repeated 11 times"], [11], id="host: ..."),
        pytest.param([A.format(host="h"), "Apr  6 13:44:00 h kernel: last message repeated 1 time"], [1], id="a tag"),
        pytest.param([A.format(host="h"), "Apr  6 13:44:00 --- last message repeated 1 time ---"], [1], id="macOS"),
        pytest.param(
            [A.format(host="h"), "", "...", "\tbelow", LAST.format(host="h", count=2)], [2], id="lines between"
        ),
        pytest.param(
            [A.format(host="h"), "Apr 31 13:44:00 h a: b", LAST.format(host="h", count=2)], [0], id="a rejected record"
        ),
        pytest.param([SAID, quoted("Failed password for root")], [5], id="rsyslog quotes the text"),
        pytest.param([SAID, OTHER, quoted("Failed password for root")], [5, 0], id="another program in between"),
        pytest.param([SAID, quoted("something else")], [0], id="rsyslog quotes another text"),
        pytest.param([SAID, quoted("Failed password for root", pid=2)], [0], id="another process"),
        pytest.param(
            ["Dec 10 07:13:50 LabSZ sshd[1]:  notice: Quorum lost", quoted(" notice: Quorum lost")],
            [5],
            id="with level",
        ),
        pytest.param(
            ["Dec 10 07:13:50 LabSZ sshd[1]: " + "x" * 900, quoted("x" * 800)], [5], id="cut to 800 characters"
        ),
        pytest.param(
            [A.format(host="h"), *[LAST.format(host="h", count=999_999_999)] * 3], [2**31 - 1], id="more than fits"
        ),
    ],
)
def test_repeats_are_counted(lines: list[str], expected: list[int]) -> None:
    assert counts(*lines) == expected


def test_repeat_lines_are_ignored_and_supply_no_row() -> None:
    rows = [(1, 1, SAID), (1, 2, quoted("Failed password for root")), (1, 3, LAST.format(host="LabSZ", count=2))]
    parsed = parse(pl.DataFrame(rows, LINE_SCHEMA, orient="row"))
    assert parsed.lines["verdict"].to_list() == [Verdict.PARSED, Verdict.IGNORED, Verdict.IGNORED]
    assert parsed.tables["syslog_event"].select("line_no", "repeat_count").rows() == [(1, 7)]


at = datetime.fromisoformat

MONTHS = {
    "de": "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
    "fr": "janv. févr. mars avril mai juin juil. août sept. oct. nov. déc.",
    "es": "ene feb mar abr may jun jul ago sep oct nov dic",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "jan fev mar abr mai jun jul ago set out nov dez",
    "ru": "янв фев мар апр мая июн июл авг сен окт ноя дек",
    "ja": " 1月  2月  3月  4月  5月  6月  7月  8月  9月 10月 11月 12月",
    "ko": " 1월  2월  3월  4월  5월  6월  7월  8월  9월 10월 11월 12월",
    "zh": "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
}


@pytest.mark.parametrize("language", MONTHS)
def test_months(language: str) -> None:
    words = MONTHS[language].split()
    blank = " " if language in {"ja", "ko"} else ""
    lines = [
        f"{blank if len(word) == 2 else ''}{word} {number + 1:2} 10:34:48 n1 sshd[5]: a"
        for number, word in enumerate(words, 1)
    ]
    found = rows(syslog.FORMAT, *lines)
    assert [each["stamp"] for each in found] == [datetime(2000, n, n + 1, 10, 34, 48) for n in range(1, 13)]  # noqa: DTZ001  a wall clock
    assert {each["host"] for each in found} == {"n1"}
    assert claimed_by(lines) == "syslog"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # REAL
        ("9 月 16 日 19:31:41 cl4 chronyd[2153]: a", "Sep 16 19:31:41 cl4 chronyd[2153]: a"),
        ("[ven. nov.  8 17:41:18 2019] a", "[Mon Nov  8 17:41:18 2019] a"),
        ("[金 11月  8 17:41:18 2019] a", "[Mon Nov  8 17:41:18 2019] a"),
        ("Fr 2019-03-22 11:01:02 CET n1 a[1]: b", "Mon 2019-03-22 11:01:02 CET n1 a[1]: b"),
        ("pg 2019-03-22 11:01:02 CET n1 a[1]: b", "pg 2019-03-22 11:01:02 CET n1 a[1]: b"),
        ("mars and venus", "mars and venus"),
        ("Mar 22 10:34:48 n1 a: b", "Mar 22 10:34:48 n1 a: b"),
    ],
)
def test_head(line: str, expected: str) -> None:
    assert in_english(pl.Series([line, "other"])).to_list() == [expected, "other"]


def test_dmesg_and_journal() -> None:
    printed = "[ven. nov.  8 17:41:18 2019] drbd r0: conn( Connected -> Timeout )"
    assert row(dmesg.FORMAT, printed)["stamp"] == at("2019-11-08T17:41:18")
    assert claimed_by([printed]) == "dmesg"
    assert claimed_by(["Fr 2019-03-22 11:01:02 CET n1 kernel: a"]) == "journal"
    assert row(journal.FORMAT, "Fr 2019-03-22 11:01:02 CET n1 kernel: a")["host"] == "n1"
