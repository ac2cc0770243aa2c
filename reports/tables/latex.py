"""A table as LaTeX that fits the line of a paper: booktabs, longtable and array, under pdflatex, lualatex and xelatex.

Widths are estimated by those of Computer Modern: at 10 points where the table fits, else smaller, else with its
words broken in columns of fixed width, else as several tables that repeat the columns which name the row. A paper of
two columns has a table in one of them where it fits there, else across both; no table of it breaks across pages.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from math import ceil
from typing import Final

from reports.tables.model import Cell, Column, Table
from reports.typeset import escape
from reports.typeset.formats import ampersands
from reports.typeset.paper_styles import PLAIN, PaperStyle

AT_EASE: Final = 4.0  # points that an estimate may be short of


@dataclass(frozen=True, slots=True)
class _Size:
    """Letters and lines in points, width of a text to that at 10 points, points between two columns."""

    letters: int
    lines: float
    share: float
    gap: float


SIZES: Final = (_Size(10, 12, 1.0, 12.0), _Size(9, 11, 0.92, 10.0), _Size(8, 9.5, 0.84, 8.0), _Size(7, 8, 0.76, 6.0))
"""Given as numbers: a size by name would be larger, and too wide, in a paper set in 11 or 12 points."""

BROKEN: Final = 8
"""Letters in points from which on words are broken; smaller only where numbers alone need it."""

SPANNER: Final = 12  # letters of a spanner that stay on one line
MOST_FLOATING: Final = 30
"""Lines of the longest table that floats, as estimated; a longer one may break across pages."""

MOST_LINES: Final = 45
"""Lines on a page of a paper whose tables all float; a longer table is several."""

MOST_WAITING: Final = 10
FLUSH: Final = "\\clearpage\n"
"""LaTeX keeps no more than 18 floats that wait for a page."""

PLAIN_NUMBER: Final = re.compile(
    r"([-\u2212]?[0-9][0-9,\u202f\u2009\u00a0]*)(\.[0-9]+)?(?: \u00b1 ([0-9]+)(\.[0-9]+)?)?"
)
"""A number with its spread, as siunitx takes it."""

WIDTHS: Final = (
    ("il.,:;'!|", 2.9), ("fjtrsI()[]- ", 3.95), ("acegoz0123456789/?vxyk", 5.3), ('bdhnpqu"*', 5.6),
    ("FLSJEPTZ", 6.9), ("ABCDGHKNOQRUVXYw+=<>~\u2212\u00b1\u00d7", 7.8), ("mM%", 9.2), ("W\u2014@", 10.4), ("_", 5.0),
)  # fmt: skip
"""Points of characters at 10 pt, those alike together."""

WIDTH: Final = {character: width for characters, width in WIDTHS for character in characters}
OTHER_WIDTH: Final = 8.0
SIGN_WIDTH: Final = 10.5
CODE_WIDTH: Final = 38.0  # of a letter that pdflatex has no font for
LONGEST_CODE: Final = 50.0  # with what is before and behind all codes of a word; a line may end between two of them
# a number stays whole, with its %
BREAKS: Final = re.compile(r"(?<=[-_./:,;=@\u00a0])(?!(?<=[0-9][.,])[0-9])(?=[^\s%])")
LONGEST_PIECE: Final = 14
MOST_MEASURED: Final = 16_384
"""Texts whose width is remembered: a table is tried in several sizes, and cells repeat each other."""

GROUPS: Final = re.compile(r"[,\u202f\u2009\u00a0]")
SIGNS: Final = "-\u2212"
BLANKS: Final = frozenset({"", "\u2014", "\u2013", "-"})
SHORT_END: Final = re.compile(r"[,:;.] | \(| with ")

MATH: Final = {
    "\u2264": r"$\leq$", "\u2265": r"$\geq$", "\u2260": r"$\neq$", "\u2248": r"$\approx$", "\u2192": r"$\rightarrow$",
    "\u00b5": r"$\mu$", "\u03bc": r"$\mu$", "\u221e": r"$\infty$", "\u00b7": r"$\cdot$",
    "\u2070": "$^0$", "\u00b9": "$^1$", "\u00b2": "$^2$", "\u00b3": "$^3$", "\u2074": "$^4$", "\u2075": "$^5$",
    "\u2076": "$^6$", "\u2077": "$^7$", "\u2078": "$^8$", "\u2079": "$^9$", "\u207b": "$^-$",
    "\u2020": r"$\dagger$",
    "\u2021": r"$\ddagger$", "\u2713": r"$\surd$", "\u25cf": r"$\bullet$", "\u2022": r"$\bullet$", "\u25cb": r"$\circ$",
    "\u2014": "---", "\u2013": "--", "\u2026": r"\ldots{}", "\u201c": "``", "\u201d": "''", "\u2018": "`",
    "\u2019": "'",
    "\u00b0": r"$^\circ$", "\u00a7": r"\S{}", "\u2715": r"$\times$", "\u2717": r"$\times$", "\u25c6": r"$\diamond$",
}  # fmt: skip
"""Signs that the fonts of pdflatex have in formulas alone."""

ACCENTS: Final = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327")
LATIN: Final = frozenset("\u00df\u00e6\u00c6\u00f8\u00d8\u0153\u0152\u0142\u0141\u0131\u00a1\u00bf\u00a3")
"""Letters without an accent that every encoding of LaTeX has."""


ON_OTHER_SCRIPTS: Final = """\
% Letters that the fonts of pdflatex lack: it prints their codes, as [U+65E5].
% lualatex and xelatex print them in the font of your document, and nothing where that lacks them: choose one
% that has them, such as \\usepackage{fontspec} \\setmainfont{Noto Serif CJK JP}.
"""


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a table is set: size, points of each column (None: as wide as its text), points of the line that it fits."""

    size: _Size
    widths: tuple[float | None, ...]
    line: float


