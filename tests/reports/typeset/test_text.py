"""Hostile log text is text, no matter what it is printed on."""

import pytest

from reports.typeset import escape
from reports.typeset.text import cells, short_names, shortened, visible, visible_lines, wrapped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("Crash recovery complete", "Crash recovery complete", id="plain"),
        pytest.param("\x1b[31mred", "\\x1b[31mred", id="escape sequence"),
        pytest.param("a\nb\tc", "a\\nb\\tc", id="line end and tab"),
        pytest.param("abc\u202edef", "abc\\u{202e}def", id="direction mark"),
        pytest.param("\u4e2d \u03c1 \U0001f4a9", "\u4e2d \u03c1 \U0001f4a9", id="any script"),
        pytest.param("é ± − — \u00a0µ", "é ± − — \u00a0µ", id="signs"),
        pytest.param("\ue000\U0010ffff", "\\u{e000}\\u{10ffff}", id="no characters"),
        pytest.param(
            "\u0645\u06cc\u200c\u0631\u0648\u062f", "\u0645\u06cc\u200c\u0631\u0648\u062f\u200e", id="joiner in Persian"
        ),
        pytest.param("\U0001f3f3\ufe0f\u200d\U0001f308", "\U0001f3f3\ufe0f\u200d\U0001f308", id="joiner in a picture"),
        pytest.param("\U0001f308\u200db", "\U0001f308\\u{200d}b", id="joiner that joins nothing"),
        pytest.param("a\u200cb", "a\\u{200c}b", id="joiner that hides"),
        pytest.param(
            "o\u0302\u0301 \u05e9\u05c1\u05bc\u05b8\u0597",
            "o\u0302\u0301 \u05e9\u05c1\u05bc\u05b8\u0597\u200e",
            id="marks of a spelling",
        ),
        pytest.param(
            "Z" + 5 * "\u0301" + "\u0308\u0323\u0e49 a",
            "Z" + 5 * "\u0301" + "\u2026 a",
            id="stack of marks",
        ),
        pytest.param("\u05d0\u05d1 \u05d2: 3 of 10", "\u05d0\u05d1 \u05d2\u200e: 3 of 10", id="right to left"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_what_is_visible_stays_so() -> None:
    once = visible("\u05d0\u05d1: 3 \u0645\u06cc\u200c\u0631 a\u202e")
    assert visible(once) == once


def test_lines_stay_lines() -> None:
    assert visible_lines("select 1\r\n\tfrom t") == "select 1\n    from t"


def test_ideographs_take_two_cells_and_marks_none() -> None:
    assert cells("db2") == 3
    assert cells("\u30d5\u30a7") == 4
    assert cells("\u0e1b\u0e23\u0e31\u0e1a") == 3


def test_a_long_name_keeps_its_beginning_and_end() -> None:
    assert shortened("abcdefghij", 10) == "abcdefghij"
    assert shortened("abcdefghijk", 10) == "abcde\u2026hijk"


def test_a_name_that_is_cut_keeps_no_mark_without_its_letter() -> None:
    assert shortened("abcdefga\u0301\u0302hij", 8) == "abcd\u2026hij"


def test_names_that_are_cut_stay_different() -> None:
    names = ["a" * 60 + middle + "z" * 60 for middle in ("1", "2", "")]
    short = short_names(names, 30)
    assert len(set(short.values())) == 3
    assert all(cells(each) <= 30 for each in short.values())


def test_names_break_at_punctuation_else_anywhere() -> None:
    assert wrapped("tuned.parameters of-all", 10, 3) == ["tuned.", "parameters", "of-all"]
    assert wrapped("instance pre-started", 14, 3) == ["instance", "pre-started"]
    assert wrapped("x" * 25, 10, 3) == ["x" * 10, "x" * 10, "x" * 5]
    assert [len(line) for line in wrapped("x" * 200, 10, 3)] == [10, 10, 5]


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
