"""Text of strangers as the pages of a report show it.

What a reader could not see (control characters, direction marks, invisible spaces) is written out as a code. A joiner
stays where spelling needs it, and words written from right to left are kept from reordering what follows them.
Escaping: `reports.typeset.escape`; glyphs: `reports.typeset.further_fonts`.
"""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

# Cc control, Cf format (direction marks, zero width), Cs surrogate, Co private, Cn unassigned, Zl and Zp separators
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

LEFT_TO_RIGHT_MARK = "\u200e"
LETTERS_TO_LEFT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
RIGHT_TO_LEFT = re.compile(rf"{LETTERS_TO_LEFT}(?:[^A-Za-z0-9]*{LETTERS_TO_LEFT})*")
"""Words written from right to left, with what is between them."""
MARKED = re.compile(f"(?<={LETTERS_TO_LEFT}){LEFT_TO_RIGHT_MARK}")
"""The mark where an earlier look at the same text put it."""

JOINER = re.compile(r"([\u0620-\u074a\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])\\u\{(200[cd])\}")
"""A joiner, written out, after a letter of Arabic or after the sign that joins two letters of an Indian script."""
PICTURES = "[\u2600-\u27bf\U0001f1e6-\U0001faff]"
PICTURE_JOINER = re.compile(rf"({PICTURES}\ufe0f?)\\u\{{(200d)\}}(?={PICTURES})")
"""The same between two pictures that are drawn as one: a family, a flag."""

STACKING = (
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
"""Marks of which any number can stand above or below a letter."""
STACK = re.compile(f"(?<={STACKING}{{5}}){STACKING}+")
"""Those after five, more than any spelling has: they would climb over other lines."""

SENTENCE_END = re.compile(r"(?<=\.) ")
PIECES = re.compile(r"[^-_.:/,;\s]*(?:[-_.:/,;]+|\s+|$)")


def visible(text: str) -> str:
    """The text with everything written out that cannot be seen or drawn; line ends are among it."""
    if text.isascii() and text.isprintable():
        return text
    plain = STACK.sub("\u2026", "".join(map(_seen, MARKED.sub("", text))))
    joined = PICTURE_JOINER.sub(_joiner, JOINER.sub(_joiner, plain))
    return RIGHT_TO_LEFT.sub(rf"\g<0>{LEFT_TO_RIGHT_MARK}", joined)


def cells(text: str) -> int:
    """Width of a text in characters of a terminal: ideographs take two, marks above or below none."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def shortened(text: str, most: int) -> str:
    """The text, its middle left out where it is wider than `most` cells: names differ at their beginning and end."""
    if cells(text) <= most:
        return text
    half = (most - 1) // 2
    end = _first(text[::-1], half)[::-1]
    while end and not _cells(end[0]):  # a mark whose letter was left out
        end = end[1:]
    return f"{_first(text, most - 1 - half)}\u2026{end}"


def enumerated(names: Sequence[str]) -> str:
    """`a, b and c`; empty without any."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def sentences_of(text: str) -> list[str]:
    """The sentences of a text: each ends with a full stop before a blank."""
    return SENTENCE_END.split(text)


def short_names(names: Sequence[str], most: int) -> dict[str, str]:
    """Each name as `shortened`, but no two alike: where they would be, the part in which they differ is kept too."""
    short = {name: shortened(name, most) for name in names}
    for alike in (found for each in set(short.values()) if len(found := [n for n in short if short[n] == each]) > 1):
        common = next(i for i, found in enumerate(zip(*alike, strict=False)) if len(set(found)) > 1)
        part = most // 3
        for place, name in enumerate(alike, 1):
            own = f"{_first(name, part)}\u2026{shortened(name[max(common - 2, part) :], most - part - 1)}"
            short[name] = own if own not in short.values() else f"{shortened(name, most - 5)} ({place})"
    return short


def wrapped(text: str, width: int, most_lines: int) -> list[str]:
    """The text on lines of at most `width` cells, broken at blanks, or after punctuation, or anywhere; shortened."""
    found = _of_words(text, width)
    if found and len(found) <= most_lines:
        return found
    found = [""]
    for piece in _pieces(shortened(text, width * most_lines - width // 2) if cells(text) > width else text, width):
        if found[-1] and cells((found[-1] + piece).rstrip()) > width:
            found.append("")
        found[-1] += piece
    return [line.strip() for line in found]


def _of_words(text: str, width: int) -> list[str]:
    """The text on lines, no word broken; nothing where a word is too long."""
    found = [""]
    for word in text.split():
        if cells(word) > width:
            return []
        longer = f"{found[-1]} {word}".lstrip()
        if cells(longer) > width:
            found.append(word)
        else:
            found[-1] = longer
    return found


def _pieces(text: str, width: int) -> list[str]:
    found = []
    for piece in filter(None, PIECES.findall(text)):
        while cells(piece.rstrip()) > width:
            head = _first(piece, width)
            found.append(head)
            piece = piece[len(head) :]  # noqa: PLW2901  the rest of the same piece
        found.append(piece)
    return found


def _first(text: str, most: int) -> str:
    taken = ""
    for character in text:
        if cells(taken + character) > most:
            break
        taken += character
    return taken


@lru_cache(maxsize=4096)
def _cells(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def visible_lines(text: str) -> str:
    """The same for text of several lines: line ends stay, a tab becomes four blanks."""
    return "\n".join(visible(line.replace("\t", "    ")) for line in re.split(r"\r?\n", text))


def slug(name: str) -> str:
    """A name as file names have it: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def file_name(name: str) -> str:
    """A name of the study as a file name that stays in its folder."""
    plain = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip(".") or "table"
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


@lru_cache(maxsize=4096)
def _seen(character: str) -> str:
    if unicodedata.category(character) not in UNSEEN:
        return character
    code = ord(character)
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character)
    return named or (f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:04x}}}")


def _joiner(found: re.Match[str]) -> str:
    """A joiner or its opposite as itself after a letter of a script that is written with it."""
    return f"{found[1]}{chr(int(found[2], 16))}"
