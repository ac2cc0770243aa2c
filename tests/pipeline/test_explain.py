import json
from pathlib import Path

import pytest

from pipeline.explain import explain

ENGINE = "2003/07/28 10:27:04 VCS INFO V-16-1-10077 received new cluster membership\n"


@pytest.fixture(autouse=True)
def without_views(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.relations.create", lambda _: None)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study" / "default" / "run01" / "sun-ha3"
    folder.mkdir(parents=True)
    (folder / "engine_A.log").write_text("before any head\n" * 7 + ENGINE * 3)
    (folder / "messages").write_text("Jul 28 10:27:04 sun-ha3 kernel: text\n" * 3)
    (tmp_path / "study" / "notes.txt").write_text("nothing\n")
    return tmp_path / "study"


def test_each_file_is_told_with_reasons_and_counts(study: Path) -> None:
    told = {each.path: each for each in explain([study])}
    engine = told["default/run01/sun-ha3/engine_A.log"]
    assert (engine.format, engine.recognised_at) == ("vcs_engine", 8)
    assert (engine.configuration, engine.run, engine.node) == ("default", "run01", "sun-ha3")
    assert engine.sources["run"] == "folder run01"
    assert (engine.counts["lines"], engine.counts["parsed"], engine.counts["rejected"]) == (10, 3, 7)
    assert [each.line_no for each in engine.rejected] == [1, 2, 3, 4, 5]
    assert "  ... and 2 more" in engine.lines()
    assert told["default/run01/sun-ha3/messages"].year_source == "sibling"


def test_an_unrecognised_file_is_told_with_the_refusal_of_every_format(study: Path) -> None:
    from parsers.format import formats

    (notes,) = explain([study / "notes.txt"])
    assert notes.status == "unrecognised"
    assert set(notes.refusals) == set(formats())
    assert all(each.reason and each.line_no >= 1 for each in notes.refusals.values())
    assert notes.lines()[-1].endswith('[[files]] match = "notes.txt", format = "..."')


def test_a_part_of_a_study_is_told_as_the_study_sees_it(study: Path) -> None:
    (study / "study.toml").write_text('[[files]]\nmatch = "messages"\nrun = "run07"\n')
    (told,) = explain([study / "default" / "run01" / "sun-ha3" / "messages"])
    assert told.path == "default/run01/sun-ha3/messages"
    assert (told.configuration, told.run, told.sources["run"]) == ("default", "run07", "study.toml")


def test_a_skipped_file_is_told(study: Path) -> None:
    (study / "x.gz").write_bytes(b"\x1f\x8b")
    lines = [line for each in explain([study]) for line in each.lines()]
    assert "x.gz: skipped: compressed input is read from a later release" in lines


def test_all_of_it_fits_into_json(study: Path) -> None:
    assert json.dumps([each.to_dict() for each in explain([study])])


def test_nothing_is_left_behind(study: Path) -> None:
    before = sorted(study.rglob("*"))
    explain([study])
    assert sorted(study.rglob("*")) == before
