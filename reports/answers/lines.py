"""Lines for a terminal or a file: labels with folded texts, quotations, tables.

A line is made of spans with a style each: whoever shows it decides whether styles become colours.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

Style = Literal["", "title", "good", "bad", "doubtful", "quiet"]

GRADE_STYLES: Final[dict[str, Style]] = {"grave": "bad", "warning": "doubtful", "": ""}
"""By how grave a message is (`pipeline.severity`)."""

LABEL = 15
MAX_LISTED = 6


@dataclass(frozen=True, slots=True)
class Span:
    """Some text in a style."""

    text: str
    style: Style = ""


Line = tuple[Span, ...]


def item(label: str, text: str, width: int, style: Style = "", *, hanging: int = 0) -> Iterator[Line]:
    """A label with its text, folded below itself."""
    first, *rest = wrapped(text, width - LABEL - 2, hanging)
    yield (Span(f"  {label:{LABEL}}", "quiet"), Span(first, style))
    yield from (indented(more, style) for more in rest)


def indented(text: str, style: Style = "") -> Line:
    """A text below that of a label."""
    return (Span(" " * (LABEL + 2)), Span(text, style))


def quoted(line_no: int | None, text: str, width: int) -> Line:
    """A line of the file, cut to the width."""
    shown = f"{line_no}: {text.expandtabs(1).rstrip()}" if line_no else text
    return indented(f"  {shortened(shown, max(20, width - LABEL - 4))}", "quiet")


def shortened(text: str, width: int) -> str:
    """A text cut to a width."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def wrapped(text: str, width: int, hanging: int = 0) -> list[str]:
    """A text folded between words."""
    folded = textwrap.wrap(
        text,
        max(20, width),
        subsequent_indent=" " * hanging,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
        drop_whitespace=True,
    )
    return folded or [""]


def table(head: Sequence[str], rows: Sequence[Sequence[str]], alignment: str, width: int) -> Iterator[Line]:
    """Rows under a head; the last column is folded."""
    sizes = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    before = 2 + sum(sizes[:-1]) + 2 * (len(sizes) - 1)
    sizes[-1] = min(sizes[-1], max(20, width - before))
    for number, row in enumerate([head, *rows]):
        last, *more = wrapped(row[-1], sizes[-1])
        cells = [f"{cell:{side}{size}}" for cell, side, size in zip((*row[:-1], last), alignment, sizes, strict=True)]
        yield (Span(f"  {'  '.join(cells)}".rstrip(), "quiet" if number == 0 else ""),)
        yield from ((Span(" " * before + text),) for text in more)


def listed(names: Sequence[str], most: int = MAX_LISTED) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def counted(count: int, noun: str) -> str:
    """A number with its noun, as in `2 files`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
