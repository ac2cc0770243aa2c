"""Corosync configuration (/etc/corosync/corosync.conf): the token timers behind a failover, quorum, nodes.

Written by  people and cluster shells; read by corosync
One row     per `key: value`, named by the blocks around it: `totem.token`; further blocks of one name are counted:
            `nodelist.node[2].ring0_addr`
Units       token and consensus are in milliseconds; where it is not given, consensus is 1.2 times the token
Secrets     values of keys whose name mentions a secret are masked
"""

import re

import polars as pl

from parsers.by_line import settings_format
from parsers.configuration.blocks import Blocks
from parsers.format import Recognition, Refusal

SIGNATURE = r"^\s*(?:totem|quorum|nodelist|amf|aisexec)\s*\{"
BLOCKS = Blocks(
    "corosync.conf",
    block=re.compile(r"^\s*([A-Za-z][\w.-]{0,99})\s*\{\s*(?:#.*)?$"),
    pair=re.compile(r"^\s*([A-Za-z][\w./-]{0,99})\s*:\s*+((?:\s*+\S++)*+)\s*$"),
    comment=re.compile(r"^\s*#"),
    descriptions={
        "totem.token": "time without a token after which it is lost, ms",
        "totem.consensus": "time to agree on a new membership, ms",
        "totem.token_coefficient": "added to the token per node beyond two, ms",
    },
)


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file with a block of corosync that no other file has, made of blocks and pairs."""
    given = head.str.contains(r"^\s*[^#\s]")
    shaped = head.str.contains(r"^\s*(?:[A-Za-z][\w.-]*\s*\{|\}|[A-Za-z][\w./-]*\s*:)")
    signature = head.str.contains(SIGNATURE)
    if signature.any() and 5 * (given & shaped).sum() >= 4 * given.sum():
        return Recognition(0.95, "blocks of corosync.conf", (signature.arg_max() or 0) + 1)
    return Refusal("no block of corosync.conf", ((given & ~shaped).arg_max() or 0) + 1)


FORMAT = settings_format(
    "corosync_conf",
    "Corosync configuration",
    "corosync.conf*",
    recognise=recognise,
    read=BLOCKS.read,
    needs="totem|quorum|nodelist|amf|aisexec",
)
