"""The table of what a log or a tool says of the machine and the software that it was written on."""

import polars as pl

from parsers.format import Column, Table

ENVIRONMENT_FACT = Table(
    name="environment_fact",
    grain="One row per fact that a file gives of the machine or the software; part counts them within the line.",
    is_public=False,
    columns=(
        Column("host", pl.String(), "host that the fact is about, where the file names one", host="own"),
        Column("subject", pl.String(), "what it is about: db2, os, cpu, memory, swap, kernel, limit, disk"),
        Column("name", pl.String(), "what of it, in small letters: version, release, online, physical_total, ..."),
        Column("value", pl.String(), "value as printed; limits in decimal, `unlimited` where there is none"),
        Column("unit", pl.String(), "unit of the value: MB, bytes, seconds, bit, ...; null where it has none"),
    ),
    is_dated=False,
)
