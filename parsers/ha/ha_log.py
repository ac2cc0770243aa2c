"""Heartbeat's own log: `ha-log`, `ha-debug`, named by `logfile` and `debugfile` of ha.cf.

Written by   heartbeat, ha_logd, and the scripts that they run (ResourceManager, harc, mach_down, resource agents)
One row      per message
Time         `2009/06/30_13:46:24`: wall clock of the node, whole seconds, with year, without zone and without host.
             In Heartbeat 3 the daemon's lines have a syslog head, with host and without year, between them
Continuation what a resource script prints to its standard output has no head: it belongs to the record above
Rejected     lines above the first head
"""

from functools import partial

import polars as pl

from parsers.format import Format, Recognition, Refusal
from parsers.syslog.event import TABLES, parse
from parsers.syslog.framing import boundary_of
from parsers.syslog.recognition import claim, sniff
from parsers.syslog.records import OWN_LOGS

# REAL: Mar 01 23:20:10 master heartbeat: [3036]: info: mach_down takeover complete.
DAEMON = r"^[A-Z][a-z]{2} [ 0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9] \S+ [\w./()-]+: \[[0-9]+\]: [A-Za-z]+: "


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of Heartbeat's own lines, mixed with those of its daemon that have a syslog head."""
    return claim(sniff(head), "Heartbeat's own", "heartbeat", mixed_with={"bsd": DAEMON})


FORMAT = Format(
    name="ha_log",
    title="Heartbeat log",
    tables=TABLES,
    recognise=recognise,
    parse=partial(parse, own_logs=OWN_LOGS | {"bsd"}),
    boundary=boundary_of("heartbeat") + "|" + DAEMON,
    file_names=("ha-log*", "ha-debug*", "ha_log*", "heartbeat*.log*"),
    needs="[0-9]{4}/[0-9]{2}/[0-9]{2}_[0-9]{2}:",
)
