import polars as pl
import pytest

from parsers.ha.ha_log import FORMAT as HA_LOG
from parsers.syslog.syslog import FORMAT as SYSLOG
from tests.support.message_lines import numbered, reasons, rows, verdicts

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
