"""Texts that a mail or a terminal folded give what they gave before; a cut head is joined, or it is refused."""

import re
import textwrap

import polars as pl
import pytest

from parsers.dated.dated_log import FORMAT as DATED
from parsers.folds import unfolded
from parsers.format import Format, formats
from pipeline.reading.recognition import recognise
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
    kinds = pl.Series(["" if number % 3 else "stamp" for number in range(lines.height)])
    assert not unfolded(lines, lambda _: kinds)["is_absorbed"].any()


@pytest.mark.parametrize(
    ("below", "expected"),
    [("LOG:  connection received", [1, 1, 2, 1]), ("something else", [1, 5, 5, 1])],
)
def test_a_cut_head_continues_nothing(below: str, expected: list[int]) -> None:
    cut = "2024-05-06 10:11:12.123 UTC [12] app@shop 192.0.2.1(5432) psql"
    lines = [LOG[0].replace("10 [", "10 UTC ["), cut, below, LOG[1].replace("11 [", "11 UTC [")]
    assert formats()["postgresql"].parse(numbered(lines)).lines["verdict"].to_list() == expected


@pytest.mark.parametrize(
    ("name", "head", "said"),
    [
        ("postgresql", "2024-05-06 10:11:{0}.123 UTC [4821] LOG:  {1}", "was shut down at 2024-05-06 10:11:{0} UTC"),
        ("postgresql", "2024-05-06 10:11:{0}.123 UTC [4821] FATAL:  {1}", "no stream: ERROR:  no slot {0} of thisone"),
        ("postgresql", "a{1} | 2024-05-06 10:11:{0}.123 UTC | [4821] user=,db=", ",client= LOG:  promote request {0}"),
        ("container_log", '{{"level":"info","ts":"2024-05-06T10:11:{0}.123Z",', '"msg":"became leader {0} {1}"}}'),
        ("time_of_day_log", "10:11:{0} 4821 INFO {1}", "node 3 was reported as primary, and its peers agreed {0}"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("columns", [60, 76])
def test_what_begins_a_folded_line_like_a_record_is_its_rest(name: str, head: str, said: str, columns: int) -> None:
    texts = [(head + said).format(second, "ab " * (second - 9)) for second in range(10, 22)]
    wrapped = [part for text in texts for part in textwrap.wrap(text, columns)]
    cut = [text[at : at + columns] for text in texts for at in range(0, len(text), columns)]
    table = "log_record" if name == "time_of_day_log" else "syslog_event"
    assert _bare_texts(name, wrapped, table) == _bare_texts(name, cut, table) == _bare_texts(name, texts, table)


def _bare_texts(name: str, lines: list[str], table: str) -> list[tuple[object, str]]:
    return [(stamp, str(said).replace(" ", "")) for stamp, said in _texts(formats()[name], lines, table)]


def test_cut_words_are_joined_among_lines_of_their_own() -> None:
    said = ["a line of its own below", "(20240506 10:11:12.345)"]
    texts = [part for line in 4 * LOG for part in (line, *said * 3)]
    cut = [text[at : at + 60] for text in texts for at in range(0, len(text), 60)]
    assert _texts(DATED, cut, "log_record") == _texts(DATED, texts, "log_record")


def test_a_head_that_no_text_holds_begins_a_record_wherever_it_stands() -> None:
    full = [f"77:X 06 May 2024 10:11:{second}.123 # {'+sdown slave ' * (second - 9)}at a" for second in range(10, 16)]
    ended = "77:X 06 May 2024 10:11:16.123 # -sdown slave of a master at port 1"
    texts = [*full, ended, "77:signal-handler (1714990277) Received SIGTERM scheduling shutdown..."]
    wrapped = [part for text in texts for part in textwrap.wrap(text, len(ended))]
    assert _texts(DATED, wrapped, "log_record") == _texts(DATED, texts, "log_record")


def test_a_head_that_was_wrapped_before_its_stamp_begins_where_it_did() -> None:
    line = 'pid={1} role=of-another-shard timestamp="2024-05-06T10:11:{0}.123+00:00" level=notice id={0} text="{1}"'
    texts = [line.format(second, "7" * (second - 9)) for second in range(10, 15)]
    wrapped = [part for text in texts for part in textwrap.wrap(text, 64)]
    assert _bare_texts("dated_log", wrapped, "log_record") == _bare_texts("dated_log", texts, "log_record")


def test_a_format_is_known_though_a_fold_tore_what_it_needs() -> None:
    line = "Jan 03 11:03:{0} node-{1} pacemaker-fenced    [1944] (pcmk_cpg_membership)        info: node {0} joined"
    wrapped = [part for number in (7, 8, 9) for part in textwrap.wrap(line.format(30 + number, "n" * number), 60)]
    assert recognise(pl.Series(wrapped), "log", formats()).format == "pacemaker"


@pytest.mark.parametrize(
    ("name", "table", "head"),
    [
        ("vcs_engine", "vcs_event", "2024/05/06 10:11:{} VCS INFO V-16-1-10447"),
        ("patroni", "syslog_event", "2024-05-06 10:11:{},123 INFO:"),
        ("dated_log", "log_record", "7:X 06 May 2024 10:11:{}.123 #"),
    ],
)
def test_records_that_were_pasted_on_one_line_say_what_they_said(name: str, table: str, head: str) -> None:
    lines = [f"{head.format(n)} promoted {n} at 2024-05-06 10:11:00 and 12:00:00,1" for n in range(10, 17)]
    pasted = [" ".join(lines[:2]), lines[2], "", "  ".join(lines[3:6]), lines[6]]
    parsed = formats()[name].parse(numbered(pasted))
    found = parsed.tables[table]
    assert found.select("stamp", "text").rows() == _texts(formats()[name], lines, table)
    assert found.select("line_no", "part").rows() == [(1, 1), (1, 2), (2, 1), (4, 1), (4, 2), (4, 3), (5, 1)]
    assert parsed.lines["line_no"].to_list() == [1, 2, 3, 4, 5]
    assert parsed.lines["verdict"].to_list() == [1, 1, 4, 1, 1]
