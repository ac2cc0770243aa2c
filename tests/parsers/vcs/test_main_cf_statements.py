"""Statements one by one; what becomes of whole files is in test_main_cf.py."""

import pytest

from parsers.format import Verdict
from parsers.vcs.main_cf_statements import statements_of


def test_each_statement_is_a_row_of_its_first_line() -> None:
    found = statements_of(["group g (", "  SystemList = {", "    a = 0 }", "  )", "IP ip (", "  )", "ip requires nic"])
    assert [(table, row["line"]) for table, row in found.rows] == [
        ("cluster_group", 0),
        ("cluster_attribute", 1),
        ("cluster_resource", 4),
        ("cluster_dependency", 6),
    ]
    assert found.rows[0][1]["systems"] == "{ a = 0 }"
    parsed, continued = Verdict.PARSED, Verdict.CONTINUATION
    assert [found.verdicts[line][0] for line in range(7)] == [
        parsed,
        parsed,
        continued,
        continued,
        parsed,
        continued,
        parsed,
    ]


@pytest.mark.parametrize(
    ("texts", "line", "reason"),
    [
        pytest.param(["nonsense"], 0, "begins no statement of main.cf", id="no statement"),
        pytest.param([")"], 0, "`)` closes no block", id="nothing to close"),
        pytest.param(["system a (", "x ="], 1, "an attribute without a value", id="no value"),
        pytest.param(["system a (", "x = { b"], 1, "`{` is never closed", id="open map"),
        pytest.param(["a requires b c"], 0, "not `PARENT requires CHILD`", id="too many words"),
    ],
)
def test_damage_is_reported_on_its_line(texts: list[str], line: int, reason: str) -> None:
    assert statements_of(texts).verdicts[line] == (Verdict.REJECTED, reason)
