import polars as pl
import pytest

from parsers.format import Recognition, Verdict
from parsers.vcs.gabtab import FORMAT, recognise
from tests.support.message_lines import numbered

PARSED, CONTINUATION, IGNORED, BLANK, REJECTED = Verdict


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
    parsed = FORMAT.parse(numbered([text]))
    assert parsed.tables["parameter_value"].select("name", "value").rows() == expected
    assert parsed.tables["parameter_value"]["part"].to_list() == list(range(1, len(expected) + 1))
    assert set(parsed.tables["parameter_value"]["scope"]) == {"gabtab"}
    assert parsed.lines["verdict"].to_list() == [PARSED]


def test_every_line_has_its_verdict() -> None:
    lines = FORMAT.parse(
        numbered(["#!/bin/sh", "", "/sbin/gabconfig -c -n2", "gabconfig", "echo gabconfig -c", "gabconfig -"])
    ).lines
    assert lines["verdict"].to_list() == [IGNORED, BLANK, PARSED, REJECTED, REJECTED, REJECTED]
    assert lines.filter(pl.col("verdict") == REJECTED)["reason"].null_count() == 0


@pytest.mark.parametrize("texts", [["/sbin/gabconfig -c -n2"], ["#!/bin/sh", "gabconfig -j -cn2"]])
def test_own_files_are_recognised(texts: list[str]) -> None:
    assert isinstance(recognise(pl.Series(texts)), Recognition)


@pytest.mark.parametrize(
    "texts", [[], [""], ["gabconfig -a", "GAB Port Memberships"], ["see gabconfig -c"], ["set-node a"]]
)
def test_other_files_are_refused(texts: list[str]) -> None:
    assert not isinstance(recognise(pl.Series(texts, dtype=pl.String())), Recognition)


def test_blanks_without_end_are_read_in_passing() -> None:
    assert FORMAT.parse(numbered(["gabconfig" + " -c    " * 20_000 + "!"])).lines["verdict"].to_list() == [REJECTED]
