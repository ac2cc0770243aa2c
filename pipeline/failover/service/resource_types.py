"""Types of the resources that VCS manages: its messages do not name them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.rules import rules
from pipeline.failover.step import STUDY, grouped, step

RESOURCE_LOGS = frozenset(rules("services")["resource_logs"])


class DeclaredResource(NamedTuple):
    """A resource in a main.cf that applies to a configuration."""

    configuration: str
    resource: str
    resource_type: str
    group: str | None
    distance: int
    file_id: int
    line_no: int


class TypePattern(NamedTuple):
    """A pattern of study.toml for the names of resources."""

    position: int
    pattern: str
    resource_type: str


class ResourceAgent(NamedTuple):
    """The only agent that tells of a resource."""

    configuration: str
    resource: str
    agent: str


class FoundResource(NamedTuple):
    """A resource in a main.cf."""

    resource: str
    resource_type: str
    group: str | None


class ResourceType(NamedTuple):
    """One row per configuration and VCS resource: its type and where that is known from. HAD messages do not name a
    type. It comes from the nearest main.cf, else study.toml, else the agent's own lines, else a main.cf elsewhere
    in the study that knows the resource by one type only. It is never guessed from the name.
    """

    configuration: str
    resource: Annotated[str, "VCS resource"]
    resource_type: Annotated[str, "DiskGroup, Mount, IP, Db2udb, CFSMount, ..."]
    group: Annotated[str | None, "service group, where main.cf gives it"]
    type_source: Annotated[str, "main.cf, study.toml, agent line, main.cf of another configuration"]


@step(by=STUDY)
def resource_type(
    declared_resource: Sequence[DeclaredResource],
    cluster_line: Sequence[ClusterLine],
    study__resource_type: Sequence[TypePattern],
    resource_agent: Sequence[ResourceAgent],
    log__cluster_resource: Sequence[FoundResource],
) -> Iterator[ResourceType]:
    """The type of each resource of which one is known."""
    nearest = sorted(declared_resource, key=lambda each: (each.distance, each.file_id, each.line_no))
    declared: dict[tuple[str, str], DeclaredResource] = {}
    for each in nearest:
        declared.setdefault((each.configuration, each.resource), each)
    told = {
        (each.configuration, each.resource)
        for each in cluster_line
        if each.source in RESOURCE_LOGS and each.resource is not None
    }
    agents = {(each.configuration, each.resource): each.agent for each in resource_agent}
    elsewhere = _of_one_type(log__cluster_resource)
    for key in sorted(told | declared.keys() | agents.keys()):
        _, resource = key
        pattern_type = _pattern_type(resource, study__resource_type) if key in told else None
        if own := declared.get(key):
            yield ResourceType(*key, own.resource_type, own.group, "main.cf")
        elif pattern_type is not None:
            yield ResourceType(*key, pattern_type, None, "study.toml")
        elif key in agents:
            yield ResourceType(*key, agents[key], None, "agent line")
        elif resource in elsewhere:
            yield ResourceType(*key, *elsewhere[resource], "main.cf of another configuration")


def _pattern_type(resource: str, patterns: Iterable[TypePattern]) -> str | None:
    fitting = (each for each in patterns if fnmatchcase(resource, each.pattern))
    first = min(fitting, key=lambda each: each.position, default=None)
    return first and first.resource_type


def _of_one_type(resources: Iterable[FoundResource]) -> Mapping[str, tuple[str, str | None]]:
    """The type and group of resources that every main.cf of the study gives one type."""
    alike = {name: rows for (name,), rows in grouped(resources, "resource").items()}
    return {
        name: (rows[0].resource_type, min((each.group for each in rows if each.group is not None), default=None))
        for name, rows in alike.items()
        if len({each.resource_type for each in rows}) == 1
    }
