"""Messages of the Veritas kernel layers (LLT, GAB, VxVM, CVM, VxFS, CFS, vxfen), whatever log carries them."""

import polars as pl

from parsers.format import Column, Table

LLT_EVENT = Table(
    name="llt_event",
    grain="One row per LLT message about a link to a peer.",
    columns=(
        Column("host", pl.String(), "node that wrote the line", host="own"),
        Column("message_id", pl.String(), "V-14-1-number; LLT:nnnnn of 2.0 and 3.5 is written as V-14-1-nnnnn"),
        Column("state", pl.String(), "trouble, inactive, hbreq, expired, active, delayed, lost, other"),
        Column("link", pl.Int16(), "link number"),
        Column("device", pl.String(), "network device of the link"),
        Column("peer_id", pl.Int16(), "LLT node id of the peer"),
        Column("silent_s", pl.Int32(), "N of `inactive N sec`: whole seconds without a heartbeat"),
        Column("outage_key", pl.Int64(), "number in parentheses of an inactive line: constant for an outage of a link"),
        Column("repeat_count", pl.Int32(), "further copies that syslog folded into a repeat line"),
        Column("text", pl.String(), "the message"),
    ),
)

GAB_EVENT = Table(
    name="gab_event",
    grain="One row per GAB message; memberships are taken apart.",
    columns=(
        Column("host", pl.String(), "node that wrote the line", host="own"),
        Column("message_id", pl.String(), "V-15-1-number; GAB:nnnnn of 2.0 and 3.5 is written as V-15-1-nnnnn"),
        Column("kind", pl.String(), "membership, jeopardy, visible, closed, inactive, halt, other"),
        Column("port", pl.String(), "GAB port letter: a GAB, b fencing, d ODM, f CFS, h HAD, v and w CVM, ..."),
        Column("generation", pl.String(), "generation as printed, hexadecimal"),
        Column("membership", pl.String(), "position-coded member string exactly as printed, blanks kept"),
        Column("members", pl.List(pl.Int16()), "node ids that the string stands for"),
        Column("text", pl.String(), "the message"),
    ),
)

STORAGE_EVENT = Table(
    name="storage_event",
    grain="One row per message of VxVM, CVM, VxFS, CFS or vxfen.",
    columns=(
        Column("host", pl.String(), "node that wrote the line", host="own"),
        Column("message_id", pl.String(), "V-2-n, V-5-n-n, V-11-n-n; null in the eras without one"),
        Column("product", pl.String(), "VxVM, CVM, VxFS, CFS, VXFEN"),
        Column("component", pl.String(), "writing component: vxconfigd, vxio, vxfsckd, ..."),
        Column("severity", pl.String(), "PANIC, FATAL ERROR, ERROR, WARNING, NOTICE, INFO"),
        Column("object", pl.String(), "mount point, volume, disk group or device that the text names"),
        Column("is_recovery", pl.Boolean(), "part of a recovery: reconfiguration, log replay, primary take-over"),
        Column("text", pl.String(), "the message"),
    ),
)
