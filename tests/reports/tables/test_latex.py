import re

import pytest

from reports.tables.latex import as_latex
from reports.tables.model import Cell, Column, Table, figures, words
from reports.typeset.paper_styles import PLAIN, STYLES, Style

NUMBER = "1234.5 \u00b1 0.2"


def table(columns: list[Column], *rows: list[str]) -> Table:
    return Table(
        "small", "A caption", tuple(columns), tuple(tuple(Cell(each, (each,)) for each in row) for row in rows)
    )


def tabulars(written: str) -> list[str]:
    return re.findall(r"\\begin\{(?:tabular|longtable)\}\{(@.*@\{\})\}", written)


def test_latex_snapshot() -> None:
    columns = (
        words("Who", "who"),
        figures("Mean", "m", unit="s", spanner="A & B"),
        figures("Max", "x", spanner="A & B"),
    )
    row = (Cell("50% & more_", ("",)), Cell("1.5 \u00b1 0.2", (1.52,)), Cell("\u22122.0", (-2.0,)))
    assert as_latex(Table("small", "A caption", columns, (row,), ("A note.",), "Source: here.")) == (
        "\\begin{table}\n\\caption{A caption}\n\\label{tab:small}\n"
        "\\centering\\fontsize{10}{12}\\selectfont\\setlength{\\tabcolsep}{6pt}\n\\begin{tabular}{@{}lrr@{}}\n"
        "\\toprule\n"
        " & \\multicolumn{2}{c}{A \\& B} \\\\\n\\cmidrule(lr){2-3}\n"
        "Who & \\begin{tabular}[b]{@{}r@{}}Mean \\\\ (s)\\end{tabular} & Max \\\\\n\\midrule\n"
        "50\\% \\& more\\_ & 1.5 $\\pm$ 0.2 & $-$2.0 \\\\\n\\bottomrule\n\\end{tabular}\n"
        "{\\par\\smallskip\\footnotesize\\raggedright A note.\\par}\n"
        "{\\par\\smallskip\\footnotesize\\raggedright Source: here.\\par}\n\\end{table}\n"
    )


def test_words_are_broken_where_a_table_is_too_wide() -> None:
    written = as_latex(table([words("Path", "p"), figures("N", "n")], ["/a-long_path/with.parts" * 8, "1"]))
    (alignment,) = tabulars(written)
    width = re.search(r"p\{([\d.]+)pt\}", alignment)
    assert width
    assert float(width[1]) < PLAIN.line
    assert "/\\allowbreak{}a-" in written


def test_no_line_ends_within_a_number() -> None:
    space = "\u00a0"
    interval = f"(95{space}%{space}CI{space}1,076.55{space}to{space}84.375{space}%)"
    written = as_latex(table([words("Path", "p"), words("Verdict", "v")], ["/a-long_path/with.parts" * 8, interval]))
    assert "\\allowbreak{}1,076.55~\\allowbreak{}to~\\allowbreak{}84.375~\\%)" in written


def test_numbers_too_many_for_a_line_are_split_and_none_is_lost() -> None:
    heads = [words("Who", "who"), *(figures(f"N{i}", f"n{i}") for i in range(20))]
    written = as_latex(table(heads, ["me", *[NUMBER] * 20]))
    assert len(tabulars(written)) > 1
    assert written.count("$\\pm$") == 20
    assert [written.count(f"N{i} ") for i in range(20)] == [1] * 20
    assert written.count("\nme & ") == len(tabulars(written)), "each part names its rows"
    assert "A caption (1 of" in written


def test_long_tables_break_across_pages_and_repeat_their_heading() -> None:
    written = as_latex(table([words("Who", "who")], *[[f"row {i}"] for i in range(50)]))
    assert "\\begin{longtable}" in written
    assert written.count("Who \\\\") == 2


