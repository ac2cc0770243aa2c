"""Parts of main.cf: tokens, statements, secrets."""

import pytest

from parsers.format import Verdict
from parsers.vcs.main_cf_secrets import shown
from parsers.vcs.main_cf_statements import statements_of
from parsers.vcs.main_cf_tokens import partners_of, tokens_of


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        pytest.param("MountPoint", '"/data"', ("/data", False), id="a string without its quotes"),
        pytest.param("SystemList", "{ a =0,b=1}", ("{ a = 0, b = 1 }", False), id="a map, blanks normalised"),
        pytest.param("Address", "admin @ example.com", ("admin@example.com", False), id="an address"),
        pytest.param("DBPassword", "tiger", ("********", True), id="by the attribute's name"),
        pytest.param("Options", '"user=a password=tiger"', ("user=a password=********", True), id="by its own text"),
        pytest.param("UserNames", '{ admin = "cDRp" }', ("{ admin = ******** }", True), id="hashes of users"),
        pytest.param("UserNames", "{ cDRp }", ("{ ******** }", True), id="a hash whose user was lost"),
        pytest.param(
            "Args", "{ secret = x, size = 2 }", ("{ secret = ********, size = 2 }", True), id="a key of a map"
        ),
    ],
)
def test_secrets_are_masked_and_other_values_are_not(name: str, value: str, expected: tuple[str, bool]) -> None:
    assert shown(name, list(tokens_of([value]))) == expected


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


def line_verdicts(*texts: str) -> list[tuple[str, str, int]]:
    return [(each.kind, each.text, each.line) for each in tokens_of(list(texts))]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(["Mount fs ("], [("word", "Mount", 0), ("word", "fs", 0), ("sign", "(", 0)], id="a head"),
        pytest.param(
            ["a ={x=1}"],
            [
                ("word", "a", 0),
                ("sign", "=", 0),
                ("sign", "{", 0),
                ("word", "x", 0),
                ("sign", "=", 0),
                ("word", "1", 0),
                ("sign", "}", 0),
            ],
            id="signs without blanks",
        ),
        pytest.param([r'"a \" // b" c'], [("string", r'"a \" // b"', 0), ("word", "c", 0)], id="a string holds all"),
        pytest.param(["a // b", "c"], [("word", "a", 0), ("word", "c", 1)], id="comment to the end of the line"),
        pytest.param(["a /* b", "c", "d */ e"], [("word", "a", 0), ("word", "e", 2)], id="comment over lines"),
        pytest.param(
            ["a /* b", "c"],
            [("word", "a", 0), ("damage", "/*", 0), ("word", "b", 0), ("word", "c", 1)],
            id="open comment",
        ),
        pytest.param(['a "b c', "d"], [("word", "a", 0), ("damage", '"', 0), ("word", "d", 1)], id="open string"),
        pytest.param(["# a note", " #b", "c"], [("word", "c", 2)], id="notes"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_lines_are_cut_into_tokens(texts: list[str], expected: list[tuple[str, str, int]]) -> None:
    assert line_verdicts(*texts) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("{ a }", {0: 2}, id="a pair"),
        pytest.param("{ { } }", {0: 3, 1: 2}, id="a pair in a pair"),
        pytest.param("{ ( }", {}, id="a parenthesis shows that one was lost"),
        pytest.param("{ } } {", {0: 1}, id="too many"),
    ],
)
def test_braces_find_their_partners(text: str, expected: dict[int, int]) -> None:
    assert partners_of(list(tokens_of([text]))) == expected
