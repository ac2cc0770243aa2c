"""The findings: a file each, from which the relation `finding` follows."""

import shutil
from pathlib import Path

import pytest

from pipeline.ask.check.quality import rules
from pipeline.store import findings, relations
from pipeline.store.findings import Finding, FindingError
from tests.support.hand_made import Ledger

GIVEN = {"severity", "configuration", "run", "text", "file_id", "line_no", "lines"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the findings, which the program reads instead of its own."""
    relations.catalogue()  # is kept, made of the program's own
    copy = tmp_path / "findings"
    shutil.copytree(findings.FOLDER, copy)
    monkeypatch.setattr(findings, "FOLDER", copy)
    monkeypatch.setattr(findings, "findings", findings.findings.__wrapped__)
    return copy


def test_every_finding_gives_its_columns_and_a_severity_where_it_varies() -> None:
    con = Ledger().build()
    for each in findings.findings():
        columns = {name for name, *_ in con.execute(f"describe {each.sql}").fetchall()}
        assert {"text"} <= columns <= GIVEN, each.kind
        assert ("severity" in columns) == (each.severity == "warning or note"), each.kind
        assert each.when.endswith("."), each.kind


def test_rules_are_the_kinds_each_once() -> None:
    assert "few_runs" in rules()
    assert list(rules()) == sorted(set(rules()))


def test_a_new_file_is_a_new_finding(folder: Path) -> None:
    (folder / "reading" / "long_path.sql").write_text(
        "-- A file lies deep.\n-- severity: note\nselect configuration, path as text, file_id from source_file"
    )
    ledger = Ledger()
    ledger.file("a/b/c", "syslog", "a", None, None)
    found = ledger.build().execute(findings.relation()).fetchall()
    assert ("note", "long_path", "a", None, "a/b/c", 1, None, None) in found
    assert "long_path" in findings.relation().partition("select")[0]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("select 1 as text", id="no header"),
        pytest.param("-- Something.\nselect 1 as text", id="no severity"),
        pytest.param("-- Something.\n-- severity: error\nselect 1 as text", id="unknown severity"),
        pytest.param("-- Something.\n-- severity: note\n", id="no select"),
    ],
)
def test_file_without_its_parts_is_refused(folder: Path, source: str) -> None:
    (folder / "reading" / "odd.sql").write_text(source)
    with pytest.raises(FindingError, match=r"odd\.sql"):
        findings.relation()


def test_severity_is_added_where_it_is_one() -> None:
    one = Finding("odd", "reading", "note", "Always.", "select 1 as text")
    assert one.select == "select 'note' as severity, 'odd' as kind, * from (\nselect 1 as text\n)"
