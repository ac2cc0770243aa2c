import polars as pl
import pytest

from parsers.format import Recognition, Refusal
from parsers.syslog.recognition import claim, refusal, sniff
from parsers.syslog.syslog import FORMAT
from tests.support.message_lines import numbered, row, rows

CRON = "Feb  6 10:27:10 n1 cron[77]: (root) CMD (true)"
UPTIME = "[    1.500000] x: y"


def sniffed(*lines: str) -> list[tuple[int, str]]:
    return [(number, framing) for number, _, framing in sniff(pl.Series(lines, dtype=pl.String)).classified]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([], [], id="no line"),
        pytest.param(["", " ", "\0"], [], id="nothing in them"),
        pytest.param([CRON, "", UPTIME], [(1, "bsd"), (3, "uptime")], id="blank lines do not count"),
        pytest.param([CRON, "\tbelow", "..."], [(1, "bsd")], id="nor continuations and noise"),
        pytest.param(["\tbelow", CRON], [(1, ""), (2, "bsd")], id="but a continuation of nothing does"),
        pytest.param(["\ufeff" + CRON], [(1, "bsd")], id="behind a byte order mark"),
    ],
)
def test_lines_that_speak_for_or_against_a_format(lines: list[str], expected: list[tuple[int, str]]) -> None:
    assert sniffed(*lines) == expected


def test_only_the_first_lines_are_looked_at() -> None:
    assert len(sniffed(*[CRON] * 300)) == 200


def test_claim_names_its_first_line_and_grows_with_its_share() -> None:
    some = claim(sniff(pl.Series(["x", UPTIME, UPTIME])), "uptime", "uptime")
    all_of_them = claim(sniff(pl.Series([UPTIME])), "uptime", "uptime")
    assert isinstance(some, Recognition)
    assert isinstance(all_of_them, Recognition)
    assert some.line_no == 2
    assert 0.9 <= some.confidence < all_of_them.confidence < 0.96


def test_claim_may_allow_other_lines_beside_its_own() -> None:
    seen = sniff(pl.Series([UPTIME, CRON, CRON]))
    assert isinstance(claim(seen, "uptime", "uptime"), Refusal)
    assert isinstance(claim(seen, "uptime", "uptime", mixed_with={"bsd": "cron"}), Recognition)
    assert isinstance(claim(seen, "uptime", "uptime", mixed_with={"bsd": "sshd"}), Refusal)
    assert isinstance(claim(sniff(pl.Series([CRON])), "uptime", "uptime", mixed_with={"bsd": ""}), Refusal)


def test_refusal_names_the_first_other_line_and_what_most_are() -> None:
    seen = sniff(pl.Series([UPTIME, CRON, CRON]))
    answer = claim(seen, "uptime", "uptime")
    assert answer == Refusal("only 1 of 3 lines are uptime, 2 are framed as bsd", 2)
    assert refusal(sniff(pl.Series([], dtype=pl.String)), "nothing") == Refusal("nothing", 1)


@pytest.mark.parametrize(
    ("said", "writer", "lost"),
    [
        ("rsyslogd-2177: imuxsock[pid 22830]: begin to drop messages due to rate-limiting", "imuxsock", None),
        ("rsyslogd-2177: imjournal: begin to drop messages due to rate-limiting", "imjournal", None),
        ("rsyslogd-2177: imjournal: 236 messages lost due to rate-limiting", "imjournal", 236),
        ("rsyslogd-2177: imuxsock lost 128 messages from pid 12105 due to rate-limiting", "imuxsock", 128),
        ("systemd-journal[1864]: Suppressed 917 messages from /", "systemd-journal", 917),
        ("systemd-journald[1]: Missed 15 kernel messages", "systemd-journald", 15),
        ("kernel: [ 12.345678] drbd0: 7 messages suppressed in drbd_main.c:12.", "kernel", 7),
        ("kernel: __ratelimit: 43 callbacks suppressed", "kernel", 43),
    ],
)
def test_lost_messages_are_counted(said: str, writer: str, lost: int | None) -> None:
    gap = row(FORMAT, f"Jun 28 10:32:15 n1 {said}", table="log_gap")
    assert (gap["host"], gap["writer"], gap.get("lost_count")) == ("n1", writer, lost)


@pytest.mark.parametrize(
    "said",
    [
        "heartbeat[1]: info: lost packet(s) for [n2] [1:3]",
        "crmd[1]: notice: Suppressed messages",
        "x[1]: lost connection",
        "x[1]: I missed you 3 messages ago",
        f"x[1]: {'9' * 30} messages lost",
    ],
)
def test_other_losses_are_not(said: str) -> None:
    assert rows(FORMAT, f"Jun 28 10:32:15 n1 {said}", table="log_gap") == []


def test_a_message_of_a_failover_has_its_typed_row() -> None:
    dead = "Aug 15 19:55:11 mail2 heartbeat[554]: WARN: node mail1.X.X: is dead"
    tables = FORMAT.parse(numbered([dead, "Aug 15 19:55:12 mail2 cron[1]: x", dead])).tables
    assert tables["ha_event"].select("line_no", "part", "host", "pid").rows() == [
        (1, 1, "mail2", 554),
        (3, 1, "mail2", 554),
    ]
    assert tables["syslog_event"].height == 3


def test_texts_of_many_rows_on_one_line_are_counted_on() -> None:
    glued = (
        "Feb  6 10:27:06 n1 kernel: LLT INFO V-14-1-10205 link 0 (eth1) node 0 in trouble "
        "GAB INFO V-15-1-20036 Port a gen 1bbf01 membership ;1  4"
    )
    for name, frame in FORMAT.parse(numbered([glued])).tables.items():
        assert frame.select("file_id", "line_no", "part").is_unique().all(), name
