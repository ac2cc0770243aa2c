"""repmgr.conf.

Written by  people; read by repmgr and repmgrd
One row     per setting, in scope repmgr.conf; quotes are taken off
Secrets     passwords inside connection strings are masked
"""

import re
from collections.abc import Iterator

import polars as pl

from parsers.by_line import COMMENT, LineVerdict, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal
from parsers.secret import masked

# REAL: conninfo='host=node1 user=repmgr dbname=repmgr connect_timeout=2'
SETTING = re.compile(
    r"^\s*+(?P<name>[a-z]\w*+)\s*+=\s*+(?:'(?P<quoted>[^']*)'|(?P<plain>[^\s'#]++(?:\s++[^\s'#]++)*+))\s*+(?:#.*)?$"
)
KNOWN = (
    r"^\s*(?:node_id|node_name|conninfo|promote_command|follow_command|failover|reconnect_attempts|reconnect_interval"
    r"|monitor_interval_secs|primary_visibility_consensus|use_replication_slots|cluster|node|master_response_timeout"
    r"|repmgrd_service_\w+|service_\w+_command|standby_disconnect_on_failover)\s*=\s*\S"
)
SURE = r"^\s*(?:node_id|node_name|promote_command|follow_command|master_response_timeout)\s*="


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of settings, two of which only repmgr has."""
    known, sure = head.str.contains(KNOWN), head.str.contains(SURE)
    if known.sum() >= 2 and sure.any():
        return Recognition(0.92, "parameters of repmgr", (known.arg_max() or 0) + 1)
    return Refusal("not two parameters of repmgr", 1)


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    for text in texts:
        setting = SETTING.match(text) if len(text) < 4096 else None
        if text.lstrip().startswith("#"):
            yield COMMENT
        elif setting:
            value = setting["plain"] if setting["quoted"] is None else setting["quoted"]
            yield parsed({"scope": "repmgr.conf", "name": setting["name"], "value": masked(setting["name"], value)})
        else:
            yield rejected("no parameter with a value")


FORMAT = settings_format(
    "repmgr_conf", "repmgr configuration", "repmgr*.conf", recognise=recognise, read=read, needs=KNOWN
)
