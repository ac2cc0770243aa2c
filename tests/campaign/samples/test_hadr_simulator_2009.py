"""The sample of HADR planning, end to end: IBM's published run, the recorded study, with and without study.toml."""

import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import duckdb
import pytest

from pipeline.ingest.ingest import ingest
from samples.files import SAMPLES, files
from tests.support.sample import sample_store

STUDY = SAMPLES / "hadr-simulator-2009"


class Sample:
    """A store of the study."""

    def __init__(self, store: Path) -> None:
        self.connection = duckdb.connect(str(store), read_only=True)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of a query."""
        return self.connection.execute(sql).fetchall()

    def one(self, sql: str) -> tuple[Any, ...]:
        """The only row of a query."""
        (row,) = self.rows(sql)
        return row


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    found = Sample(sample_store(STUDY.name, tmp_path_factory))
    yield found
    found.connection.close()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    """The same folders without study.toml."""
    folder = tmp_path_factory.mktemp("plain")
    shutil.copytree(STUDY, folder / "study", ignore=shutil.ignore_patterns("study.toml"))
    ingest(folder / "study", folder / "haledger.duckdb")
    found = Sample(folder / "haledger.duckdb")
    yield found
    found.connection.close()


def test_every_line_is_accounted_for_and_none_rejected(sample: Sample) -> None:
    assert sample.one("select count(*), sum(rejected_lines) from source_file where status = 'parsed'") == (59, 0)
    assert sample.rows("select path from source_file where status <> 'parsed' and path not like '%.tar.xz'") == [
        ("study.toml",)
    ]


def test_folders_alone_group_the_files_as_the_study_does(sample: Sample, plain: Sample) -> None:
    sql = """select path, configuration, run from source_file where path <> 'study.toml' order by path"""
    assert sample.rows(sql) == plain.rows(sql)
    sql = "select configuration, setting, run, role, mb_s from simhadr_run order by run_id"
    assert sample.rows(sql) == plain.rows(sql)
    assert plain.rows("select configuration, syncmode from hadr_recommendation order by 1") == [
        ("metro", "NEARSYNC"),
        ("paper", "NEARSYNC"),
        ("wan", "ASYNC"),
        ("window-sweep", "ASYNC"),
    ]


def test_study_holds_what_was_planned(sample: Sample) -> None:
    found = sample.rows(
        "select configuration, list(distinct syncmode order by syncmode), "
        "list(distinct flush_pages order by flush_pages) "
        "from simhadr_run where configuration in ('metro', 'wan') group by 1 order by 1"
    )
    assert found == [
        ("metro", ["ASYNC", "NEARSYNC", "SUPERASYNC", "SYNC"], [8, 17, 360]),
        ("wan", ["ASYNC", "NEARSYNC", "SYNC"], [360]),
    ]
    assert sample.one("select count(*), bool_and(is_consistent) from simhadr_pair") == (24, True)


def test_claims_hold(sample: Sample) -> None:
    claims = tomllib.loads((STUDY / "study.toml").read_text(encoding="utf-8"))["claim"]
    for claim in claims:
        found = sample.rows(claim["sql"])
        assert found, claim["text"]
        assert all(value is True for row in found for value in row), claim["text"]


# --- numbers that were published --------------------------------------------------------------------------------------


def test_the_published_run(sample: Sample) -> None:
    assert sample.one(
        "select mb_s, flushes, sec_per_flush, bytes, ack_bytes, version_hint "
        "from simhadr_run where configuration = 'paper'"
    ) == (102.542793, 3130, 0.001278, 3130 * 32 * 4096, 48, "V2")
    assert sample.one(
        "select n, sum, avg from simhadr_distribution inner join simhadr_run using (run_id) "
        "where configuration = 'paper' and metric = 'log shipping time'"
    ) == (3130, 3989623, 1274)
    congestion, shipping, verdict, reason, flags = sample.one(
        "select congestion_pct, shipping_pct, verdict, reason, flags from hadr_bottleneck where configuration = 'paper'"
    )
    assert congestion == pytest.approx(100 * 0.848714 / 4.000821)
    assert round(congestion, 1) == 21.2
    assert round(shipping, 1) == 99.7
    assert verdict == "network"
    assert "the network is the only bottleneck" in reason
    assert flags == "short, unpaired"


def test_the_published_run_against_the_model(sample: Sample) -> None:
    # B = 131072 bytes, 115 MB/s, 0.1 ms: 0.001240 s and 105.7 MB/s; measured 3 % less
    predicted_s, predicted_mb_s, measured_mb_s = sample.one(
        "select sec_per_flush, mb_s, measured_mb_s from hadr_prediction "
        "where configuration = 'paper' and measured_runs is not null"
    )
    assert predicted_s == pytest.approx(131072 / 115e6 + 0.0001)
    assert predicted_mb_s == pytest.approx(105.7, abs=0.05)
    assert 100 * (measured_mb_s / predicted_mb_s - 1) == pytest.approx(-3.0, abs=0.05)


# --- numbers worked out for the recorded runs -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("configuration", "mode", "pages", "expected"),
    [  # the table of the reference on the simulator's formats, section 5
        ("metro", "NEARSYNC", 8, (0.006638, 0.007067, 6.5)),
        ("metro", "NEARSYNC", 360, (0.078728, 0.079597, 1.1)),
        ("metro", "SYNC", 8, (0.008966, 0.009204, 2.7)),
        ("metro", "SYNC", 360, (0.095474, 0.089729, -6.0)),
        ("wan", "NEARSYNC", 360, (0.247456, 0.248311, 0.3)),
        ("wan", "SYNC", 360, (0.264202, 0.258487, -2.2)),
    ],
)
def test_model_and_measurement(
    sample: Sample, configuration: str, mode: str, pages: int, expected: tuple[float, float, float]
) -> None:
    model_s, measured_s, error_pct = expected
    row = sample.one(
        "select sec_per_flush, measured_sec_per_flush, error_pct from hadr_prediction where measured_runs is not null "
        f"and configuration = '{configuration}' and syncmode = '{mode}' and flush_pages = {pages}"
    )
    assert row[0] == pytest.approx(model_s, abs=0.6e-6)
    assert row[1] == measured_s
    assert row[2] == pytest.approx(error_pct, abs=0.051)


def test_a_standby_that_is_not_waited_for_receives_what_the_link_carries(sample: Sample) -> None:
    found = sample.rows(
        "select configuration, mean_mb_s from simhadr_repeat where configuration in ('metro', 'wan') "
        "and syncmode in ('ASYNC', 'SUPERASYNC')"
    )
    assert len(found) == 5
    for configuration, mb_s in found:
        assert mb_s == pytest.approx({"metro": 20, "wan": 10}[configuration], rel=0.002)


def test_ten_repeats(sample: Sample) -> None:
    rates = [
        float(line.split()[-2])
        for path, text in files(STUDY, "metro/run")
        for line in text.decode().splitlines()
        if path.endswith(".primary.txt") and line.startswith("NEARSYNC: Total")
    ]
    runs, average, deviation, cv_pct, low, high = sample.one(
        "select runs, mean_mb_s, stddev_mb_s, cv_pct, ci95_low_mb_s, ci95_high_mb_s from simhadr_repeat where runs > 1"
    )
    assert runs == len(rates) == 10
    assert (average, deviation) == (pytest.approx(mean(rates)), pytest.approx(stdev(rates)))
    assert (round(average, 3), round(deviation, 3), round(cv_pct, 1)) == (6.119, 0.317, 5.2)
    half = 2.262157 * stdev(rates) / 10**0.5  # t(9) = 2.262157
    assert (low, high) == (pytest.approx(average - half, abs=1e-5), pytest.approx(average + half, abs=1e-5))


def test_disk_of_the_worked_example_both_ways(sample: Sample) -> None:
    simple_mb_s, simple_s, fit_mb_s, fit_s, method = sample.one(
        "select simple_mb_s, simple_overhead_s, fit_mb_s, fit_overhead_s, method "
        "from hadr_disk_fit where configuration = 'disk-published'"
    )
    assert (simple_mb_s, simple_s) == (177.514183, pytest.approx(0.000425, abs=0.5e-6))
    times = (4.000160 / 9409, 4.014913 / 174)
    rate = 999 * 4096 / (times[1] - times[0])
    assert fit_mb_s == pytest.approx(rate / 1e6)
    assert fit_s == pytest.approx(times[0] - 4096 / rate)
    assert (round(fit_mb_s, 2), round(fit_s, 6), method) == (180.67, 0.000402, "fit")


def test_disk_of_the_test_machine_is_fitted_over_five_sizes(sample: Sample) -> None:
    tests, sizes, method = sample.one(
        "select tests, sizes, method from hadr_disk_fit where configuration = 'disk' and op = 'write' and not cached"
    )
    assert (tests, sizes, method) == (5, 5, "fit")


def test_windows(sample: Sample) -> None:
    found = sample.rows(
        "select window_bytes, verdict, round(mb_s, 2) from hadr_window where configuration = 'window-sweep' order by 1"
    )
    assert found == [(65536, "too small", 1.89), (262144, "wide enough", 4.81), (1048576, "wide enough", 4.81)]


def test_what_speaks_against_the_runs_is_reported(sample: Sample) -> None:
    found = sample.rows("select configuration, warning, runs, of_runs from hadr_warning where severity = 'warning'")
    assert set(found) == {
        ("paper", "short", 1, 1),
        ("metro", "loopback", 18, 18),
        ("metro", "short", 18, 18),
        ("wan", "loopback", 3, 3),
        ("wan", "short", 3, 3),
        ("window-sweep", "loopback", 3, 3),
        ("window-sweep", "short", 3, 3),
        ("window-sweep", "window_too_small", 1, 3),
    }
    missed = sample.rows("select configuration, runs from hadr_warning where warning = 'model_missed'")
    assert missed == [("metro", 10)]  # the ten repeats took a third longer than the model gives
