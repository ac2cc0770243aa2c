import polars as pl
import pytest

from parsers.benchmark.workload_mix import parse, recognise
from parsers.format import Recognition
from tests.support.measured import numbered, verdicts


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_counts(separator: str) -> None:
    lines = [separator.join(row) for row in (("sql_type", "count"), ("SELECT", "100"), ("UPDATE", "20"))]
    parsed = parse(numbered(lines))
    assert parsed.tables["statement_count"].select("line_no", "sql_type", "count").rows() == [
        (2, "SELECT", 100),
        (3, "UPDATE", 20),
    ]
    assert verdicts(parsed) == "iPP"


@pytest.mark.parametrize("row", ["DELETE,x", "DELETE", ",5", "DELETE,-1", "DELETE,1.5"])
def test_row_without_a_whole_count_is_rejected(row: str) -> None:
    assert verdicts(parse(numbered(["sql_type,count", row, "# remark"]))) == "iRi"


@pytest.mark.parametrize(
    ("texts", "is_own"),
    [(["sql_type,count"], True), (["type,count"], False), (["sql_type,count,x"], False), ([], False)],
)
def test_recognition(texts: list[str], is_own: bool) -> None:  # noqa: FBT001 - a table of cases
    assert isinstance(recognise(pl.Series(texts, dtype=pl.String)), Recognition) == is_own
