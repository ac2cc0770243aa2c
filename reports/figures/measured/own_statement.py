"""What a statement of the study gives a figure in place of a metric of the store: values run by run, or points."""

from collections.abc import Sequence

from pipeline.ask.trace.source import Origin
from pipeline.errors import UsageError
from reports.figures.measured.measured import Measured, asked
from reports.figures.request import Request
from reports.figures.series.series import Series
from reports.study.result_rows import ResultRow, with_values
from reports.study.store import Row
from reports.study.view import statement

PRINTED = "a statement of the study; statements.sql has it"


def own_rows(request: Request, filled: Sequence[str], what: str) -> list[Row]:
    """The statement's rows of the configurations that a figure shows, with values in the `filled` columns."""
    names, found = request.study.store.study_rows(request.sql, request.owner)
    keys = {each.configuration for each in request.members}
    rows: list[Row] = [
        ResultRow(dict(zip(names, row, strict=True)), Origin(request.sql, place, tuple(names)))
        for place, row in enumerate(found)
    ]
    rows = [row for row in rows if row["configuration"] in keys and all(row[each] is not None for each in filled)]
    if not rows:
        raise UsageError(f"{request.owner}: its SQL has no {what} of a configuration that the figure shows")
    return rows


def values_of(request: Request) -> Measured:
    """The values that a figure is about: those of its own statement, or of a metric of the store."""
    return custom_values(request) if request.sql else asked(request, request.options.get("metric"))


def custom_series(request: Request) -> Series:
    """The statement's points: `x` in seconds since the start; with a column `line`, several lines a run.

    Option `metric` heads the axis of values.
    """
    nothing = {"line": "", "is_after_fault": False, "zero_at": None}
    rows = [nothing | row for row in own_rows(request, ("x", "value"), "point")]
    rows.sort(key=lambda row: (str(row["configuration"]), str(row["run"]), str(row["line"]), row["x"]))
    return Series(request.text("metric") or "value", rows, f"Source: {PRINTED}.")


def custom_values(request: Request) -> Measured:
    """The statement's values with their statistics over runs; options `metric` and `unit` name them."""
    plain = request.sql.strip().removesuffix(";")
    metric, unit = request.text("metric") or "value", request.text("unit")
    named: Row = {"metric": metric, "unit": unit}
    stats = [with_values(row, named) for row in _statistics(request, "custom_stats", plain)]
    runs = request.study.with_first_lines(_statistics(request, "custom_runs", plain), "value")
    values = [with_values(row, named) for row in runs]
    have = {row["configuration"] for row in stats}
    members = [each for each in request.members if each.configuration in have]
    return Measured(request.study, metric, unit, members, stats, values, *request.normalised(), PRINTED)


def _statistics(request: Request, name: str, sql: str) -> list[Row]:
    """Rows of one of the report's statements over the study's own."""
    whole = statement(name).replace("values_of_the_study", sql)
    names, rows = request.study.store.study_rows(whole, request.owner)
    return [
        ResultRow(dict(zip(names, row, strict=True)), Origin(whole, place, tuple(names)))
        for place, row in enumerate(rows)
    ]
