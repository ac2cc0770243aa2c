from pathlib import Path

from pipeline.ask.explain.decisions import explain

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
    assert "No incident and no measurement was found" in text
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
        '[[format]]\nname = "own"\nmatch = "elsewhere"\nbegins = "x"\n'
    )
    (found,) = explain([tmp_path])
    assert found.has_result
    texts = [text for _, text in found.findings]
    assert "study.toml: [[milestone]] never matched no line within a run after its fault." in texts
    assert 'study.toml: [[format]] match = "elsewhere" is first choice for no file of the study.' in texts
    assert not any("led" in text for text in texts)
