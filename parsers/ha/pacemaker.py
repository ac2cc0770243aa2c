r"""Pacemaker's own log: `/var/log/pacemaker/pacemaker.log`, before 2.0 `/var/log/pacemaker.log` or `corosync.log`.

Written by   pacemakerd and its daemons; resource agents and corosync may write into the same file
One row      per message. The same event may be in syslog too, without the details that follow ` | ` here
Time         `Mar 22 10:34:48`: wall clock of the node, whole seconds or (2.1) thousandths, no year, no zone
Heads        2.x: `HOST DAEMON [PID] (FUNCTION) LEVEL: text`; 1.1: `[PID] HOST DAEMON: LEVEL: FUNCTION: text`;
             agents: ` AGENT(RESOURCE)[PID]:    LEVEL: text`, without a host, to the second
Ignored      `Set r/w permissions for uid=90, gid=90 on ...`, printed into the log as it is opened
"""

import polars as pl

from parsers.format import Format, Recognition, Refusal
from parsers.syslog.event import TABLES, parse
from parsers.syslog.framing import boundary_of
from parsers.syslog.recognition import claim, refusal, sniff


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of Pacemaker's lines, also if corosync has as many in it."""
    seen = sniff(head)
    if len(seen.of("pacemaker")) < len(seen.of("corosync", "corosync_undated")):
        return refusal(seen, f"fewer lines of Pacemaker than of corosync{seen.others('pacemaker')}", "pacemaker")
    return claim(seen, "Pacemaker's own", "pacemaker", mixed_with={"agent": "", "corosync": "", "corosync_undated": ""})


FORMAT = Format(
    name="pacemaker",
    title="Pacemaker log",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    boundary=boundary_of("pacemaker", "agent", "corosync"),
    file_names=("pacemaker*",),
    needs=r"[0-9]{2} (?:\S+ [\w.-]+ *\[[0-9]+\] \(|\[[0-9]+\] \S+ +[\w.-]+:)",
)
