"""Time series that a statement of the study gives, in place of a metric of the store: rates of a monitor's counters."""

from pipeline.errors import UsageError
from reports.figures.request import Request
from reports.figures.series import Series

COLUMNS = ("configuration", "run", "x", "value")


def own_series(request: Request) -> Series:
    """The statement's points: `x` in seconds since the start; with a column `line`, several lines a run.

    Option `metric` heads the axis of values.
    """
    names, found = request.study.store.study_rows(request.sql, request.owner)
    if missing := [name for name in COLUMNS if name not in names]:
        raise UsageError(
            f"{request.owner}: expected SQL with columns {', '.join(COLUMNS)}; it lacks {', '.join(missing)}"
        )
    nothing = {"line": "", "is_after_fault": False, "zero_at": None}
    rows = [nothing | dict(zip(names, row, strict=True)) for row in found]
    keys = {each.configuration for each in request.members}
    shown = [row for row in rows if row["configuration"] in keys and row["x"] is not None and row["value"] is not None]
    if not shown:
        raise UsageError(f"{request.owner}: its SQL has no point of a configuration that the figure shows")
    shown.sort(key=lambda row: (str(row["configuration"]), str(row["run"]), str(row["line"]), row["x"]))
    return Series(
        request.text("metric") or "value", shown, "Source: a statement of the study, printed in the appendix."
    )
