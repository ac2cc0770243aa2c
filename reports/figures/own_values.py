"""Values that a statement of the study gives, run by run, in place of a metric of the store: processor time, a rate."""

from pipeline.errors import UsageError
from reports.figures.measured import Measured
from reports.figures.request import Request
from reports.store import Row
from reports.study_view import StudyView, statement

COLUMNS = ("configuration", "run", "value")


def own_values(request: Request) -> Measured:
    """The statement's values with their statistics over runs; options `metric` and `unit` name them."""
    study, owner = request.study, request.owner
    plain = request.sql.strip().removesuffix(";")
    names, _ = study.store.study_rows(f"from (\n{plain}\n) limit 0", owner)
    if missing := [name for name in COLUMNS if name not in names]:
        raise UsageError(f"{owner}: expected SQL with columns {', '.join(COLUMNS)}; it lacks {', '.join(missing)}")
    metric, unit = request.text("metric") or "value", request.text("unit")
    stated: Row = {"metric": metric, "unit": unit}
    stats = _rows(study, "own_stats", plain, owner, stated)
    values = _rows(study, "own_runs", plain, owner, stated | {"path": None, "line_no": None})
    have = {row["configuration"] for row in stats}
    normalised = request.options.get("normalised")
    return Measured(
        study,
        metric,
        unit,
        [each for each in request.members if each.configuration in have],
        stats,
        values,
        normalised is True or isinstance(normalised, str),
        normalised if isinstance(normalised, str) else None,
        "a statement of the study, printed in the appendix",
    )


def _rows(study: StudyView, name: str, sql: str, owner: str, stated: Row) -> list[Row]:
    names, rows = study.store.study_rows(statement(name).replace("values_of_the_study", sql), owner)
    return [dict(zip(names, row, strict=True)) | stated for row in rows]
