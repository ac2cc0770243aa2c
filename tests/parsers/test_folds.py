"""Texts that a mail or a terminal folded give what they gave before; a cut head is joined, or it is refused."""

import re
import textwrap

import polars as pl
import pytest

from parsers.dated.dated_log import FORMAT as DATED
from parsers.folds import unfolded
from parsers.format import Format, formats
from tests.support.message_lines import numbered

LOG = [
    f"2024-05-06 10:11:{second} [7] LOG:  checkpoint {'complete ' * (second - 9)}: wrote 12 buffers of 16384 in 7 files"
    for second in range(10, 16)
]


def _texts(each: Format, lines: list[str], table: str) -> list[tuple[object, ...]]:
    return each.parse(numbered(lines)).tables[table].select("stamp", "text").rows()


@pytest.mark.parametrize(
    ("name", "table", "head"),
    [
        ("dated_log", "log_record", r"\1 UTC [7]"),
        ("postgresql", "syslog_event", r"\1 UTC [7]"),
        ("vcs_engine", "vcs_event", r"2024/05/06 \2 VCS INFO V-16-1-10447"),
    ],
)
@pytest.mark.parametrize("columns", [60, 72, 80])
def test_a_folded_log_says_what_it_said(name: str, table: str, head: str, columns: int) -> None:
    stamped = [re.sub(r"^(\S+ (\S+)) \[7\]", head, line) for line in LOG]
    cut = [line[at : at + columns] for line in stamped for at in range(0, len(line), columns)]
    wrapped = [part for line in stamped for part in textwrap.wrap(line, columns)]
    expected = _texts(formats()[name], stamped, table)
    assert _texts(formats()[name], wrapped, table) == expected
    assert formats()[name].parse(numbered(wrapped)).lines["verdict"].to_list().count(2) == len(wrapped) - len(LOG)
    assert _texts(formats()[name], cut, table) == expected


def test_a_fold_behind_a_hyphen_leaves_no_blank() -> None:
    words = "the node that is lost and that was asked by all is long-named"
    lines = [f"2024-05-06 10:11:{second} {words}-{second}" for second in range(10, 16)]
    wrapped = [part for line in lines for part in textwrap.wrap(line, 78)]
    assert sum(part.endswith("-") for part in wrapped) == len(lines)
    assert _texts(DATED, wrapped, "log_record") == _texts(DATED, lines, "log_record")


@pytest.mark.parametrize("cut", ["", "IPaddr_192", "[32", "/03/0"])
def test_a_head_that_is_cut_before_its_text_begins_a_record(cut: str) -> None:
    agent = "/usr/lib/ocf/resource.d//heartbeat/IPaddr(IPaddr_192.0.2.9)[3271]: 2018/03/01_23:20:11 INFO:  "
    daemon = "heartbeat[3036]: 2018/03/01_23:20:10 info: mach_down takeover complete."
    column = agent.index(cut) + len(cut) if cut else agent.index(" ")
    lines = numbered([daemon, agent[:column], agent[column:].strip() + " Resource is stopped", daemon])
    read = formats()["ha_log"].parse(lines)
    assert read.lines["verdict"].to_list() == [1, 1, 2, 1]
    assert read.tables["syslog_event"]["text"][1] == "Resource is stopped"


def test_lines_that_end_anywhere_are_not_folded() -> None:
    lines = numbered([part for line in LOG for part in (line[:70], "at a place", "in a stack")])
    starts = pl.Series([number % 3 == 0 for number in range(lines.height)])
    assert not unfolded(lines, lambda _: starts)["is_absorbed"].any()


@pytest.mark.parametrize(
    ("below", "expected"),
    [("LOG:  connection received", [1, 1, 2, 1]), ("something else", [1, 5, 5, 1])],
)
def test_a_cut_head_continues_nothing(below: str, expected: list[int]) -> None:
    cut = "2024-05-06 10:11:12.123 UTC [12] app@shop 192.0.2.1(5432) psql"
    lines = [LOG[0].replace("10 [", "10 UTC ["), cut, below, LOG[1].replace("11 [", "11 UTC [")]
    assert formats()["postgresql"].parse(numbered(lines)).lines["verdict"].to_list() == expected
