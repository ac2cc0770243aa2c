"""Tables of what logs tell where no node was lost, from logs that were written for this test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipeline.ask.check.verdict import About, Condition, Estimate, EvaluatedClaim, Verdict
from pipeline.ingest.ingest import ingest
from reports.findings.card import card
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import declared
from reports.tables.claims import printed_decimals

MESSAGES = """\
2024-05-06T11:02:00+00:00 birch kernel: block drbd0: disk( Diskless -> Attaching )
2024-05-06T11:02:01+00:00 birch kernel: block drbd0: disk( Attaching -> UpToDate )
2024-05-06T11:02:05+00:00 birch kernel: Buffer I/O error on dev sdb, logical block 17
2024-05-06T11:02:09+00:00 birch kernel: Buffer I/O error on dev sdb, logical block 4
"""


@contextmanager
def ingested(folder: Path, name: str, text: str) -> Iterator[StudyView]:
    file = folder / "study" / name
    file.parent.mkdir(parents=True)
    file.write_text(text)
    ingest(folder / "study", folder / "haledger.duckdb")
    with opened(folder / "haledger.duckdb") as connection:
        yield StudyView(connection)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyView]:
    with ingested(tmp_path_factory.mktemp("logs"), "birch/messages", MESSAGES) as found:
        yield found


def printed(study: StudyView, name: str) -> list[list[str]]:
    return [[cell.text for cell in row] for table in declared(name).tables(study) for row in table.rows]


def test_errors_are_told_once_with_what_they_mean(study: StudyView) -> None:
    assert [row[1:] for row in printed(study, "log-errors")] == [
        [
            "error",
            "Buffer I/O error on dev sdb, logical block 17",
            "A disk or the path to it failed",
            "2",
            "birch",
            "2024-05-06 11:02:05, 2024-05-06 11:02:09",
            "birch/messages:3",
        ]
    ]


def test_each_host_of_a_file_that_several_write_is_one_that_wrote_logs(tmp_path: Path) -> None:
    with ingested(tmp_path, "messages", MESSAGES.replace("birch", "oak", 1)) as found:
        assert [row[:4] for row in printed(found, "hosts")] == [
            ["birch", "syslog", "1", "3"],
            ["oak", "syslog", "1", "1"],
        ]
        assert "Logs of birch and oak, 2024-05-06." in card(found, []).tested


def test_changes_of_state_are_told_in_order(study: StudyView) -> None:
    assert [row[1:] for row in printed(study, "state-changes")] == [
        ["2024-05-06 11:02:00", "birch", "disk", "drbd0", "Diskless", "Attaching", "birch/messages:1"],
        ["2024-05-06 11:02:01", "birch", "disk", "drbd0", "Attaching", "UpToDate", "birch/messages:2"],
    ]


def test_a_folder_without_a_failover_has_them_among_its_results(study: StudyView) -> None:
    assert [(each.section, each.topic) for each in declared("log-errors").tables(study)] == [("results", "logs")]
    assert declared("unmade-incidents").tables(study) == []


def decimals(found: Estimate, asked: Condition) -> int:
    about = About("phase", "fs_check_mount", "tuned", None, "")
    return printed_decimals(EvaluatedClaim(1, "", "", Verdict.PASS, "", found, about=about, asked=asked), found)


def test_seconds_have_one_decimal_unless_it_would_move_an_end_across_the_border() -> None:
    """What counts is the border of the margin: a mean that hits the value asked for lies far from it."""
    a_second_around_8 = Condition("=", 8.0, margin=1.0)
    assert decimals(Estimate(8.0, 7.523, 8.477, "s"), a_second_around_8) == 1
    assert decimals(Estimate(8.5, 8.023, 8.977, "s"), a_second_around_8) == 2
    assert decimals(Estimate(38.5, 38.123, 39.977, "s"), Condition("<", 40.0)) == 2
    assert decimals(Estimate(38.5, 38.123, 38.877, "s"), Condition("<", 40.0)) == 1
