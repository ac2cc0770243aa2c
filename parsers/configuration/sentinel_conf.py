"""sentinel.conf of Redis Sentinel.

Written by  people, and by Sentinel, which appends what it learns
One row     per setting, in scope sentinel.conf; its subject is the master that it is of. `monitor` gives address, port
            and quorum in one value
Secrets     passwords are masked
"""

import re
from collections.abc import Iterator

import polars as pl

from parsers.by_line import COMMENT, LineVerdict, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal, recognised_by
from parsers.secret import masked

# REAL: sentinel down-after-milliseconds mymaster 30000        sentinel current-epoch 3        port 26379
OF_MASTER = (
    "monitor|down-after-milliseconds|parallel-syncs|failover-timeout|auth-pass|auth-user|notification-script"
    "|client-reconfig-script|known-replica|known-slave|known-sentinel|config-epoch|leader-epoch|rename-command"
    "|master-reboot-down-after-period"
)
SETTING = re.compile(
    rf"^\s*+sentinel\s++(?:(?P<of>{OF_MASTER})\s++(?P<master>\S++)|(?P<own>[a-z-]++))\s++(?P<value>\S.*)$"
    r"|^\s*+(?P<name>[a-z][\w-]*+)\s++(?P<plain>\S.*)$"
)
NEEDS = r"^\s*sentinel\s+(?:monitor|down-after-milliseconds|failover-timeout|myid)\s+\S"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim what sets something of Sentinel."""
    return recognised_by(head.str.contains(NEEDS), 0.95, "settings of Redis Sentinel") or Refusal(
        "no setting of Redis Sentinel", 1
    )


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    for text in texts:
        found = SETTING.match(text) if len(text) < 4096 else None
        if text.lstrip().startswith("#"):
            yield COMMENT
        elif found:
            name = found["of"] or found["own"] or found["name"]
            value = (found["value"] or found["plain"]).strip().strip('"')
            yield parsed(
                {"scope": "sentinel.conf", "name": name, "subject": found["master"], "value": masked(name, value)}
            )
        else:
            yield rejected("no setting with a value")


FORMAT = settings_format(
    "sentinel_conf", "Redis Sentinel configuration", "sentinel*.conf", recognise=recognise, read=read, needs=NEEDS
)
