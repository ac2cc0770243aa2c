"""Configuration of DRBD (/etc/drbd.conf, /etc/drbd.d/*.res, `drbdadm dump`).

Written by  people; read by drbdadm
One row     per option, in scope drbd.conf, named by the blocks around it: `resource r0.on db1.disk`,
            `common.net.protocol`; an option without a value reads `yes`
Layout      free: an option ends with `;`, several may be on a line, a value on the next
Secrets     shared-secret
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import polars as pl

from parsers.by_line import COMMENT, CONTINUATION, LineVerdict, Row, ignored, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal
from parsers.secret import masked

BLOCK = r"^\s*(?:resource\s+\S+|common|global)\s*\{"
# REAL: device /dev/drbd0;        meta-disk internal;        usage-count no;
SIGNATURE = (
    r"\bdevice\s+\S*drbd|\bmeta-disk\s|\busage-count\s|\bsyncer\s*\{|\bprotocol\s+[ABC]\s*;|\bon-io-error\s"
    r"|\bafter-sb-[0-9]pri\s"
)
TOKEN = re.compile(r'\s+|(?P<comment>#.*)|(?P<string>"[^"]*")|(?P<sign>[{};])|(?P<word>[^\s{};"#]+)|(?P<damage>")')
MAX_DEPTH = 10
MAX_WORDS = 50


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file with a block and an option that only DRBD has."""
    block, option = head.str.contains(BLOCK), head.str.contains(SIGNATURE)
    if block.any() and option.any():
        return Recognition(0.95, "blocks and options of DRBD", (block.arg_max() or 0) + 1)
    return Refusal("no block with an option of DRBD", 0 if head.is_empty() else 1)


@dataclass(slots=True)
class _Reading:
    """The blocks around the place that is read, and the words of the option that has begun, with its line."""

    path: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    begun_at: int = 0


def read(texts: list[str]) -> list[LineVerdict]:
    """Classify the lines of one file; an option is a row of the line on which it begins."""
    rows: dict[int, list[Row]] = {}
    continued: set[int] = set()
    reasons: dict[int, str] = {}
    reading = _Reading()
    for line, text in enumerate(texts):
        for kind, sign in _tokens(text):
            if kind in {"word", "string"}:
                reading.begun_at = reading.begun_at if reading.words else line
                reading.words.append(sign.strip('"'))
                continue
            if sign == ";" and 0 < len(reading.words) <= MAX_WORDS:
                rows.setdefault(reading.begun_at, []).append(_row(reading))
                continued.update(range(reading.begun_at + 1, line + 1))
            elif sign == "{" and reading.words and len(reading.path) < MAX_DEPTH:
                reading.path.append(" ".join(reading.words[:MAX_WORDS]))
                reasons[line] = "begin of a block"
            elif sign == "}" and reading.path:  # words before it have lost their `;`
                reading.path.pop()
                reasons.setdefault(line, "end of a block")
            reading.words = []
    return [_line_verdict(line, text, rows, continued, reasons) for line, text in enumerate(texts)]


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for found in TOKEN.finditer(text):
        if found.lastgroup in {"string", "sign", "word"}:
            yield found.lastgroup, found.group()


def _row(reading: _Reading) -> Row:
    name, *values = reading.words
    value = masked(name, " ".join(values)) if values else "yes"
    return {"scope": "drbd.conf", "name": ".".join([*reading.path, name]), "value": value}


def _line_verdict(
    line: int, text: str, rows: dict[int, list[Row]], continued: set[int], reasons: dict[int, str]
) -> LineVerdict:
    if line in rows:
        return parsed(*rows[line])
    if text.lstrip().startswith("#"):
        return COMMENT
    if line in continued:
        return CONTINUATION
    if line in reasons:
        return ignored(reasons[line])
    if text.lstrip().startswith("include"):
        return ignored("include")
    return rejected("neither an option nor a block of DRBD")


FORMAT = settings_format(
    "drbd_conf",
    "DRBD configuration",
    "drbd*.conf*",
    "*.res",
    recognise=recognise,
    read=read,
    needs="drbd|meta-disk|usage-count|syncer|protocol|on-io-error|after-sb-",
)
