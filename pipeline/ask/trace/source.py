"""Where a printed value comes from: a cell of a statement's result, and with it rows and columns of relations."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.store.row import Row

Key = tuple[str | None, ...]
"""Values of key columns, as text."""

Asked = tuple[str, tuple[tuple[str, object], ...]]
"""A statement with its parameters."""

NAMING = frozenset(
    {
        *("configuration", "reference", "run", "unit_run", "node", "device", "source", "milestone", "phase"),
        *("metric", "unit", "label", "clients", "scope", "name", "syncmode", "flush_pages", "setting", "database"),
        *("member", "run_id", "path", "element", "entity", "entity_kind", "level", "resource", "resource_type"),
        *("group", "object", "op", "cached", "folder", "cpu", "file_id", "line_no", "part", "stack", "instance"),
        *("subject", "item", "target", "reason", "text", "event", "disk", "change", "direction", "side"),
        *("report_no", "invocation_no", "distribution_no", "quantile", "done_line_no", "start_line_no"),
        *("requested_bytes", "fault_source", "fault_kind"),
    }
)
"""Columns that name a thing: those that a relation has are its key."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A cell of the result of a statement. `place` None: all of its rows. `columns`: names of the values."""

    statement: str
    place: int | None
    columns: tuple[str, ...]
    parameters: tuple[tuple[str, object], ...] = ()

    @property
    def asked(self) -> Asked:
        """The statement with its parameters."""
        return self.statement, self.parameters


@dataclass(frozen=True, slots=True)
class Source:
    """Rows of a relation, by the values of its key columns, and columns of them that a value is computed from.

    `is_computed`: an expression of these columns; else the value is that of the first.
    """

    relation: str
    key: tuple[str, ...]
    rows: tuple[Key, ...]
    columns: tuple[str, ...]
    is_computed: bool = False


def source(relation: str, row: Row, key: Sequence[str], *columns: str) -> Source:
    """One row of a relation, by some of its values, and columns of it."""
    return Source(relation, tuple(key), (tuple(as_text(row[name]) for name in key),), columns)


def as_text(value: object) -> str | None:
    """A value as the store writes it where it is cast to text."""
    return None if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def key_of(columns: Sequence[str]) -> tuple[str, ...]:
    """The columns that tell the rows of a relation apart: all that name a thing."""
    return tuple(name for name in columns if name in NAMING)
