"""Real and recorded logs of failovers, every file by itself: what it is, that its lines add up, and what it shows."""

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from pipeline.ask.explain.decisions import explain
from pipeline.ingest.ingest import ingest

STACKS = Path(__file__).parents[4] / "shared" / "stacks"
pytestmark = pytest.mark.skipif(not STACKS.is_dir(), reason="the corpora of failover logs are not beside this checkout")

KNOWN = tomllib.loads((Path(__file__).parent / "stacks.toml").read_text(encoding="utf-8"))
UNRECOGNISED = "unrecognised"
SOURCES = "SOURCES.tsv"
Store = tuple[Path, duckdb.DuckDBPyConnection]


def name_of(corpus: str, path: Path) -> str:
    return path.relative_to(STACKS / corpus).as_posix().replace("/", "__")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Each file in a configuration of its own, so that no other one explains it."""
    study = tmp_path_factory.mktemp("stacks") / "stacks"
    for corpus in KNOWN:
        for path in (STACKS / corpus).rglob("*"):
            if path.is_file() and path.name != SOURCES:
                target = study / f"{corpus}-{name_of(corpus, path)}" / "run1" / path.name
                target.parent.mkdir(parents=True)
                shutil.copyfile(path, target)
    (study / "study.toml").write_text("[study]\nyear = 2026\n")
    ingest(study, study.with_suffix(".duckdb"))
    with duckdb.connect(str(study.with_suffix(".duckdb")), read_only=True) as con:
        yield study, con


def expected(part: str) -> set[tuple[str, ...]]:
    """The rows of a part of all corpora, with the file as the configuration that it is here."""
    return {
        (f"{corpus}-{name}", *rest)
        for corpus, known in KNOWN.items()
        for name, *rest in map(str.split, known.get(part, "").strip().splitlines())
    }


def test_every_file_is_what_it_is_known_to_be(store: Store) -> None:
    rows = store[1].execute(
        "select configuration, coalesce(format, ?) from source_file where path <> 'study.toml'", [UNRECOGNISED]
    )
    truth = {
        f"{corpus}-{name}": format_name
        for corpus, known in KNOWN.items()
        for format_name, names in known["formats"].items()
        for name in names.split()
    }
    assert dict(rows.fetchall()) == truth


def test_lines_of_every_file_add_up(store: Store) -> None:
    lost = """
        select path from source_file where format is not null and lines <>
        parsed_lines + continuation_lines + ignored_lines + blank_lines + rejected_lines
    """
    assert store[1].execute(lost).fetchall() == []
    without_rows = "select path from source_file where format is not null and status <> 'skipped' and parsed_lines = 0"
    assert store[1].execute(without_rows).fetchall() == []


def test_refused_logs_are_said_to_be_what_they_are(store: Store) -> None:
    (explained,) = explain([store[0]])
    refused = {each.path: each for each in explained.files if each.status == UNRECOGNISED}
    assert all(each.reason for each in refused.values())
    said = {
        path.rsplit("/", 1)[-1]: " ".join(look.what for look in each.hints.looks_like)
        for path, each in refused.items()
        if each.hints is not None
    }
    words = {
        r"haproxy": "HAProxy",
        r"repmgr": "repmgr",
        r"hana_ra": "resource agent",
        r"k8s": "Kubernetes|kubectl",
        r"log_xml": "log.xml",
        r"wsfc": "cluster.log",
        r"^windows": "Windows|WinEvent",
        r"patronictl": "patronictl",
    }
    wrong = [
        (name, what)
        for name, what in said.items()
        for file_name, looks in words.items()
        if re.search(file_name, name) and not re.search(looks, what)
    ]
    assert wrong == []
    assert len([name for name in said if any(re.search(each, name) for each in words)]) >= len(words)


def test_what_lines_are_known_to_say_is_read(store: Store) -> None:
    rows = store[1].execute(
        "select s.configuration, strftime(e.local_at, '%H:%M:%S.%g'), e.kind "
        "from log.ha_event as e inner join source_file as s using (file_id) where e.local_at is not null"
    )
    assert sorted(expected("says") - set(rows.fetchall())) == []


def test_changes_of_a_leader_are_found_and_none_is_invented(store: Store) -> None:
    rows = store[1].execute(
        "select configuration, former, leader, strftime(\"at\", '%H:%M:%S.%g'), "
        "case when is_planned then 'planned' when is_undecided then 'undecided' else 'lost' end from leader_change"
    )
    named = tuple(f"{corpus}-" for corpus, known in KNOWN.items() if "changes" in known)
    found = {tuple(each.replace(" ", "_") for each in row) for row in rows.fetchall() if row[0].startswith(named)}
    assert found == expected("changes")
