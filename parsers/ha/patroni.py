"""Patroni's own log: standard error or `patroni.log`.

Written by   Patroni; where it starts PostgreSQL in the foreground, PostgreSQL's lines are between them
One row      per message
Time         `2020-05-29 12:59:39,513`: wall clock of the node, to the millisecond, no zone, no host
Continuation tracebacks, and what tools like pg_basebackup and pg_rewind print
"""

import re
from functools import partial

import polars as pl

from parsers.folds import reads_pasted
from parsers.format import Format, Recognition, Refusal
from parsers.syslog.event import TABLES, parse
from parsers.syslog.framing import boundary_of
from parsers.syslog.recognition import claim, refusal, sniff

# REAL: 2020-04-13 00:23:53,326 INFO: Lock owner: e9477f065cf0; I am d0cacc06fa17
# REAL: 2018-06-24 21:26:16,277 INFO: no action.  i am a secondary and i am following a leader
HEAD = r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2},[0-9]{3} [A-Z]{4,8}: "
WORDS = re.compile(
    r"(?i)patroni|lock owner|no action\.|leader|establishing a new .* connection|does not have lock|\bDCS\b"
)


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of a Python program that mentions locks and leaders."""
    seen = sniff(head)
    if not any(WORDS.search(text) for _, text, framing in seen.classified if framing == "python"):
        return refusal(seen, f"no line of a Python program that mentions Patroni{seen.others('python')}", "python")
    return claim(seen, "Patroni's own", "python", mixed_with={"postgresql": ""})


FORMAT = Format(
    name="patroni",
    title="Patroni log",
    tables=TABLES,
    recognise=recognise,
    parse=reads_pasted(partial(parse, tags={"python": "patroni"}), HEAD, ",[0-9]{3} [A-Z]{4,8}: "),
    boundary=boundary_of("python", "postgresql"),
    file_names=("patroni*",),
    needs=r"[0-9]{2}:[0-9]{2}:[0-9]{2}.{0,60} [A-Z]{4,8}(?: [a-z_][\w.]*)?: ",
)
