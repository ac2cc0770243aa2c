"""Milestone and phase rules: what a line must look like to be the completion of a step. Rules are data.

The built-in ones are in `rules/*.toml`, one file per cluster stack; a study adds its own as `[[milestone]]`.
The views read both as `study.milestone_rule` and `study.phase_rule`; there is no rule in code.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.study.manifest_entries import Milestone
from pipeline.study.study_tables import TEXT, TEXTS, WHOLE, StudyTable

RULES_FOLDER = Path(__file__).parent / "rules"
OUTCOME_FILE = RULES_FOLDER / "outcome" / "lines.toml"

MILESTONE_RULE = StudyTable(
    "One row per milestone and kind of evidence for it: the built-in rules, then those of study.toml.",
    {
        "position": (WHOLE, "place of the milestone among all, from 1"),
        "stack": (TEXT, "cluster stack the rule is for; `study` for the study's own"),
        "milestone": (TEXT, "name of the milestone"),
        "label": (TEXT, "heading of its column"),
        "spanner": (TEXT, "heading above several columns"),
        "phrase": (TEXT, "the milestone in a sentence: `the database is started`"),
        "evidence": (WHOLE, "order in which evidence is looked for, from 1"),
        "source": (TEXT, "log it is in; null: any"),
        "message_ids": (TEXTS, "message ids that show it; null: any"),
        "kinds": (TEXTS, "kinds of message that show it; null: any"),
        "text_pattern": (TEXT, "regular expression (RE2) found in the message"),
        "resource_types": (TEXTS, "types of resource; null: any"),
        "port": (TEXT, "GAB port"),
        "resource_classes": (TEXTS, "classes of resource of an ha line; null: any"),
        "actions": (TEXTS, "operations: start, promote, ...; null: any"),
        "states": (TEXTS, "states that were reached; null: any"),
        "subject": (
            TEXT,
            "whom the message mentions: lost_node, surviving_node, service_group, clustered_storage; null: anyone",
        ),
        "pick": (TEXT, "first or last line that fits"),
        "after": (TEXT, "instant or milestone it follows"),
        "before": (TEXT, "instant or milestone it precedes"),
        "is_user": (pl.Boolean(), "whether study.toml declares it"),
        "ends_recovery": (
            WHOLE,
            "1: service is back; 2, 3: counts so if no run shows a 1; 0: is, -1: is not, by study.toml; null: neither",
        ),
        "begun_by": (TEXT, "milestone after which this one must follow"),
    },
)

PHASE_RULE = StudyTable(
    "One row per phase of a cluster stack: from the latest of some milestones to another one.",
    {
        "position": (WHOLE, "order in figures, from 1"),
        "stack": (TEXT, "cluster stack"),
        "phase": (TEXT, "name of the phase"),
        "label": (TEXT, "name in print"),
        "from_terms": (
            TEXT,
            "milestones (commas between; `a|b`: the first that a run shows); the latest begins it where no line does",
        ),
        "to_milestone": (TEXT, "milestone that ends it"),
        "starts": (TEXTS, "milestones whose resources it brings online: it begins as the first of these is started"),
        "starts_but": (TEXTS, "it brings all resources online but those of these milestones; empty: not so"),
        "waits_for": (TEXTS, "milestones that it waits for though its resource was started"),
        "colour_role": (TEXT, "what its colour stands for"),
    },
)

OUTCOME_RULE = StudyTable(
    "One row per kind of line that decides what became of a failover, besides its steps.",
    {
        "position": (WHOLE, "order in the file of rules, from 1"),
        "says": (TEXT, "fault, down, start (of the node again), by_hand, stop"),
        "source": (TEXT, "log it is in: vcs, ha, db2diag, syslog"),
        "kinds": (TEXTS, "kinds of message; empty: any"),
        "actions": (TEXTS, "operations: start, promote, ...; empty: any"),
        "tags": (TEXTS, "programs that say it, of a syslog rule, or a line that names none; empty: any"),
        "words": (TEXTS, "the message holds one of them; empty: not required"),
        "text_pattern": (TEXT, "regular expression (RE2) found in the message; null: not required"),
    },
)

SETTING_RULE = StudyTable(
    "One row per step of a stack that a setting governs.",
    {
        "position": (WHOLE, "order in the files of rules, from 1"),
        "of_stack": (TEXT, "stack of `ha_event` whose setting it is, or `llt`"),
        "from_milestone": (TEXT, "milestone that begins the step; `fault`: the fault itself"),
        "to_milestone": (TEXT, "milestone that ends it"),
        "step": (TEXT, "the step in a sentence: `from the fault until ...`"),
        "settings": (TEXT, "the settings in a sentence, with the program whose they are"),
    },
)

TABLES = {
    "milestone_rule": MILESTONE_RULE,
    "phase_rule": PHASE_RULE,
    "outcome_rule": OUTCOME_RULE,
    "setting_rule": SETTING_RULE,
}
"""Those of schema `study` that hold rules, by name."""

INSTANTS = ("search_start", "fault", "membership", "service_end", "database_start", "end")
"""What `after` and `before` may name besides milestones; `pipeline/study/rules/vcs_db2.toml` says what they are."""

STUDY_END = 0
NO_END = -1
"""`ends_recovery` of the study's own steps: true and false."""