def as_latex(table: Table, style: PaperStyle = PLAIN) -> str:
    """The table, or its parts where its numbers alone are wider than the line or its rows too many for a page."""
    parts = [each for part in _parts(table, style) for each in _pages(part, style)]
    written = "\n".join(
        (FLUSH if number % MOST_WAITING == 0 else "") + _written(part, table, style, number, len(parts))
        for number, part in enumerate(parts, 1)
    )
    return f"{ON_OTHER_SCRIPTS}{written}" if r"\Uchar" in written else written


@lru_cache(MOST_MEASURED)
def text(words: str) -> str:
    """Words for running text: signs as formulas, other scripts as the fonts of lualatex and xelatex have them."""
    known = "".join(MATH.get(each, each) for each in escape.latex(words))
    runs = ((is_known, "".join(run)) for is_known, run in groupby(known, _is_latin))
    return "".join(run if is_known else _foreign(run) for is_known, run in runs)


def _is_latin(character: str) -> bool:
    """Whether the first encoding of LaTeX, OT1, has a character or puts it together."""
    if character.isascii() or character in LATIN:
        return True
    parts = unicodedata.normalize("NFD", character)
    return len(parts) == 2 and parts[0].isascii() and parts[1] in ACCENTS


def _foreign(letters: str) -> str:
    """Letters that pdflatex has no font for: it prints their codes."""
    glyphs = "".join(f'\\Uchar"{ord(each):04X} ' for each in letters)
    codes = " ".join(f"U+{ord(each):04X}" for each in letters)
    return rf"{{\ifdefined\Uchar {glyphs}\else [{codes}]\fi}}"


