"""Hostile log text is text, no matter what it is printed on."""

import pytest

from reports.typeset import escape

HOSTILE = [
    "<script>alert(1)</script>",
    "</td><img src=x onerror=alert(1)>",
    "=cmd|' /C calc'!A0",
    "@SUM(A1)",
    "\x1b]0;owned\x07",
    "\u202egnp.exe",
    r"\input{/etc/passwd}",
    "${7*7}",
    "{{7*7}}",
    "[click](javascript:alert(1))",
    "a|b",
    "$x_1$ & 50 % #1 ~^",
    "\ud800",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_unseen_survives(text: str) -> None:
    assert not escape.UNSEEN.search(escape.visible(text))
    escape.visible(text).encode("utf-8")


@pytest.mark.parametrize("text", HOSTILE)
def test_html_holds_no_markup(text: str) -> None:
    assert not set("<>\"'") & set(escape.html(text).replace("&#x27;", ""))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("50 %", r"50 \%"),
        ("a_b & c", r"a\_b \& c"),
        ("two\nlines", "two lines"),
        ("4.5 ± 0.2", r"4.5 $\pm$ 0.2"),
    ],
)
def test_latex(text: str, expected: str) -> None:
    assert escape.latex(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("a|b", r"a\|b"), ("[x](y)", r"\[x\]\(y\)"), ("*b*", r"\*b\*"), ("plain", "plain")]
)
def test_markdown(text: str, expected: str) -> None:
    assert escape.markdown(text) == expected


@pytest.mark.parametrize("start", escape.FORMULA_STARTS)
def test_formula_is_guarded(start: str) -> None:
    assert escape.csv_text(f"{start}1+1") == f"'{start}1+1"


def test_ordinary_text_is_left_alone() -> None:
    assert escape.csv_text("Resource db2shark is online") == "Resource db2shark is online"
