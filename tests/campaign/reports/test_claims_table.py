"""The section Claims: what is in it, and that a claim's text is only text."""

from pathlib import Path

import pytest

from pipeline.ingest.ingest import ingest
from reports.lineage.run_values import Several, run_values
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables import claims
from tests.support.failover_logs import on_days, write, write_run, write_timers

HOSTILE = "</td><script>alert(1)</script>{{ 7*7 }}\\u001b[31m`x` \\u202e=cmd"
CLAIMS = f"""
[[claim]]
text = "{HOSTILE}"
milestone = "complete"
op = "="
value = 40
margin = 2

[[claim]]
milestone = "complete"
op = "<"
value = 1

[[claim]]
text = "Of one run it cannot be told"
sql = "select null::boolean as holds"
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("claims") / "logs"
    write_timers(folder / "one")
    for number in (1, 2, 3):
        write_run(folder / "one" / f"run{number:02}")
    return on_days(folder)


def store_of(study: Path, manifest: str) -> Path:
    write(study / "study.toml", manifest)
    db = study.with_name("claims.duckdb")
    ingest(study, db)
    return db


def test_published_numbers_are_a_table_of_their_own(study: Path) -> None:
    published = CLAIMS + '\n[[claim]]\nmilestone = "complete"\npaper = "3.7"\npublished = { one = 61 }\n'
    with opened(store_of(study, published)) as store:
        view = StudyView(store)
        (own,), (table,) = claims.claims(view), claims.replication(view)
    assert len(own.rows) == 3
    assert table.caption == "Published numbers against this study: 0 of 1 reproduced"
    texts = [cell.text.replace("\u00a0", " ") for cell in table.rows[0]]
    assert texts == ["3.7", "Complete", "one", "61", "3", "40.3 s", "39.5 to 41.0", "not reproduced"]


def test_table_has_verdict_value_and_interval(study: Path) -> None:
    with opened(store_of(study, CLAIMS)) as store:
        (table,) = claims.claims(StudyView(store))
    by_name = [dict(zip(table.data_names, row, strict=True)) for row in table.data_rows()]
    assert [row["verdict"] for row in by_name] == ["PASS", "FAIL", "CANNOT TELL"]
    assert [row["value"] for row in by_name] == [40.25, 40.25, None]
    assert by_name[1]["text"] == "complete of one: mean < 1 s"
    assert [row[3].text for row in table.rows] == ["40.3\u00a0s", "40.3\u00a0s", "\u2014"]
    assert [row[1].text for row in table.rows] == [
        "mean =\u00a040\u00a0\u00b1\u00a02\u00a0s",
        "mean <\u00a01\u00a0s",
        "true",
    ]
    assert by_name[1]["condition"] == "Complete of one: mean < 1 s"
    assert [row["runs"] for row in by_name] == [3, 3, None]
    assert claims.summary(table) == (
        "1 of 3 claims of the study holds, 1 does not, 1 cannot be decided from these runs."
    )


def test_claim_leads_to_its_runs_or_to_its_statement(study: Path) -> None:
    counted = '[[claim]]\ntext = "Three"\nop = "="\nvalue = 3\nmargin = 0.5\nsql = "select count(*) as value from run"'
    with opened(store_of(study, f"{CLAIMS}\n{counted}")) as store:
        view = StudyView(store)
        found = run_values(view, claims.claims(view))
    behind = found.cells[claims.NAME, 0, 3]
    assert not isinstance(behind, Several)
    assert [(run.run, run.value) for run in behind.runs] == [(f"run{number:02}", 40.25) for number in (1, 2, 3)]
    assert found.anchor(claims.NAME, 3, 3) == "sql-claim-4"
    assert found.anchor(claims.NAME, 2, 3) == ""
