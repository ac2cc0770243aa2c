"""Verification of stores: every change of a row, count, hash or source is found, and derived from other code."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from pipeline.ask.verify.verify import Verified, verify_store
from pipeline.errors import StoreError
from pipeline.ingest.ingest import ingest
from pipeline.version import version
from tests.support.failover_logs import write, write_run, write_timers


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study and its store."""
    folder = tmp_path_factory.mktemp("verify")
    study = folder / "logs"
    write_timers(study / "default")
    for run in ("run01", "run02"):
        write_run(study / "default" / run)
    write(study / "study.toml", '[study]\ntimezone = "America/Toronto"\n')
    write(study / "default" / "notes.txt", "nothing that a program wrote\n")
    ingest(study, folder / "a.duckdb")
    return folder


@pytest.fixture
def here(original: Path) -> Iterator[Path]:
    """The same, to be changed; in the same place, for a store knows its study by its place."""
    kept = original.with_name("kept")
    shutil.copytree(original, kept)
    yield original
    shutil.rmtree(original)
    kept.rename(original)


@pytest.fixture
def _is_ingested_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store that verification makes of the unchanged study is the one that was made of it before."""
    fresh = here.with_name("kept") / "a.duckdb"

    def copied(study: Path, db: Path, **_options: object) -> None:
        assert study == (here / "logs").resolve()
        shutil.copyfile(fresh, db)

    monkeypatch.setattr("pipeline.ask.verify.verify.ingest", copied)


def verified(folder: Path) -> Verified:
    return verify_store(folder / "a.duckdb")


def reported(found: Verified, check: str) -> str:
    (finding,) = (each for each in found.findings if each.check == check)
    return "\n".join((finding.text, *finding.items))


def change(folder: Path, statement: str) -> None:
    with duckdb.connect(str(folder / "a.duckdb")) as con:
        con.execute(statement)


def test_untouched_store_holds(here: Path) -> None:
    found = verified(here)
    assert {each.check: each.holds for each in found.findings} == dict.fromkeys(
        ("accounting", "ledger", "counts", "sources", "rows"), True
    )
    assert found.study == str((here / "logs").resolve())


@pytest.mark.parametrize(
    ("statement", "checks", "said"),
    [
        (
            "update log.vcs_event_message set text = 'x' where rowid = 0",
            ["rows"],
            "log.vcs_event_message: 1 rows that the sources",
        ),
        ("delete from log.vcs_event_message where rowid = 0", ["counts", "rows"], "by the ledger"),
        ('update log.vcs_event_line set "at" = "at" + interval 1 second', ["rows"], "log.vcs_event_line"),
        ("delete from log.vcs_event_line where rowid = 0", ["counts", "rows"], "by the ledger"),
        ("insert into log.vcs_event_line from log.vcs_event_line limit 1", ["counts", "rows"], "by the ledger"),
        (
            "update log.vcs_event_line set file_id = 99 where rowid = 0",
            ["counts", "rows"],
            "which the ledger does not know",
        ),
        ("update milestone set elapsed_s = elapsed_s - 10", ["rows"], "main.milestone"),
        ("update source_file set lines = lines + 1 where lines > 0", ["accounting", "ledger", "rows"], "accounted for"),
        (
            "update source_file set sha256 = repeat('0', 64) where status = 'parsed'",
            ["ledger", "sources", "rows"],
            "changed: default/run01",
        ),
        ("delete from source_file where path like '%run02%'", ["ledger", "sources", "rows"], "not in source_file"),
        ("delete from log.file_ledger where path like '%run02%'", ["ledger", "counts"], "not in the ledger"),
        ("update log.file_ledger set facts = '{'", ["ledger", "counts"], "cannot be read"),
        ("update log.file_ledger set facts = '[]'", ["ledger", "counts"], "cannot be read"),
        ("insert into rejected_line values (1, 1, 'r', 't')", ["ledger", "rows"], "rejected lines kept"),
        (
            "create or replace view milestone_stats as select 40 as mean_s",
            ["rows"],
            "milestone_stats: another statement",
        ),
        ("drop view milestone_change", ["rows"], "main.milestone_change: not in the store"),
        ("create table intruder as select 1 as one", ["rows"], "main.intruder: not of haledger"),
        ("create or replace macro percent_text(pct) as '5 %'", ["rows"], "macro percent_text: another statement"),
        ("update study.setting set timezone = 'UTC'", ["rows"], "study.setting"),
    ],
)
@pytest.mark.usefixtures("_is_ingested_once")
def test_every_change_is_found(here: Path, statement: str, checks: list[str], said: str) -> None:
    change(here, statement)
    found = verified(here)
    broken = [check for check in found.broken if check != "rows"]
    assert broken == [check for check in checks if check != "rows"], found
    if "rows" in checks and "sources" not in checks:
        assert "rows" in found.broken
    assert said in "\n".join(reported(found, check) for check in found.broken)


def test_sources_that_changed_vanished_or_came_are_named(here: Path) -> None:
    run = here / "logs" / "default" / "run01"
    logs = sorted(each for each in run.rglob("*") if each.is_file())
    logs[0].write_bytes(logs[0].read_bytes().replace(b"1", b"2", 1))
    logs[1].unlink()
    write(run / "hello\x1b[31m.txt", "new\n")
    found = verified(here)
    assert found.broken == ["sources"]
    text = reported(found, "sources")
    for word, path in (("changed", logs[0]), ("vanished", logs[1])):
        assert f"{word}: {path.relative_to(here / 'logs').as_posix()}" in text
    assert "new: default/run01/hello" in text
    assert "not computed again" in reported(found, "rows")


@pytest.mark.parametrize("manifest", ["[study]\n", "not TOML at all"])
def test_other_manifest_is_named(here: Path, manifest: str) -> None:
    (here / "logs" / "study.toml").write_text(manifest)
    assert "study.toml: changed" in reported(verified(here), "sources")


def test_touched_file_is_the_same_file(here: Path) -> None:
    for each in (here / "logs").rglob("*"):
        each.touch()
    assert verified(here).broken == []


def test_store_without_its_study_holds_as_far_as_can_be_known(here: Path) -> None:
    duplicate_ranges = here / "far" / "away"
    duplicate_ranges.mkdir(parents=True)
    (here / "logs").rename(duplicate_ranges / "logs")
    found = verified(here)
    assert (found.broken, found.study) == ([], None)
    assert "--study DIR" in reported(found, "sources")
    given = verify_store(here / "a.duckdb", duplicate_ranges / "logs")
    assert [each.holds for each in given.findings] == [True] * 5


def test_study_of_another_name_is_compared_but_not_computed(here: Path) -> None:
    """Its name is among the rows."""
    (here / "logs").rename(here / "renamed")
    found = verify_store(here / "a.duckdb", here / "renamed")
    assert [each.holds for each in found.findings] == [True] * 4 + [None]
    assert "not 'logs' as it was" in reported(found, "rows")


def test_study_is_found_from_the_folder_one_is_in(here: Path, tmp_path: Path) -> None:
    shutil.move(here / "a.duckdb", tmp_path / "a.duckdb")
    assert verify_store(tmp_path / "a.duckdb").study is None or tmp_path.is_relative_to(here.parent)
    assert verify_store(tmp_path / "a.duckdb", near=[here / "logs" / "default"]).study is not None


def test_store_inside_its_study_is_no_source(here: Path) -> None:
    ingest(here / "logs", here / "logs" / "haledger.duckdb")
    assert verify_store(here / "logs" / "haledger.duckdb").broken == []


def test_rows_of_other_code_are_not_called_damage(here: Path) -> None:
    change(here, "update store_info set program_key = 'older', haledger_version = '0.0.1'")
    found = verified(here)
    assert found.broken == []
    assert f"haledger 0.0.1 wrote the store, this is {version()};" in reported(found, "rows")
    change(here, f"update store_info set haledger_version = '{version()}'")
    assert "its code was changed since" in reported(verified(here), "rows")


def test_missing_table_is_a_damaged_store(here: Path) -> None:
    change(here, "drop table log.file_ledger")
    with pytest.raises(StoreError, match="build it again"):
        verified(here)


@pytest.mark.usefixtures("_is_ingested_once")
def test_bytes_that_change_are_never_passed_over(here: Path) -> None:
    """A flipped bit is refused, or found, or lies where no row does."""
    db = here / "a.duckdb"
    content = db.read_bytes()
    source = random.Random(11)  # noqa: S311  places, not secrets
    for _ in range(12):
        place = source.randrange(len(content))
        damaged = bytearray(content)
        damaged[place] ^= 1 << source.randrange(8)
        db.write_bytes(damaged)
        try:
            found = verified(here)
        except StoreError:
            continue
        if not found.broken:
            with duckdb.connect(str(db), read_only=True) as con:
                assert con.execute("select count(*) from milestone").fetchall() == [(16,)]
