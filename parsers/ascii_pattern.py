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

PARTS = re.compile(r"\\.|\[\^?\]?|.", re.DOTALL)


@cache
def ascii_only(pattern: str, more: tuple[tuple[str, str], ...] = ()) -> str:
    r"""The pattern with digits `\d`, letters `\w` and ends of words `\b` of ASCII.

    `more`: other classes and what is written for them outside sets.
    """
    alone = ALONE | dict(more)
    written, is_set = "", False
    for each in PARTS.findall(pattern):
        written += (WITHIN if is_set else alone).get(each, each)
        is_set = each != "]" if is_set else each.startswith("[")
    return written
