r"""PostgreSQL's server log: standard error, csvlog or jsonlog.

Written by   the postmaster and its processes
One row      per message; DETAIL, HINT, CONTEXT, STATEMENT and QUERY are rows of their own, without a level
Time         `2025-08-13 01:45:01.123 PDT`: wall clock of `log_timezone`, to the millisecond (`%m`) or second (`%t`);
             zone by name (CST, IST and BST, which several zones have, are open); `%n`: seconds since 1970. No host
Heads        `log_line_prefix` may hold anything in any order; time and process id are read, the rest is left in the
             line (`parsers.syslog.postgresql_prefix`). Without a time in it rows are undated. csvlog: the first 14
             fields; jsonlog: `timestamp`, `pid`, `error_severity`, `message`
Level        LOG is info, FATAL crit, PANIC emerg
Continuation further lines of a statement or message
"""

from functools import partial

import polars as pl

from parsers.format import Format, Hint, Recognition, Refusal
from parsers.syslog.event import TABLES, parse
from parsers.syslog.framing import COMMON, boundary_of
from parsers.syslog.postgresql_prefix import LEVELS, NOTES, OWN_WORDS, UNDATED
from parsers.syslog.recognition import SIGNATURE, claim, sniff

OWN = ("postgresql", "postgresql_csv", "postgresql_json", "postgresql_own")
FRAMINGS = (
    *("postgresql_json", "postgresql_csv", "postgresql_own"),
    *(name for name in COMMON if not name.startswith("postgresql")),
    "postgresql_undated",
)
# REAL: 2025-05-28 08:34:37.997: health_check0 pid 10276: LOG:  received degenerate backend request for node_id: 0
STAMPED = r"^.{0,20}[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}"
"""Lines with a time that are not PostgreSQL's are another program's, such as Pgpool's."""
LEAST_SHARE = 0.4  # long statements have lines without a head


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of PostgreSQL's lines in any of its forms."""
    seen = sniff(head)
    claimed = claim(seen, "PostgreSQL's own", *OWN, least=LEAST_SHARE)
    if isinstance(claimed, Recognition):
        return claimed
    headless = pl.Series([text for _, text, framing in seen.classified if not framing], dtype=pl.String)
    levels = (headless.str.contains(UNDATED) & ~headless.str.contains(STAMPED)).sum()
    if headless.str.contains(OWN_WORDS).any() and levels >= LEAST_SHARE * len(seen.classified):
        return Recognition(SIGNATURE, f"{levels} of the first lines are PostgreSQL's own, without a time", 1)
    return claimed


FORMAT = Format(
    name="postgresql",
    title="PostgreSQL server log",
    tables=TABLES,
    recognise=recognise,
    parse=partial(parse, framings=FRAMINGS),
    boundary=boundary_of(*OWN, "postgresql_undated"),
    file_names=("postgresql*",),
    needs=rf"(?:{LEVELS}|{NOTES}):  |,(?:{LEVELS}),[0-9A-Z]{{5}},|\"error_severity\"",
    hints=(
        Hint(
            r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}.*\b(?:LOG|ERROR|FATAL|STATEMENT|DETAIL|HINT):  ",
            "a PostgreSQL log",
        ),
    ),
)
