import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, Recognition, Verdict
from parsers.vcs.llthosts import FORMAT, recognise

PARSED, CONTINUATION, IGNORED, BLANK, REJECTED = Verdict


def test_ids_and_names_are_parameters() -> None:
    texts = ["# nodes", "0 sun-ha3", " 1  b.example.com # second", "", "junk"]
    lines = pl.DataFrame([(7, line_no, text) for line_no, text in enumerate(texts, 1)], LINE_SCHEMA, orient="row")
    parsed = FORMAT.parse(lines)
    values = parsed.tables["parameter_value"]
    assert values.select("line_no", "scope", "name", "value").rows() == [
        (2, "llthosts", "0", "sun-ha3"),
        (3, "llthosts", "1", "b.example.com"),
    ]
    assert parsed.lines["verdict"].to_list() == [IGNORED, PARSED, PARSED, BLANK, REJECTED]
    assert parsed.lines["reason"].to_list() == ["comment", None, None, None, "not a node id and a host name"]


@pytest.mark.parametrize("texts", [["0 sun-ha3", "1 sun-ha4"], ["# x", "", "3 a"]])
def test_own_files_are_recognised_without_certainty(texts: list[str]) -> None:
    found = recognise(pl.Series(texts))
    assert isinstance(found, Recognition)
    assert found.confidence < 0.9


@pytest.mark.parametrize("texts", [[], [""], ["0 a", "0 b"], ["64 a"], ["0 a", "1 a b"], ["10.0.0.1 a"], ["0 1"]])
def test_other_files_are_refused(texts: list[str]) -> None:
    assert not isinstance(recognise(pl.Series(texts, dtype=pl.String())), Recognition)
