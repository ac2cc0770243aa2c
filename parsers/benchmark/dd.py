"""What dd prints at its end: how much it copied, in which time.

Written by  dd of GNU, busybox, the BSDs and macOS; on standard error, with LC_ALL=C
One row     per copy and figure: MB/s (millions of bytes), copy_s, bytes
Several     copies in a text are runs, in their order; a progress line (`status=progress`) is none of them: it counts
            whole seconds, and the records of its copy come after it
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial

import polars as pl

from parsers.benchmark.measurement_lines import parse_measurements, row
from parsers.by_line import LineVerdict, ignored, parsed, rejected
from parsers.format import Format, Recognition, Refusal, recognised_by
from parsers.measurement import MEASUREMENT_VALUE, SECONDS

# RECONSTRUCTED: 1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.34567 s, 458 MB/s        coreutils, busybox
# RECONSTRUCTED: 1073741824 bytes transferred in 2.345670 secs (457754849 bytes/sec)    BSD, macOS
COPIED = (
    r"^\s*(?P<bytes>[0-9]{1,18}) bytes(?: \([^)]*\))? "
    r"(?:copied, (?P<seconds>[0-9]+(?:[.,][0-9]+)?(?:e[+-]?[0-9]+)?) s(?:econds)?(?:, .*)?"
    r"|transferred in (?P<secs>[0-9]+(?:\.[0-9]+)?) sec(?:ond)?s.*)$"
)
LINE = re.compile(COPIED)
PROGRESS = re.compile(r"^\s*[0-9]+ bytes(?: \([^)]*\))? copied, [0-9]+ s,")
RECORDS = re.compile(r"^\s*[0-9]+\+[0-9]+ records (?:in|out)\s*$")
COMMAND = re.compile(r"^\s*+(?>\S*[$#%>]\s?|)(?:\S+ )*?(?:\S*/)?dd\s+\S*=")
NEEDS = r"bytes.* (?:copied, |transferred in )"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim what has the last line of a copy, and no other tool's table."""
    return recognised_by(head.str.contains(COPIED), 0.6, "last line of a copy by dd") or Refusal(
        "no last line of a copy by dd", max(len(head), 1)
    )


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one text."""
    number, progress = 0, progress_of(texts)
    for place, text in enumerate(texts):
        if place in progress:
            yield ignored("progress")
        elif found := LINE.match(text):
            number += 1
            yield parsed(*copied(found, number))
        elif RECORDS.match(text) or COMMAND.match(text) or re.match(r"^\s*\S*[$#>]\s*$", text):
            yield ignored("records or command")
        else:
            yield rejected("no line of dd")


def progress_of(texts: Sequence[str]) -> set[int]:
    """Which lines are progress of a copy that goes on."""
    records = {place for place, text in enumerate(texts) if RECORDS.match(text)}
    last = max(records, default=0)
    return {place for place in range(last) if place - 1 not in records and PROGRESS.match(texts[place])}


def copied(found: re.Match[str], number: int) -> list[dict[str, object]]:
    """The figures of a copy: `LINE`, and its number in the text."""
    size = float(found["bytes"])
    seconds = float((found["seconds"] or found["secs"]).replace(",", "."))
    values = [row("bytes", "bytes", size), row("copy_s", SECONDS, seconds)]
    if seconds > 0:
        values.insert(0, row("MB/s", "MB/s", size / 1e6 / seconds))
    return [each | {"summary_no": number, "label": "dd"} for each in values]


FORMAT = Format(
    name="dd",
    title="dd",
    tables=(MEASUREMENT_VALUE,),
    recognise=recognise,
    parse=partial(parse_measurements, read=read),
    file_names=("dd*",),
    role="measurement",
    needs=NEEDS,
)
