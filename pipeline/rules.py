"""Milestone and phase rules: what a line must look like to be the completion of a step. Rules are data.

The built-in ones are in `rules/*.toml`, one file per cluster stack; a study adds its own as `[[milestone]]`.
The views read both as `study.milestone_rule` and `study.phase_rule`; there is no rule in code.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.errors import UsageError

RULES_FOLDER = Path(__file__).parent / "rules"
OUTCOME_FILE = RULES_FOLDER / "outcome" / "lines.toml"

MILESTONE_RULE_SCHEMA: dict[str, pl.DataType] = {
    "position": pl.Int32(),  # place of the milestone among all, from 1
    "stack": pl.String(),  # cluster stack the rule is for; `study` for the study's own
    "milestone": pl.String(),
    "label": pl.String(),  # heading of a table's column
    "spanner": pl.String(),  # heading above several columns
    "evidence": pl.Int32(),  # 1 is looked for first
    "source": pl.String(),  # one of SOURCES, or null for any
    "message_ids": pl.List(pl.String()),
    "kinds": pl.List(pl.String()),
    "text_pattern": pl.String(),  # regular expression found in the message
    "resource_types": pl.List(pl.String()),
    "port": pl.String(),  # GAB port
    "resource_classes": pl.List(pl.String()),  # of an ha line: address, replication, mount, database, ...
    "actions": pl.List(pl.String()),  # of an operation: start, promote, ...
    "states": pl.List(pl.String()),  # state that was reached: Primary; ok or failed for operations
    "subject": pl.String(),  # lost_node, surviving_node, clustered_storage, or null
    "pick": pl.String(),  # first or last
    "after": pl.String(),  # instant or milestone
    "before": pl.String(),
    "is_user": pl.Boolean(),
    "ends_recovery": pl.Int32(),  # 1: the service is back; 2, 3: stands for it where no run shows such a step
    "begun_by": pl.String(),  # milestone after which this one must follow
}

PHASE_RULE_SCHEMA: dict[str, pl.DataType] = {
    "position": pl.Int32(),
    "stack": pl.String(),
    "phase": pl.String(),
    "label": pl.String(),
    "from_terms": pl.String(),  # the latest of these, separated by commas; `a|b` is the first that a run shows
    "to_milestone": pl.String(),
    "colour_role": pl.String(),
}

OUTCOME_RULE_SCHEMA: dict[str, pl.DataType] = {
    "position": pl.Int32(),
    "says": pl.String(),  # fault, down, start, by_hand, stop
    "source": pl.String(),  # vcs, ha, db2diag, syslog
    "kinds": pl.List(pl.String()),
    "actions": pl.List(pl.String()),
    "words": pl.List(pl.String()),  # the message holds one of them
    "text_pattern": pl.String(),  # regular expression found in the message
}

INSTANTS = ("search_start", "fault", "membership", "service_end", "database_start", "end")
"""What `after` and `before` may name besides milestones; `pipeline/rules/vcs_db2.toml` says what they are."""

SOURCES = ("vcs", "syslog", "db2diag", "llt", "gab", "storage", "ha")
USER_KEYS = ("name", "label", "group", "source", "message_id", "text", "pick", "after", "before", "ends_recovery")
STUDY_END = 0
NO_END = -1
"""`ends_recovery` of the study's own steps: true and false."""
NAME = re.compile(r"^[a-z][a-z0-9_]*$")


def study_tables(user_milestones: Sequence[Mapping[str, Any]]) -> dict[str, pl.DataFrame]:  # raw TOML values
    """Give the tables of schema `study` that hold rules: `milestone_rule`, `phase_rule` and `outcome_rule`.

    The ingest writes every frame under its key, whether or not the study has a manifest.
    """
    return {"milestone_rule": table(user_milestones), "phase_rule": phase_rules(), "outcome_rule": outcome_rules()}


def table(user_milestones: Sequence[Mapping[str, Any]]) -> pl.DataFrame:  # raw TOML values
    """Give one row per milestone and piece of evidence: the built-in rules, then the study's `[[milestone]]` entries.

    A study's milestone with a built-in name replaces the built-in evidence and keeps its place and headings.
    """
    built_in = list(_built_in_rows())
    headings = {row["milestone"]: row for row in built_in}
    names = set(headings) | {str(each.get("name")) for each in user_milestones}
    own: list[dict[str, Any]] = []  # one frame row each
    for entry in user_milestones:
        row = _user_row(entry, names)
        if built := headings.get(row["milestone"]):
            row |= {"position": built["position"], "stack": built["stack"]}
            row |= {key: built[key] for key in ("label", "spanner", "ends_recovery") if row[key] is None}
            row["begun_by"] = built["begun_by"]
        else:
            row["position"] = len(headings) + 1 + len({each["milestone"] for each in own} - set(headings))
            row["position"] = next(
                (each["position"] for each in own if each["milestone"] == row["milestone"]), row["position"]
            )
        row["label"] = row["label"] or row["milestone"]
        row["evidence"] = 1 + sum(each["milestone"] == row["milestone"] for each in own)
        own.append(row)
    replaced = {row["milestone"] for row in own}
    rows = [row for row in built_in if row["milestone"] not in replaced] + own
    return pl.DataFrame(rows, schema=MILESTONE_RULE_SCHEMA).sort("position", "evidence")


