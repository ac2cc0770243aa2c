"""Syslog files."""

import polars as pl

from parsers.format import Column, Table

SYSLOG_EVENT = Table(
    name="syslog_event",
    grain="One row per syslog message, also where another table holds its typed form.",
    columns=(
        Column("framing", pl.String(), "shape of the line's head: bsd, solaris, linux_kernel, iso, rfc5424, aix, ..."),
        Column("host", pl.String(), "host that wrote the line, as printed", host="own"),
        Column("facility", pl.String(), "syslog facility where printed"),
        Column("level", pl.String(), "emerg, alert, crit, err, warning, notice, info, debug; null where not printed"),
        Column("tag", pl.String(), "program, daemon or kernel module"),
        Column("pid", pl.Int64(), "process id where printed"),
        Column("msgid", pl.String(), "Solaris [ID n] or RFC 5424 MSGID; never a key for meaning"),
        Column("message_id", pl.String(), "vendor message id inside the text: V-14-1-10032, V-16-1-10322, ..."),
        Column("product", pl.String(), "LLT, GAB, VCS, VxVM, CVM, VxFS, CFS, VXFEN where the text is theirs"),
        Column("uptime_s", pl.Float64(), "kernel uptime stamp, seconds"),
        Column("repeat_count", pl.Int32(), "further copies that a repeat line reported; their stamps are not evidence"),
        Column("text", pl.String(), "the message after the tag; continuation lines joined by a line feed"),
    ),
)
