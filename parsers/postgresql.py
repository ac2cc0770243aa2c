r"""PostgreSQL's server log: standard error, csvlog or jsonlog.

Written by   the postmaster and its processes
One row      per message; DETAIL, HINT, CONTEXT, STATEMENT and QUERY are rows of their own, without a level
Time         `2025-08-13 01:45:01.123 PDT`: wall clock of `log_timezone`, to the millisecond (`%m`) or second (`%t`);
             zone by name, of which only UTC and GMT say how far from UTC they are; no host
Heads        `log_line_prefix` may hold anything between the stamp and the level: `[12345] `, `[12345] a@b `,
             `[12345]: [3-1] user=a,db=b `. What it holds besides the process id is left in the line. csvlog: the first
             14 fields; jsonlog: `timestamp`, `pid`, `error_severity`, `message`
Level        LOG is info, FATAL crit, PANIC emerg
Continuation further lines of a statement or message
"""

import polars as pl

from parsers.format import Format, Recognition, Refusal
from parsers.syslog_event import TABLES, parse
from parsers.syslog_framing import boundary_of
from parsers.syslog_recognition import claim, sniff

OWN = ("postgresql", "postgresql_csv", "postgresql_json")
LEAST_SHARE = 0.4  # long statements have lines without a head


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of PostgreSQL's lines in any of its three forms."""
    return claim(sniff(head), "PostgreSQL's own", *OWN, least=LEAST_SHARE)


FORMAT = Format(
    name="postgresql",
    title="PostgreSQL server log",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    boundary=boundary_of(*OWN),
    file_names=("postgresql*",),
)
