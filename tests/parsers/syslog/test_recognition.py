import polars as pl
import pytest

from parsers.format import Recognition, Refusal
from parsers.syslog.recognition import claim, refusal, sniff

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
