"""What a trace is made of: lines, what was inferred from them, and the runs that a number comes from."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import duckdb

from pipeline.store.statements import Row, rows_of

FOLDER: Final = Path(__file__).parent / "sql"

GIVES_IT: Final = "gives it"
"""The role of a line that a row names without saying what it shows."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line that a number rests on. `role`: what it shows. `line_no` None: the file as a whole.

    `is_decisive` is false for a line that others of its kind make needless: it agrees, and bounds nothing.
    """

    role: str
    file_id: int
    line_no: int | None
    how: str = ""
    note: str = ""
    is_decisive: bool = True


@dataclass(frozen=True, slots=True)
class Inference:
    """What no single line gives: `how` such a thing is inferred, as for any run, and what was `found` for this one."""

    what: str
    how: str
    found: str = ""


@dataclass(slots=True)
class Run:
    """What one run adds to a number. `value`: in the unit of the number; None where the run has none.

    `reason` says why a run is set aside, or has no value.
    """

    configuration: str | None
    run: str | None
    value: float | str | None = None
    is_used: bool = True
    reason: str | None = None
    lines: list[Line] = field(default_factory=list)
    inference: list[Inference] = field(default_factory=list)


def own_lines(row: Row) -> list[Line]:
    """The lines that a row names itself: `file_id, line_no`, and pairs such as `done_file_id, done_line_no`."""
    found = []
    for name in row:
        if not (name == "line_no" or name.endswith("_line_no")) or row[name] is None:
            continue
        prefix = name.removesuffix("line_no")
        file_id = row.get(f"{prefix}file_id", row.get("file_id"))
        if file_id is not None:
            found.append(Line(prefix.rstrip("_") or GIVES_IT, file_id, row[name]))
    if not found and row.get("file_id") is not None:
        found.append(Line("the file as a whole", row["file_id"], None))
    return found


def query_rows(con: duckdb.DuckDBPyConnection, name: str, **parameters: object) -> list[Row]:
    """The rows of `sql/NAME.sql`."""
    return rows_of(con, FOLDER / f"{name}.sql", **parameters)


def clock(value: Any) -> str:  # noqa: ANN401  an instant of the store
    """An instant as date and time, with as much of a second as there is."""
    text = str(value)
    return text.rstrip("0") if "." in text else text


def number(value: object) -> float | None:
    """A value as a number, if it is one."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
