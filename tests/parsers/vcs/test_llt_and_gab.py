"""Files of LLT and GAB: llttab, llthosts, gabtab."""

import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, Recognition, Verdict
from parsers.vcs import gabtab, llthosts, llttab
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
    parsed = llttab.FORMAT.parse(numbered(LLTTAB))
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
    (description,) = llttab.FORMAT.parse(numbered(["set-timer peerinact:1600"])).tables["parameter_value"][
        "description"
    ]
    assert "1/100 s" in description


@pytest.mark.parametrize(
    "text", ["set-timer", "set-timer peerinact", "set-timer a:1 b", "link", "link x", "junk", "set"]
)
def test_unreadable_line_is_rejected_and_gives_no_row(text: str) -> None:
    parsed = llttab.FORMAT.parse(numbered([text]))
    assert parsed.lines["verdict"].to_list() == [REJECTED]
    assert parsed.lines["reason"].null_count() == 0
    assert parsed.tables == {}


@pytest.mark.parametrize("texts", [LLTTAB, ["set-timer peerinact:1600"], ["# x", "set-node a"]])
def test_llttab_is_recognised(texts: list[str]) -> None:
    found = llttab.recognise(pl.Series(texts))
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
def test_what_is_no_llttab_is_refused(texts: list[str]) -> None:
    assert not isinstance(llttab.recognise(pl.Series(texts, dtype=pl.String())), Recognition)


def test_ids_and_names_are_parameters() -> None:
    texts = ["# nodes", "0 sun-ha3", " 1  b.example.com # second", "", "junk"]
    lines = pl.DataFrame([(7, line_no, text) for line_no, text in enumerate(texts, 1)], LINE_SCHEMA, orient="row")
    parsed = llthosts.FORMAT.parse(lines)
    values = parsed.tables["parameter_value"]
    assert values.select("line_no", "scope", "name", "value").rows() == [
        (2, "llthosts", "0", "sun-ha3"),
        (3, "llthosts", "1", "b.example.com"),
    ]
    assert parsed.lines["verdict"].to_list() == [IGNORED, PARSED, PARSED, BLANK, REJECTED]
    assert parsed.lines["reason"].to_list() == ["comment", None, None, None, "not a node id and a host name"]


@pytest.mark.parametrize("texts", [["0 sun-ha3", "1 sun-ha4"], ["# x", "", "3 a"]])
def test_own_files_are_recognised_without_certainty(texts: list[str]) -> None:
    found = llthosts.recognise(pl.Series(texts))
    assert isinstance(found, Recognition)
    assert found.confidence < 0.9


@pytest.mark.parametrize("texts", [[], [""], ["0 a", "0 b"], ["64 a"], ["0 a", "1 a b"], ["10.0.0.1 a"], ["0 1"]])
def test_what_is_no_llthosts_is_refused(texts: list[str]) -> None:
    assert not isinstance(llthosts.recognise(pl.Series(texts, dtype=pl.String())), Recognition)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("/sbin/gabconfig -c -n2", [("configure", "yes"), ("node_count", "2")], id="plain"),
        pytest.param("gabconfig -c -n 2", [("configure", "yes"), ("node_count", "2")], id="value apart"),
        pytest.param("gabconfig -cn2", [("configure", "yes"), ("node_count", "2")], id="options together"),
        pytest.param(
            "/sbin/gabconfig -c -n2 -j  # the paper's",
            [("configure", "yes"), ("node_count", "2"), ("halt_on_rejoin", "yes")],
            id="switch",
        ),
        pytest.param("gabconfig -c -t 2000", [("configure", "yes"), ("stable_timeout", "2000")], id="stable timeout"),
        pytest.param("gabconfig -c -x -m4", [("configure", "yes"), ("seed", "yes"), ("-m", "4")], id="unknown letter"),
    ],
)
def test_options_are_parameters(text: str, expected: list[tuple[str, str]]) -> None:
    parsed = gabtab.FORMAT.parse(numbered([text]))
    assert parsed.tables["parameter_value"].select("name", "value").rows() == expected
    assert parsed.tables["parameter_value"]["part"].to_list() == list(range(1, len(expected) + 1))
    assert set(parsed.tables["parameter_value"]["scope"]) == {"gabtab"}
    assert parsed.lines["verdict"].to_list() == [PARSED]


def test_every_line_has_its_verdict() -> None:
    lines = gabtab.FORMAT.parse(
        numbered(["#!/bin/sh", "", "/sbin/gabconfig -c -n2", "gabconfig", "echo gabconfig -c", "gabconfig -"])
    ).lines
    assert lines["verdict"].to_list() == [IGNORED, BLANK, PARSED, REJECTED, REJECTED, REJECTED]
    assert lines.filter(pl.col("verdict") == REJECTED)["reason"].null_count() == 0


@pytest.mark.parametrize("texts", [["/sbin/gabconfig -c -n2"], ["#!/bin/sh", "gabconfig -j -cn2"]])
def test_own_files_are_recognised(texts: list[str]) -> None:
    assert isinstance(gabtab.recognise(pl.Series(texts)), Recognition)


@pytest.mark.parametrize(
    "texts", [[], [""], ["gabconfig -a", "GAB Port Memberships"], ["see gabconfig -c"], ["set-node a"]]
)
def test_other_files_are_refused(texts: list[str]) -> None:
    assert not isinstance(gabtab.recognise(pl.Series(texts, dtype=pl.String())), Recognition)


def test_blanks_without_end_are_read_in_passing() -> None:
    assert gabtab.FORMAT.parse(numbered(["gabconfig" + " -c    " * 20_000 + "!"])).lines["verdict"].to_list() == [
        REJECTED
    ]
