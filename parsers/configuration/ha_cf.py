"""Heartbeat configuration (/etc/ha.d/ha.cf): the timers behind a take-over, the links, the nodes.

Written by  people; read by heartbeat
One row     per directive: its name and all that follows
Units       `deadtime 30` is in seconds, `keepalive 500ms` in milliseconds, as printed; the defaults are 2 s for
            keepalive and 30 s for deadtime
"""

import re
from collections.abc import Iterator

import polars as pl

from parsers.by_line import COMMENT, LineVerdict, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal

NAME = (
    r"deadtime|warntime|initdead|deadping|keepalive|auto_failback|nice_failback|udpport|bcast|ucast|mcast|serial|baud|node|"
    r"ping|ping_group|logfile|logfacility|debugfile|debug|use_logd|respawn|apiauth|hopfudge|stonith|stonith_host|watchdog|"
    r"crm|pacemaker|compression|compression_threshold|conn_logd_time|coredumps|hbgenmethod|msgfmt|realtime|rtprio|"
    r"traditional_compression|uuidfrom|autojoin|cluster|max_rexmit_delay|memreserve|crm_cluster_name|log_badpack|hbaping|"
    r"hbversion|environment|failfast|syslogfmtmsg|syslogmsgfmt|tipc_node|normalpoll|regex|uuid|release2mode|setenv"
)
DIRECTIVE = rf"^\s*(?:{NAME})(?:\s+[^#\s].*)?\s*(?:#.*)?$"
SETTING = re.compile(rf"(?P<name>{NAME})(?:\s+(?P<value>\S.*))?")
"""A directive without the comment behind it, and without blanks around."""

SIGNATURE = r"^\s*(?:deadtime|warntime|initdead|auto_failback|udpport|nice_failback)\s+\S"
DESCRIPTIONS = {
    "deadtime": "silence after which a peer is dead",
    "warntime": "silence after which a late heartbeat is reported",
    "initdead": "dead time at start-up",
    "keepalive": "interval of heartbeats",
    "auto_failback": "whether resources return to their own node",
}


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file that is made of directives of ha.cf, one of which no other file has."""
    given = head.str.contains(r"^\s*[^#\s]")
    known = head.str.contains(DIRECTIVE)
    signature = head.str.contains(SIGNATURE)
    if signature.any() and 5 * known.sum() >= 4 * given.sum():
        return Recognition(0.95, "directives of ha.cf", (signature.arg_max() or 0) + 1)
    return Refusal("not made of directives of ha.cf", ((given & ~known).arg_max() or 0) + 1)


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    for text in texts:
        directive = SETTING.fullmatch(text.partition("#")[0].strip())
        if directive:
            name, value = directive["name"], directive["value"] or ""
            yield parsed({"scope": "ha.cf", "name": name, "description": DESCRIPTIONS.get(name), "value": value})
        else:
            yield COMMENT if text.lstrip().startswith("#") else rejected("no directive of ha.cf")


FORMAT = settings_format(
    "ha_cf",
    "Heartbeat configuration",
    "ha.cf*",
    recognise=recognise,
    read=read,
    needs="deadtime|warntime|initdead|auto_failback|udpport|nice_failback",
)
