"""Text that came from a log, made harmless for the place it is printed in.

Log text is hostile: it may hold markup, formulas, terminal commands. It is escaped at the edge, after every decoding,
once, by the function named for the place.
"""

import re
from html import escape as _escape_html

# A spreadsheet takes a cell that begins with one of these for a formula (CWE-1236).
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\0")

LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",  # \textquotedbl needs an encoding that not every paper uses
    "\u2212": r"$-$",
    "\u00b1": r"$\pm$",
    "\u00d7": r"$\times$",
    "\u2009": r"\,",
    "\u202f": r"\,",
    "\u00a0": "~",
}

# Characters that LaTeX's fonts draw as one: -- a dash, '' a closing quote, ?` an upside-down question mark, ...
LIGATURE = re.compile(r"(?<=[-'`?!,])(?=[-'`,])")

MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+!|~$&-])")

NUMBERED = re.compile(r"^([0-9]+)\.")  # which begins a list
TYPST = re.compile(r"([\\#*_`$<>@=~\[\]/'\"+-])")

# Controls but line feed, bidirectional and zero-width marks, surrogates, byte order mark.
UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)


def visible(text: str) -> str:
    r"""Write characters that cannot be seen, or that drive a terminal, as escapes such as \x1b."""
    return UNSEEN.sub(lambda found: _as_escape(ord(found.group())), text)


def _as_escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def html(text: str) -> str:
    """Escape for an HTML or SVG text node or attribute value."""
    return _escape_html(visible(text), quote=True)


def latex(text: str) -> str:
    """Escape for LaTeX running text; a line feed becomes a blank."""
    literal = "".join(LATEX.get(character, character) for character in visible(text).replace("\n", " "))
    return LIGATURE.sub("{}", literal)


def markdown(text: str) -> str:
    """Escape for a cell of a Markdown table."""
    return MARKDOWN.sub(r"\\\1", visible(text).replace("\n", " "))


def typst(text: str) -> str:
    """Escape for a block of content in Typst; a line feed becomes a blank."""
    return NUMBERED.sub(r"\1\.", TYPST.sub(r"\\\1", visible(text).replace("\n", " ")))


def csv_text(text: str) -> str:
    """Guard a text cell that a spreadsheet would run as a formula; numbers are never given to this function."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
