"""What an ingest decides is what is reported, file by file, with the lines it rests on."""

import json
from pathlib import Path

import pytest

from parsers.format import formats
from pipeline.ask.explain.decisions import Explanation, explain
from pipeline.ingest.ingest import ingest
from pipeline.store import store
from reports.answers.explain.text import to_json

ENGINE = "2003/07/28 10:27:04 VCS INFO V-16-1-10077 received new cluster membership\n"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study" / "default" / "run01" / "sun-ha3"
    folder.mkdir(parents=True)
    (folder / "engine_A.log").write_text("before any head\n" * 7 + ENGINE * 12)
    (folder / "messages").write_text("Jul 28 10:27:04 sun-ha3 kernel: text\n" * 3)
    (tmp_path / "study" / "notes.txt").write_text("nothing\nat all\n")
    return tmp_path / "study"


def reported(*paths: Path) -> dict[str, Explanation]:
    return {each.path: each for part in explain(paths) for each in part.files}


def test_each_file_is_reported_with_reasons_and_counts(study: Path) -> None:
    engine = reported(study)["default/run01/sun-ha3/engine_A.log"]
    assert (engine.format, engine.recognised_at) == ("vcs_engine", 8)
    assert engine.recognised_text == ENGINE.strip()
    assert (engine.configuration, engine.run, engine.node) == ("default", "run01", "sun-ha3")
    assert dict(engine.sources) == {
        "configuration": "folder default",
        "run": "folder run01",
        "node": "folder sun-ha3",
    }
    assert (engine.counts["lines"], engine.counts["parsed"], engine.counts["rejected"]) == (19, 12, 7)
    assert [(each.line_no, each.text) for each in engine.rejected] == [(n, "before any head") for n in range(1, 6)]
    assert dict(engine.table_rows) == {"vcs_event": 12}
    assert (engine.first_local_at, engine.year_source) == ("2003-07-28 10:27:04", "in_line")


def test_a_log_says_whose_lines_it_holds_and_where_its_year_is_from(study: Path) -> None:
    messages = reported(study)["default/run01/sun-ha3/messages"]
    assert dict(messages.written_by) == {"sun-ha3": 3}
    assert (messages.year_source, messages.timezone_source) == ("sibling", "assumed")


def test_an_unrecognised_file_is_reported_with_the_refusal_of_every_format_and_its_line(study: Path) -> None:
    notes = reported(study / "notes.txt")["notes.txt"]
    assert notes.status == "unrecognised"
    assert set(notes.refusals) == set(formats())
    assert notes.not_tried == ()
    for each in notes.refusals.values():
        assert each.reason
        assert each.text == ["nothing", "at all"][each.line_no - 1]


def test_formats_that_were_not_asked_are_distinguished_from_those_that_gave_up(study: Path) -> None:
    for each in reported(study).values():
        asked = {*each.refusals, *([each.format] if each.format else [])}
        assert not asked & set(each.not_tried)
        assert not each.refusals or asked | set(each.not_tried) == set(formats())


def test_a_part_of_a_study_is_reported_as_the_study_sees_it(study: Path) -> None:
    (study / "study.toml").write_text('[[files]]\nmatch = "messages"\nrun = "run07"\n')
    (part,) = explain([study / "default" / "run01" / "sun-ha3" / "messages"])
    (messages,) = part.files
    assert messages.path == "default/run01/sun-ha3/messages"
    assert (messages.configuration, messages.run) == ("default", "run07")
    assert messages.sources["run"] == 'study.toml, [[files]] match = "messages"'
    assert (part.name, part.manifest, part.file_count) == ("study", "study.toml", 4)


def test_overrides_in_force_are_reported(study: Path) -> None:
    (study / "study.toml").write_text(
        '[[files]]\nmatch = "messages"\ninterval_s = 5\nyear = 2004\n[node.sun-ha3]\nclock_offset_s = 2\n'
    )
    found = reported(study)
    assert found["default/run01/sun-ha3/messages"].overrides == {
        "match": "messages",
        "year": 2004,
        "interval_s": 5,
        "clock_offset_s": 2,
    }
    assert found["notes.txt"].overrides == {}


def test_what_study_toml_declares_without_effect_is_reported(study: Path) -> None:
    (study / "study.toml").write_text(
        '[[files]]\nmatch = "messages"\ninterval_s = 5\n[[files]]\nmatch = "mess*"\nnode = "x"\n'
    )
    (whole,) = explain([study])
    assert [text for path, text in whole.findings if path == "study.toml"] == [
        'study.toml: [[files]] match = "mess*" applies to no file of the study.',
    ]


def test_what_reading_changed_and_what_is_doubtful_are_distinguished(study: Path) -> None:
    (study / "study.toml").write_text("[study]\nyear = 2003\n")
    path = study / "default" / "run01" / "sun-ha3" / "messages"
    path.write_bytes(b"Feb 29 10:27:04 sun-ha3 kernel: caf\xe9 \0\n" * 2)
    messages = reported(path)["default/run01/sun-ha3/messages"]
    assert messages.encoding == "cp1252"
    assert messages.remarks == ("2 NUL bytes removed",)
    (doubt,) = messages.doubts
    assert (doubt.kind, doubt.line_no, doubt.lines) == ("undated", 1, 2)
    assert messages.first_local_at is None


def test_entries_that_are_not_read_are_reported_with_their_reasons(study: Path) -> None:
    (study / ".hidden").write_text("x")
    (study / "empty.log").write_text("")
    (study / "program").write_bytes(b"\x7fELF" + bytes(range(256)))
    found = reported(study)
    assert {name: (found[name].status, found[name].reason) for name in (".hidden", "empty.log", "program")} == {
        ".hidden": ("skipped", "a hidden file"),
        "empty.log": ("skipped", "empty"),
        "program": ("skipped", "binary: an ELF program"),
    }


def test_several_paths_of_several_studies_are_reported_in_their_order(study: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "engine_A.log").write_text(ENGINE)
    assert [part.name for part in explain([other, study])] == ["other", "study"]


def test_nothing_else_is_shown_than_what_an_ingest_decides(study: Path, tmp_path: Path) -> None:
    ingest(study, tmp_path / "store.duckdb")
    with store.opened(tmp_path / "store.duckdb") as con:
        rows = store.frame(con, "select * from main.source_file")
    found = reported(study)
    for row in rows.iter_rows(named=True):
        each = found[row["path"]]
        assert (each.status, each.format, each.reason) == (row["status"], row["format"], row["reason"])
        assert (each.configuration, each.run, each.node) == (row["configuration"], row["run"], row["node"])
        assert each.counts["lines"] == row["lines"]
        assert each.sha256 == row["sha256"]


def test_json_holds_every_file_with_what_to_look_at(study: Path) -> None:
    files = {each["path"]: each for each in json.loads(json.dumps(to_json(explain([study]))))}
    assert set(files) == set(reported(study))
    assert files["notes.txt"]["attention"] == ["notes.txt is not recognised: no format recognises the first lines."]
    assert files["notes.txt"]["study"] == str(study)


def test_nothing_is_left_behind(study: Path) -> None:
    before = sorted(study.rglob("*"))
    explain([study])
    assert sorted(study.rglob("*")) == before
