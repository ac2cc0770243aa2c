"""A first study.toml, written from what was found in a study's logs.

What it states changes no number: names and labels as found, and the reference that would be taken anyway. All else is
an example behind `#` (without a blank, so that taking the sign away makes it count); explanations stand behind `# `.
"""

import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from pipeline import store
from pipeline.errors import InputError
from pipeline.ingest import ingest
from pipeline.progress import Progress

Row = Mapping[str, Any]  # a row of a relation; the store states the types of its columns

SHOWN = 20
"""Examples of one kind, at most."""

QUESTIONS = Path(__file__).parent / "sql" / "init"
"""What is asked of the store, a statement a file."""


def propose(study: Path, progress: Progress | None = None) -> str:
    """The text of a study.toml for a folder of logs. A study in which nothing is recognised is an InputError."""
    with tempfile.TemporaryDirectory(prefix="haledger-") as folder:
        db = Path(folder) / "init.duckdb"
        result = ingest(study, db, progress=progress)
        if result.nothing_recognised:
            raise InputError.unrecognised(study, result.file_count)
        with store.opened(db) as con:
            found = _Found.read(con)
    return "\n".join(_lines(found)) + "\n"


@dataclass(frozen=True, slots=True)
class _Found:
    """The answers, by the name of the question."""

    answers: Mapping[str, Sequence[Row]]

    @classmethod
    def read(cls, con: duckdb.DuckDBPyConnection) -> "_Found":
        """Ask them all."""
        asked = {each.stem: each.read_text(encoding="utf-8") for each in sorted(QUESTIONS.glob("*.sql"))}
        return cls({name: list(store.frame(con, sql).iter_rows(named=True)) for name, sql in asked.items()})

    def __getitem__(self, name: str) -> Sequence[Row]:
        return self.answers[name]


def _lines(found: _Found) -> Iterator[str]:
    yield "# What is known of these logs that they do not say themselves. All of it is optional."
    yield "# A line that begins with # and no blank is an example: take the # away to make it count."
    yield ""
    yield from _study(found)
    yield from _configurations(found["configurations"])
    yield from _nodes(found["nodes"])
    yield from _resources(found["resources"])
    yield from _runs(found["runs"])
    yield from _files(found["unread"])
    yield from _claims(found)


def _study(found: _Found) -> Iterator[str]:
    setting = found["study"][0]
    yield "[study]"
    yield f"title = {text_of(setting['title'] or setting['name'])}"
    yield '#subtitle = "..."'
    yield '#authors = ["..."]'
    yield '#organisation = "..."'
    yield "# How the data came about: recorded, simulated, calibrated (so that published numbers come out)."
    yield '#origin = "recorded"'
    yield '#origin_note = "where, when and on what"'
    configurations = found["configurations"]
    shared = {row["reference"] for row in configurations if row["reference_source"] != "configuration"} - {None}
    if len(shared) == 1:
        yield "# Ratios are taken against this configuration."
        yield f"reference = {text_of(shared.pop())}"
    elif configurations and all(row["reference"] is None for row in configurations):
        yield "# No name tells which configuration the others are to be compared with; without one there are no ratios."
        yield f"#reference = {text_of(configurations[0]['configuration'])}"
    if setting["timezone"]:
        yield f"timezone = {text_of(setting['timezone'])}"
    elif assumed := [row["node"] for row in found["nodes"] if row["is_assumed"]]:
        yield f"# No zone is known for {_comment(_listed(assumed))}: their wall clock is stored as UTC."
        yield '#timezone = "America/Toronto"'
    if sources := found["years"][0]["sources"]:
        yield f"# Some lines print no year; it was taken from: {sources}."
        yield "#year = 2003"
    yield "# How many percent still count as no difference."
    yield f"{'' if setting['margin_pct'] else '#'}margin_pct = {setting['margin_pct'] or 5:g}"
    yield ""


