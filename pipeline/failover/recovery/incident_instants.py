"""Instants of an incident that rules of milestones name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.service.resource_types import ResourceType
from pipeline.failover.service.service_windows import DATABASES, ServiceWindow
from pipeline.failover.step import CONFIGURATION, grouped, step
from pipeline.failover.timeline import Timeline


class IncidentInstant(NamedTuple):
    """One row per incident: instants that milestone rules name, besides the membership change. UTC."""

    configuration: str
    run: str
    service_end_at: Annotated[
        datetime,
        "the last database group (any group where none has a database) is online, or switched; else the incident's end",
    ]
    database_start_at: Annotated[
        datetime,
        "first record of db2diag after the membership change, else the start of a Db2udb resource, else service_end_at",
    ]


class FirstDatabaseRecord(NamedTuple):
    """What a database wrote first after a membership change, as `first_database_record` has it."""

    configuration: str
    run: str
    at: datetime


@step(by=CONFIGURATION, of="incident")
def incident_instant(
    incident: Sequence[Incident],
    service_window: Sequence[ServiceWindow],
    first_database_record: Sequence[FirstDatabaseRecord],
    cluster_line: Sequence[ClusterLine],
    resource_type: Sequence[ResourceType],
) -> Iterator[IncidentInstant]:
    """When the service was back, and when its database began to start."""
    ends = grouped((each for each in service_window if each.is_own_group), "run")
    records = {each.run: each.at for each in first_database_record}
    starts = _database_starts(cluster_line, resource_type)
    for each in incident:
        service_end_at = max((one.service_end_at for one in ends.get((each.run,), [])), default=each.end_at)
        own = starts[each.unit_run].between(each.membership_at, each.end_at) if each.unit_run in starts else []
        start_at = next((line.at for line in own if line.at < each.end_at), service_end_at)
        yield IncidentInstant(each.configuration, each.run, service_end_at, records.get(each.run, start_at))


def _database_starts(
    lines: Iterable[ClusterLine], resources: Iterable[ResourceType]
) -> Mapping[str | None, Timeline[ClusterLine]]:
    """The lines by which databases are started, by unit."""
    databases = {each.resource for each in resources if each.resource_type in DATABASES}
    starts = (each for each in lines if each.kind == "initiate_online" and each.resource in databases)
    return {unit: Timeline(own) for (unit,), own in grouped(starts, "unit_run").items()}
