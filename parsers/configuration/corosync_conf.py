"""Corosync configuration (/etc/corosync/corosync.conf): the token timers behind a failover, quorum, nodes.

Written by  people and cluster shells; read by corosync
One row     per `key: value`, named by the blocks around it: `totem.token`; further blocks of one name are counted:
            `nodelist.node[2].ring0_addr`
Units       token and consensus are in milliseconds; where it is not given, consensus is 1.2 times the token
Secrets     values of keys whose name mentions a secret are masked
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import polars as pl

from parsers.by_line import COMMENT, LineVerdict, ignored, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal
from parsers.secret import masked

BLOCK = re.compile(r"^\s*([A-Za-z][\w.-]{0,99})\s*\{\s*(?:#.*)?$")
END = re.compile(r"^\s*\}\s*(?:#.*)?$")
PAIR = re.compile(r"^\s*([A-Za-z][\w./-]{0,99})\s*:\s*+((?:\s*+\S++)*+)\s*$")
COMMENT_LINE = re.compile(r"^\s*#")
SIGNATURE = r"^\s*(?:totem|quorum|nodelist|amf|aisexec)\s*\{"
MAX_DEPTH = 20
DESCRIPTIONS = {
    "totem.token": "time without a token after which it is lost, ms",
    "totem.consensus": "time to agree on a new membership, ms",
    "totem.token_coefficient": "added to the token per node beyond two, ms",
}


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file with a block of corosync that no other file has, made of blocks and pairs."""
    given = head.str.contains(r"^\s*[^#\s]")
    shaped = head.str.contains(r"^\s*(?:[A-Za-z][\w.-]*\s*\{|\}|[A-Za-z][\w./-]*\s*:)")
    signature = head.str.contains(SIGNATURE)
    if signature.any() and 5 * (given & shaped).sum() >= 4 * given.sum():
        return Recognition(0.95, "blocks of corosync.conf", (signature.arg_max() or 0) + 1)
    return Refusal("no block of corosync.conf", ((given & ~shaped).arg_max() or 0) + 1)


@dataclass(slots=True)
class _Nesting:
    """The blocks around a line, and how many of a name each held."""

    path: list[str] = field(default_factory=list)
    counts: list[Counter[str]] = field(default_factory=lambda: [Counter()])

    def open(self, name: str) -> None:
        self.counts[-1][name] += 1
        number = self.counts[-1][name]
        self.path.append(name if number == 1 else f"{name}[{number}]")
        self.counts.append(Counter())

    def close(self) -> None:
        self.path.pop()
        self.counts.pop()


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    nesting = _Nesting()
    for text in texts:
        if COMMENT_LINE.match(text):
            yield COMMENT
        elif (block := BLOCK.match(text)) and len(nesting.path) < MAX_DEPTH:
            nesting.open(block[1])
            yield ignored("begin of a block")
        elif END.match(text) and nesting.path:
            nesting.close()
            yield ignored("end of a block")
        elif pair := PAIR.match(text):
            name = ".".join([*nesting.path, pair[1]])
            value = masked(pair[1], pair[2])
            yield parsed(
                {"scope": "corosync.conf", "name": name, "description": DESCRIPTIONS.get(name), "value": value}
            )
        else:
            yield rejected("neither a block nor a pair of corosync.conf")


FORMAT = settings_format(
    "corosync_conf",
    "Corosync configuration",
    "corosync.conf*",
    recognise=recognise,
    read=read,
    needs="totem|quorum|nodelist|amf|aisexec",
)