def _written(part: Table, whole: Table, style: PaperStyle, number: int, count: int) -> str:
    layout = _layout(part, style) or _Layout(SIZES[-1], _shared(part, SIZES[-1], style.line), style.line)
    formats = [_number_format(part, i) if style.is_scientific else "" for i in range(len(part.columns))]
    alignment = "@{}" + "".join(map(_alignment, part.columns, layout.widths, formats)) + "@{}"
    mark, suffix = (f" ({number} of {count})", f"-{number}") if count > 1 else ("", "")
    caption = rf"\caption{_short(part.caption, style)}{{{text(part.caption)}{mark}}}"
    label = rf"\label{{tab:{label_of(part.name)}{suffix}}}"
    notes = [note for note in (*whole.notes, whole.source) if note] if number == count else []
    heads = [rf"{{{head}}}" if form else head for head, form in zip(_heads(part, layout), formats, strict=True)]
    heading = "\n".join([r"\toprule", *_spanners(part), ampersands(heads), r"\midrule"])
    rows = [ampersands(map(_cell, (cell.text for cell in row), layout.widths, formats)) for row in part.rows]
    size = (
        rf"\fontsize{{{layout.size.letters}}}{{{layout.size.lines:g}}}\selectfont"
        rf"\setlength{{\tabcolsep}}{{{layout.size.gap / 2:g}pt}}"
    )
    footnotes = [rf"{{\par\smallskip\footnotesize\raggedright {text(note)}\par}}" for note in notes]
    if style.column is None and sum(_row_lines(row, layout) for row in part.rows) > MOST_FLOATING:
        again = rf"\multicolumn{{{len(part.columns)}}}{{@{{}}l@{{}}}}{{\tablename~\thetable, continued}} \\"
        lines = [
            rf"\begingroup{size}",
            rf"\begin{{longtable}}{{{alignment}}}",
            rf"{caption}{label}\\",
            rf"{heading}",
            r"\endfirsthead",
            again,
            heading,
            r"\endhead",
            r"\bottomrule",
            r"\endfoot",
            *rows,
            r"\end{longtable}",
            *footnotes,
            r"\endgroup",
        ]
        return "\n".join(lines) + "\n"
    floating = "table*" if style.column is not None and layout.line > style.column else "table"
    lines = [
        rf"\begin{{{floating}}}",
        caption,
        label,
        rf"\centering{size}",
        rf"\begin{{tabular}}{{{alignment}}}",
        heading,
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        *footnotes,
        rf"\end{{{floating}}}",
    ]
    return "\n".join(lines) + "\n"


def _short(caption: str, style: PaperStyle) -> str:
    return short_caption(caption) if style is not PLAIN else ""


def short_caption(caption: str) -> str:
    """The optional argument of a caption, for lists: what is before its first comma, colon or so; empty if all is."""
    first = SHORT_END.split(caption, maxsplit=1)[0]
    return rf"[{{{text(first)}}}]" if first != caption else ""


def _pages(part: Table, style: PaperStyle) -> Iterator[Table]:
    """The table, or as many as its rows need where none of them may break across pages."""
    if style.column is None:
        yield part
        return
    layout = _layout(part, style)
    taken: list[tuple[Cell, ...]] = []
    lines = 0
    for row in part.rows:
        needed = _row_lines(row, layout)
        if taken and lines + needed > MOST_LINES:
            yield replace(part, rows=tuple(taken))
            taken, lines = [], 0
        taken.append(row)
        lines += needed
    yield replace(part, rows=tuple(taken))


def _row_lines(row: Sequence[Cell], layout: _Layout | None) -> int:
    """Lines that a row takes, where words are broken in columns of fixed width."""
    if layout is None:
        return 1
    share = 1.1 * layout.size.share  # lines end before they are full
    found = (ceil(share * _width(cell.text) / width) for cell, width in zip(row, layout.widths, strict=True) if width)
    return max((1, *found))


def _parts(table: Table, style: PaperStyle) -> Iterator[Table]:
    """The table, or its columns shared out among several tables, spanners unbroken where they fit."""
    if _layout(table, style) is not None or len(table.columns) <= table.row_heads + 1:
        yield table
        return
    heads = list(range(table.row_heads))
    groups = [
        list(group)
        for _, group in groupby(range(table.row_heads, len(table.columns)), lambda i: table.columns[i].spanner or i)
    ]
    taken: list[int] = []
    for group in groups:
        if taken and _layout(_with_columns(table, [*heads, *taken, *group]), style) is None:
            yield from _split(table, heads, taken, style)
            taken = []
        taken += group
    yield from _split(table, heads, taken, style)


def _split(table: Table, heads: Sequence[int], places: Sequence[int], style: PaperStyle) -> Iterator[Table]:
    """These columns in one table, or in as many as they need."""
    taken: list[int] = []
    for place in places:
        if taken and _layout(_with_columns(table, [*heads, *taken, place]), style) is None:
            yield _with_columns(table, [*heads, *taken])
            taken = []
        taken.append(place)
    yield _with_columns(table, [*heads, *taken])


