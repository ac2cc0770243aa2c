"""Headers of db2diag records in both layouts: whole ones, and those that a mail or a ticket cut."""

import polars as pl

from parsers.folds import at, with_whole_heads

NO_BREAK_BLANK = "\u00a0"
BLANKS = "[ \t\u00a0]"

# "> ", "# ", "db2_1  | ", TABs and blanks are before every line of some copies.
PREFIX = rf"(?:(?:{BLANKS}|[>#])*|[A-Za-z0-9_.-]+{BLANKS}*\|{BLANKS}*)"

STAMP = r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}\.[0-9]{2}\.[0-9]{2}\.[0-9]{6}"

# At every point of these patterns the next character decides how the match goes on: they are that way matched in one
# pass, and several times faster.
# REAL (db2-hadr-wiki): 2013-10-07-14.40.36.401196-420 E76255E392          LEVEL: Event
HEADER_V82 = (
    rf"^{STAMP}(?P<utc_offset_min>[+-][0-9]{{3,4}})[ \t]+"  # minutes east of UTC, not hours and minutes
    r"(?P<audience>[A-Z])(?P<record_offset>[0-9]+)(?P<platform>[A-Z])(?P<record_length>[0-9]+)[ \t]+"
    r"LEVEL[ \t]*:[ \t]*(?P<level>[A-Za-z]+)[ \t]*"
    r"(?:\((?P<level_source>[^)]*)\)[ \t]*)?$"  # Origin, OS, Received, Sent
)

# REAL (WebSphere documentation): 2004-06-25-15.53.42.078000   Instance:DB2   Node:000
HEADER_V81 = rf"^{STAMP}[ \t]+Instance:[ \t]*(?P<instance>[^ \t]*)[ \t]+Node:[ \t]*(?P<member>[0-9]+)[ \t]*$"
HEADERS = {"v82": HEADER_V82, "v81": HEADER_V81}

# Both headers as one pattern without groups: what a record, and so a chunk, may begin with.
BOUNDARY = (
    rf"^{PREFIX}{STAMP}"
    rf"(?:[+-][0-9]{{3,4}}{BLANKS}+[A-Z][0-9]+[A-Z][0-9]+{BLANKS}+LEVEL{BLANKS}*:{BLANKS}*[A-Za-z]+"
    rf"(?:{BLANKS}*\([^)]*\))?"
    rf"|{BLANKS}+Instance:{BLANKS}*[^ \t\u00a0]*{BLANKS}+Node:{BLANKS}*[0-9]+)"
    rf"{BLANKS}*$"
)
# ADAPTED: 2024-03-05-10.00.30.200000-300 I1401E400            LEVEL:        2004-06-25-15.53.42.078000   Instance:DB2
CUT_HEADER = (
    rf"^{PREFIX}{STAMP}"
    rf"(?:[+-][0-9]{{3,4}}{BLANKS}*(?:[A-Z][0-9]*(?:[A-Z][0-9]*(?:{BLANKS}.*)?)?)?|{BLANKS}+Inst(?:ance:.*)?|)$"
)
"""The full stamp with which every record begins: a line with it that is no header is the beginning of one."""

LEVELS = "Critical|Severe|Error|Warning|Event|Info|Debug|Alert|None|Unknown"
WHOLE_HEADER = (
    rf"LEVEL{BLANKS}*:{BLANKS}*(?:{LEVELS}){BLANKS}*(?:\([A-Za-z]+\){BLANKS}*)?$"
    rf"|Instance:.*Node:{BLANKS}*[0-9]+{BLANKS}*$"
)
"""The end of a header that lacks nothing."""

LEVEL_SOURCE = rf"^{PREFIX}\((?:Origin|OS|Received|Sent)\){BLANKS}*$"

CHUNK_BOUNDARY = f"{BOUNDARY}|{CUT_HEADER}"
BROKEN_HEADER = rf"^{PREFIX}{STAMP}(?:[+-][0-9]{{3,4}}{BLANKS}+[A-Z][0-9]+[A-Z]|{BLANKS}+Instance:)"

HEADER_WORD = r"LEVEL|Instance:"
"""Is in every whole header: searched before the pattern, which costs far more."""

NEEDS = rf"{HEADER_WORD}|{STAMP}[+-][0-9]{{3}}"
"""Is in every header, also in one that is cut within a word."""


def with_whole_headers(lines: pl.DataFrame) -> pl.DataFrame:
    """Lines with headers that were cut joined with what is below them, which `is_absorbed`."""
    texts = lines.get_column("text")
    rows = texts.str.contains(CUT_HEADER).arg_true()
    below = texts.shift(-1).gather(rows)
    cut = rows.filter(~is_whole_header(texts.gather(rows)) | below.str.contains(LEVEL_SOURCE))
    if cut.is_empty():
        return lines.with_columns(is_absorbed=pl.lit(value=False))
    is_rest = ~at(rows, texts.len()) & (texts.str.strip_chars() != "")
    return with_whole_heads(lines, at(cut, texts.len()), is_rest, is_whole_header, rf"^({PREFIX}){STAMP}")


def is_whole_header(texts: pl.Series) -> pl.Series:
    """Which texts are headers with everything that a header has."""
    return texts.str.contains(BOUNDARY) & texts.str.contains(WHOLE_HEADER)
