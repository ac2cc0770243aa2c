"""Resources of Heartbeat (/etc/ha.d/haresources): which node runs what, in which order.

Written by  people; read by heartbeat
One row     per resource, in scope haresources: named by its script and first argument (`drbddisk::r0`), an address by
            IPaddr; the value is all its arguments, the subject the preferred node
Layout      a node and its resources on a line, which goes on after a backslash
"""

import re
from collections.abc import Iterator

import polars as pl

from parsers.by_line import COMMENT, CONTINUATION, LineVerdict, Row, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal
from parsers.secret import hidden, masked

# REAL shape: node1 drbddisk::r0 Filesystem::/dev/drbd0::/data::ext3 10.0.0.10 mysql
KNOWN = (
    r"^\s*[A-Za-z0-9][\w.-]*\s.*?\b"
    r"(?:drbddisk|drbdupper|Filesystem|IPaddr2?|IPsrcaddr|LVM|MailTo|portblock|db2|apache)::\S"
)
SHAPE = r"^\s*[A-Za-z0-9][\w./:,@%+=~-]*(?:\s+[\w./:,@%+=~-]+)+\s*\\?\s*$"
ADDRESS = re.compile(r"^[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?:/\S*)?$")
RESOURCE = re.compile(r"^[\w./:,@%+=~-]+$")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of nodes and resources, one of which is a script with arguments that Heartbeat brings."""
    given = head.str.contains(r"^\s*[^#\s]")
    known, shaped = head.str.contains(KNOWN), head.str.contains(SHAPE)
    if known.any() and 5 * (given & shaped).sum() >= 4 * given.sum():
        return Recognition(0.9, "nodes with resources of Heartbeat", (known.arg_max() or 0) + 1)
    return Refusal("no node with resources of Heartbeat", ((given & ~shaped).arg_max() or 0) + 1)


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file; resources of a line that goes on are rows of the lines on which they stand."""
    node: str | None = None
    for text in texts:
        words = text.rstrip().removesuffix("\\").split()
        if text.lstrip().startswith("#"):
            yield COMMENT
            continue
        if node is None and words:
            node, *words = words
        rows = [_row(word, node) for word in words if RESOURCE.match(word)]
        if rows and len(rows) == len(words):
            yield parsed(*rows)
        else:
            yield CONTINUATION if not words and node and text.strip() else rejected("no node with its resources")
        node = node if text.rstrip().endswith("\\") else None


def _row(word: str, node: str | None) -> Row:
    script, *arguments = hidden(word).split("::") if not ADDRESS.match(word) else ("IPaddr", word)
    name = f"{script}::{arguments[0]}" if arguments else script
    return {"scope": "haresources", "name": name, "value": masked(script, "::".join(arguments)), "subject": node}


FORMAT = settings_format(
    "haresources", "Heartbeat resources", "haresources*", recognise=recognise, read=read, needs="::"
)
