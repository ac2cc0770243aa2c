"""The table of what status commands show of a cluster at one moment."""

import polars as pl

from parsers.format import Column, Table

CLUSTER_STATE = Table(
    name="cluster_state",
    grain="One row per state that a status command shows: hastatus -sum, pcs status, crm_mon -1, patronictl list.",
    subject="Messages",
    columns=(
        Column("subject", pl.String(), "what has the state: cluster, node, group, resource, member or action"),
        Column("name", pl.String(), "its name"),
        Column("parent", pl.String(), "group, set or cluster that it is of"),
        Column("host", pl.String(), "node that it is on", host="named"),
        Column("state", pl.String(), "state as printed: RUNNING, ONLINE, UNCLEAN (online), Started, running, ..."),
        Column("role", pl.String(), "role or operation: Leader, Replica, Master, demote, ..."),
        Column("is_frozen", pl.Boolean(), "no operator action moves it; null where not shown"),
        Column("is_probed", pl.Boolean(), "its resources were looked at on the node; null where not shown"),
        Column("is_autodisabled", pl.Boolean(), "the group may not start on the node; null where not shown"),
        Column("timeline", pl.Int64(), "timeline of a member of Patroni"),
        Column("lag_mb", pl.Float64(), "what a member of Patroni is behind, MB"),
        Column("duration_s", pl.Float64(), "time that a failed action took, seconds"),
        Column("detail", pl.String(), "type, address or reason as printed"),
    ),
)