def _with_columns(table: Table, places: Sequence[int]) -> Table:
    rows = tuple(tuple(row[i] for i in places) for row in table.rows)
    return replace(table, columns=tuple(table.columns[i] for i in places), rows=rows)


def _layout(table: Table, style: PaperStyle) -> _Layout | None:
    """The narrowest and largest setting in which the table fits; none if it does not at all."""
    sizes = [size for size in SIZES if size.letters <= style.largest]
    lines = [style.line] if style.column is None else [style.column, style.line]
    for line in lines:
        for size in sizes:
            if size.letters >= BROKEN and sum(_natural(table, size)) + _gaps(table, size) <= line - AT_EASE:
                return _Layout(size, (None,) * len(table.columns), line)
    for size in sizes:
        if size.letters <= BROKEN and sum(_least(table, size)) + _gaps(table, size) <= style.line - AT_EASE:
            return _Layout(size, _shared(table, size, style.line), style.line)
    return None


def _shared(table: Table, size: _Size, line: float) -> tuple[float | None, ...]:
    """Widths of the columns of words: each its least, and of the rest a share by what it would take."""
    natural, least = _natural(table, size), _least(table, size)
    room = line - AT_EASE - _gaps(table, size) - sum(least)
    wanted = sum(wide - low for wide, low in zip(natural, least, strict=True))
    share = min(room / wanted, 1.0) if wanted > 0 else 0.0
    return tuple(
        None if column.is_number else round(max(low + (wide - low) * share, 8.0), 1)
        for column, wide, low in zip(table.columns, natural, least, strict=True)
    )


def _gaps(table: Table, size: _Size) -> float:
    return size.gap * (len(table.columns) - 1)


def _natural(table: Table, size: _Size) -> list[float]:
    """Points that each column takes unbroken; the heading of numbers may be on several lines."""
    found = [
        max([_head_width(column, size), *(_width(row[place].text) * size.share for row in table.rows)])
        for place, column in enumerate(table.columns)
    ]
    return _below_spanners(table, found, size)


def _least(table: Table, size: _Size) -> list[float]:
    """The same where words are broken and numbers are not."""
    found = []
    for place, column in enumerate(table.columns):
        texts = [row[place].text for row in table.rows]
        pieces = texts if column.is_number else [piece for each in texts for piece in _pieces(each)]
        width = _width if column.is_number else _unbroken_width
        found.append(max([_head_width(column, size), *(width(each) * size.share for each in pieces)]))
    return _below_spanners(table, found, size)


def _below_spanners(table: Table, widths: Sequence[float], size: _Size) -> list[float]:
    """The widths, enlarged where a spanner needs more than its columns."""
    found = list(widths)
    first = 0
    for spanner in table.spanners:
        places = range(first, first + spanner.width)
        wanted = max(map(_width, _lines(spanner.label, least=SPANNER))) * size.share + size.gap / 2
        lacking = wanted - sum(found[i] for i in places) - size.gap * (spanner.width - 1)
        for i in places:
            found[i] += max(lacking, 0.0) / spanner.width if spanner.label else 0.0
        first += spanner.width
    return found


def _head_width(column: Column, size: _Size) -> float:
    return max(map(_width, _head_lines(column))) * size.share


def _head_lines(column: Column) -> list[str]:
    """The heading, a word a line: a column of short numbers is no wider for its name."""
    return _lines(column.label, *([f"({column.unit})"] if column.unit else []))


def _lines(label: str, *more: str, least: int = 0) -> list[str]:
    """Words on lines no longer than the longest of them, or than `least`."""
    words = [*label.split(" "), *more]
    lines = [words[0]]
    widest = max(least, *map(len, words))
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= widest:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _stacked(lines: Sequence[str], side: str) -> str:
    if len(lines) == 1:
        return text(lines[0])
    inside = r" \\ ".join(map(text, lines))
    return rf"\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{inside}\end{{tabular}}"


def _heads(table: Table, layout: _Layout) -> list[str]:
    return [
        _stacked(_head_lines(column), "r" if column.is_number else "l") if width is None else text(column.heading)
        for column, width in zip(table.columns, layout.widths, strict=True)
    ]