def _configurations(rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        return
    yield "# Configurations, in the order of tables. Factors group them in figures: { file_systems = 2, tuned = true }."
    yield ""
    for row in rows:
        key = text_of(row["configuration"])
        yield f"[configuration.{key}]  # {_run_words(row)}"
        yield f"label = {text_of(row['label'])}"
        if row["reference_source"] == "configuration" and row["reference"]:
            yield f"reference = {text_of(row['reference'])}"
        yield "#factors = { name = 1 }"
        yield ""


def _run_words(row: Row) -> str:
    if not row["runs"]:
        return "no runs"
    words = [f"{row['runs']} {'run' if row['runs'] == 1 else 'runs'}"]
    if row["used"] != row["runs"]:
        words.append(f"{row['used']} used")
    if row["failovers"]:
        words.append(f"{row['failovers']} with a failover")
    return ", ".join(words)


def _nodes(rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        return
    yield "# Hosts. `clock_offset_s`: how far a host's clock is ahead of true time."
    for row in rows[:SHOWN]:
        yield f"# {_comment(row['node'])}: {row['files']} files, zone {_comment(row['zones'])}"
        yield f"#[node.{text_of(row['node'])}]"
        yield '#timezone = "America/Toronto"'
        yield "#clock_offset_s = 0.0"
    yield ""


def _resources(rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        return
    yield "# No main.cf tells the types of these resources, and without them no line is the end of a step."
    yield '# Types: DiskGroup, Mount, CVMVolDg, CFSMount, IP, NIC, Db2udb, ... Globs may be used: "data*" = "Mount".'
    yield "#[resource_type]"
    for row in rows[:SHOWN]:
        yield f'#{text_of(row["resource"])} = "?"'
    yield ""


def _runs(rows: Sequence[Row]) -> Iterator[str]:
    yield "# Runs: a fault time that was written down (`fault_at`), or a run to leave out (`exclude`, with the reason)."
    for row in rows[:SHOWN]:
        yield f"# set aside: {_comment(row['excluded_reason'] or 'no reason given')}"
        yield "#[[run]]"
        yield f"#configuration = {text_of(row['configuration'])}"
        yield f"#run = {text_of(row['run'])}"
        yield "#fault_at = 2003-07-28T10:27:04-04:00"
    if not rows:
        yield "#[[run]]"
        yield '#configuration = "..."'
        yield "#run = 3"
        yield '#exclude = "the operator rebooted the wrong node"'
    yield ""


def _files(rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        return
    yield "# Files that no format recognises. If you know the format of one, say so; `haledger explain` tells more."
    for row in rows[:SHOWN]:
        yield "#[[files]]"
        yield f"#match = {text_of(row['path'])}"
        yield '#format = "syslog"'
    yield ""


def _claims(found: _Found) -> Iterator[str]:
    """Claims that the data bear out today, to be turned into what the study says."""
    claims = list(_claim_examples(found))
    if not claims:
        return
    yield "# Claims: sentences of the study with the condition under which they hold. `haledger check` evaluates them."
    for sentence, entries in claims[:SHOWN]:
        yield "#[[claim]]"
        yield f"#text = {text_of(sentence)}"
        yield from (f"#{key} = {text_of(value) if isinstance(value, str) else value}" for key, value in entries.items())
        yield ""


def _claim_examples(found: _Found) -> Iterator[tuple[str, dict[str, str | int]]]:
    """Sentences and conditions that the intervals bear out."""
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
                stated = {name: row[name] for name in ("label", "clients") if row[name] is not None}
                place = {name: row[name] for name in ("configuration", "reference")}
                yield (
                    f"{row['configuration']}: {row['metric']} at least {limit} % {side} than {row['reference']}",
                    {
                        "measurement": row["metric"],
                        **stated,
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


def text_of(value: str) -> str:
    """A text as TOML takes it, in quotes, whatever it holds."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(value: str) -> str:
    """A text that may stand in a comment: TOML allows no control characters there."""
    return re.sub(r"[\x00-\x1f\x7f]", "?", value)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more hosts" if len(names) > 5 else "")
