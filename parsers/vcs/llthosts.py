"""LLT node ids (/etc/llthosts): which number of the membership masks and LLT messages is which node.

Written by  the installer; the same on every node
One row     per node: name is its id, value its host name
Recognised  only when every line is an id and a name and the ids, 0 to 63, differ: the shape is a common one
"""

import re
from collections.abc import Iterator

import polars as pl

from parsers.by_line import COMMENT, LineVerdict, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal

# ADAPTED: 0 sun-ha3
NODE = r"^\s*(?P<name>[0-9]{1,2})\s+(?P<value>[A-Za-z][A-Za-z0-9_.-]*)\s*(?:#.*)?$"
CONTENT = r"^\s*[^#\s]"
MAX_NODE_ID = 63


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of nothing but differing node ids with names, at most 64 of them."""
    lines = head.to_frame("text").select(
        pl.col("text").str.contains(CONTENT).alias("is_stated"),
        pl.col("text").str.extract(NODE, 1).cast(pl.Int32(), strict=False).alias("node_id"),
    )
    is_odd = lines["is_stated"] & ~lines["node_id"].is_between(0, MAX_NODE_ID).fill_null(value=False)
    ids = lines["node_id"].drop_nulls()
    if is_odd.any() or ids.is_empty():
        return Refusal("not a list of node ids and host names", (is_odd.arg_max() or 0) + 1)
    if ids.n_unique() < len(ids):
        return Refusal("a node id occurs twice", (lines["node_id"].is_duplicated().arg_max() or 0) + 1)
    return Recognition(0.5, "nothing but node ids and host names", (lines["is_stated"].arg_max() or 0) + 1)


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    about = {"scope": "llthosts", "description": "host name of the LLT node id"}
    for text in texts:
        if node := re.match(NODE, text):
            yield parsed({**about, **node.groupdict()})
        else:
            yield COMMENT if text.lstrip().startswith("#") else rejected("not a node id and a host name")


FORMAT = settings_format("llthosts", "LLT node ids", "llthosts*", recognise=recognise, read=read, needs=NODE)
