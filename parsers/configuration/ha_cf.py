"""Heartbeat configuration (/etc/ha.d/ha.cf): the timers behind a take-over, the links, the nodes.

Written by  people; read by heartbeat
One row     per directive: its name and all that follows
Units       `deadtime 30` is in seconds, `keepalive 500ms` in milliseconds, as printed; the defaults are 2 s for
            keepalive and 30 s for deadtime
"""

import polars as pl

from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.line_verdict import COMMENT, verdicts
from parsers.parameter import PARAMETER_VALUE, parameter_values

NAME = (
    r"deadtime|warntime|initdead|deadping|keepalive|auto_failback|nice_failback|udpport|bcast|ucast|mcast|serial|baud|node|"
    r"ping|ping_group|logfile|logfacility|debugfile|debug|use_logd|respawn|apiauth|hopfudge|stonith|stonith_host|watchdog|"
    r"crm|pacemaker|compression|compression_threshold|conn_logd_time|coredumps|hbgenmethod|msgfmt|realtime|rtprio|"
    r"traditional_compression|uuidfrom|autojoin|cluster|max_rexmit_delay|memreserve|crm_cluster_name|log_badpack|hbaping|"
    r"hbversion|environment|failfast|syslogfmtmsg|syslogmsgfmt|tipc_node|normalpoll|regex|uuid|release2mode|setenv"
)
DIRECTIVE = rf"^\s*(?P<name>{NAME})(?:\s+(?P<value>[^#\s](?:.*?[^\s])??))?\s*(?:#.*)?$"
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


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn directives into parameters."""
    read = lines.with_columns(pl.col("text").str.extract_groups(DIRECTIVE).alias("fields")).unnest("fields")
    values = read.filter(pl.col("name").is_not_null()).select(
        "file_id",
        "line_no",
        pl.lit(1, pl.Int16()).alias("part"),
        pl.lit("ha.cf").alias("scope"),
        "name",
        pl.col("name").replace_strict(DESCRIPTIONS, default=None, return_dtype=pl.String()).alias("description"),
        pl.col("value").fill_null(""),
    )
    line_verdicts = verdicts(read, pl.col("name").is_not_null(), "no directive of ha.cf", ignored=COMMENT)
    return Parsed({PARAMETER_VALUE.name: parameter_values(values)}, line_verdicts)


FORMAT = Format(
    name="ha_cf",
    title="Heartbeat configuration",
    tables=(PARAMETER_VALUE,),
    recognise=recognise,
    parse=parse,
    boundary=None,
    file_names=("ha.cf*",),
    role="configuration",
    needs="deadtime|warntime|initdead|auto_failback|udpport|nice_failback",
)
