import pytest

from parsers.vcs.main_cf_tokens import partners_of, tokens_of


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
