"""A first study.toml: it loads, changes no number, and each of its examples counts once its # is gone."""

import re
import tomllib
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.ask.check.claims import evaluate_claims
from pipeline.ask.check.verdict import Verdict
from pipeline.ask.init_study import propose
from pipeline.ask.settings import text_of
from pipeline.discovery.entry_names import MANIFEST_NAME
from pipeline.ingest.ingest import ingest
from pipeline.query import sandbox
from pipeline.study.manifest import parse
from tests.support.failover_logs import slower, write, write_run, write_timers

NUMBERS = (
    "milestone",
    "milestone_stats",
    "milestone_change",
    "phase_stats",
    "measurement_ratio",
    "run",
    "configuration_order",
    "configuration_factor",
    "finding",
    "source_file",
)
NOT_NUMBERS = {
    "configuration_order": {"reference_source", "factors"},
    "source_file": {"modified_at", "sha256", "bytes", "file_id"},
    **{name: {"file_id"} for name in ("milestone", "run", "finding")},
}


def numbers(study: Path, db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """What a study gives."""
    ingest(study, db)
    with duckdb.connect(str(db), read_only=True) as con:
        found = {}
        for name in NUMBERS:
            excluded = NOT_NUMBERS.get(name)
            columns = f"* exclude ({', '.join(sorted(excluded))})" if excluded else "*"
            where = f"where path <> '{MANIFEST_NAME}'" if name == "source_file" else ""
            found[name] = con.execute(f"select {columns} from {name} {where} order by all").fetchall()
        return found


def uncommented(text: str) -> str:
    return re.sub(r"(?m)^#(?=\S)", "", text)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Two configurations of three runs; one run without a failover, a file of no format, a resource of no type."""
    folder = tmp_path / "logs"
    for configuration, extra_s in (("default", 20.0), ("tuned", 0.0)):
        write_timers(folder / configuration)
        for number in (1, 2, 3):
            write_run(folder / configuration / f"run{number:02}", slower(extra_s + number))
    write(folder / "default" / "run04" / "sun-ha4" / "messages", "Jul 28 10:27:04 sun-ha4 sshd[4]: hello\n" * 3)
    write(folder / "notes.txt", "nothing that a program wrote\n")
    engine = folder / "tuned" / "run01" / "sun-ha4" / "engine_A.log"
    engine.write_text(engine.read_text().replace("Resource shark_ip", "Resource other_ip"))
    return folder


def test_it_changes_no_number(study: Path, tmp_path: Path) -> None:
    before = numbers(study, tmp_path / "before.duckdb")
    write(study / MANIFEST_NAME, propose(study))
    assert numbers(study, tmp_path / "after.duckdb") == before


def test_what_was_found_is_in_it(study: Path) -> None:
    text = propose(study)
    declared = tomllib.loads(text)
    assert declared["study"] == {"title": "logs", "reference": "default"}
    assert list(declared["configuration"]) == ["default", "tuned"]
    assert "4 runs, 3 used, 3 with a failover" in text
    examples = tomllib.loads(uncommented(text))
    assert set(examples["node"]) == {"sun-ha3", "sun-ha4"}
    assert examples["resource_type"] == {"other_ip": "?"}
    assert [(each["configuration"], each["run"]) for each in examples["run"]] == [("default", "run04")]
    assert [each["match"] for each in examples["files"]] == ["notes.txt"]
    assert {(each["configuration"], each.get("statistic")) for each in examples["claim"]} == {
        ("default", None),
        ("tuned", None),
        ("tuned", "reduction_pct"),
    }


def test_its_examples_can_be_made_to_count(study: Path) -> None:
    assert parse(uncommented(propose(study)).encode()).claims


def test_its_claims_hold(study: Path, tmp_path: Path) -> None:
    text = propose(study)
    claims = text[text.index("#[[claim]]") :]
    write(study / MANIFEST_NAME, text.replace(claims, uncommented(claims)))
    db = tmp_path / "claims.duckdb"
    ingest(study, db)
    with sandbox.connect(db, sandbox.Limits()) as con:
        assert {each.verdict for each in evaluate_claims(con)} == {Verdict.PASS}


def test_what_a_person_declared_stays(study: Path) -> None:
    write(
        study / MANIFEST_NAME,
        '[study]\ntitle = "T \\"quoted\\""\ntimezone = "America/Toronto"\nmargin_pct = 7.5\n'
        '[configuration."tuned"]\nlabel = "Tuned"\nreference = "default"\n',
    )
    declared = tomllib.loads(propose(study))
    assert declared["study"]["title"] == 'T "quoted"'
    assert declared["study"]["timezone"] == "America/Toronto"
    assert declared["study"]["margin_pct"] == 7.5
    assert declared["configuration"]["tuned"] == {"label": "Tuned", "reference": "default"}
    assert next(iter(declared["configuration"])) == "tuned"


@pytest.mark.parametrize(
    "name",
    ['a "quoted" name', "line\nfeed # [study]", "\x1b[31mred\x7f", "a.b]c", "'single'", "\u4e2d \u202e"],
)
def test_hostile_names_are_text(tmp_path: Path, name: str) -> None:
    study = tmp_path / "logs"
    write_timers(study / name)
    write_run(study / name / "run01")
    text = propose(study)
    parse(text.encode())
    parse(uncommented(text).encode())
    assert list(tomllib.loads(text)["configuration"]) == [name]


def test_any_text_is_read_back() -> None:
    every = "".join(map(chr, [*range(0x180), 0x2028, 0xFEFF, 0x1F600]))
    assert tomllib.loads(f"x = {text_of(every)}") == {"x": every}


def test_no_reference_is_asked_for(tmp_path: Path) -> None:
    study = tmp_path / "logs"
    for name in ("one", "two"):
        write_timers(study / name)
        write_run(study / name / "run01")
    text = propose(study)
    assert "reference" not in tomllib.loads(text)["study"]
    assert '#reference = "one"' in text
