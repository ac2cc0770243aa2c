"""All tables of study.toml under their names in the file."""

from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field

from pipeline.study.branding_options import HouseStyle
from pipeline.study.manifest_entries import (
    Claim,
    Configuration,
    Entry,
    Event,
    FileOverride,
    LogFormat,
    Milestone,
    Node,
    OwnFigure,
    OwnTable,
    Run,
    Section,
    Study,
)

T = TypeVar("T")
ListOf = Annotated[tuple[T, ...], Field(strict=False)]
ConfigurationName = Annotated[str, AfterValidator(lambda name: name.strip("/"))]


class Tables(Entry):
    """The tables of study.toml. The order of configurations is that in tables of the report."""

    study: Study = Study.model_construct()
    report: HouseStyle = HouseStyle.model_construct()
    configurations: dict[ConfigurationName, Configuration] = Field(default={}, alias="configuration")
    nodes: dict[str, Node] = Field(default={}, alias="node")
    resource_types: dict[str, str] = Field(default={}, alias="resource_type")
    runs: ListOf[Run] = Field(default=(), alias="run")
    files: ListOf[FileOverride] = ()
    formats: ListOf[LogFormat] = Field(default=(), alias="format")
    milestones: ListOf[Milestone] = Field(default=(), alias="milestone")
    publication_tables: ListOf[OwnTable] = Field(default=(), alias="table")
    publication_figures: ListOf[OwnFigure] = Field(default=(), alias="figure")
    claims: ListOf[Claim] = Field(default=(), alias="claim")
    events: ListOf[Event] = Field(default=(), alias="event")
    sections: ListOf[Section] = Field(default=(), alias="section")