STUDY_STACK = "study"
"""Where a cluster stack is named, of milestones that study.toml adds."""


def study_tables(user_milestones: Sequence[Milestone] = ()) -> dict[str, pl.DataFrame]:
    """Give the tables of schema `study` that hold rules, by the names of `TABLES`."""
    return {
        "milestone_rule": table(user_milestones),
        "phase_rule": phase_rules(),
        "outcome_rule": outcome_rules(),
        "setting_rule": setting_rules(),
    }


def table(user_milestones: Sequence[Milestone]) -> pl.DataFrame:
    """Give one row per milestone and piece of evidence: the built-in rules, then the study's `[[milestone]]` entries.

    A study's milestone with a built-in name replaces the built-in evidence and keeps its place and headings.
    """
    built_in = list(_built_in_rows())
    headings = {row["milestone"]: row for row in built_in}
    names = [each.name for each in user_milestones]
    places = {name: place for place, name in enumerate(dict.fromkeys([*headings, *names]), 1) if name not in headings}
    own = []
    for number, each in enumerate(user_milestones):
        built = headings.get(each.name, {})
        own.append(
            _row(each.model_dump())
            | {"position": built.get("position", places.get(each.name)), "stack": built.get("stack", STUDY_STACK)}
            | {"milestone": each.name, "evidence": 1 + names[:number].count(each.name), "is_user": True}
            | {"label": each.label or built.get("label") or each.name, "spanner": each.group or built.get("spanner")}
            | {"phrase": each.phrase or built.get("phrase") or _default_phrase(each.label or each.name)}
            | {"message_ids": each.message_id, "begun_by": built.get("begun_by")}
            | {"ends_recovery": built.get("ends_recovery") if each.ends_recovery is None else _end(each)}
        )
    rows = [row for row in built_in if row["milestone"] not in names] + own
    return MILESTONE_RULE.frame(rows).sort("position", "evidence")


def milestone_names() -> tuple[str, ...]:
    """The built-in milestones."""
    return tuple(dict.fromkeys(each["name"] for document in _documents() for each in document["milestone"]))


def phase_names() -> tuple[str, ...]:
    """The phases of all stacks."""
    return tuple(dict.fromkeys(each["name"] for document in _documents() for each in document.get("phase", [])))


def phase_rules() -> pl.DataFrame:
    """Give one row per phase, in the order of the bars."""
    return PHASE_RULE.frame(
        {"starts": [], "starts_but": [], "waits_for": []}
        | phase
        | {"stack": document["stack"], "phase": phase["name"]}
        | {"from_terms": ",".join(phase["from"]), "to_milestone": phase["to"]}
        for document in _documents()
        for phase in document.get("phase", [])
    )


def outcome_rules() -> pl.DataFrame:
    """Give one row per kind of line that decides what became of a failover."""
    lines = tomllib.loads(OUTCOME_FILE.read_text(encoding="utf-8"))["line"]
    return OUTCOME_RULE.frame(
        {"kinds": [], "actions": [], "tags": [], "words": [], "text_pattern": line.get("text")} | line for line in lines
    )


def setting_rules() -> pl.DataFrame:
    """Give one row per step that a setting governs."""
    entries = [entry for document in _documents() for entry in document.get("setting", [])]
    return SETTING_RULE.frame(
        {"position": number, "of_stack": entry["of"], "from_milestone": entry["from"], "to_milestone": entry["to"]}
        | {"step": entry["step"], "settings": entry["settings"]}
        for number, entry in enumerate(entries, 1)
    )


@cache
def _documents() -> tuple[dict[str, Any], ...]:  # raw TOML values
    files = sorted(RULES_FOLDER.glob("*.toml"), key=lambda file: (file.stem != "vcs_db2", file.stem))
    return tuple(tomllib.loads(file.read_text(encoding="utf-8")) for file in files)


def _built_in_rows() -> Iterable[dict[str, Any]]:  # frame rows
    milestones = [(document["stack"], each) for document in _documents() for each in document["milestone"]]
    places = {milestone["name"]: milestone["place"] for _, milestone in milestones}
    positions = {name: number for number, name in enumerate(sorted(places, key=places.__getitem__), start=1)}
    for stack, milestone in milestones:
        name = milestone["name"]
        for number, evidence in enumerate(milestone["evidence"], start=1):
            yield _row(evidence) | {
                "position": positions[name],
                "stack": stack,
                "milestone": name,
                "label": milestone["label"],
                "spanner": milestone["group"],
                "phrase": milestone.get("phrase") or _default_phrase(milestone["label"]),
                "evidence": number,
                "is_user": False,
                "ends_recovery": milestone.get("ends_recovery"),
                "begun_by": milestone.get("begun_by"),
            }


def _row(evidence: Mapping[str, Any]) -> dict[str, Any]:  # raw TOML values; frame rows
    """What a piece of evidence says of the lines that show it; lists that it does not have are empty."""
    lists: dict[str, list[str]] = {name: [] for name, dtype in MILESTONE_RULE.schema.items() if dtype == TEXTS}
    return lists | dict(evidence) | {"text_pattern": evidence.get("text")}


def _default_phrase(label: str) -> str:
    return f"{label} is complete"


def _end(entry: Milestone) -> int:
    """A step that the study itself calls the end comes before those of the built-in rules."""
    return STUDY_END if entry.ends_recovery else NO_END
