"""The kinds of tables and figures that study.toml may ask for, and the options of each.

`reports` draws them: a figure of a kind by the function of its name. Values reach it as the file has them.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline.study.manifest_mistakes import EntryError, PartError
from pipeline.study.manifest_values import Decimals, Label, Number, TextOrTrue
from pipeline.suggestions import nearest

Labels = Annotated[tuple[Label, ...], Field(strict=False)]
"""A list of texts, of which whole numbers may be some."""

Clients = Annotated[int, Field(ge=0)]


class Options(BaseModel):
    """What any table and figure takes. `paper`: the number of its like in a published paper."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    label: Label | None = None
    number: Label | None = None
    paper: Label | None = None
    note: Label | None = None


class TableOptions(Options):
    """What any table takes. `replaces`: the table that the paper shows without it; the page has that one still."""

    replaces: Literal["milestones"] | None = None


class StatementOptions(TableOptions):
    """Of a table with a statement of its own."""

    decimals: Decimals | None = None
    heads: dict[str, str] | None = None
    place: Literal["environment", "results", "failover", "client", "replication", "throughput", "disk"] | None = None


class MilestonesOptions(TableOptions):
    """Of a table of milestones."""

    decimals: Annotated[int, Field(ge=0, le=30)] | None = None
    spread: bool | None = None


class TimelineOptions(Options):
    """Of a figure of phases."""

    phases: Labels = ()


class MeasurementsOptions(Options):
    """Of bars."""

    metric: Label | None = None
    metrics: Labels = ()
    of: Label | None = None
    clients: Clients | None = None
    unit: Label | None = None
    group: Label | None = None
    normalised: TextOrTrue | None = None


class SweepOptions(Options):
    """Of lines along a factor."""

    metric: Label | None = None
    of: Label | None = None
    clients: Clients | None = None
    unit: Label | None = None
    factor: Label | None = None
    lines_by: Label | None = None
    ideal: bool | None = None
    target: Number | None = None
    normalised: TextOrTrue | None = None


class SeriesOptions(Options):
    """Of values over time."""

    metric: Label | None = None
    devices: Labels = ()
    runs: Labels = ()
    scale_with: Labels = ()
    shade: Labels = ()
    overlaid: bool | None = None


class RelativeTimesOptions(Options):
    """Of times of queries."""

    metrics: Labels = ()


class AgainstOptions(Options):
    """Of one number against another."""

    x: Label | None = None
    y: Label | None = None


class DisksOptions(Options):
    """Of one device."""

    device: Label | None = None
    metrics: Labels = ()


class DependenciesOptions(Options):
    """Of resources of service groups."""

    groups: Labels = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table or figure.

    `columns`: what a statement of the study has to give it; none: it draws none. `needs_sql`: it draws nothing else.
    `needs`: options without which it draws nothing; `instead_of_sql`: one of these, where there is no statement.
    """

    options: type[Options]
    columns: tuple[str, ...] = ()
    needs_sql: bool = False
    needs: tuple[str, ...] = ()
    instead_of_sql: tuple[str, ...] = ()

    @property
    def takes_sql(self) -> bool:
        """Whether it draws a statement of the study where it has one."""
        return bool(self.columns)


VALUES: Final = ("configuration", "run", "value")
FIGURE_KINDS: Final = {
    "timeline": Kind(TimelineOptions),
    "recovery-times": Kind(Options),
    "measurements": Kind(MeasurementsOptions, VALUES, instead_of_sql=("metric", "metrics")),
    "sweep": Kind(SweepOptions, VALUES, needs=("factor",), instead_of_sql=("metric",)),
    "series": Kind(SeriesOptions, ("configuration", "run", "x", "value"), instead_of_sql=("metric",)),
    "relative-times": Kind(RelativeTimesOptions),
    "against": Kind(AgainstOptions, ("configuration", "run", "x", "y"), needs_sql=True),
    "disks": Kind(DisksOptions, needs=("device",)),
    "dependencies": Kind(DependenciesOptions),
    "group-dependencies": Kind(Options),
}
TABLE_KINDS: Final = {"milestones": Kind(MilestonesOptions)}
OWN_TABLE: Final = Kind(StatementOptions)
OWN_FIGURE: Final = Kind(Options)
"""With a statement alone."""


def refuse_misfit(kind: Kind, name: str | None, sql: str | None, options: dict[str, Any]) -> None:
    """Refuse options that a kind does not have, and a table or figure that lacks what its kind needs."""
    try:
        kind.options.model_validate(options)
    except ValidationError as error:
        raise PartError(error, kind.options, "options") from None
    if kind.needs_sql and sql is None:
        raise EntryError(f"a key 'sql' beside kind = {name!r}")
    for need in kind.needs:
        if not options.get(need):
            raise EntryError(f"an option {need!r} beside kind = {name!r}")
    if kind.instead_of_sql and sql is None and not any(options.get(each) for each in kind.instead_of_sql):
        words = " or ".join(repr(each) for each in kind.instead_of_sql)
        raise EntryError(f"an option {words} beside kind = {name!r}, or a key 'sql'")


def known_kind(name: str, known: Collection[str]) -> str:
    """The key `kind` of a table or figure, refused where there is no such kind."""
    if name not in known:
        raise ValueError(f"expected one of {', '.join(known)}, found {name!r}{nearest(name, known)}")
    return name
