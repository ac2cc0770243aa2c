"""A figure: what it shows, the data behind it, and words for who cannot see it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from pipeline.ask.trace.source import Origin
from reports.figures.draw.ink import Scene
from reports.outline import TOPICS


@dataclass(frozen=True, slots=True)
class Behind:
    """Where the number of a mark comes from that no single line shows, such as a mean of runs of a configuration."""

    configuration: str
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A publication figure. `label` is the study's own number for it; `topic` the part of the results it is in.

    `behind`: by the words of a mark that no single line shows, where its number comes from.
    """

    name: str
    caption: str
    description: str
    scene: Scene
    names: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    notes: tuple[str, ...] = ()
    source: str = ""
    label: str = ""
    configurations: tuple[str, ...] = ()
    topic: str = "failover"
    sql: str = ""  # the study's own statement, where it draws one
    paper: str = ""  # the number of its like in a published paper
    behind: Mapping[str, Behind] = field(default_factory=dict, compare=False)

    @property
    def section(self) -> str:
        """The section of the report that the figure is in."""
        return "results" if self.topic in TOPICS else self.topic

    def with_note(self, note: str) -> Self:
        """The figure with one more note."""
        return replace(self, notes=(*self.notes, note))
