"""LLT configuration (/etc/llttab): the timers behind a failover, the links, the node's name.

Written by  the installer, and people; read by lltconfig
One row     per value; `set-timer` and `set-flow` may declare several on a line, in parts
Units       timers are in 1/100 s: `peerinact:1600` declares a silent peer dead after 16 s; the defaults are 1600 for
            peerinact, 200 for peertrouble, 50 for heartbeat
Names       a timer or flow mark has its own name (`peerinact`), a link that of its directive and tag (`link qfe0`),
            everything else that of its directive (`set-node`)
Evidence    set-timer from the vendor's texts; the other directives from product knowledge, so an unknown directive
            that begins with `set-` is kept by its name rather than rejected
"""

import polars as pl

from parsers.first_look import marked
from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.line_verdict import COMMENT, verdicts
from parsers.parameter import PARAMETER_VALUE, parameter_values

# RECONSTRUCTED: set-timer peerinact:1600
DIRECTIVE = (
    r"^\s*(?P<directive>set-[a-z][a-z-]*|link(?:-lowpri|-hipri)?|exclude|include|start)"
    r"(?:\s+(?P<value>[^#\s](?:.*?[^\s])??))?"  # set-node sun-ha3
    r"\s*(?:#.*)?$"
)
# RECONSTRUCTED: link qfe0 /dev/qfe:0 - ether - -
TAGGED = r"^(?P<tag>\S+)\s+(?P<value>\S.*)$"
# RECONSTRUCTED: peerinact:1600
PAIR = r"^(?P<name>[A-Za-z][\w-]*):(?P<value>[0-9]+)$"
SIGNATURE = (
    r"^\s*(?:set-timer\s+\w+:[0-9]|set-flow\s+\w+:[0-9]|set-node\s+\S+|set-cluster\s+[0-9]"
    r"|link(?:-lowpri|-hipri)?\s+\S+\s+\S+\s+\S+\s+(?:ether|udp6?|rdma)\b)"
)

DESCRIPTIONS = {
    "set-timer": "LLT timer, 1/100 s",
    "set-flow": "LLT flow control mark, packets",
    "set-node": "name of this node",
    "set-cluster": "cluster number",
    "link": "LLT link of high priority",
    "link-hipri": "LLT link of high priority",
    "link-lowpri": "LLT link of low priority",
    "set-addr": "address of a peer on an LLT link over UDP",
}


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file that is made of directives of llttab, one of which no other file has."""
    lines = _looks.of(head)
    if lines["is_signature"].any() and 5 * lines["is_directive"].sum() >= 4 * lines["is_stated"].sum():
        return Recognition(0.95, "directives of llttab", (lines["is_signature"].arg_max() or 0) + 1)
    return Refusal(
        "not made of directives of llttab", ((lines["is_stated"] & ~lines["is_directive"]).arg_max() or 0) + 1
    )


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn directives into parameters; a line with an unreadable pair is rejected as a whole."""
    rows = lines.with_row_index("row")
    directives = rows.with_columns(pl.col("text").str.extract_groups(DIRECTIVE).alias("fields")).unnest("fields")
    named = pl.concat([_pairs(directives), _others(directives)]).filter(pl.col("value").is_not_null().all().over("row"))
    values = named.sort("row", "part").select(
        "file_id",
        "line_no",
        (pl.col("part") + 1).cast(pl.Int16()).alias("part"),
        pl.lit("llttab").alias("scope"),
        "name",
        pl.col("directive").replace_strict(DESCRIPTIONS, default=None, return_dtype=pl.String()).alias("description"),
        "value",
    )
    accepted = named.select(pl.col("row").unique(), pl.lit(True).alias("is_parsed"))
    classified = rows.join(accepted, on="row", how="left", maintain_order="left")
    line_verdicts = verdicts(
        classified, pl.col("is_parsed"), "no directive of llttab with a readable value", ignored=COMMENT
    )
    return Parsed({PARAMETER_VALUE.name: parameter_values(values)}, line_verdicts)


def _pairs(directives: pl.DataFrame) -> pl.DataFrame:
    """Values of `set-timer peerinact:1600 heartbeat:50`: one a pair, null where a pair is unreadable."""
    pairs = pl.col("value").str.extract_all(r"[^\s,]+").list.head(1000)
    return (
        directives.filter(pl.col("directive").is_in(["set-timer", "set-flow"]))
        .with_columns(pairs.alias("pair"))
        .explode("pair")
        .with_columns(pl.int_range(pl.len()).over("row").alias("part"), pl.col("pair").str.extract_groups(PAIR))
        .select(*NAMED, pl.col("pair").struct.field("name"), pl.col("pair").struct.field("value"))
    )


def _others(directives: pl.DataFrame) -> pl.DataFrame:
    """Values of the other directives; `start` and its like have none and read as an empty text."""
    is_tagged = pl.col("directive").str.starts_with("link")
    tagged = pl.col("value").str.extract_groups(TAGGED)
    tagged_name = pl.concat_str("directive", tagged.struct.field("tag"), separator=" ")
    return (
        directives.filter(pl.col("directive").is_not_null() & ~pl.col("directive").is_in(["set-timer", "set-flow"]))
        .with_columns(pl.lit(0, pl.Int64()).alias("part"))
        .select(
            *NAMED,
            pl.when(is_tagged).then(tagged_name).otherwise("directive").alias("name"),
            pl.when(is_tagged)
            .then(tagged.struct.field("value"))
            .otherwise(pl.col("value").fill_null(""))
            .alias("value"),
        )
    )


NAMED = ("row", "file_id", "line_no", "part", "directive")


_looks = marked(
    is_stated=pl.col("text").str.contains(r"^\s*[^#\s]"),
    is_directive=pl.col("text").str.contains(DIRECTIVE),
    is_signature=pl.col("text").str.contains(SIGNATURE),
)

FORMAT = Format(
    name="llttab",
    title="LLT configuration",
    tables=(PARAMETER_VALUE,),
    recognise=recognise,
    parse=parse,
    boundary=None,
    file_names=("llttab*",),
    role="configuration",
    needs="set-|link",
    look=_looks.look,
)
