"""What is known of a file while its lines pass through the parser of its format, and its facts at the end.

A format that cannot read half of the lines did not recognise the file: its claim is withdrawn. Where study.toml
declares the format, it is read all the same. Lines that were read, but hold a number that no quantity has, do not speak
against it.
"""

from collections import Counter
from dataclasses import dataclass, field, replace

import polars as pl

from pipeline.reading import stamps, unit
from pipeline.reading.file_facts import COUNTS, FileFacts
from pipeline.reading.report_spans import OpenReports


@dataclass(slots=True)
class ReadSoFar:
    """What is found of a file while its lines pass; complete once its units were parsed.

    `is_doubted`: only its first lines say of which format it is.
    """

    facts: FileFacts
    is_doubted: bool = False
    is_at_end: bool = False
    verdicts: Counter[str] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)
    own_hosts: Counter[str] = field(default_factory=Counter)
    named_hosts: set[str] = field(default_factory=set)
    zones: set[str] = field(default_factory=set)
    weekdays: set[str] = field(default_factory=set)
    stamps: str | None = None
    stamps_of_spans: pl.DataFrame | None = None
    dates: str | None = None
    out_of_range: int = 0
    rejected: int = 0
    first_rejected: int | None = None
    open: OpenReports | None = None
    failure: str | None = None

    def add_host(self, kind: str, host: str, count: int) -> None:
        """Take note of a host on this many lines: its writer (`own`), one that they mention (`named`), its `zone`.

        And of a `weekday`, as the clock of the host shows it.
        """
        if kind == "own" and (host in self.own_hosts or len(self.own_hosts) < unit.MAX_HOSTS):
            self.own_hosts[host] += count
        elif kind == "named" and len(self.named_hosts) < unit.MAX_HOSTS:
            self.named_hosts.add(host)
        elif kind == "zone":
            self.zones.add(host)
        elif kind == "weekday":
            self.weekdays.add(host)

    def note_rejected(self, line_no: int) -> None:
        """Take note of a line that could not be read."""
        self.first_rejected = line_no if self.first_rejected is None else min(line_no, self.first_rejected)

    def complete(self) -> FileFacts:
        """The facts of the file."""
        if self.failure is not None:
            return FileFacts("unreadable", self.failure)
        if self.is_doubted and self._is_mostly_rejected():
            return self._refused()
        if self.stamps_of_spans is not None:
            self.stamps = next(iter(stamps.stamps_of(self.stamps_of_spans).values())).as_json()
        return replace(
            self.facts,
            verdicts={name: self.verdicts[name] for name in COUNTS.values()},
            table_rows=dict(sorted(self.rows.items())),
            own_hosts=dict(self.own_hosts),
            named_hosts=sorted(self.named_hosts),
            zones=sorted(self.zones),
            weekdays=sorted(self.weekdays),
            stamps=self.stamps,
            dates=self.dates,
        )

    def _is_mostly_rejected(self) -> bool:
        unread = self.verdicts["rejected_lines"] - self.out_of_range
        return 2 * unread > self.facts.lines - self.verdicts["blank_lines"]

    def _refused(self) -> FileFacts:
        """The facts of a file that is not of the format which its first lines show: its rows count for nothing."""
        name = str(self.facts.format)
        read = f"{self.verdicts['rejected_lines']:,} of {self.facts.lines:,} lines cannot be read as {name}"
        why = f"{read}, which it looks like: {self.facts.reason}"
        others = f'; [[files]] format = "{name}" in study.toml reads the others' if self.rows.total() else ""
        return FileFacts(
            status="unrecognised",
            reason=why + others,
            refusals=(*self.facts.refusals, (name, read, self.first_rejected or 1)),
            sha256=self.facts.sha256,
            note=self.facts.note,
        )
