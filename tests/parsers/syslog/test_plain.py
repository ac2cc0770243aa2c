from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.format import LINE_SCHEMA
from parsers.syslog.event import event_words
from parsers.syslog.framing import read_heads
from parsers.syslog.plain import read_plain

CORPUS = Path(__file__).parents[3].parent / "shared" / "corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not part of the repository")


def numbered(lines: list[str]) -> pl.DataFrame:
    rows = [(1, line_no, text) for line_no, text in enumerate(lines, 1)]
    return pl.DataFrame(rows, LINE_SCHEMA, orient="row").with_row_index("row")


def assert_like_patterns(lines: list[str]) -> int:
    """Hold the messages of plain lines against what the patterns make of them; how many there are."""
    rows = numbered(lines)
    plain, mentioning, other = read_plain(rows, event_words())
    both = pl.concat([plain, mentioning]).sort("row")
    assert both.height + other.height == rows.height
    closely = read_heads(rows.join(other, on="row", how="anti", maintain_order="left"))
    assert closely.drop("fault").equals(both)
    assert closely["fault"].is_not_null().equals(both["stamp"].is_null(), check_names=False)
    return both.height


@needs_corpus
def test_plain_lines_are_read_as_the_patterns_read_them() -> None:
    files = [path for folder in ("syslog", "vcs") for path in (CORPUS / folder).rglob("*") if path.is_file()]
    lines = [line for path in files for line in path.read_bytes().decode("latin-1").splitlines()]
    assert assert_like_patterns(lines) > 2000


@pytest.mark.parametrize(
    "line",
    [
        "Feb 29 10:27:09 n1 x[1]: y",
        "Feb  6 10:27:09 n1 x[1]: [ID 702911 daemon.notice] y: z",
        "2019-03-22T10:36:02+0800 15sp1-1 systemd[1]: Reloading.",
        "2019-03-22T10:36:02,5 15sp1-1 su(pam_unix:session): a ",
        "Feb  6 10:27:09 n1 kernel: LLT INFO V-14-1-10024 link 0 (a) node 1 active",
        'Feb  6 10:27:09 n1 dockerd[1]: time="2003-07-28T10:00:00Z" level=info msg="ignoring event"',
        "Feb  6 10:27:09 n1 podman[1]: 0f3a container create 2025-02-06 08:27:09.94 +0000 UTC m=+0.1",
        "Feb  6 10:27:09 n1 gab: since 2025-02-06 10:27:09.94 GAB INFO V-15-1-20036 Port a gen 1 membership 01",
    ],
)
def test_plain_line(line: str) -> None:
    assert assert_like_patterns([line]) == 1


@pytest.mark.parametrize(
    "line",
    [
        "Feb  6 10:27:09 n1 x[1]: message repeated 3 times: [ y]",
        "Feb  6 10:27:09 n1 x[1]: notice: y",
        "Feb  6 10:27:09 n1 x[1]: a#012b",
        "Feb  6 10:27:09 n1 last message repeated 3 times",
        "Feb  6 10:27:09 123 x: y",
        "2020-05-29T12:59:39Z INFO foo: bar",
        "2020-05-29T12:59:39+99:00 n1 foo: bar",
    ],
)
def test_line_that_needs_a_closer_look(line: str) -> None:
    assert assert_like_patterns([line]) == 0


def test_a_date_in_the_text_may_be_of_the_head() -> None:
    lines = numbered(["Feb  6 10:27:09 n1 x[1]: at 2019-02-06 10:27:09 UTC LOG:  y"])
    assert [each.height for each in read_plain(lines, has_dates=False)] == [0, 0, 1]


def test_words_of_veritas_set_a_line_apart() -> None:
    lines = [f"Feb  6 10:27:09 n1 x: some{word} text" for word in event_words()]
    plain, mentioning, _ = read_plain(numbered(lines), event_words())
    assert (plain.height, mentioning.height) == (0, len(lines))


STAMPS = st.sampled_from(
    [
        *("Feb  6 10:27:09", "Feb 30 10:27:09", "Feb  6 24:27:09", "Feb  6 23:59:60", "Feb  0 10:27:09"),
        *("2019-02-28T10:00:00Z", "2019-02-29T10:00:00.123456789-0330", "2019-02-28T10:00:00,1+15:59"),
    ]
)
HOSTS = st.sampled_from([" n1", " 10.0.0.1", " 15sp1-1", " 7", " INFO", " a:b", "  n"])
TAGS = st.sampled_from(
    [" a: ", " a[1]: ", " a(b:c)[99999999999999999]: ", " a/b.c: ", " a b: ", " [a]: ", " : ", " a:"]
)
TEXTS = st.sampled_from(
    [
        "x",
        "x: y",
        "ERROR: y",
        "[ID 1 a.notice] x",
        "[ID 1 a.b] x",
        "[1.234567] x",
        "",
        " ",
        "ü: y",
        "x 2019-02-06 10:27:09,5 y",
        "x 2019-02-06T09:27:09.123456789Z 2018-02-06 10:27:09",
        "[ID 1 kern.err] ERR: x",
    ]
)


@given(st.lists(st.builds("".join, st.tuples(STAMPS, HOSTS, TAGS, TEXTS)), max_size=30))
def test_any_line_is_read_as_the_patterns_read_it(lines: list[str]) -> None:
    assert_like_patterns(lines)
