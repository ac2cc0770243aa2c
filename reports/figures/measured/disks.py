"""What a disk did in each configuration: bars with intervals and every run as a dot, and its course over time."""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.errors import UsageError
from reports.figures.catalogue import figure, kind
from reports.figures.measured.measured import Measured
from reports.figures.measured.measurement_bars import bars_of_several
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.figures.series.series import device_series, series_of
from reports.naming import Naming
from reports.study.store import Row
from reports.study.view import Configuration, StudyView

METRICS = ("w_per_s", "wkb_per_s", "f_per_s", "w_await_ms", "await_ms", "util_pct")
"""What is shown of a disk unless the study asks for other columns of iostat_device."""

COURSE = ("util_pct", "w_per_s", "tps")
"""What is shown over time: the first that the reports have."""

LEAST_POINTS = 3
"""Reports of a run on the mean: fewer are no course."""

MOST_UNASKED = 4
NOTE = "Values of a run: means of its reports, without those since boot; times weighted by the requests."


@figure(topic="disk", after="distributions")
def disk_activity(study: StudyView, own: Sequence[Figure]) -> list[Figure]:
    """A figure of the disk that worked most, where several configurations used it and the study draws none itself."""
    name = "disk-activity"
    if _is_drawn(name, own):
        return []
    for device in _ranked(study):
        members = _users(study, study.configurations, device)
        metrics = _changing(study.rows("disk_stats"), device)
        if len(members) > 1 and metrics:
            return [_figure(study, device, metrics[:MOST_UNASKED], members, Naming(name))]
    return []


@figure(topic="disk", after="disk-activity")
def disk_course(study: StudyView, own: Sequence[Figure]) -> Figure | None:
    """How busy the disk that worked most was over time, else its writes, unless the study draws a disk itself."""
    name = "disk-course"
    if _is_drawn(name, own):
        return None
    for device in _ranked(study)[:1]:
        members = _users(study, study.configurations, device)
        for metric in COURSE:
            found = device_series(study, metric, [device])
            if found and members and len(found.rows) >= LEAST_POINTS * len({row["run"] for row in found.rows}):
                caption = f"The disk {device} over time: {found.title}, every run"
                return series_of(study, found, members, Naming(name, caption))
    return None


@kind
def disks(request: Request) -> Figure:
    """The device of option `device`; option `metrics` lists columns of iostat_device."""
    study, device = request.study, request.text("device") or ""
    members = _users(study, request.members, device)
    if not members:
        known = sorted({row["device"] for row in study.rows("disk_stats")})
        raise UsageError(f"{request.owner}: no device {device!r} in the data; known: {', '.join(known) or 'none'}")
    have = {row["metric"] for row in study.rows("disk_stats") if row["device"] == device}
    metrics = request.texts("metrics") or _changing(study.rows("disk_stats"), device)
    if unknown := [each for each in metrics if each not in have]:
        raise UsageError(
            f"{request.owner}: no metric {unknown[0]!r} of device {device!r}; known: {', '.join(sorted(have))}"
        )
    return _figure(study, device, metrics, members, request.naming)


def _figure(
    study: StudyView, device: str, metrics: Sequence[str], members: Sequence[Configuration], naming: Naming
) -> Figure:
    found = bars_of_several([_measured(study, device, metric, members) for metric in metrics], naming)
    caption = naming.caption or f"What the disk {device} did in each configuration"
    return replace(found, caption=caption, notes=(*found.notes, NOTE), topic="disk")


def _measured(study: StudyView, device: str, metric: str, members: Sequence[Configuration]) -> Measured:
    return Measured(
        study,
        metric,
        None,  # the name of the metric shows its unit
        members,
        [row for row in study.rows("disk_stats") if row["device"] == device and row["metric"] == metric],
        [row for row in study.rows("disk_runs") if row["device"] == device and row["metric"] == metric],
        source="relations iostat_run and iostat_summary",
    )


def _users(study: StudyView, members: Sequence[Configuration], device: str) -> list[Configuration]:
    """Configurations in which one host, with one tool, watched the device: otherwise runs would count twice."""
    shown = [row for row in study.rows("disk_stats") if row["device"] == device]
    places = {(row["configuration"], row["node"], row["source"]) for row in shown}
    return [each for each in members if sum(place[0] == each.configuration for place in places) == 1]


def _is_drawn(name: str, own: Sequence[Figure]) -> bool:
    """Whether the study draws this figure, or a disk, itself."""
    return any(each.name == name or each.topic == "disk" for each in own)


def _ranked(study: StudyView) -> list[str]:
    """The devices, the one that worked most first; none that did nothing."""
    work = {
        device: _work(study.rows("disk_stats"), device)
        for device in {row["device"] for row in study.rows("disk_stats")}
    }
    return sorted((device for device in work if work[device] > 0), key=lambda device: (-work[device], device))


def _work(stats: Sequence[Row], device: str) -> float:
    """The greatest number of requests a second in any configuration."""
    counts = ("r_per_s", "w_per_s", "tps")
    return max((row["mean"] for row in stats if row["device"] == device and row["metric"] in counts), default=0.0)


def _changing(stats: Sequence[Row], device: str) -> list[str]:
    """The usual metrics that are not zero throughout; the time of any request only where that of writes is unknown."""
    found = [
        metric
        for metric in METRICS
        if any(row["mean"] > 0 for row in stats if row["device"] == device and row["metric"] == metric)
    ]
    doubled = {"await_ms"} if "w_await_ms" in found else set()
    doubled |= {"wkb_per_s"} if "f_per_s" in found else set()
    return [metric for metric in found if metric not in doubled]
