"""One of two failovers by --since and --until: what is computed of it is what a study of its lines alone gives."""

import json
import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pipeline.ask.verify.verify import verify_store
from reports.study.view import opened_study
from reports.words import read_sentence, runs_sentence
from tests.support.command import haledger
from tests.support.failover_logs import CRASH, MILESTONES, Failover, write_logs, write_timers
from tests.support.ingest_study import age, assert_accounted, rows, run, tables

ZONE = "-240"
FAILOVERS = (Failover(zone=ZONE), Failover(crash=CRASH + timedelta(hours=1), zone=ZONE))
BETWEEN = "2003-07-28T11:00"
IN_SPAN = {"since": BETWEEN, "until": "2003-07-28 12:00:00"}
COMPARED = (
    "select * exclude (file_id, line_no) from run",
    "select * exclude (file_id, line_no) from milestone order by milestone",
    "select * from phase order by phase",
    "select * exclude (file_id, line_no) from run_outcome",
    "select * from recovery",
    'select "at", source, severity, message_id, text from event order by all',
)


def write_study(folder: Path, failovers: tuple[Failover, ...]) -> Path:
    """All failovers of one pair of nodes in the same files."""
    for each in failovers:
        for node, logs in ((each.survivor, each.survivors()), (each.lost, each.crashed())):
            for name, lines in logs.items():
                file = folder / "tuned" / node / name
                above = file.read_text().splitlines() if file.exists() else []
                write_logs(file.parent, {name: [*above, *lines]})
    write_timers(folder / "tuned")
    age(folder)
    return folder


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A study of two failovers, and one of the second alone."""
    folder = tmp_path_factory.mktemp("span")
    return write_study(folder / "both" / "logs", FAILOVERS), write_study(folder / "second" / "logs", FAILOVERS[1:])


def test_one_failover_of_two_has_the_numbers_of_a_study_of_it_alone(studies: tuple[Path, Path]) -> None:
    both, second = studies
    db, alone = both.parent / "span.duckdb", second.parent / "alone.duckdb"
    run(both, db)
    assert rows(db, "select count(*) from run") == [(2,)]
    assert not run(both, db, since=BETWEEN).is_unchanged
    run(second, alone)
    assert_accounted(db)
    for query in COMPARED:
        assert rows(db, query) == rows(alone, query), query
    elapsed = dict(rows(db, "select milestone, printed_elapsed_s from milestone"))
    assert elapsed == {name: seconds - 0.25 for name, seconds in MILESTONES.items()}  # as failover_logs.py explains
    assert rows(db, "select sum(parsed_lines) from source_file") == rows(
        alone, "select sum(parsed_lines) from source_file"
    )
    doubts = dict(rows(db, "select kind, text from finding"))
    assert doubts["time_span"] == (
        "Only lines from 2003-07-28 15:00:00 UTC on count (--since, --until); 0 of the 8 files with lines lie outside "
        "altogether."
    )
    # the offsets of the records were made up; but those above were left out, not lost
    kinds = {name: {kind for (kind,) in rows(name, "select kind from db2diag_gap")} for name in (db, alone)}
    assert kinds[alone] - kinds[db] == {"beginning"}
    with opened_study(db) as study:
        assert "(only those from 2003-07-28 15:00:00 UTC on count)" in read_sentence(study)
        assert runs_sentence(study).startswith("1 failover")
    assert run(both, db, since="2003-07-28T15:00Z").is_unchanged
    verified = verify_store(db, both)
    assert verified.broken == []
    assert all(each.holds for each in verified.findings)


@pytest.mark.usefixtures("without_views")
def test_a_store_of_another_span_is_as_if_it_were_new(studies: tuple[Path, Path], tmp_path: Path) -> None:
    logs = shutil.copytree(studies[0], tmp_path / "logs")
    db, fresh = tmp_path / "a.duckdb", tmp_path / "b.duckdb"
    run(logs, db, **IN_SPAN)
    again = run(logs, db, **IN_SPAN)
    assert (again.is_unchanged, again.read_count, len(again.remarks)) == (True, 0, 1)
    in_utc = run(logs, db, since="2003-07-28T15:00Z", until="2003-07-28T18:00+02:00")
    assert in_utc.is_unchanged
    for other in ({"since": "2003-07-28T11:30"}, {"until": "2003-07-28T11:30"}, {}):
        assert not run(logs, db, **other).is_unchanged
        run(logs, fresh, replace=True, **other)
        assert _content(db) == _content(fresh), other
    assert not run(logs, db, **IN_SPAN).is_unchanged  # and back from all lines
    with (logs / "tuned" / "sun-ha4" / "messages").open("a") as file:
        file.write("Jul 28 11:59:00 sun-ha4 sshd[43]: Accepted publickey for root\n")
    run(logs, db, **IN_SPAN)
    fresh.unlink()
    run(logs, fresh, **IN_SPAN)
    assert _content(db) == _content(fresh)


def _content(db: Path) -> dict[str, list[str]]:
    return {name: content for name, content in tables(db).items() if name != "main.store_info"}


def test_the_first_failover_by_the_command_line(studies: tuple[Path, Path]) -> None:
    both, _ = studies
    until = ("--until", BETWEEN, "--reference", "tuned", "--db", "first.duckdb")
    made = haledger("ingest", "logs", *until, cwd=both.parent)
    assert (made.returncode, "Note: only lines before 2003-07-28 15:00:00 UTC count" in made.stdout) == (0, True)
    again = haledger("ingest", "logs", *until, "--json", cwd=both.parent)
    assert json.loads(again.stdout)["read_count"] == 0
    row = ("milestone", "configuration=tuned,milestone=complete", "elapsed_s", "--db", "first.duckdb", "--json")
    traced = json.loads(haledger("trace", *row, cwd=both.parent).stdout)
    (line,) = (each for each in traced["runs"][0]["lines"] if each["role"] == "complete")
    at: datetime = FAILOVERS[0].at("complete")
    assert line["text"].startswith(f"{at:%Y-%m-%d-%H.%M.%S}")
    written = (both / "tuned" / "sun-ha4" / "db2diag.log").read_text().splitlines()
    assert written[line["line_no"] - 1] == line["text"]
    assert haledger("verify", "first.duckdb", cwd=both.parent).returncode == 0
    for wrong in (("--since", "noon"), ("--since", "2003-07-29", "--until", "2003-07-28")):
        refused = haledger("report", "logs", "-o", "no-report", *wrong, cwd=both.parent)
        assert (refused.returncode, (both.parent / "no-report").exists()) == (2, False)
        assert refused.stderr.startswith("haledger: --since ")
    nothing = haledger("ingest", "logs", "--since", "2004-01-01", "--db", "none.duckdb", cwd=both.parent)
    assert (nothing.returncode, (both.parent / "none.duckdb").exists()) == (3, False)
