"""Text of strangers as the pages of a report show it.

What a reader could not see (control characters, direction marks, invisible spaces) is written out as a code, and so is
what the embedded fonts cannot draw, so that no other font ever steps in. Escaping: `reports.typeset.escape`.
"""

import hashlib
import re
import unicodedata
from functools import lru_cache

from reports.typeset.fonts import drawable

# Cc control, Cf format (direction marks, zero width), Cs surrogate, Co private, Cn unassigned, Zl and Zp separators
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: str) -> str:
    """The text with everything written out that cannot be seen or drawn; line ends are among it."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_seen, text))


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
    code = ord(character)
    is_seen = unicodedata.category(character) not in UNSEEN
    if is_seen and code in drawable():
        return character
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character)
    return named or (f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:04x}}}")
