"""The study that was really recorded: what the report says, held to the printed lines by another way of reckoning."""

import re
import shutil
import statistics
from collections.abc import Iterator
from math import exp, log, sqrt
from pathlib import Path

import duckdb
import pytest
from scipy import stats

from pipeline.ingest.ingest import ingest
from reports.figures import catalogue as figures
from reports.findings.highlights import lead
from reports.findings.sections import abstract, sections
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables import catalogue as tables
from samples.files import SAMPLES, files
from tests.support.sample import sample_store

STUDY = SAMPLES / "pgbench-synccommit"
ON, OFF = "synchronous_commit=on", "synchronous_commit=off"
RATE = re.compile(r"^tps = ([\d.]+) ", re.MULTILINE)
SECOND = re.compile(r"^vda\s+(.*)$", re.MULTILINE)
COLUMNS = (
    "r rkb rrqm rrqm_pct r_await rareq w wkb wrqm wrqm_pct w_await wareq d dkb drqm drqm_pct d_await dareq f f_await"
)


def rates(configuration: str) -> list[float]:
    """Transactions per second of the runs, off the lines."""
    return [float(value) for text in texts(configuration, "pgbench.txt") for value in RATE.findall(text)]


def texts(configuration: str, name: str) -> list[str]:
    """A file of every run."""
    return [text.decode() for path, text in files(STUDY, f"{configuration}/") if path.endswith(f"/{name}")]


def flushes(configuration: str) -> float:
    """Mean over runs of the mean of the flushes a second, off the lines; the first report is since boot."""
    place = COLUMNS.split().index("f")
    means = []
    for text in texts(configuration, "iostat.txt"):
        reports = [line.split() for line in SECOND.findall(text)]
        means.append(statistics.fmean(float(report[place]) for report in reports[1:]))
    return statistics.fmean(means)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample_store(STUDY.name, tmp_path_factory)


@pytest.fixture
def connection(store: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(store), read_only=True) as found:
        yield found


def test_every_recorded_line_is_read(connection: duckdb.DuckDBPyConnection) -> None:
    counts = (
        "select format, count(*), sum(rejected_lines) from source_file where status = 'parsed' group by all order by 1"
    )
    assert connection.execute(counts).fetchall() == [("iostat", 20, 0), ("pgbench", 20, 0), ("vmstat", 20, 0)]
    others = "select path, status from source_file where status <> 'parsed' order by path"
    assert connection.execute(others).fetchall() == [
        ("record/record.sh", "unrecognised"),
        ("study.toml", "skipped"),
        *((f"{name}.tar.xz", "skipped") for name in (OFF, ON)),
    ]
    assert connection.execute("select count(*), bool_and(used) from run").fetchone() == (20, True)


def test_means_are_those_of_the_printed_lines(connection: duckdb.DuckDBPyConnection) -> None:
    # added up by hand: 6238.6 + 6719.0 + 6564.6 + … + 5942.8 and 3616.3 + 3630.9 + 3581.8 + … + 3563.9
    assert (round(sum(rates(OFF)), 1), round(sum(rates(ON)), 1)) == (62542.4, 35509.2)
    sql = "select configuration, mean, stddev, runs from measurement_stats where metric = 'tps'"
    found = {row[0]: row[1:] for row in connection.execute(sql).fetchall()}
    for configuration in (ON, OFF):
        values = rates(configuration)
        assert found[configuration] == pytest.approx((statistics.fmean(values), statistics.stdev(values), 10))


def test_ratio_and_its_interval_are_those_of_pairs(connection: duckdb.DuckDBPyConnection) -> None:
    ratio = statistics.fmean(rates(OFF)) / statistics.fmean(rates(ON))
    logarithms = [log(off / on) for off, on in zip(rates(OFF), rates(ON), strict=True)]
    half = stats.t.ppf(0.975, 9) * statistics.stdev(logarithms) / sqrt(10)
    sql = """select relative_ratio, ci95_low, ci95_high, p_value from measurement_ratio
        where metric = 'tps' and configuration = ?"""
    (found,) = connection.execute(sql, [OFF]).fetchall()
    assert found[:3] == pytest.approx((ratio, exp(log(ratio) - half), exp(log(ratio) + half)), rel=2e-4)
    assert found[3] == pytest.approx(stats.ttest_rel(rates(OFF), rates(ON)).pvalue, rel=1e-2)


def test_disk_shows_the_cause(connection: duckdb.DuckDBPyConnection) -> None:
    sql = "select configuration, mean from iostat_summary where metric = 'f_per_s' and device = 'vda'"
    found = dict(connection.execute(sql).fetchall())
    assert found == pytest.approx({name: flushes(name) for name in (ON, OFF)}, rel=1e-3)
    assert found[ON] > 100 * found[OFF]


def test_report_gives_the_effect_in_plain_words(store: Path) -> None:
    with opened(store) as open_store:
        study = StudyView(open_store)
        (effect,) = lead(study)
        drawn = figures.all_figures(study)
        assert abstract(study)
        assert len(sections(study)) == 3
        assert [row[0].text for row in tables.all_tables(study)["disk-work"].rows][:2] == [
            "writes per second",
            "flushes per second",
        ]
    assert effect.subject == "Commits do not wait (off) against commits wait (on)"
    assert effect.sentence == (
        "6254 instead of 3551 transactions per second, 76 % more (95 % CI 69 to 83 %), over 10 runs."
    )
    assert "Flushes per second: Commits wait (on): mean 3192" in drawn["disk-activity"].description
    assert {"measurement-tps", "series-tps", "disk-writes"} <= set(drawn)


def test_study_reports_well_without_its_manifest(tmp_path: Path) -> None:
    study = tmp_path / "study"
    shutil.copytree(STUDY, study, ignore=shutil.ignore_patterns("study.toml"))
    db = tmp_path / "haledger.duckdb"
    ingest(study, db)
    with opened(db) as open_store:
        view = StudyView(open_store)
        said = {each.subject: each.sentence for each in lead(view)}
        drawn = figures.all_figures(view)
        made = tables.all_tables(view)
        assert {name: row["synchronous_commit"]["value"] for name, row in view.factors.items()} == {
            ON: "on",
            OFF: "off",
        }
        kinds = view.store.rows("select kind from finding order by severity desc, kind")
        assert {row["kind"] for row in kinds} == {"first_run", "unread_file", "no_reference"}
    compared = (
        "3551 instead of 6254 transactions per second, 43.2 % less (95 % CI 41.0 to 45.4 %), over 10 runs."
        " Nobody named a reference; synchronous_commit=off is taken, the first by name."
    )
    assert said == {f"{ON} against {OFF}": compared}
    assert set(drawn) == {"measurement-tps", "measurement-latency-avg-ms", "series-tps", "disk-activity", "disk-course"}
    assert "Disk in use, %: synchronous_commit=off: mean 0.61 (" in drawn["disk-activity"].description
    assert {"measurements", "iostat-disks", "processors", "machines"} <= set(made)