@lru_cache(MOST_MEASURED)
def _width(words: str) -> float:
    """Points of a text at 10 pt."""
    return sum(map(_letter_width, words))


def _letter_width(letter: str) -> float:
    if letter in WIDTH:
        return WIDTH[letter]
    if letter not in MATH and not _is_latin(letter):
        return CODE_WIDTH
    return OTHER_WIDTH if ord(letter) < 0x2100 else SIGN_WIDTH


@lru_cache(MOST_MEASURED)
def _unbroken_width(words: str) -> float:
    """The same of what no line ends in, where lines end between codes."""
    widths = [_letter_width(each) for each in words]
    return sum(each for each in widths if each < CODE_WIDTH) + (LONGEST_CODE if CODE_WIDTH in widths else 0.0)


@lru_cache(MOST_MEASURED)
def _pieces(words: str) -> Sequence[str]:
    """What stays on one line: words, of long ones what is between signs, of longer ones a few letters."""
    found = []
    for word in words.split(" "):
        for piece in BREAKS.split(word):
            found += [piece[i : i + LONGEST_PIECE] for i in range(0, len(piece), LONGEST_PIECE)] or [""]
    return found or [""]


def _cell(words: str, width: float | None, number_format: str = "") -> str:
    """A cell; in a column of fixed width a long word may end a line after a sign."""
    if number_format:
        whole = PLAIN_NUMBER.fullmatch(words)
        return (
            GROUPS.sub("", words).replace("\u2212", "-").replace("\u00b1", r"\pm") if whole else rf"{{{text(words)}}}"
        )
    if width is None:
        return text(words)
    return " ".join(r"\allowbreak{}".join(map(text, _pieces(word))) for word in words.split(" "))


def _number_format(table: Table, place: int) -> str:
    """The column of siunitx for these numbers, aligned at their points; empty where they are not all of one kind."""
    if not table.columns[place].is_number:
        return ""
    texts = [row[place].text for row in table.rows if row[place].text not in BLANKS]
    found = [PLAIN_NUMBER.fullmatch(each) for each in texts]
    numbers = [each for each in found if each is not None]
    if not numbers or len(numbers) < len(texts):
        return ""
    wholes = [GROUPS.sub("", each[1]) for each in numbers]
    sign = "-" if any(not each[0].isdigit() for each in wholes) else ""
    whole = f"{sign}{max(len(each.lstrip(SIGNS)) for each in wholes)}"
    decimals = max(len(each[2] or ".") - 1 for each in numbers)
    spreads = [each for each in numbers if each[3]]
    if not spreads:
        return rf"S[table-format={whole}.{decimals},group-minimum-digits=4]"
    if len(spreads) < len(numbers) or {len(each[i] or ".") - 1 for each in spreads for i in (2, 4)} != {decimals}:
        return ""  # siunitx would print digits that are not ours, or lack room for them
    digits = max(len((each[3] + (each[4] or ".")[1:]).lstrip("0")) for each in spreads)
    return rf"S[table-format={whole}.{decimals}({max(digits, 1)}),separate-uncertainty=true]"


def _alignment(column: Column, width: float | None, number_format: str = "") -> str:
    if number_format:
        return number_format
    if width is not None:
        return rf">{{\raggedright\arraybackslash}}p{{{width:g}pt}}"
    return "r" if column.is_number else "l"


def _spanners(table: Table) -> list[str]:
    if not table.has_spanners:
        return []
    cells, rules, first = [], [], 1
    for spanner in table.spanners:
        last = first + spanner.width - 1
        if spanner.label:
            cells.append(
                rf"\multicolumn{{{spanner.width}}}{{c}}{{{_stacked(_lines(spanner.label, least=SPANNER), 'c')}}}"
            )
            rules.append(rf"\cmidrule(lr){{{first}-{last}}}")
        else:
            cells.extend([""] * spanner.width)
        first = last + 1
    return [ampersands(cells), "".join(rules)]


def label_of(name: str) -> str:
    """A name as the label of a table or figure, and as the name of its file in LaTeX."""
    return "".join(
        character if character.isascii() and (character.isalnum() or character in "-.") else "-" for character in name
    )
