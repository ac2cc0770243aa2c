"""Log of the I/O fencing scripts of VCS: `/var/VRTSvcs/log/vxfen/vxfen.log`.

Written by   the start and stop scripts of vxfen, by `date` and `echo`. The driver itself speaks through the kernel
             (`VXFEN ... V-11-1-n` in syslog)
One row      per message
Time         `Wed Dec 4 03:25:57 GMT 2013`: wall clock of the node, whole seconds; zone by name; no host
Continuation what a command printed below
"""

from functools import partial

import polars as pl

from parsers.format import Format, Recognition, Refusal
from parsers.syslog.event import TABLES, parse
from parsers.syslog.framing import boundary_of
from parsers.syslog.recognition import claim, refusal, sniff

LEAST_SHARE = 0.3  # commands print more than the scripts do


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of dated lines that mention vxfen."""
    seen = sniff(head)
    if not any("vxfen" in text for _, text, framing in seen.classified if framing == "date"):
        return refusal(seen, "no line with the output of date mentions vxfen", "date")
    return claim(seen, "dated as vxfen's scripts do", "date", least=LEAST_SHARE)


FORMAT = Format(
    name="vxfen",
    title="I/O fencing log",
    tables=TABLES,
    recognise=recognise,
    parse=partial(parse, tags={"date": "vxfen"}),
    boundary=boundary_of("date"),
    file_names=("vxfen*",),
    needs="vxfen",
)
