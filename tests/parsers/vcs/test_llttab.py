import polars as pl
import pytest

from parsers.format import Recognition, Verdict
from parsers.vcs.llttab import FORMAT, recognise
from tests.support.message_lines import numbered

PARSED, CONTINUATION, IGNORED, BLANK, REJECTED = Verdict

LLTTAB = [
    "# llttab of the test",
    "set-node sun-ha3",
    "set-cluster 2",
    "link qfe0 /dev/qfe:0 - ether - -",
    "link-lowpri eri0 /dev/eri:0 - ether - -  # public net",
    "",
    "set-timer peerinact:300 peertrouble:200",
    "set-timer heartbeat:50",
    "set-addr 0 link1 192.168.10.1",
    "start",
]


def test_values_of_a_file() -> None:
    parsed = FORMAT.parse(numbered(LLTTAB))
    assert parsed.tables["parameter_value"].select("line_no", "part", "scope", "name", "value").rows() == [
        (2, 1, "llttab", "set-node", "sun-ha3"),
        (3, 1, "llttab", "set-cluster", "2"),
        (4, 1, "llttab", "link qfe0", "/dev/qfe:0 - ether - -"),
        (5, 1, "llttab", "link-lowpri eri0", "/dev/eri:0 - ether - -"),
        (7, 1, "llttab", "peerinact", "300"),
        (7, 2, "llttab", "peertrouble", "200"),
        (8, 1, "llttab", "heartbeat", "50"),
        (9, 1, "llttab", "set-addr", "0 link1 192.168.10.1"),
        (10, 1, "llttab", "start", ""),
    ]
    assert parsed.lines["verdict"].to_list() == [IGNORED, *[PARSED] * 4, BLANK, *[PARSED] * 4]


def test_description_gives_the_unit_of_a_timer() -> None:
    (description,) = FORMAT.parse(numbered(["set-timer peerinact:1600"])).tables["parameter_value"]["description"]
    assert "1/100 s" in description


@pytest.mark.parametrize(
    "text", ["set-timer", "set-timer peerinact", "set-timer a:1 b", "link", "link x", "junk", "set"]
)
def test_unreadable_line_is_rejected_and_gives_no_row(text: str) -> None:
    parsed = FORMAT.parse(numbered([text]))
    assert parsed.lines["verdict"].to_list() == [REJECTED]
    assert parsed.lines["reason"].null_count() == 0
    assert parsed.tables == {}


@pytest.mark.parametrize("texts", [LLTTAB, ["set-timer peerinact:1600"], ["# x", "set-node a"]])
def test_own_files_are_recognised(texts: list[str]) -> None:
    found = recognise(pl.Series(texts))
    assert isinstance(found, Recognition)
    assert found.confidence >= 0.9


@pytest.mark.parametrize(
    "texts",
    [
        [],
        [""],
        ["start"],
        ["include foo"],
        ["0 sun-ha3"],
        ["/sbin/gabconfig -c -n2"],
        ["set-timer peerinact:1", *"abcd"],
    ],
)
def test_other_files_are_refused(texts: list[str]) -> None:
    assert not isinstance(recognise(pl.Series(texts, dtype=pl.String())), Recognition)
