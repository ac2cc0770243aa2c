"""The forms in which one text may stand in a log: quoted, escaped, in an address, base64 and hexadecimal."""

import html
import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote, quote_plus

LEAST_ENCODED: Final = 6
"""Characters: fewer would be found in any base64."""


def written_forms(text: str) -> frozenset[str]:
    """A text as it is, and escaped for JSON, XML, SQL, shells and addresses."""
    escaped = json.dumps(text)[1:-1]
    quoted = {quote(text, safe=""), quote(text), quote_plus(text)}
    low = {re.sub(r"%[0-9A-F]{2}", lambda each: each[0].lower(), form) for form in quoted}
    return frozenset(
        {text, escaped, json.dumps(escaped)[1:-1], html.escape(text), text.replace("'", "''")}
        | {re.sub(r"([^\w.-])", r"\\\1", text)}
        | quoted
        | low
    )


def encoded_forms(text: str) -> Iterator[str]:
    """Patterns of words in base64 and hexadecimal that hold a text, wherever in them it begins."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) < LEAST_ENCODED:
        return
    yield rf"(?i:{data.hex()})"
    for before in range(3):
        first = (8 * before + 5) // 6
        core = b64encode(bytes(before) + data).decode().rstrip("=")[first : (8 * (before + len(data))) // 6]
        for form in {core, core.translate(str.maketrans("+/", "-_"))}:
            yield rf"[\w+/-]*{re.escape(form)}[\w+/-]*={{0,2}}"


def any_form(texts: Iterable[str]) -> str:
    """A pattern of all forms of some texts, longer ones first; a plain word has no letter beside it."""
    written = sorted({form for text in texts for form in written_forms(text)}, key=lambda each: (-len(each), each))
    encoded = [form for text in sorted(texts) for form in encoded_forms(text)]
    return "|".join([*map(_bounded, written), *encoded])


def _bounded(form: str) -> str:
    return rf"(?<![^\W_]){form}(?![^\W_])" if re.fullmatch(r"[a-z]+|[A-Z][a-z]*", form) else re.escape(form)
