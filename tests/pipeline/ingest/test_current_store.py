"""When a store answers for its study, and when the study is read again."""

import os
import shutil
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.ingest.current_store import current_store
from pipeline.ingest.ingest import ingest
from pipeline.ingest.unchanged import Asked, unchanged
from tests.support.ingest_study import age

LOG = "default/run01/sun-ha3/messages"


@pytest.fixture
def here(study: Path, without_views: None) -> Path:
    """A folder that holds a study and its store."""
    del without_views
    here = study.parent
    archived(study)
    age(study)
    ingest(study, here / "haledger.duckdb")
    return here


def answers(here: Path, study: Path, reference: str = "") -> bool:
    """Whether the store that lies here is what an ingest would write."""
    return unchanged(study, here / "haledger.duckdb", Asked(reference=reference)) is not None


def test_the_store_answers_where_nothing_changed(here: Path, study: Path) -> None:
    before = (here / "haledger.duckdb").read_bytes()
    with current_store(study, near=(here,)) as current:
        assert (current.db, current.file_count) == (here / "haledger.duckdb", 13)
        current.require_recognised(study)
    assert (here / "haledger.duckdb").read_bytes() == before
    with current_store(study) as current:
        assert current.db.parent != here
    assert not current.db.exists()


def other_bytes(study: Path) -> None:
    """As many bytes and the same time stamp."""
    (study / LOG).write_text((study / LOG).read_text().replace("sshd", "sshx"))


def removed(study: Path) -> None:
    (study / LOG).unlink()


def added(study: Path) -> None:
    (study / "default/run01/sun-ha3/old").write_text("")


def renamed(study: Path) -> None:
    (study / "default").rename(study / "tuned")


def declared(study: Path) -> None:
    (study / "study.toml").write_text('[study]\ntimezone = "America/Halifax"\n')


def undeclared(study: Path) -> None:
    (study / "study.toml").unlink()


def ignored(study: Path) -> None:
    (study / "default/run01/.haledgerignore").write_text("")


def other_member(study: Path) -> None:
    archived(study, b"kernel: other")


def archived(study: Path, text: bytes = b"kernel: words") -> None:
    """An archive of as many bytes whatever the text, with the same time stamps."""
    with zipfile.ZipFile(study / "more.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("default/run03/sun-ha3/messages"), b"Jul 28 10:27:05 sun-ha3 " + text)


CHANGES: tuple[Callable[[Path], None], ...] = (
    other_bytes,
    other_member,
    removed,
    added,
    renamed,
    ignored,
    declared,
    undeclared,
)


def test_a_changed_study_is_not_that_of_the_store(here: Path, study: Path) -> None:
    shutil.copytree(study, here / "saved")
    missed = []
    for change in CHANGES:
        change(study)
        age(study)
        if answers(here, study):
            missed.append(change.__name__)
        shutil.rmtree(study)
        shutil.copytree(here / "saved", study)
        assert answers(here, study)
    assert not missed
    os.utime(study / LOG, ns=(10**18 + 1, 10**18 + 1))
    assert not answers(here, study)


@pytest.mark.usefixtures("without_views")
def test_a_large_file_changed_after_the_store_was_written_is_compared_whatever_its_stamp(
    study: Path, tmp_path: Path
) -> None:
    log, db = study / LOG, tmp_path / "a.duckdb"
    log.write_text(log.read_text() * 1000)
    age(study)
    ingest(study, db)
    assert unchanged(study, db, Asked()) is not None
    log.write_text(log.read_text().replace("sshd", "sshx"))
    age(study)
    assert unchanged(study, db, Asked()) is None


@pytest.mark.usefixtures("without_views")
def test_years_that_the_clock_showed_do_not_outlive_it(tmp_path: Path) -> None:
    study, db, now = tmp_path / "study", tmp_path / "a.duckdb", datetime(2025, 8, 1)  # noqa: DTZ001  naive UTC
    study.mkdir()
    (study / "messages").write_text("Jul 28 10:27:05 sun-ha3 kernel: words\n")
    os.utime(study / "messages", (0, 0))
    ingest(study, db, now=now)
    answering = [days for days in (-300, -1, 0, 300, 365) if unchanged(study, db, Asked(now=now + timedelta(days)))]
    assert answering == [-1, 0, 300]


def test_a_store_of_another_program_place_or_option_does_not_answer(
    here: Path, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not answers(here, study, reference="default")
    with monkeypatch.context() as patch:
        patch.setattr("pipeline.store.fingerprint.program_key", lambda: "of another version")
        assert not answers(here, study)
    assert not answers(here, study.rename(here / "moved"))
    (here / "moved").rename(study)
    assert answers(here, study)
    ingest(study, here / "haledger.duckdb", since="2003-07-28T10:27:05-04:00")
    assert not answers(here, study)


def test_what_is_no_store_does_not_answer(study: Path) -> None:
    db = study.parent / "haledger.duckdb"
    for content in (b"", b"no store", b"DUCK" * 4096):
        db.write_bytes(content)
        assert unchanged(study, db, Asked()) is None


def test_a_study_of_which_nothing_is_recognised_is_refused_by_its_store_too(
    tmp_path: Path, without_views: None
) -> None:
    del without_views
    study = tmp_path / "study"
    study.mkdir()
    (study / "notes.txt").write_text("nothing\n")
    ingest(study, tmp_path / "haledger.duckdb")
    with current_store(study, near=(tmp_path,)) as current:
        assert current.db == tmp_path / "haledger.duckdb"
        with pytest.raises(InputError, match="its only file was not recognised"):
            current.require_recognised(study)
