"""keepalived.conf.

Written by  people; read by keepalived
One row     per setting, in scope keepalived.conf, named by the blocks around it: `vrrp_instance VI_1.advert_int`; a
            flag reads `yes`
Units       advert_int is in seconds, 1 where it is not given
Secrets     auth_pass
"""

import re

import polars as pl

from parsers.by_line import settings_format
from parsers.configuration.blocks import Blocks
from parsers.format import Recognition, Refusal

SIGNATURE = r"^\s*(?:vrrp_instance|vrrp_script|vrrp_sync_group|virtual_ipaddress|track_script)\b[^{]*\{"
BLOCKS = Blocks(
    "keepalived.conf",
    block=re.compile(r"^\s*([A-Za-z]\w*+(?:[ \t]++[\w.:-]++){0,9})\s*\{\s*(?:[#!].*)?$"),
    pair=re.compile(r"^\s*([\w./:-]{1,99})(?:\s++((?:[^\s{}#!]\S*+\s*+)++))?\s*(?:[#!].*)?$"),
    comment=re.compile(r"^\s*[#!]"),
    descriptions={},
)


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file with a block that only keepalived has."""
    signature = head.str.contains(SIGNATURE)
    if signature.any():
        return Recognition(0.95, "blocks of keepalived.conf", (signature.arg_max() or 0) + 1)
    return Refusal("no block of keepalived.conf", 1)


FORMAT = settings_format(
    "keepalived_conf",
    "keepalived configuration",
    "keepalived*.conf*",
    recognise=recognise,
    read=BLOCKS.read,
    needs="vrrp_|virtual_ipaddress|track_script",
)
