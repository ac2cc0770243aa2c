"""The tables that main.cf fills: systems, service groups, resources, their attributes and what needs what."""

import polars as pl

from parsers.format import Column, Table

CLUSTER_SYSTEM = Table(
    name="cluster_system",
    grain="One row per system that main.cf declares.",
    subject="Clusters",
    part=None,
    columns=(
        Column("system", pl.String(), "system name", host="named"),
        Column("cluster", pl.String(), "cluster name"),
    ),
    is_dated=False,
)

CLUSTER_GROUP = Table(
    name="cluster_group",
    grain="One row per service group that main.cf declares.",
    subject="Clusters",
    part=None,
    columns=(
        Column("group", pl.String(), "group name"),
        Column("is_parallel", pl.Boolean(), "may be online on several systems at once"),
        Column("systems", pl.String(), "SystemList as printed"),
        Column("auto_start", pl.String(), "AutoStartList as printed"),
    ),
    is_dated=False,
)

CLUSTER_RESOURCE = Table(
    name="cluster_resource",
    grain="One row per resource that main.cf declares.",
    subject="Clusters",
    part=None,
    columns=(
        Column("resource", pl.String(), "resource name"),
        Column("resource_type", pl.String(), "type: DiskGroup, Mount, IP, Db2udb, CFSMount, ..."),
        Column("group", pl.String(), "group the resource belongs to"),
    ),
    is_dated=False,
)

CLUSTER_ATTRIBUTE = Table(
    name="cluster_attribute",
    grain="One row per attribute value in main.cf; a localised attribute has a row per system.",
    subject="Clusters",
    part=None,
    columns=(
        Column("entity_kind", pl.String(), "cluster, system, group, resource, type, remotecluster, heartbeat"),
        Column("entity", pl.String(), "name of the thing that has the attribute"),
        Column("group", pl.String(), "group of a resource"),
        Column("attribute", pl.String(), "attribute name"),
        Column("system", pl.String(), "system of a localised value, else null", host="named"),
        Column("value", pl.String(), "value as printed, blanks normalised; secrets read ********"),
        Column("is_masked", pl.Boolean(), "value was a secret and is not stored"),
    ),
    is_dated=False,
)

CLUSTER_DEPENDENCY = Table(
    name="cluster_dependency",
    grain="One row per `requires` of main.cf: parent needs child.",
    subject="Clusters",
    part=None,
    columns=(
        Column("dependency_kind", pl.String(), "resource or group"),
        Column("group", pl.String(), "group in which the line is"),
        Column("parent", pl.String(), "resource or group that needs the child"),
        Column("child", pl.String(), "resource or group needed"),
        Column("mode", pl.String(), "for groups: `online local firm` and the like"),
    ),
    is_dated=False,
)

TABLES = (CLUSTER_SYSTEM, CLUSTER_GROUP, CLUSTER_RESOURCE, CLUSTER_ATTRIBUTE, CLUSTER_DEPENDENCY)
