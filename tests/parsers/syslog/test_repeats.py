import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, Verdict
from parsers.syslog.event import parse

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
