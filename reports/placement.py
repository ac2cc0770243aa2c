"""Where a table or figure of the report stands: in which section, and in which part of the results."""

from collections.abc import Mapping

from reports.figures.model import Figure
from reports.study_view import StudyView
from reports.tables.model import Table

PLANNING_TABLES = (
    "hadr-recommendations",
    "hadr-modes",
    "hadr-bottlenecks",
    "hadr-windows",
    "hadr-buffers",
    "hadr-model",
    "hadr-what-if",
    "hadr-disks",
    "hadr-repeats",
    "hadr-shipping",
    "hadr-outliers",
)
CLIENT_TABLES = ("client-outage", "client-effects", "client-errors")
PERFORMANCE_TABLES = {
    "throughput-scaling": "throughput",
    "relative-query-times": "throughput",
    "throughput-dips": "throughput",
    "log-flushes": "disk",
    "hadr-states": "replication",
}
SECTION_OF_TABLE = {
    "formats": "environment",
    "hosts": "environment",
    "machines": "environment",
    "iostat-disks": "results",
    "processors": "results",
    **dict.fromkeys(PLANNING_TABLES, "results"),
    "resources": "environment",
    "timers": "environment",
    "recovery": "results",
    "outcomes": "results",
    "changes": "results",
    "measurements": "results",
    "operations": "results",
    "resynchronisations": "results",
    "hadr-takeovers": "results",
    "claims": "claims",
    "story": "runs",
    **dict.fromkeys(PERFORMANCE_TABLES, "results"),
    **dict.fromkeys(CLIENT_TABLES, "results"),
    "fault-time-accuracy": "results",
    "fault-time-errors": "runs",
    "parameter-changes": "parameters",
    "automatic-parameters": "parameters",
    "delayed-parameters": "parameters",
    "parameters": "parameters",
    "changes-all": "runs",
    "phases": "runs",
    "runs": "runs",
    "sources": "sources",
}


TOPIC_TITLES = {
    "failover": "Failover and take-over",
    "client": "What clients went through",
    "replication": "Replication",
    "throughput": "Throughput and response",
    "planning": "HADR planning",
    "disk": "Disk and processor",
    "truth": "Fault times against the truth",
    "recommendations": "What the comparisons show",
}
FIGURES_LAST = {"failover": "Time lines", "planning": "Figures"}
"""Topics whose tables stand before most of their figures, with the heading of those."""
TOPIC_OF_TABLE = {
    "measurements": "throughput",
    **PERFORMANCE_TABLES,
    **dict.fromkeys(CLIENT_TABLES, "client"),
    "fault-time-accuracy": "truth",
    "resynchronisations": "replication",
    "hadr-takeovers": "replication",
    **dict.fromkeys(PLANNING_TABLES, "planning"),
}


def topic_of(table: Table, study: StudyView) -> str:
    """The part of the results that a table stands in; the study's own tables stand in its main part."""
    if table.name in TOPIC_OF_TABLE:
        return TOPIC_OF_TABLE[table.name]
    if table.name.startswith(("iostat", "processor")):
        return "disk"
    is_ours = not _is_own(table.name)
    return "failover" if study.failover_runs or is_ours else "throughput"


def section_of(table: Table, tables: Mapping[str, Table]) -> str:
    """The section that a table stands in."""
    if table.place:
        return table.place
    if table.name in SECTION_OF_TABLE:
        return SECTION_OF_TABLE[table.name]
    if table.name.startswith("run-milestones"):
        return "runs"
    has_own = any(_is_own(name) for name in tables)
    if table.name.startswith("milestones"):
        return "runs" if has_own and len(tables) > 1 else "results"
    return "results"


def section_of_figure(figure: Figure) -> str:
    """The section that a figure stands in."""
    return "results" if figure.topic in TOPIC_TITLES else figure.topic


def _is_own(name: str) -> bool:
    """Whether a table is the study's own, not one of ours."""
    return name not in SECTION_OF_TABLE and not name.startswith(("milestones", "run-milestones"))
