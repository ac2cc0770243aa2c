"""What the first line of a report gives of the machine, as facts."""

import polars as pl

from parsers.environment_fact import ENVIRONMENT_FACT

FACTS = (
    ("sysname", "os", "name"),
    ("release", "os", "release"),
    ("arch", "cpu", "architecture"),
    ("cpus", "cpu", "online"),
)
"""Column of `iostat_invocation`, subject and name of the fact."""


def environment_facts(invocations: pl.DataFrame) -> pl.DataFrame:
    """Rows of `environment_fact` from rows of `iostat_invocation`."""
    facts = [
        invocations.select(
            "file_id",
            "line_no",
            pl.lit(part, pl.Int16).alias("part"),
            "host",
            pl.lit(subject).alias("subject"),
            pl.lit(name).alias("name"),
            pl.col(column).cast(pl.String).alias("value"),
            pl.lit(None, pl.String).alias("unit"),
        )
        for part, (column, subject, name) in enumerate(FACTS, start=1)
    ]
    return pl.concat(facts).drop_nulls("value").sort("file_id", "line_no", "part").select(*ENVIRONMENT_FACT.schema)
