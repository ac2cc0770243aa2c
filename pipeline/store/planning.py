"""How DuckDB plans statements over few lines: plainly, as planning them then costs more than running them."""

from contextlib import suppress

import duckdb

MOST_LINES = 100_000
"""Of a study whose statements are planned plainly."""

NEEDLESS = (
    "statistics_propagation,join_filter_pushdown,common_subplan,projection_pullup,duplicate_groups,"
    "projection_placement,cte_filter_pusher"
)
PLAINLY = ("set delim_join_as_cte = false", f"set disabled_optimizers = '{NEEDLESS}'")
"""Takes a sixth off the statements of such a study. The order of joins is sought for it as for any other."""


def plan_plainly(con: duckdb.DuckDBPyConnection, lines: int) -> None:
    """Plan the statements of a connection plainly from now on if a study has few lines."""
    for setting in PLAINLY if lines <= MOST_LINES else ():
        con.execute(setting)


def plan_by_lines(con: duckdb.DuckDBPyConnection) -> None:
    """The same by the lines that a store accounts for; as any other where it accounts for none."""
    with suppress(duckdb.CatalogException, duckdb.BinderException):
        row = con.execute("select sum(lines) from main.source_file").fetchone()
        if row is not None and row[0] is not None:
            plan_plainly(con, int(row[0]))
