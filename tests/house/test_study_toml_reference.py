"""docs/study-toml.md says all that study.toml may declare, and nothing else."""

import re
from pathlib import Path

import pytest

from pipeline.study import manifest_entries as entries
from pipeline.study.branding_options import HouseStyle
from pipeline.study.manifest import Tables
from reports.figures.catalogue import kinds
from reports.findings.sections import Values
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.study import OPTIONS as TABLE_OPTIONS
from tests.support import study_store

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs" / "study-toml.md").read_text(encoding="utf-8")

ENTRIES: dict[str, type[entries.Entry]] = {
    "[study]": entries.Study,
    "[report]": HouseStyle,
    "[configuration.NAME]": entries.Configuration,
    "[node.NAME]": entries.Node,
    "[[run]]": entries.Run,
    "[[files]]": entries.FileOverride,
    "[[format]]": entries.LogFormat,
    "[[event]]": entries.Event,
    "[[milestone]]": entries.Milestone,
    "[[claim]]": entries.Claim,
    "[[table]]": entries.Publication,
    "[[section]]": entries.Section,
}


def part(heading: str) -> str:
    """The text below a heading, up to the next one of its rank or above."""
    rank = heading.partition(" ")[0]
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{2,{len(rank)}}} |\Z)", REFERENCE, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


def named(text: str, head: str) -> set[str]:
    """The names in the first columns of the tables that are headed so."""
    tables = re.findall(rf"^\| {head} \|.*\n\|---\|---\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    rows = [row.split(" | ")[0] for table in tables for row in table.splitlines()]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


@pytest.mark.parametrize("heading", ENTRIES)
def test_every_key_is_described_and_no_other(heading: str) -> None:
    assert named(part(f"## `{heading}`"), "key") == set(ENTRIES[heading].model_fields)


def test_every_table_of_the_file_is_described() -> None:
    described = re.findall(r"^## `\[+(\w+)(?:\.NAME)?\]+`", REFERENCE, re.MULTILINE)
    assert set(described) == {field.alias or name for name, field in Tables.model_fields.items()}


@pytest.mark.parametrize("kind", kinds())
def test_options_of_every_kind_of_figure_are_reported(kind: str) -> None:
    assert named(part(f"### `{kind}`"), "option") == set(kinds()[kind].options)


def test_no_other_kind_of_figure_is_reported() -> None:
    assert set(re.findall(r"^### `([^`]+)`", REFERENCE, re.MULTILINE)) == set(kinds())


def test_options_of_tables_are_reported() -> None:
    before, after = part("## `[[table]]`").split("Options of tables of kind `milestones`:")
    assert named(before, "option") == set(TABLE_OPTIONS["sql"])
    assert named(after, "option") == set(TABLE_OPTIONS["milestones"])


def test_functions_of_prose_are_reported(tmp_path: Path) -> None:
    with opened(study_store.write(tmp_path / "store.duckdb", study_store.paper())) as store:
        functions = Values(StudyView(store), "").functions()
    assert named(part("## Prose"), "function") == set(functions)


def test_factors_that_are_considered_are_reported() -> None:
    statements = [path.read_text(encoding="utf-8") for path in (ROOT / "pipeline" / "sql").rglob("*.sql")]
    used = {name for sql in statements for name in re.findall(r"\bfactor = '(\w+)'", sql)}
    assert named(part("## `[configuration.NAME]`"), "factor") == used
