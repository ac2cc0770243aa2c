"""Messages of cluster managers, replication and databases that tell of a failover, whatever log carries them."""

import polars as pl

from parsers.format import Column, Message, Table

HA_EVENT = Table(
    name="ha_event",
    grain="One row per thing that a message of a cluster manager, replication or database tells of a failover.",
    columns=(
        Column("host", pl.String(), "node that wrote the line; null where the line has none", host="own"),
        Column(
            "stack",
            pl.String(),
            "heartbeat, drbd, corosync, pacemaker, sun_cluster, keepalived, patroni, postgresql, mysql, vxfen",
        ),
        Column("kind", pl.String(), "what the message says"),
        Column("object", pl.String(), "resource, group, device, address or mount point that the message is about"),
        Column(
            "object_class",
            pl.String(),
            "address, replication, mount, database, application, fencing; null where the message does not tell",
        ),
        Column("agent", pl.String(), "resource agent or script: IPaddr2, Filesystem, drbddisk, pgsql, ..."),
        Column("action", pl.String(), "operation on the resource: start, stop, promote, demote, monitor, ..."),
        Column("peer", pl.String(), "host that the message is about", host="named"),
        Column("old_state", pl.String(), "state that was left"),
        Column("new_state", pl.String(), "state that was reached"),
        Column("return_code", pl.Int32(), "return code of the operation"),
        Column("value", pl.Float64(), "number that the message states, in the unit of its kind"),
        Column("rule", pl.String(), "rule that read the message"),
        Column("uptime_s", pl.Float64(), "kernel uptime stamp, seconds"),
        Column("process", pl.String(), "program, daemon or agent that wrote it"),
        Column("pid", pl.Int64(), "process id"),
        Column("text", pl.String(), "the message"),
    ),
    message=Message(source="ha", text="text", message_id="rule", process="process", pid="pid"),
)
