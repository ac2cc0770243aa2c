"""Registry of DB2: what `db2set` and `db2set -all` print.

Written by  db2set
One row     per variable and level, in scope registry; the level (environment, user, node, instance, global) is the
            subject. Where a name stands at several, the first of this order holds, and the others are printed below it
Recognised  when at least half of the lines are variables of DB2
"""

from functools import partial

import polars as pl

from parsers.by_line import parse_by_line
from parsers.db2_configuration import read_registry
from parsers.format import Format, Recognition, Refusal
from parsers.parameter import PARAMETER_VALUE

LEVELLED = r"^\s*\[[eunig]\]\s+(?i:DB2)\w*="
BARE = r"^\s*DB2[A-Z0-9_]*=\S"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file that is made of variables; those with their level are surer."""
    stated = head.str.contains(r"\S")
    levelled, bare = head.str.contains(LEVELLED), head.str.contains(BARE)
    if levelled.any() and 2 * levelled.sum() >= stated.sum():
        return Recognition(0.95, "variables of the registry of DB2", (levelled.arg_max() or 0) + 1)
    if bare.any() and 2 * bare.sum() >= stated.sum():
        return Recognition(0.6, "variables named like those of DB2", (bare.arg_max() or 0) + 1)
    return Refusal("not made of variables of DB2", ((stated & ~(levelled | bare)).arg_max() or 0) + 1)


FORMAT = Format(
    name="db2_set",
    title="DB2 registry variables",
    tables=(PARAMETER_VALUE,),
    recognise=recognise,
    parse=partial(parse_by_line, read=read_registry),
    boundary=None,
    file_names=("*db2set*",),
    role="configuration",
    needs=LEVELLED + "|" + BARE,
)
