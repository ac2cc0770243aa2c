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

import re
from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from parsers.by_line import COMMENT, LineVerdict, parsed, rejected, settings_format
from parsers.first_look import marked
from parsers.format import Recognition, Refusal

# RECONSTRUCTED: set-timer peerinact:1600
WORD = r"set-[a-z][a-z-]*|link(?:-lowpri|-hipri)?|exclude|include|start"
DIRECTIVE = rf"^\s*(?:{WORD})(?:\s+[^#\s].*)?\s*(?:#.*)?$"
STATED = re.compile(rf"(?P<directive>{WORD})(?:\s+(?P<value>\S.*))?")  # set-node sun-ha3
"""A directive without the comment behind it, and without blanks around."""

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


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file; a line with an unreadable pair is rejected as a whole."""
    for text in texts:
        found = STATED.fullmatch(text.partition("#")[0].strip())
        values = _values(found["directive"], found["value"] or "") if found else []
        if found and values and all(values):
            about = {"scope": "llttab", "description": DESCRIPTIONS.get(found["directive"])}
            yield parsed(*({**about, **value} for value in values if value))
        elif text.lstrip().startswith("#"):
            yield COMMENT
        else:
            yield rejected("no directive of llttab with a readable value")


def _values(directive: str, value: str) -> list[dict[str, str] | None]:
    """The name and value of each pair of `set-timer peerinact:1600 heartbeat:50`, None for one that is unreadable.

    Of another directive, its own name, of a link with its tag; `start` and its like have an empty value.
    """
    if directive in ("set-timer", "set-flow"):
        pairs = (re.match(PAIR, each) for each in re.findall(r"[^\s,]+", value)[:1000])
        return [pair and pair.groupdict() for pair in pairs]
    if directive.startswith("link"):
        tagged = re.match(TAGGED, value)
        return [tagged and {"name": f"{directive} {tagged['tag']}", "value": tagged["value"]}]
    return [{"name": directive, "value": value}]


_looks = marked(
    is_stated=pl.col("text").str.contains(r"^\s*[^#\s]"),
    is_directive=pl.col("text").str.contains(DIRECTIVE),
    is_signature=pl.col("text").str.contains(SIGNATURE),
)

FORMAT = replace(
    settings_format("llttab", "LLT configuration", "llttab*", recognise=recognise, read=read, needs="set-|link"),
    look=_looks.look,
)