def phase_rules() -> pl.DataFrame:
    """Give one row per phase, in the order of the bars."""
    rows = [
        {
            "position": position,
            "stack": stack,
            "phase": phase["name"],
            "label": phase["label"],
            "from_terms": ",".join(phase["from"]),
            "to_milestone": phase["to"],
            "colour_role": phase["colour_role"],
        }
        for position, (stack, phase) in enumerate(
            ((document["stack"], phase) for document in _documents() for phase in document.get("phase", [])), start=1
        )
    ]
    return pl.DataFrame(rows, schema=PHASE_RULE_SCHEMA)


def outcome_rules() -> pl.DataFrame:
    """Give one row per kind of line that decides what became of a failover."""
    lines = tomllib.loads(OUTCOME_FILE.read_text(encoding="utf-8"))["line"]
    rows = [
        {
            "position": position,
            "says": line["says"],
            "source": line["source"],
            "kinds": line.get("kinds", []),
            "actions": line.get("actions", []),
            "words": line.get("words", []),
            "text_pattern": line.get("text"),
        }
        for position, line in enumerate(lines, start=1)
    ]
    return pl.DataFrame(rows, schema=OUTCOME_RULE_SCHEMA)


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
            yield {
                "position": positions[name],
                "stack": stack,
                "milestone": name,
                "label": milestone["label"],
                "spanner": milestone["group"],
                "evidence": number,
                "source": evidence.get("source"),
                "message_ids": evidence.get("message_ids", []),
                "kinds": evidence.get("kinds", []),
                "text_pattern": evidence.get("text"),
                "resource_types": evidence.get("resource_types", []),
                "port": evidence.get("port"),
                "resource_classes": evidence.get("resource_classes", []),
                "actions": evidence.get("actions", []),
                "states": evidence.get("states", []),
                "subject": evidence.get("subject"),
                "pick": evidence["pick"],
                "after": evidence["after"],
                "before": evidence["before"],
                "is_user": False,
                "ends_recovery": milestone.get("ends_recovery"),
                "begun_by": milestone.get("begun_by"),
            }


def _user_row(entry: Mapping[str, Any], names: set[str]) -> dict[str, Any]:  # raw TOML values
    name = entry.get("name")
    if not isinstance(name, str) or not NAME.match(name):
        raise UsageError(f"[[milestone]] name = {name!r}: expected small letters, digits and `_`, a letter first")
    if unknown := sorted(set(entry) - set(USER_KEYS)):
        raise UsageError(f"[[milestone]] {name}: unknown key {unknown[0]}; known are {', '.join(USER_KEYS)}")
    message_id = entry.get("message_id", [])
    if not message_id and not entry.get("text"):
        raise UsageError(f"[[milestone]] {name}: say which line it is, by message_id or by text (regular expression)")
    row = {
        "position": 0,
        "stack": "study",
        "milestone": name,
        "label": entry.get("label"),
        "spanner": entry.get("group"),
        "evidence": 1,
        "source": entry.get("source"),
        "message_ids": [message_id] if isinstance(message_id, str) else list(message_id),
        "kinds": [],
        "text_pattern": entry.get("text"),
        "resource_types": [],
        "port": None,
        "resource_classes": [],
        "actions": [],
        "states": [],
        "subject": None,
        "pick": entry.get("pick", "first"),
        "after": entry.get("after", "fault"),
        "before": entry.get("before", "end"),
        "is_user": True,
        "ends_recovery": _user_end(name, entry.get("ends_recovery")),
        "begun_by": None,
    }
    _check_choice(name, "pick", row["pick"], ("first", "last"))
    _check_choice(name, "source", row["source"], (None, *SOURCES))
    for key in ("after", "before"):
        _check_choice(name, key, row[key], (*INSTANTS, *sorted(names - {name})))
    _check_pattern(name, row["text_pattern"])
    return row


def _user_end(name: str, stated: object) -> int | None:
    """A step that the study itself calls the end comes before those of the built-in rules."""
    if stated is not None and not isinstance(stated, bool):
        raise UsageError(f"[[milestone]] {name}: ends_recovery = {stated!r} is not one of true, false")
    return {True: STUDY_END, False: NO_END}.get(stated) if stated is not None else None


def _check_choice(name: str, key: str, value: object, choices: Sequence[str | None]) -> None:
    if value not in choices:
        known = ", ".join(choice for choice in choices if choice)
        raise UsageError(f"[[milestone]] {name}: {key} = {value!r} is not one of {known}")


def _check_pattern(name: str, pattern: str | None) -> None:
    if pattern is None:
        return
    try:
        # The store matches in RE2 as Polars does: no look-around, no back-reference.
        pl.select(pl.lit("").str.contains(pattern))
    except pl.exceptions.ComputeError as error:
        raise UsageError(f"[[milestone]] {name}: text = {pattern!r} is not a regular expression: {error}") from error
