"""Stamps as a person writes them down, in the directives of strptime: `%d.%m.%Y %H:%M:%S,%f`."""

import re

LETTERS = "[A-Za-z\u00c0-\u024f\u0400-\u04ff]"  # Latin and Cyrillic
DIRECTIVES = {
    "Y": "(?P<year>[0-9]{4})",
    "y": "(?P<short>[0-9]{2})",
    "m": "(?P<month>[0-9]{1,2})",
    "d": " ?(?P<day>[0-9]{1,2})",
    "e": " ?(?P<day>[0-9]{1,2})",
    "b": rf"(?P<name>{LETTERS}+)\.?",
    "B": rf"(?P<name>{LETTERS}+)\.?",
    "a": rf"{LETTERS}+\.?",
    "A": rf"{LETTERS}+\.?",
    "H": " ?(?P<hour>[0-9]{1,2})",
    "I": " ?(?P<hour>[0-9]{1,2})",
    "M": "(?P<minute>[0-9]{2})",
    "S": "(?P<second>[0-9]{2})",
    "f": "(?P<fraction>[0-9]{1,9})",
    "p": r"(?P<half>[AaPp]\.?[Mm]\.?)",
    "z": "(?P<offset>Z|[+-][0-9]{2}:?[0-9]{2})",
    "Z": "(?P<offset>[A-Z]{2,5})",
    "s": "(?P<seconds>[0-9]{9,10})",
    "%": "%",
}
"""The pattern of each directive; its group is the part of a stamp that `parsers.dated` reads."""

LONG = {"T": "%H:%M:%S", "R": "%H:%M", "F": "%Y-%m-%d", "D": "%m/%d/%y"}
"""Directives that stand for several."""

PART = re.compile(r"%(.)|(\s+)|([^%\s]+)|(%)", re.DOTALL)


def pattern_of(written: str) -> str:
    """The regular expression of a stamp written with directives; what is wrong with it is a ValueError."""
    spelt = re.sub(r"%([TRFD])", lambda found: LONG[found[1]], written)
    parts = [_part(found) for found in PART.finditer(spelt)]
    pattern = "".join(parts)
    names = re.findall(r"\(\?P<(\w+)>", pattern)
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{written!r} has two directives for the {twice[0]}")
    of_date = {"day", "month", "name", "year", "short"} & set(names)
    has_day = {"day"} < set(names) and bool({"month", "name"} & set(names))
    if "seconds" not in names and not ((has_day or not of_date) and "hour" in names):
        raise ValueError(f"{written!r} lacks the day, the month or the hour; expected such as '%Y-%m-%d %H:%M:%S'")
    return pattern


def _part(found: re.Match[str]) -> str:
    directive, blanks, text, lone = found.groups()
    if lone or (directive and directive not in DIRECTIVES):
        known = ", ".join(f"%{each}" for each in (*DIRECTIVES, *LONG))
        raise ValueError(f"%{directive or ''} is no directive; known are {known}")
    if directive:
        return DIRECTIVES[directive]
    return r"\s+" if blanks else re.escape(text or "")
