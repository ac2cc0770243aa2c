"""The JSON Schema of study.toml (`pipeline.study.schema`), which editors complete and check it by.

Types come from the models that read the file, descriptions from docs/study-toml.md.
"""

import json
import re
from pathlib import Path
from typing import Any

from parsers.format import formats
from pipeline.study.manifest_tables import Tables
from pipeline.study.publication_options import FIGURE_KINDS, OWN_FIGURE, OWN_TABLE, TABLE_KINDS, Kind
from pipeline.study.rules import milestone_names, phase_names

PAGE = Path(__file__).with_name("study-toml.md")
DIALECT = "http://json-schema.org/draft-07/schema#"

HEADINGS = {
    "Study": "[study]",
    "HouseStyle": "[report]",
    "Configuration": "[configuration.NAME]",
    "Node": "[node.NAME]",
    "Run": "[[run]]",
    "FileOverride": "[[files]]",
    "LogFormat": "[[format]]",
    "Event": "[[event]]",
    "Milestone": "[[milestone]]",
    "Claim": "[[claim]]",
    "OwnTable": "[[table]]",
    "OwnFigure": "[[table]]",
    "Section": "[[section]]",
}
"""Where the page describes the keys of a model."""

LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")

Schema = dict[str, Any]  # JSON


def text() -> str:
    """Generate the whole file."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def schema() -> Schema:
    """The schema of the whole file."""
    page = PAGE.read_text(encoding="utf-8")
    made = _plain(Tables.model_json_schema(by_alias=True))
    models: Schema = made.pop("$defs")
    for name, model in models.items():
        meanings = _meanings(_part(page, f"## `{HEADINGS[name]}`"))
        for key, value in model["properties"].items():
            value["description"] = meanings[key]
    models["FileOverride"]["properties"]["format"]["examples"] = list(formats())
    models["Claim"]["properties"]["milestone"]["examples"] = list(milestone_names())
    models["Claim"]["properties"]["phase"]["enum"] = list(phase_names())
    tables, figures = page.split("## `[[figure]]`")
    of_statements, of_milestones = _part(tables, "## `[[table]]`").split("Options of tables of kind `milestones`:")
    models["OwnTable"]["properties"]["kind"]["enum"] = list(TABLE_KINDS)
    models["OwnTable"]["allOf"] = [  # a statement comes before a kind
        _when({"required": ["sql"]}, OWN_TABLE, of_statements),
        _when({"not": {"required": ["sql"]}}, TABLE_KINDS["milestones"], of_milestones),
    ]
    models["OwnFigure"]["properties"]["kind"]["enum"] = list(FIGURE_KINDS)
    models["OwnFigure"]["allOf"] = [
        _when({"not": {"required": ["kind"]}}, OWN_FIGURE, ""),
        *(
            _when(
                {"required": ["kind"], "properties": {"kind": {"const": name}}}, kind, _part(figures, f"### `{name}`")
            )
            for name, kind in FIGURE_KINDS.items()
        ),
    ]
    return {"$schema": DIALECT, "title": "study.toml of haledger", **made, "definitions": models}


def _when(condition: Schema, kind: Kind, page: str) -> Schema:
    """The options of tables or figures that fulfil a condition."""
    return {"if": condition, "then": {"properties": {"options": _options(kind, page)}}}


def _options(kind: Kind, page: str) -> Schema:
    made: Schema = _plain(kind.options.model_json_schema())
    made.pop("description", None)
    meanings = _meanings(page)
    for key, value in made["properties"].items():
        if key in meanings:
            value["description"] = meanings[key]
    return made


def _plain(value: Any) -> Any:  # noqa: ANN401  JSON
    """Without titles, defaults and null, which TOML does not have; references as draft 7 has them."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if not isinstance(value, dict):
        return value.replace("#/$defs/", "#/definitions/") if isinstance(value, str) else value
    if [each for each in value.get("anyOf", ()) if each == {"type": "null"}]:
        (only,) = [each for each in value["anyOf"] if each != {"type": "null"}]
        value = {key: each for key, each in value.items() if key != "anyOf"} | only
    is_of_names = all(isinstance(each, dict) for each in value.values())
    return {key: _plain(each) for key, each in value.items() if is_of_names or key not in {"title", "default"}}


def _part(page: str, heading: str) -> str:
    """The text below a heading, up to the next one of its rank or above."""
    rank = heading.partition(" ")[0]
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{2,{len(rank)}}} |\Z)", page, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError(f"{PAGE.name}: no heading {heading}")
    return found[1]


def _meanings(page: str) -> dict[str, str]:
    """What the tables of a page say of each key or option."""
    rows = re.findall(r"^\| (`[^|]+) \| (.+) \|$", page, re.MULTILINE)
    return {key: LINK.sub(r"\1", meaning) for keys, meaning in rows for key in re.findall(r"`([^`]+)`", keys)}
