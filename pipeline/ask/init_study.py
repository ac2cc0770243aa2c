"""A first study.toml, written from what was found in a study's logs.

What it states changes no number: names and labels as found, and the reference that would be taken anyway. All else is
an example behind `#` (without a blank, so that taking the sign away makes it count); explanations stand behind `# `.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import jinja2

from parsers.format import Layout, drafted, formats
from pipeline.ask.settings import format_name, glob_of, text_of
from pipeline.discovery.address import Address
from pipeline.discovery.walk import discover
from pipeline.ingest.current_store import current_store
from pipeline.progress import Progress
from pipeline.reading.lines import read_head
from pipeline.store import store

Draft = tuple[str, Layout]
"""The path of a file, and a format for it."""

Row = Mapping[str, Any]  # a row of a relation; the store gives the types of its columns

SHOWN = 20
"""Examples of one kind, at most."""

QUESTIONS = Path(__file__).parent / "init_sql"
"""What is asked of the store, a statement a file."""

TEMPLATE = Path(__file__).with_name("init_study.toml.jinja")


def propose(study: Path | Address, progress: Progress | None = None, near: Sequence[Path] = ()) -> str:
    """The text of a study.toml for a folder of logs. A study in which nothing is recognised is an InputError.

    `near`: folders whose store of the study answers if nothing changed.
    """
    with current_store(study, near=near, progress=progress) as current, store.opened(current.db) as con:
        drafts = list(_drafts(con, study))
        if not drafts:
            current.require_recognised(study)
        return proposal(con, drafts)


def _drafts(con: duckdb.DuckDBPyConnection, study: Path | Address) -> Iterator[Draft]:
    """A format for each file that no format recognises, in whose lines there are dates."""
    unread = {path for (path,) in con.execute((QUESTIONS / "unread.sql").read_text(encoding="utf-8")).fetchall()}
    taken: set[str] = set(formats())
    for source in discover(study).sources:
        if source.path not in unread:
            continue
        try:
            with source.open() as stream:
                head = read_head(stream).lines
        except OSError:
            continue
        layout = drafted(format_name(source.name, taken), head)
        if layout is not None:
            taken.add(layout.name)
            yield source.path, layout


def _undated(unread: Sequence[Row], drafts: Sequence[Draft]) -> list[Row]:
    drawn = {path for path, _ in drafts}
    return [row for row in unread if row["path"] not in drawn]


def proposal(con: duckdb.DuckDBPyConnection, drafts: Sequence[Draft] = ()) -> str:
    """The text of a study.toml for an open store; `drafts`: formats for files that no format recognises."""
    found = {
        each.stem: list(store.frame(con, each.read_text(encoding="utf-8")).iter_rows(named=True))
        for each in sorted(QUESTIONS.glob("*.sql"))
    }
    references = {row["reference"] for row in found["configurations"] if row["reference_source"] != "configuration"} - {
        None
    }
    return _template().render(
        found,
        setting=found["study"][0],
        reference=references.pop() if len(references) == 1 else None,
        hosts_without_zone=_listed([row["node"] for row in found["nodes"] if row["is_assumed"]]),
        claims=list(_claim_examples(found)),
        drafts=drafts,
        undated=_undated(found["unread"], drafts),
        shown=SHOWN,
    )


def _template() -> jinja2.Template:
    environment = jinja2.Environment(  # noqa: S701  TOML, whose texts are quoted by a filter
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"toml": text_of, "glob": glob_of, "comment": _comment, "runs_in_words": _runs_in_words}
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8"))


def _runs_in_words(row: Row) -> str:
    if not row["runs"]:
        return "no runs"
    words = [f"{row['runs']} {'run' if row['runs'] == 1 else 'runs'}"]
    if row["used"] != row["runs"]:
        words.append(f"{row['used']} used")
    if row["failovers"]:
        words.append(f"{row['failovers']} with a failover")
    return ", ".join(words)


def _claim_examples(found: Mapping[str, Sequence[Row]]) -> Iterator[tuple[str, dict[str, str | int]]]:
    """Sentences and conditions that the intervals support."""
    for row in found["milestones"]:
        limit = _above(row["ci95_high_s"])
        place: dict[str, str | int] = {name: row[name] for name in ("milestone", "configuration")}
        yield f"{row['configuration']}: {row['milestone']} within {limit} s", {**place, "op": "<=", "value": limit}
    for row in found["changes"]:
        if limit := _below(row["least_reduction_pct"]):
            place = {name: row[name] for name in ("milestone", "configuration", "reference")}
            yield (
                f"{row['configuration']}: {row['milestone']} at least {limit} % sooner than {row['reference']}",
                {**place, "statistic": "reduction_pct", "op": ">=", "value": limit},
            )
    for row in found["ratios"]:
        kinds = (("improvement_pct", "more", row["ci95_low"] - 1), ("reduction_pct", "less", 1 - row["ci95_high"]))
        for statistic, side, least in kinds:
            if limit := _below(100 * least):
                declared = {name: row[name] for name in ("label", "clients") if row[name] is not None}
                place = {name: row[name] for name in ("configuration", "reference")}
                yield (
                    f"{row['configuration']}: {row['metric']} at least {limit} % {side} than {row['reference']}",
                    {
                        "measurement": row["metric"],
                        **declared,
                        **place,
                        "statistic": statistic,
                        "op": ">=",
                        "value": limit,
                    },
                )


def _above(seconds: float) -> int:
    """A round number of seconds above a mean."""
    step = 1 if seconds < 20 else 5 if seconds < 100 else 10
    return int((seconds // step + 1) * step)


def _below(percent: float) -> int:
    """A round number of percent below a change; 0 where none is left."""
    step = 5 if percent >= 10 else 1
    return max(0, int(percent // step * step))


def _comment(value: str) -> str:
    """A text that may be in a comment: TOML allows no control characters there."""
    return re.sub(r"[\x00-\x1f\x7f]", "?", value)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more hosts" if len(names) > 5 else "")
