import polars as pl
import pytest

from parsers.syslog.wrapping import string, text_of


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"a": "x"}', "x"),
        ('{"a" : 5}', "5"),
        ('{"a": null}', None),
        ('{"a": ""}', ""),
        ('{"b": "x"}', None),
        ('{"b": "\\"a\\": \\"y\\"", "a": "x"}', "x"),
        ('{"a": ["x"]}', None),
        ("a: x", None),
    ],
)
def test_value_of_a_key(line: str, expected: str | None) -> None:
    assert pl.DataFrame({"line": [line]}).select(string(pl.col("line"), "a")).item() == expected


def test_first_of_several_keys_wins() -> None:
    assert pl.DataFrame({"line": ['{"b": 1, "a": 2}']}).select(string(pl.col("line"), "a", "b")).item() == "1"


def test_escapes_are_decoded_and_broken_ones_give_nothing() -> None:
    lines = ['{"a": "x\\ny \\u00e9"}', '{"a": "plain"}', '{"a": "\\q"}', '{"a": "\\n"', "{}"]
    assert text_of(pl.Series(lines), "a").to_list() == ["x\ny é", "plain", None, None, None]
