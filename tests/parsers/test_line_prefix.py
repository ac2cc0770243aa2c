"""What copies and collectors put before lines hides no format, and is taken off only where most lines have it."""

import polars as pl
import pytest

from parsers.format import Verdict, formats
from parsers.line_prefix import PREFIXES, bare, chains_of, reads_prefixed, with_formats
from tests.support.message_lines import numbered

PATRONI = "2024-05-06 10:00:{:02},123 INFO: no action. I am (pg-{}), the leader with the lock"
BEFORE = {
    "compose": "pg-{}  | ",
    "compose service": "pg-{}.k3jx9q2m0abc@worker-1    | ",
    "kubectl": "[pod/pg-{}/patroni] ",
    "stern": "pg-{} › patroni ",
    "pair": "pg-{} patroni ",
    "process": "[pg-{}-patroni-1] ",
    "pdsh": "pg-{}: ",
}


@pytest.mark.parametrize("name", BEFORE)
def test_the_writer_before_a_line_is_its_host(name: str) -> None:
    lines = [BEFORE[name].format(number % 2) + PATRONI.format(number, number % 2) for number in range(6)]
    prefix = name.removesuffix(" service")
    assert (prefix,) in chains_of([pl.Series(lines)])[0]
    read = with_formats(bare(numbered(lines), (prefix,)), "patroni", {})
    assert read["text"][0] == PATRONI.format(0, 0)
    rows = reads_prefixed(formats()["patroni"], ["patroni"]).parse(read).tables["syslog_event"]
    assert rows["host"].to_list() == ["pg-0", "pg-1"] * 3
    assert rows["line_no"].to_list() == [1, 2, 3, 4, 5, 6]


def test_a_program_or_a_file_is_no_host() -> None:
    for prefix, name in (("patroni | ", "compose"), ("pg-0/patroni.log:", "grep -H"), ("pg-0.log:7:", "grep -Hn")):
        assert bare(numbered([prefix + PATRONI.format(1, 0)]), (name,))["host"].to_list() == [None]


def test_a_line_number_that_no_file_can_have_is_none() -> None:
    lines = [f"pg-0.log:{number}:{PATRONI.format(1, 0)}" for number in (*range(1, 40), "9" * 30)]
    assert ("grep -H",) in chains_of([pl.Series(lines)])[0]
    assert bare(numbered(lines), ("grep -Hn",))["text"][39] == lines[39]


def test_no_line_continues_one_of_another_writer() -> None:
    lines = [f"a | {PATRONI.format(1, 0)}", "b | Traceback", "a | more", "a |", f"b | {PATRONI.format(2, 1)}"]
    read = with_formats(bare(numbered(lines), ("compose",)), "patroni", {})
    parsed = reads_prefixed(formats()["patroni"], ["patroni"]).parse(read)
    assert parsed.lines["verdict"].to_list() == [
        Verdict.PARSED,
        Verdict.REJECTED,
        Verdict.CONTINUATION,
        Verdict.BLANK,
        Verdict.PARSED,
    ]


def test_lines_of_each_writer_are_read_by_its_format() -> None:
    lines = [f"a | {PATRONI.format(1, 0)}", "b | 2024/05/06 10:00:02 VCS NOTICE V-16-1-10322 System b (Node '1') is up"]
    read = with_formats(bare(numbered(lines), ("compose",)), "patroni", {"b\n": "vcs_engine"})
    parsed = reads_prefixed(formats()["patroni"], ["patroni", "vcs_engine"]).parse(read)
    assert parsed.lines["line_no"].to_list() == [1, 2]
    assert parsed.tables["vcs_event"]["line_no"].to_list() == [2]
    carried = parsed.tables["syslog_event"].select("line_no", "host", "level", "message_id").rows()
    assert carried == [(1, "a", "info", None), (2, "b", "notice", "V-16-1-10322")]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([PATRONI.format(1, 0), "a | b", PATRONI.format(2, 0)], id="a line here and there"),
        pytest.param(["token: 5000", "consensus: 6000", "join: 60", "max_messages: 20"], id="names of values"),
        pytest.param(["17:a", "17:b", "17:c"], id="the same number"),
        pytest.param(["5 a", "3 b", "1 c"], id="numbers that fall"),
        pytest.param(["2024-05-06T10:11:12Z n1 app: a", "2024-05-06T10:11:13Z n1 app: b"], id="a time of the log"),
        pytest.param(["procs", " r  b", "1  0"], id="lines that are not set in"),
        pytest.param([], id="nothing"),
    ],
)
def test_what_looks_like_a_prefix_is_none(lines: list[str]) -> None:
    assert chains_of([pl.Series("text", lines, dtype=pl.String)]) == [[]]


def test_prefixes_lie_one_behind_the_other() -> None:
    lines = [f"> db-1  | 2024-05-06T10:11:12.123456789Z {PATRONI.format(number, 0)}" for number in range(4)]
    (chains,) = chains_of([pl.Series(lines)])
    assert ("quotation", "compose", "nanoseconds") in chains
    assert bare(numbered(lines), ("quotation", "compose", "nanoseconds"))["text"][3] == PATRONI.format(3, 0)


def test_blanks_that_set_a_text_in_leave_those_of_the_log() -> None:
    lines = ["    Mar  4 10:00:01 birch app: a", "      more of it", "", "    Mar  4 10:00:02 birch app: b"]
    (((name,),),) = chains_of([pl.Series(lines)])
    assert bare(numbered(lines), (name,))["text"].to_list()[:3] == ["Mar  4 10:00:01 birch app: a", "  more of it", ""]


def test_every_prefix_says_what_it_is() -> None:
    assert all(each.what.startswith(("the ", "commands ")) for each in PREFIXES.values())
