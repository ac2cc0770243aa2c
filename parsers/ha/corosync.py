"""corosync's own log: `/var/log/cluster/corosync.log`, named by `logging { logfile: ... }` of corosync.conf.

Written by   corosync (openais before it); Pacemaker's daemons may write into the same file
One row      per message; `[TOTEM ]`, the subsystem, begins its text
Time         `Feb 20 03:29:11`: wall clock of the node, no year, no zone; a fraction if `timestamp: hires` says so.
             With `timestamp: off` there is none: `[434] host corosyncnotice  [TOTEM ] ...`; such rows are undated
Heads        2.x and 3.x: `[PID] HOST corosync LEVEL  [SUBSYSTEM] text`; 1.x: `corosync [SUBSYSTEM] text`
"""

import polars as pl

from parsers.format import Format, Recognition, Refusal
from parsers.syslog.event import TABLES, parse
from parsers.syslog.framing import boundary_of
from parsers.syslog.recognition import claim, refusal, sniff

OWN = ("corosync", "corosync_undated")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of corosync's lines, also if Pacemaker has some in it."""
    seen = sniff(head)
    if len(seen.of("pacemaker")) >= len(seen.of(*OWN)) > 0:
        return refusal(seen, f"no more lines of corosync than of Pacemaker{seen.others(*OWN)}", *OWN)
    return claim(seen, "corosync's own", *OWN, mixed_with={"agent": "", "pacemaker": ""})


FORMAT = Format(
    name="corosync",
    title="corosync log",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    boundary=boundary_of(*OWN, "pacemaker", "agent"),
    file_names=("corosync*",),
    needs=r"\[[A-Z][A-Za-z]{0,7} *\]",
)
