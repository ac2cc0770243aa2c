from pathlib import Path

import duckdb
import pytest

from pipeline.ask.explain import next_steps
from pipeline.ask.explain.decisions import explain
from tests.support.hand_made import Ledger

LOG = """05/06/2026 10:00:00 lost the leader
05/06/2026 10:00:05 became leader
"""


def test_a_study_without_an_incident_ends_with_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "run01").mkdir()
    (tmp_path / "run01" / "app.log").write_text(LOG.replace("05/06/2026", "2026-05-06"))
    (tmp_path / "run01" / "open.log").write_text(LOG)
    (found,) = explain([tmp_path])
    assert not found.has_result
    text = " ".join(found.next_steps)
    assert "No incident and no result of a benchmark was found" in text
    assert f'[[run]] configuration = "{tmp_path.name}", run = "run01"' in text
    assert '2 logs are read as dated lines only: [[milestone]] with source = "log"' in text
    assert "which number is the day in run01/open.log" in text
    assert "No line gives the zone of run01/app.log" in text


def test_a_declared_fault_and_a_milestone_on_dated_lines_are_a_result(tmp_path: Path) -> None:
    (tmp_path / "run01").mkdir()
    (tmp_path / "run01" / "app.log").write_text(LOG.replace("05/06/2026", "2026-05-06"))
    (tmp_path / "study.toml").write_text(
        f'[[run]]\nconfiguration = "{tmp_path.name}"\nrun = 1\nfault_at = 2026-05-06T10:00:00Z\n'
        '[[milestone]]\nname = "led"\nsource = "log"\ntext = "became leader"\n'
        '[[milestone]]\nname = "never"\nsource = "log"\ntext = "no such line"\n'
        '[[format]]\nname = "own"\nmatch = "app.log"\nbegins = "^\\\\d"\n'
        '[[format]]\nname = "other"\nmatch = "*/app.log"\nbegins = "x"\n'
    )
    (found,) = explain([tmp_path])
    assert found.has_result
    texts = [text for _, text in found.findings]
    assert "study.toml: [[milestone]] never matched no line within a run after its fault." in texts
    assert 'study.toml: [[format]] match = "*/app.log" applies to no file of the study.' in texts
    assert not any("led" in text for text in texts)


def test_a_run_without_a_fault_beside_others_is_named(tmp_path: Path) -> None:
    for run, hour in (("run01", "10"), ("run02", "11")):
        (tmp_path / run).mkdir()
        lines = LOG.replace("05/06/2026 10", f"b1|060526 {hour}")
        (tmp_path / run / "app.log").write_text(lines.replace(" lost", "|E|lost").replace(" became", "|I|became"))
    (tmp_path / "study.toml").write_text(
        f'[[run]]\nconfiguration = "{tmp_path.name}"\nrun = 1\nfault_at = 2026-05-06T10:00:00Z\n'
        '[[milestone]]\nname = "led"\nsource = "log"\ntext = "became leader"\n'
        '[[format]]\nname = "own"\nmatch = "*/app.log"\nstamp = "%d%m%y %H:%M:%S"\n'
        "begins = '^(?P<host>[a-z0-9]+)\\|(?P<stamp>[0-9: ]+)\\|(?P<severity>[A-Z])\\|'\n"
    )
    (found,) = explain([tmp_path])
    assert f"No fault was found in run run02 of {tmp_path.name}" in " ".join(found.next_steps)
    logs = [each for each in found.files if each.format == "own"]
    assert [each.format_title for each in logs] == ["Log that study.toml declares"] * 2
    assert {each.overrides["match"] for each in logs} == {"*/app.log"}
    assert [each.written_by for each in logs] == [{"b1": 2}] * 2


def test_lines_without_a_day_ask_for_the_line_that_gives_it(tmp_path: Path) -> None:
    (tmp_path / "app.log").write_text("10:11:12 lost the leader\n" * 3)
    asked = 'nothing shows of which day: declare it in study.toml, [[files]] match = "app.log", start = '
    assert asked in " ".join(explain([tmp_path])[0].next_steps)
    (tmp_path / "study.toml").write_text('[[files]]\nmatch = "app.log"\nstart = 2024-05-06T10:11:12\n')
    (found,) = explain([tmp_path])
    assert asked not in " ".join(found.next_steps)
    assert str(found.files[0].first_at) == "2024-05-06 10:11:12"


def test_resources_without_a_type_ask_for_it() -> None:
    ledger = Ledger()
    engine = ledger.file("plain/run1/engine_A.log", "vcs_engine", "plain", "run1", "sun-ha4")
    ledger.add("vcs_event", engine, 1, kind="resource_online", resource="ora_app", message_id="V-16-1-10298", text="x")
    (found,) = (each for each in next_steps.next_steps(ledger.build()) if "type of" in each)
    assert found.startswith("No file gives the type of one resource of plain.")
    assert '[resource_type], "ora_app" = "TYPE"' in found


def test_at_most_seven_sentences_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [lambda _con, number=number: f"Sentence {number}." for number in range(9)]
    monkeypatch.setattr(next_steps, "QUESTIONS", questions)
    with duckdb.connect() as con:
        assert next_steps.next_steps(con) == [f"Sentence {number}." for number in range(7)]
