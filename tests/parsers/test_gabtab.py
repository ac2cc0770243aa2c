import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.format import LINE_SCHEMA, Recognition, Verdict
from parsers.gabtab import parse, recognise
from parsers.parameter import PARAMETER_VALUE

PARSED, CONTINUATION, IGNORED, BLANK, REJECTED = Verdict


def numbered(*files: list[str]) -> pl.DataFrame:
    rows = [(file_id, line_no, text) for file_id, texts in enumerate(files) for line_no, text in enumerate(texts, 1)]
    return pl.DataFrame(rows, LINE_SCHEMA, orient="row")


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
    parsed = parse(numbered([text]))
    assert parsed.tables["parameter_value"].select("name", "value").rows() == expected
    assert parsed.tables["parameter_value"]["part"].to_list() == list(range(1, len(expected) + 1))
    assert set(parsed.tables["parameter_value"]["scope"]) == {"gabtab"}
    assert parsed.lines["verdict"].to_list() == [PARSED]


def test_every_line_has_its_verdict() -> None:
    lines = parse(
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
    assert parse(numbered(["gabconfig" + " -c    " * 20_000 + "!"])).lines["verdict"].to_list() == [REJECTED]


line = st.one_of(
    st.sampled_from(["/sbin/gabconfig -c -n2 -j", "gabconfig -cn2", "# x", "", "gabconfig -"]),
    st.text(st.sampled_from("gabconfig -c2n/#"), max_size=20).map("gabconfig".__add__),
    st.binary(max_size=30).map(lambda raw: raw.decode("latin-1").replace("\n", " ")),
)


@given(st.lists(line, max_size=10), st.lists(line, max_size=10))
@settings(max_examples=100, deadline=None)
def test_any_lines_are_accounted_for_file_by_file(first: list[str], second: list[str]) -> None:
    recognise(pl.Series(first, dtype=pl.String()))
    frame = numbered(first, second)
    both, alone = parse(frame), [parse(numbered(first)), parse(numbered([], second))]
    assert both.lines.select("file_id", "line_no").equals(frame.select("file_id", "line_no"))
    assert both.lines.equals(pl.concat([each.lines for each in alone]))
    rows = both.tables["parameter_value"]
    assert rows.schema == pl.Schema(PARAMETER_VALUE.schema)
    assert rows.equals(pl.concat([each.tables["parameter_value"] for each in alone]))
    accepted = both.lines.filter(pl.col("verdict") == PARSED).select("file_id", "line_no")
    assert rows.select("file_id", "line_no").unique(maintain_order=True).equals(accepted)
