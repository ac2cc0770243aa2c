"""The table that every configuration format fills: named values of one scope."""

import polars as pl

from parsers.format import Column, Table

PARAMETER_VALUE = Table(
    name="parameter_value",
    grain="One row per configuration value that a file states.",
    is_public=False,
    columns=(
        Column("scope", pl.String(), "db, dbm, registry, llttab, gabtab, sysctl, ..."),
        Column("name", pl.String(), "parameter name as its product writes it"),
        Column("description", pl.String(), "the product's description, or null"),
        Column("value", pl.String(), "value as printed, without surrounding blanks"),
        Column(
            "subject", pl.String(), "database, member or level that the value is of, where a file shows it; else null"
        ),
        Column("effective_value", pl.String(), "what a value chosen by the product came to: 79840 of AUTOMATIC(79840)"),
        Column(
            "delayed_value", pl.String(), "value that holds from the next start on, where a file shows it; else null"
        ),
        Column("is_automatic", pl.Boolean(), "the product chooses the value; null where that cannot be determined"),
    ),
    is_dated=False,
)


def settings_of(lines: pl.DataFrame, pattern: str, scope: str) -> pl.DataFrame:
    """Lines that state a setting, with its scope, name and value: the two groups of the pattern."""
    setting = pl.col("text").str.extract_groups(pattern).struct
    given = lines.with_columns(
        pl.lit(scope).alias("scope"), setting.field("1").alias("name"), setting.field("2").alias("value")
    )
    return given.filter(pl.col("name").is_not_null())
