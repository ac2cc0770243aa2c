"""A notebook for marimo: `marimo edit failovers.py` opens it, `python failovers.py` runs it.

It reads haledger.duckdb in the folder in which it is started, and needs marimo and duckdb, nothing of haledger.
"""

import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    import duckdb
    import marimo as mo

    store = duckdb.connect("haledger.duckdb", read_only=True)
    return mo, store


@app.cell
def _(mo, store):
    recovered = store.sql("select configuration, runs, recovered, ci95_low, ci95_high from recovery order by all")
    rows = [dict(zip(recovered.columns, row, strict=True)) for row in recovered.fetchall()]
    mo.vstack([mo.md("## Did the service come back by itself?"), mo.ui.table(rows)])
    return (rows,)


@app.cell
def _(mo, store):
    steps = store.sql("""
        select configuration, milestone, runs, round(mean_s, 1) as mean_s, round(ci95_low_s, 1) as low_s,
            round(ci95_high_s, 1) as high_s
        from milestone_stats
        order by configuration, mean_s
    """)
    means = [dict(zip(steps.columns, row, strict=True)) for row in steps.fetchall()]
    mo.vstack([mo.md("## How long does each step take?"), mo.ui.table(means)])
    return (means,)


@app.cell
def _(means, rows):
    print(f"{len(rows)} configurations, {len(means)} milestones")


if __name__ == "__main__":
    app.run()
