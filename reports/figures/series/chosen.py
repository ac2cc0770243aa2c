"""The series that study.toml asks for: a metric of the benchmarks, a column of iostat, or a statement of the study."""

from pipeline.errors import UsageError
from reports.figures.catalogue import kind
from reports.figures.measured.own_statement import custom_series
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.figures.series.series import Drawing, device_series, metric_series, series_of


@kind
def series(request: Request) -> Figure:
    """Values over time, each run a line."""
    study, metric = request.study, request.text("metric") or ""
    found = custom_series(request) if request.sql else None
    found = found or metric_series(study, metric) or device_series(study, metric, request.texts("devices"))
    if found is None:
        raise UsageError(
            f"{request.owner}: no series of {metric!r}; "
            "expected a metric of measurement_series or a column of iostat_device"
        )
    asked = request.options.get("overlaid")
    drawing = Drawing(
        request.texts("runs"),
        request.texts("scale_with"),
        request.texts("shade"),
        asked if isinstance(asked, bool) else None,
    )
    return series_of(study, found, request.members, request.naming, drawing)