def test_every_character_has_a_form_for_every_engine() -> None:
    written = as_latex(table([words("Who", "who")], ['\u2265 10 \u00b5s "a" 10\u2076 caf\u00e9 \u0105 \u30d5']))
    row = next(line for line in written.splitlines() if "caf" in line)
    assert row == (
        "$\\geq$ 10 $\\mu$s {\\char34}a{\\char34} 10$^6$ caf\u00e9 "
        + " ".join(rf'{{\ifdefined\Uchar \Uchar"{code} \else [U+{code}]\fi}}' for code in ("0105", "30D5"))
        + r" \\"
    )


def test_words_in_other_scripts_are_as_wide_as_their_codes() -> None:
    # 30 letters of 38 points are wider than the line, so that the column is broken; a comment says who prints what
    written = as_latex(table([words("Name", "n"), figures("N", "n")], ["\u05e2\u05d1\u05e8" * 10, "1"]))
    assert tabulars(written)[0].startswith(r"@{}>{\raggedright\arraybackslash}p{")
    assert written.startswith("% Letters that the fonts of pdflatex lack: it prints their codes")


def test_a_table_of_latin_letters_needs_no_such_comment() -> None:
    assert as_latex(table([words("Name", "n"), figures("N", "n")], ["\u00e9t\u00e9", "1"])).startswith("\\begin{table}")


@pytest.mark.parametrize(
    ("style", "letters", "environment"),
    [("ieee", 20, "table"), ("ieee", 70, "table*"), ("acm", 20, "table"), ("acm", 70, "table*"), ("lncs", 70, "table")],
)
def test_a_table_stands_in_one_column_where_it_fits_there(style: str, letters: int, environment: str) -> None:
    written = as_latex(table([words("Name", "n"), figures("N", "n")], ["m" * letters, "1"]), STYLES[Style(style)])
    assert re.findall(r"\\(?:begin|end)\{(table\*?)\}", written) == [environment] * 2


def test_no_table_of_two_columns_breaks_across_pages_and_no_row_is_lost() -> None:
    written = as_latex(table([words("Who", "who")], *[[f"row {i}"] for i in range(150)]), STYLES[Style.ACM])
    assert "longtable" not in written
    assert re.findall(r"^row (\d+) ", written, re.MULTILINE) == [str(i) for i in range(150)]
    assert written.count("Who \\\\") == written.count("\\begin{table}") == 4


@pytest.mark.parametrize(
    ("cells", "column", "written"),
    [
        (["1.5 \u00b1 0.2", "12.0 \u00b1 1.1"], "S[table-format=2.1(2),separate-uncertainty=true]", "12.0 \\pm 1.1"),
        (["1,234", "\u2212 5".replace(" ", "")], "S[table-format=-4.0,group-minimum-digits=4]", "1234"),
        (["1.25", "\u2014"], "S[table-format=1.2,group-minimum-digits=4]", "{---}"),
        (["1.5 \u00b1 0.2", "1.5 \u00b1 < 0.3"], "r", "1.5 $\\pm$ 0.2"),
        (["1.5 \u00b1 0.2", "1234 \u00b1 108"], "r", "1234 $\\pm$ 108"),
    ],
)
def test_numbers_are_aligned_at_their_points_where_all_are_of_one_kind(
    cells: list[str], column: str, written: str
) -> None:
    whole = table([words("Who", "w"), figures("N", "n")], *[["a", each] for each in cells])
    found = as_latex(whole, STYLES[Style.IEEE])
    assert rf"\begin{{tabular}}{{@{{}}l{column}@{{}}}}" in found
    assert f"a & {written} \\\\" in found


def test_a_long_caption_has_a_short_form_in_papers_alone() -> None:
    whole = Table("t", "Times to recovery, mean of ten runs", (words("Who", "w"),), ((Cell("a", ("a",)),),))
    assert r"\caption[{Times to recovery}]{Times to recovery, mean of ten runs}" in as_latex(whole, STYLES[Style.LNCS])
    assert r"\caption{Times to recovery, mean of ten runs}" in as_latex(whole)


def test_each_of_many_parts_has_a_label_of_its_own() -> None:
    written = as_latex(table([words("Who", "who")], *[[f"row {i}"] for i in range(700)]), STYLES[Style.ACM])
    labels = re.findall(r"\\label\{(.*?)\}", written)
    assert len(set(labels)) == len(labels) > 10
