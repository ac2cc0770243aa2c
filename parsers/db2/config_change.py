"""Changes of the DB2 configuration while it ran, which db2diag.log records one parameter at a time."""

import polars as pl

from parsers.db2.db2diag_keys import groups_of
from parsers.format import Column, Table

CONFIG_CHANGE = Table(
    name="config_change",
    grain="One row per change of a database's or the database manager's configuration that db2diag.log records. "
    "A run in whose time a person changed something (is_self_tuned is false) did not run under one configuration.",
    subject="Configurations",
    part="part of the record, from 1",
    columns=(
        Column("scope", pl.String(), "db (of a database) or dbm (of the database manager)"),
        Column("instance", pl.String(), "DB2 instance"),
        Column("database", pl.String(), "database whose configuration changed; null for the database manager"),
        Column("member", pl.Int32(), "database partition or member"),
        Column("host", pl.String(), "HOSTNAME field", host="own"),
        Column("parameter", pl.String(), "key in capitals, as `db2 get db cfg` prints it; null where none is reported"),
        Column("old_value", pl.String(), "value before, as printed"),
        Column("new_value", pl.String(), "value after, as printed"),
        Column("is_old_automatic", pl.Boolean(), "DB2 was free to choose the value before"),
        Column("is_new_automatic", pl.Boolean(), "DB2 is free to choose the value from then on"),
        Column("is_self_tuned", pl.Boolean(), "changed by DB2's self tuning of memory, not by a person"),
        Column("authid", pl.String(), "authorisation id that made the change"),
        Column("process", pl.String(), "process that made the change"),
        Column("text", pl.String(), "the record's words"),
    ),
)

# REAL (public notes on DB2 11.5): CHANGE  : CFG DBM: "Sysmon_group" From: ""  To: "db2mons"
# Self tuning (EDU db2stmm) writes `STMM CFG DB`, and `<automatic>` below a value that DB2 may choose.
CHANGE = (
    r"(?i)^(?P<stmm>STMM +)?CFG +\(?(?P<scope>DBM|DB)(?: +(?P<changed_database>[^ :)]+))? *\)? *: *"
    r'"(?P<parameter>[^"]*)" +From: *"(?P<old_value>.*?)"(?P<old_automatic> *<automatic>)? +'
    r'To: *"(?P<new_value>.*)"(?P<new_automatic> *<automatic>)? *$'
)


def config_changes(records: pl.DataFrame) -> pl.DataFrame:
    """The changes of configuration among records of `db2diag_record`."""
    found = records.filter(kind="config_change")
    if found.is_empty():
        return CONFIG_CHANGE.empty()
    said = groups_of(found.get_column("event_text"), CHANGE)
    is_known = pl.col("parameter").is_not_null()
    changes = found.with_columns(said.get_columns()).with_columns(
        pl.col("scope").str.to_lowercase(),
        pl.col("parameter").str.to_uppercase(),
        pl.when(is_known).then("changed_database").otherwise("database").alias("database"),
        pl.when(is_known).then(pl.col("old_automatic").is_not_null()).alias("is_old_automatic"),
        pl.when(is_known).then(pl.col("new_automatic").is_not_null()).alias("is_new_automatic"),
        (pl.col("stmm").is_not_null() | pl.col("eduname").str.starts_with("db2stmm").fill_null(value=False)).alias(
            "is_self_tuned"
        ),
        pl.coalesce("event_text", "message", "data").alias("text"),
    )
    return changes.select(pl.col(name).cast(dtype, strict=False) for name, dtype in CONFIG_CHANGE.schema.items())
