"""Small logs for the clock: what their lines have, and the clock that is resolved for them."""

from datetime import datetime

import polars as pl

from parsers.format import DAYLESS, KEY_SCHEMA, STAMP_SCHEMA
from pipeline.clock import file_clock
from pipeline.clock.file_clock import FileClock
from pipeline.reading.stamps import StampFacts, facts_of, stamps_of
from pipeline.study.manifest import Manifest, parse

moment = datetime.fromisoformat

NOW = moment("2026-03-01T12:00")
NO_MANIFEST = Manifest()

Row = tuple[str, int | None]  # stamp ("07-28T10:00:00" bears no year, "T10:00:00" no day), offset


class Log:
    """A file for the clock: its rows, and what assignment found."""

    def __init__(
        self,
        path: str,
        *rows: Row | str,
        run: str | None = "run01",
        node: str | None = "sun-ha4",
        log_format: str = "syslog",
        weekdays: tuple[str, ...] = (),
    ) -> None:
        self.path = path
        self.weekdays = weekdays
        self.log_format = log_format
        self.run, self.node = run, node
        self.modified_at: datetime | None = None
        self.rows: list[Row] = [(row, None) if isinstance(row, str) else row for row in rows]

    def modified(self, at: datetime) -> "Log":
        self.modified_at = at
        return self

    def frame(self, file_id: int) -> pl.DataFrame:
        cells = []
        for line, (text, offset) in enumerate(self.rows, 1):
            has_year = text[4] == "-"
            day = DAYLESS.isoformat() if text.startswith("T") else "2000-"
            stamp = datetime.fromisoformat(text if has_year else f"{day}{text}")
            cells.append((file_id, line, 1, stamp, has_year, offset))
        return pl.DataFrame(cells, schema={**KEY_SCHEMA, **STAMP_SCHEMA}, orient="row")

    def facts(self, file_id: int) -> StampFacts:
        stamps = stamps_of(facts_of(self.frame(file_id))).get(file_id)
        place = ("tuned", self.run, self.node, self.log_format)
        return StampFacts(
            file_id,
            self.path,
            *place,
            self.modified_at,
            stamps,
            is_dated_within="!/" in self.path,
            weekdays=self.weekdays,
        )


def resolve(*logs: Log, manifest: Manifest = NO_MANIFEST, now: datetime = NOW) -> dict[str, FileClock]:
    return file_clock.resolve([log.facts(i) for i, log in enumerate(logs)], manifest, now)


def dated(*logs: Log, manifest: Manifest = NO_MANIFEST, column: str = "at") -> list[str | None]:
    """The rows of the first log."""
    clocks = dict(enumerate(resolve(*logs, manifest=manifest).values()))
    cells = file_clock.apply(logs[0].frame(0), clocks).get_column(column).to_list()
    return [at and at.isoformat() for at in cells]


def toml(text: str) -> Manifest:
    return parse(text.encode())


JULY = "07-28T10:27:04"
YEAR_2003 = "2003-07-28T10:27:00"
SUN = "2003-07-28T10:00:00"
NEW_YEAR = ("12-31T23:59:58", "01-01T00:00:02")
TORONTO = '[study]\ntimezone = "America/Toronto"\n'
