"""The table that every configuration format fills: named values of one scope."""

import polars as pl

from parsers.format import Column, Table

PARAMETER_VALUE = Table(
    name="parameter_value",
    grain="One row per configuration value that a file states.",
    columns=(
        Column("scope", pl.String(), "db, dbm, registry, llttab, gabtab, sysctl, ..."),
        Column("name", pl.String(), "parameter name as its product writes it"),
        Column("description", pl.String(), "the product's description, or null"),
        Column("value", pl.String(), "value as printed, without surrounding blanks"),
    ),
    is_dated=False,
)
