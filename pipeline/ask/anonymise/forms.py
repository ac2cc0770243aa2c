"""The forms in which one text may stand in a log: quoted, escaped, in an address, base64 and hexadecimal."""

import html
import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import quote, quote_plus, unquote

LEAST_ENCODED: Final = 5
"""Characters: fewer would be found in any base64."""

ENCODED: Final = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
HEX: Final = re.compile(r"(?:[0-9A-Fa-f]{2}){5,}")
DUMP: Final = re.compile(
    r"(?<![\w.:-])(?:[0-9A-Fa-f]{2}){1,8}(?:([ :-])(?:[0-9A-Fa-f]{2}){1,8})(?:\1(?:[0-9A-Fa-f]{2}){1,8})+(?![\w.])"
)
"""Bytes in hexadecimal with something between them, as DB2 and `od` print them."""

ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]{2}|\\u00[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}|&#\w{2,5};")
BETWEEN: Final = re.compile(r"([\s\"'<>]+)")


def written_forms(text: str) -> frozenset[str]:
    """A text as it is, and escaped for JSON, XML, SQL, shells and addresses."""
    escaped = json.dumps(text)[1:-1]
    quoted = {quote(text, safe=""), quote(text), quote_plus(text)}
    return frozenset(
        {text, escaped, json.dumps(escaped)[1:-1], html.escape(text), text.replace("'", "''")}
        | {re.sub(r"([^\w.-])", r"\\\1", text)}
        | quoted
    )


def decoded(token: str) -> Iterator[str]:
    """What a word says in hexadecimal, or in base64 that begins at any of its characters, in lower case."""
    if HEX.fullmatch(token):
        yield bytes.fromhex(token).decode("latin-1").lower()
    if token.islower() and not any(each.isdigit() for each in token):
        return
    plain = token.rstrip("=").translate(str.maketrans("-_", "+/"))
    for first in range(4):
        part = plain[first:]
        part = part[: len(part) - (len(part) % 4 == 1)]
        yield b64decode(part + "=" * (-len(part) % 4)).decode("latin-1").lower()


def without_dumps(text: str, holds_name: Callable[[str], bool]) -> str:
    """The text with zeros for dumped bytes that hold a name."""

    def zeros(match: re.Match[str]) -> str:
        data = bytes.fromhex(re.sub("[^0-9A-Fa-f]", "", match[0])).decode("latin-1").lower()
        return re.sub("[0-9A-Fa-f]", "0", match[0]) if holds_name(data) else match[0]

    return DUMP.sub(zeros, text)


def without_escapes(text: str, replaced: Callable[[str], str]) -> str:
    """The text with replaced words also where they are escaped; such words lose their escapes."""
    if not ESCAPE.search(text):
        return text
    parts = BETWEEN.split(text)
    for number, part in enumerate(parts):
        if ESCAPE.search(part):
            plain = html.unescape(
                re.sub(r"\\(?:u00|x)([0-9A-Fa-f]{2})", lambda found: chr(int(found[1], 16)), unquote(part))
            )
            new = replaced(plain)
            parts[number] = (
                part if new == plain else quote(new, safe="/:@?&=+,;()[]{}!*\\|~^`#") if "%" in part else new
            )
    return "".join(parts)
