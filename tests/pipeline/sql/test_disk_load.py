"""Disks of a configuration against its reference: in the store, by `haledger compare`, in tables and figures."""

from pathlib import Path

import duckdb
import pytest

from pipeline.ask.compare.compare import compare
from pipeline.ask.compare.sides import Side
from pipeline.ingest.ingest import ingest
from reports.figures.measured.disks import disk_course
from reports.study.store import Store
from reports.study.view import StudyView
from reports.tables.disk.monitors import disk_changes

HEADER = "Device r/s w/s rkB/s wkB/s r_await w_await aqu-sz %util\n"
READS = {"default": (10, 12, 14), "tuned": (20, 24, 28)}
ROWS = (
    "sdb {} 5.0 80.0 160.0 2.0 4.0 0.5 50.0",
    "sdc 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0",
    "sdb1 {} 5.0 8.0 16.0 2.0 4.0 0.5 50.0",
)


def report(host: str, reads: int) -> str:
    reports = [
        f"2026-11-21T02:42:{second:02d}+0000\n{HEADER}" + "".join(f"{row.format(reads)}\n" for row in ROWS) + "\n"
        for second in (0, 10, 20, 30)
    ]
    return f"Linux 6.1.0 ({host}) 11/21/26 _x86_64_ (2 CPU)\n\n" + "".join(reports)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("disks")
    for name, runs in READS.items():
        for number, reads in enumerate(runs, 1):
            file = folder / "study" / name / f"run{number:02d}" / "iostat.txt"
            file.parent.mkdir(parents=True)
            file.write_text(report("elm", reads))
    ingest(folder / "study", folder / "store.duckdb")
    return folder / "store.duckdb"


def test_a_ratio_of_a_disk_has_an_interval_and_idle_disks_and_partitions_have_none(store: Path) -> None:
    with duckdb.connect(store, read_only=True) as con:
        found = con.execute(
            "select label, item, ratio, ratio_ci95_low < 2 and ratio_ci95_high > 2, comparisons from comparison "
            "where subject = 'disk' and configuration = 'tuned' order by all"
        ).fetchall()
    assert {label for label, *_ in found} == {"sdb"}
    assert [row for row in found if row[1] == "r_per_s"] == [("sdb", "r_per_s", pytest.approx(2.0), True, len(found))]
    assert {ratio for _, item, ratio, *_ in found if item == "w_per_s"} == {1.0}


def test_any_two_configurations_are_compared_in_either_direction(store: Path) -> None:
    there, back = (
        {(each.item, each.label): each.ratio for each in compare(Side(a, store, a), Side(b, store, b)).pairs}
        for a, b in (("tuned", "default"), ("default", "tuned"))
    )
    assert there.keys() == back.keys()
    assert {key: 1 / (ratio or 0) for key, ratio in there.items()} == pytest.approx(back)


def test_the_paper_shows_ratios_and_the_course(store: Path) -> None:
    with duckdb.connect(store, read_only=True) as con:
        study = StudyView(Store(con))
        (changes,) = disk_changes(study)
        course = disk_course(study, ())
    reads = next(row for row in changes.rows if row[1].text == "reads per second")
    assert [cell.text for cell in reads[:6]] == [
        "sdb",
        "reads per second",
        "tuned",
        "24 ± 4",
        "12 ± 2",
        "2.000",
    ]
    assert course is not None
    assert {row[course.names.index("line")] for row in course.rows} == {"sdb"}
    assert {row[course.names.index("x")] for row in course.rows} == {10.0, 20.0, 30.0}
