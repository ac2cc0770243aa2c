"""The JSON Schema of study.toml is what the models and the page say, and takes what haledger takes."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from docs import study_schema
from pipeline.study import schema

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "samples").glob("*/study.toml"))


def refused(text: str) -> list[str]:
    """What the schema says of a file, with the place; times are texts to editors."""
    declared: Any = json.loads(json.dumps(tomllib.loads(text), default=str))
    validator = jsonschema.Draft7Validator(json.loads(schema.schema_bytes()))
    return [f"{'.'.join(map(str, each.path))}: {each.message}" for each in validator.iter_errors(declared)]


def test_schema_is_up_to_date_and_one_of_its_dialect() -> None:
    assert schema.FILE.read_text(encoding="utf-8") == study_schema.text(), "run `make docs`"
    jsonschema.Draft7Validator.check_schema(study_schema.schema())


def test_every_key_is_described() -> None:
    definitions = study_schema.schema()["definitions"]
    keys = {f"{model}.{key}": value for model, each in definitions.items() for key, value in each["properties"].items()}
    assert len(keys) > 90
    assert [name for name, value in keys.items() if not value.get("description")] == []


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.parent.name)
def test_samples_are_taken(sample: Path) -> None:
    assert refused(sample.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[study]\ntitel = 'x'", "study: Additional properties"),
        ("[[run]]\nrun = 1.5", "run.0.run: 1.5 is not"),
        ("[[files]]\nyear = 2003", "files.0: 'match' is a required"),
        ("[[table]]\nname = 'a'\nkind = 'bars'", "table.0.kind: 'bars' is not one of"),
        ("[[table]]\nname = 'a'\nsql = 'select 1'\noptions = { spread = true }", "'spread' was unexpected"),
        ("[[table]]\nname = 'a'\nkind = 'milestones'\noptions = { place = 'results' }", "'place' was unexpected"),
        ("[[figure]]\nname = 'a'\nkind = 'series'\noptions = { metrik = 'tps' }", "'metrik' was unexpected"),
        ("[[figure]]\nname = 'a'\nkind = 'series'\noptions = { runs = 'run01' }", "figure.0.options.runs"),
        ("[[claim]]\nphase = 'x'\nop = '=<'", "claim.0.op"),
    ],
)
def test_mistakes_are_shown_in_an_editor_too(text: str, words: str) -> None:
    assert words in "\n".join(refused(text))


def test_run_may_be_a_number_and_a_note_may_be_anything_printed() -> None:
    assert refused("[[run]]\nrun = 3\nfault_at = 2003-07-28T10:27:04\n[study]\ndate = 2003-08-01") == []
