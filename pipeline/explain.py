"""The decisions of an ingest told per file: what it is taken for and why, where it belongs, what became of its lines.

It ingests into a store of its own and reads that, so that it cannot tell anything else than what an ingest does.
"""

import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline import store
from pipeline.ingest import ingest
from pipeline.manifest import FILE_NAME as MANIFEST_NAME

SHOWN_REJECTED = 5
LINE_WIDTH = 160
STUDY_DEPTH = 8
"""A study.toml is looked for in so many folders above a path."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that its format could not read."""

    line_no: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Gave:
    """Where and why a format gave up on a file."""

    reason: str
    line_no: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """One file. `sources` says what configuration, run and node were read from; `refusals` why formats gave up."""

    path: str
    status: str
    format: str | None
    reason: str | None
    recognised_at: int | None
    refusals: Mapping[str, Gave]
    configuration: str | None
    run: str | None
    node: str | None
    sources: Mapping[str, str]
    timezone: str | None
    timezone_source: str | None
    year_source: str | None
    first_at: str | None
    last_at: str | None
    encoding: str | None
    counts: Mapping[str, int]
    rejected: Sequence[Rejected]
    note: str | None

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)

    def lines(self) -> list[str]:
        """For people."""
        return list(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.format is None:
            yield f"{self.path}: {self.status}: {self.reason}"
            yield from self._lines_of_refusals()
            return
        where = f", line {self.recognised_at}" if self.recognised_at else ""
        yield f"{self.path}: {self.format} ({self.reason}{where})"
        for name in ("configuration", "run", "node"):
            source = self.sources.get(name)
            yield f"  {name:14}{getattr(self, name) or 'none'}{f'  ({source})' if source else ''}"
        if self.first_at is not None:
            yield f"  {'time':14}{self.first_at} to {self.last_at} UTC"
            yield f"  {'zone':14}{self.timezone or 'none'}  ({self.timezone_source})"
            yield f"  {'year':14}({self.year_source})"
        counted = ", ".join(f"{self.counts[name]:,} {name}" for name in COUNTED)
        yield f"  {'lines':14}{self.counts['lines']:,}: {counted}"
        yield f"  {'rows':14}{self.counts['rows']:,}"
        if self.note:
            yield f"  {'note':14}{self.note}"
        yield from self._lines_of_rejected()

    def _lines_of_refusals(self) -> Iterator[str]:
        if self.status != "unrecognised":
            return
        for name, refusal in self.refusals.items():
            yield f"  not {name}: {refusal.reason} (line {refusal.line_no})"
        yield f'  If you know what it is, say so in study.toml: [[files]] match = "{self.path}", format = "..."'

    def _lines_of_rejected(self) -> Iterator[str]:
        for each in self.rejected:
            yield f"  rejected line {each.line_no}: {each.reason}: {each.text[:LINE_WIDTH]}"
        more = self.counts["rejected"] - len(self.rejected)
        if more > 0:
            yield f"  ... and {more:,} more"


COUNTED = ("parsed", "continuation", "ignored", "blank", "rejected")


def explain(paths: Sequence[Path]) -> list[Explanation]:
    """Explain files and folders. One inside a folder with a study.toml is explained as part of that study."""
    wanted: dict[Path, list[Path]] = defaultdict(list)
    for path in paths:
        wanted[_study_of(path)].append(path)
    return [each for study, parts in wanted.items() for each in _explained(study, parts)]


def _study_of(path: Path) -> Path:
    resolved = path.resolve()
    folders = (resolved, *resolved.parents)[:STUDY_DEPTH]
    return next((folder for folder in folders if (folder / MANIFEST_NAME).is_file()), resolved)


def _explained(study: Path, parts: Sequence[Path]) -> Iterator[Explanation]:
    insides = [path.resolve().relative_to(study).as_posix() for path in parts]
    with tempfile.TemporaryDirectory(prefix="haledger-") as folder:
        db = Path(folder) / "explain.duckdb"
        ingest(study, db)
        with store.opened(db) as con:
            files = store.frame(
                con,
                "select s.*, l.facts, l.place_sources from main.source_file as s "
                "left join log.file_ledger as l on s.file_id = l.file_id order by s.path",
            )
            rejected = store.frame(
                con,
                f"select file_id, line_no, reason, text from main.rejected_line "
                f"qualify row_number() over (partition by file_id order by line_no) <= {SHOWN_REJECTED} "
                "order by file_id, line_no",
            )
    by_file: dict[int, list[Rejected]] = defaultdict(list)
    for file_id, line_no, reason, text in rejected.iter_rows():
        by_file[file_id].append(Rejected(line_no, reason, text))
    for row in files.iter_rows(named=True):
        if any(inside == "." or row["path"] == inside or row["path"].startswith(f"{inside}/") for inside in insides):
            yield _explanation(row, by_file[row["file_id"]])


def _explanation(row: Mapping[str, object], rejected: Sequence[Rejected]) -> Explanation:
    facts = json.loads(str(row["facts"] or "{}"))
    counts = {name: int(str(row[f"{name}_lines"])) for name in COUNTED}
    counts |= {name: int(str(row[name])) for name in ("lines", "rows")}
    as_found = {
        name: None if row[name] is None else str(row[name])
        for name in (
            "format",
            "reason",
            "configuration",
            "run",
            "node",
            "timezone",
            "timezone_source",
            "year_source",
            "first_at",
            "last_at",
            "encoding",
            "note",
        )
    }
    return Explanation(
        path=str(row["path"]),
        status=str(row["status"]),
        recognised_at=facts.get("recognised_at"),
        refusals={name: Gave(reason, line) for name, (reason, line) in facts.get("refusals", {}).items()},
        sources=json.loads(str(row["place_sources"] or "{}")),
        counts=counts,
        rejected=tuple(rejected),
        **as_found,
    )
