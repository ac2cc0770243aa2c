"""A study with pseudonyms gives the numbers of the study, and no machine or person of the study is in it."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from pipeline.ask.anonymise.anonymise import Anonymised, anonymise
from pipeline.discovery.walk import discover
from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from tests.support.command import haledger
from tests.support.same_numbers import different_relations
from tests.support.sample import sample_store

SAMPLES = Path(__file__).parents[3] / "samples"


def names_left(done: Anonymised, texts: Mapping[str, bytes]) -> dict[str, bytes]:
    """A real name in each text that still has one, as a whole word."""
    names = {each.text.lower().encode() for each in done.replaced if each.is_everywhere and each.kind.value != "folder"}
    any_name = re.compile(rb"(?<![a-z0-9])(?:%s)(?![a-z0-9])" % b"|".join(map(re.escape, names)))
    return {name: match[0] for name, text in texts.items() if (match := any_name.search(text.lower()))}


def logs_of(folder: Path) -> dict[str, bytes]:
    return {each.path: Path(str(each.location)).read_bytes() for each in discover(folder).sources}


def test_a_name_behind_a_colour_is_replaced(tmp_path: Path) -> None:
    study = tmp_path / "study" / "run1" / "sun-ha4"
    study.mkdir(parents=True)
    (study / "messages").write_text("Jul 28 10:27:12 \x1b[1;32msun-ha4\x1b[0m llt: LLT:10205: link 0 in trouble\n")
    done = anonymise(tmp_path / "study", tmp_path / "copy")
    (copy,) = logs_of(done.folder).values()
    assert b"sun-ha4" not in copy
    assert b" llt: LLT:10205: link 0 in trouble" in copy


@pytest.mark.parametrize("sample", ["pacemaker-postgresql", "failover-2004", "hadr-simulator-2009"])
def test_every_number_stays_as_it_is(sample: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    done = anonymise(SAMPLES / sample, tmp_path / "copy")
    assert names_left(done, logs_of(done.folder)) == {}
    ingest(done.folder, tmp_path / "anonymous.duckdb")
    assert different_relations(sample_store(sample, tmp_path_factory), tmp_path / "anonymous.duckdb") == []


def test_words_that_may_be_names_end_with_exit_5_unless_accepted_or_replaced(tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "messages").write_text("Mar  2 10:00:00 alder app[7]: the zorillafrob is away\n")
    for options, code, is_left in (((), 5, True), (("--accept",), 0, True), (("--strict",), 0, False)):
        done = haledger("anonymise", tmp_path / "study", "-o", tmp_path / "copy", *options, cwd=tmp_path)
        assert done.returncode == code, done.stderr
        assert ("zorillafrob" in done.stderr) == (code == 5)
        assert ("zorillafrob" in (tmp_path / "copy" / "messages").read_text()) == is_left


def test_files_that_no_format_recognises_are_left_out(tmp_path: Path) -> None:
    run = tmp_path / "study" / "run01"
    run.mkdir(parents=True)
    (run / "messages").write_text("Mar  2 10:00:00 alder sshd[7]: session opened for user carol\n")
    (run / "contacts.txt").write_text("Carol of alder, and whom to call at night\n")
    done = anonymise(tmp_path / "study", tmp_path / "copy")
    assert [each.path for each in discover(done.folder).sources] == ["run01/messages"]


def test_table_of_names_is_outside_and_for_its_owner(tmp_path: Path) -> None:
    done = anonymise(SAMPLES / "hadr-simulator-2009", tmp_path / "copy")
    assert done.table == tmp_path / "copy-names.csv"
    assert done.table.stat().st_mode & 0o077 == 0
    assert "auklet" in done.table.read_text(encoding="utf-8")
    again = anonymise(SAMPLES / "hadr-simulator-2009", tmp_path / "copy")
    assert again == done


def test_a_folder_of_somebody_else_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    with pytest.raises(UsageError, match="was not written by haledger"):
        anonymise(SAMPLES / "hadr-simulator-2009", tmp_path / "mine")
    assert (tmp_path / "mine" / "letter").read_text() == "dear"
