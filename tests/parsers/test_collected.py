"""Names that collectors put before lines are their writers, and hide no format."""

import pytest

from parsers.collected import without_writers
from parsers.format import Verdict, formats
from tests.support.message_lines import numbered

PATRONI = "2024-05-06 10:00:{:02},123 INFO: no action. I am (pg-{}), the leader with the lock"


@pytest.mark.parametrize(
    "prefix",
    ["pg-{}  | ", "[pod/pg-{}/patroni] ", "pg-{} › patroni ", "pg-{} patroni ", "[pg-{}-patroni-1]"],
)
def test_the_name_before_a_line_is_its_host(prefix: str) -> None:
    lines = [prefix.format(number % 2) + PATRONI.format(number, number % 2) for number in range(6)]
    assert without_writers(numbered(lines))[0]["text"][0] == PATRONI.format(0, 0)
    read = formats()["patroni"].parse(numbered(lines)).tables["syslog_event"]
    assert read["host"].to_list() == ["pg-0", "pg-1"] * 3


def test_no_line_continues_one_of_another_writer() -> None:
    lines = [f"a | {PATRONI.format(1, 0)}", "b | Traceback", "a | more", "a |", f"b | {PATRONI.format(2, 1)}"]
    parsed = formats()["patroni"].parse(numbered(lines))
    assert parsed.lines["verdict"].to_list() == [
        Verdict.PARSED,
        Verdict.REJECTED,
        Verdict.CONTINUATION,
        Verdict.IGNORED,
        Verdict.PARSED,
    ]


def test_a_line_here_and_there_is_a_text() -> None:
    lines = [PATRONI.format(1, 0), "a | b", PATRONI.format(2, 0)]
    assert without_writers(numbered(lines))[1].is_empty()
