"""LLT node ids (/etc/llthosts): which number of the membership masks and LLT messages is which node.

Written by  the installer; the same on every node
One row     per node: name is its id, value its host name
Recognised  only when every line is an id and a name and the ids, 0 to 63, differ: the shape is a common one
"""

import polars as pl

from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.line_verdict import COMMENT, verdicts
from parsers.parameter import PARAMETER_VALUE, parameter_values

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


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn each line of an id and a name into a parameter."""
    text = pl.col("text")
    is_node = text.str.contains(NODE)
    values = (
        lines.filter(is_node)
        .with_columns(text.str.extract_groups(NODE).alias("fields"))
        .unnest("fields")
        .select(
            "file_id",
            "line_no",
            pl.lit(1, pl.Int16()).alias("part"),
            pl.lit("llthosts").alias("scope"),
            "name",
            pl.lit("host name of the LLT node id").alias("description"),
            "value",
        )
    )
    line_verdicts = verdicts(lines, is_node, "not a node id and a host name", ignored=COMMENT)
    return Parsed({PARAMETER_VALUE.name: parameter_values(values)}, line_verdicts)


FORMAT = Format(
    name="llthosts",
    title="LLT node ids",
    tables=(PARAMETER_VALUE,),
    recognise=recognise,
    parse=parse,
    boundary=None,
    file_names=("llthosts*",),
    role="configuration",
    needs=NODE,
)
