r"""Patterns over ASCII alone.

The classes of Unicode, `\d` and `\w`, are hundreds of ranges of characters. A pattern with one of them takes several
times as long to compile, one that repeats it tens of times as long, and each chunk of lines compiles its patterns:
Polars remembers 32 of them.
"""

import re
from functools import cache

WITHIN = {r"\d": "0-9", r"\w": "0-9A-Za-z_"}
"""In a set of characters."""
ASCII_BOUNDARY = r"(?-u:\b)"
ALONE = {r"\d": "[0-9]", r"\w": "[0-9A-Za-z_]", r"\b": ASCII_BOUNDARY}

PARTS = re.compile(r"\\.|\[(?:\\.|[^\]\\])+\]|[^\\\[]", re.DOTALL)


@cache
def ascii_only(pattern: str, more: tuple[tuple[str, str], ...] = ()) -> str:
    r"""The pattern with digits `\d`, letters `\w` and ends of words `\b` of ASCII.

    `more`: other classes and what is written for them outside sets.
    """
    alone = ALONE | dict(more)
    return "".join(
        re.sub(r"\\.", lambda each: WITHIN.get(each[0], each[0]), part) if part[0] == "[" else alone.get(part, part)
        for part in PARTS.findall(pattern)
    )
