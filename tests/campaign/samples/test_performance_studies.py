"""The samples of throughput, disks and scaling, end to end: logs in; published numbers, truth, tables and figures."""

import csv
import tomllib
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest

from reports.figures import catalogue as figures
from reports.figures.model import Figure
from reports.findings.sections import abstract, sections
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables import catalogue as tables
from reports.tables.model import Table
from tests.support.sample import sample_store

SAMPLES = Path(__file__).parents[3] / "samples"
STUDIES = ("drbd-2005", "nfs-fcp-2009", "oltp-cluster-2003")
SECOND = timedelta(seconds=1)


class Sample:
    """A study's store and truth."""

    def __init__(self, name: str, db: Path) -> None:
        self.name = name
        self.db = db
        self.connection = duckdb.connect(str(self.db), read_only=True)
        self.manifest = tomllib.loads((SAMPLES / name / "study.toml").read_text(encoding="utf-8"))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of a query."""
        return self.connection.execute(sql).fetchall()

    def one(self, sql: str) -> Any:
        """The only cell of a query's only row."""
        ((value,),) = self.rows(sql)
        return value

    @property
    def truth(self) -> list[dict[str, str]]:
        """What was true."""
        with (SAMPLES / f"{self.name}.truth.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Sample]]:
    found = {name: Sample(name, sample_store(name, tmp_path_factory)) for name in STUDIES}
    yield found
    for each in found.values():
        each.connection.close()


@pytest.fixture(params=STUDIES)
def sample(request: pytest.FixtureRequest, samples: dict[str, Sample]) -> Sample:
    return samples[str(request.param)]


@cache
def _products(sample: Sample) -> tuple[dict[str, Table], dict[str, Figure]]:
    """All tables and figures of a sample, made once for all tests."""
    sample.connection.close()
    with opened(sample.db) as store:
        view = StudyView(store)
        found = tables.all_tables(view), figures.all_figures(view)
        assert abstract(view)
        assert len(sections(view)) >= 2
    sample.connection = duckdb.connect(str(sample.db), read_only=True)
    return found


def test_every_line_of_every_file_is_accounted_for(sample: Sample) -> None:
    assert sample.rows("select path from source_file where status <> 'parsed' and path <> 'study.toml'") == []
    assert sample.one("select sum(rejected_lines) from source_file") == 0
    assert sample.rows("select configuration, run from run where not used") == []


def test_every_run_is_read_as_it_was(sample: Sample) -> None:
    metrics = {
        row[:3]: row[3]
        for row in sample.rows("select configuration, run, metric, avg(value) from measurement group by all")
    }
    busy = {
        row[:2]: row[2]
        for row in sample.rows(
            "select configuration, run, avg(busy_pct) from iostat_cpu where not is_since_boot group by all"
        )
    }
    checked = 0
    for fact in sample.truth:
        where = fact["configuration"], fact["run"]
        read = busy.get(where) if fact["quantity"] == "busy_pct" else metrics.get((*where, fact["quantity"]))
        if fact["run"] and read is not None:
            assert read == pytest.approx(float(fact["value"]), abs=float(fact["tolerance"]) + 1e-6), fact
            checked += 1
    runs = sample.one("select count(*) from run")
    assert checked >= runs


def test_means_and_ratios_are_those_that_were_aimed_at(sample: Sample) -> None:
    means = {
        (configuration, f"mean {metric}"): mean
        for configuration, metric, mean in sample.rows("select configuration, metric, mean from measurement_stats")
    }
    ratios = {
        (configuration, f"{metric} over that of {reference}"): ratio
        for configuration, metric, reference, ratio in sample.rows(
            "select configuration, metric, reference, relative_ratio from measurement_ratio"
        )
    }
    found = 0
    for fact in sample.truth:
        key = fact["configuration"], fact["quantity"]
        read = means.get(key, ratios.get(key))
        if not fact["run"] and read is not None:
            assert read == pytest.approx(float(fact["value"]), abs=float(fact["tolerance"])), fact
            found += 1
    assert found >= 2


def test_tables_and_figures_can_be_made(sample: Sample) -> None:
    made_tables, made_figures = _products(sample)
    for entry in sample.manifest["table"]:
        assert made_tables[entry["name"]].rows, entry["name"]
    for entry in sample.manifest["figure"]:
        figure = made_figures[entry["name"]]
        assert figure.rows, entry["name"]
        assert figure.paper == entry.get("paper", "")


# --- numbers that the papers print ------------------------------------------------------------------------------------


def test_drbd_leaves_0_908_of_the_throughput(samples: dict[str, Sample]) -> None:
    sample = samples["drbd-2005"]
    sql = "select round(relative_ratio, 3), runs, reference_runs from measurement_ratio where metric = 'tps' and {}"
    assert sample.rows(sql.format("configuration = 'with-drbd'")) == [(0.908, 4, 4)]
    found, drawn = _products(sample)
    assert [cell.text for cell in found["relative-throughput"].rows[1]][-3:] == ["0.908", "0.888†", "0.929†"]
    assert "0.908" in drawn["measurement-tps"].description


def test_events_of_the_drbd_tests_are_noted_when_they_happened(samples: dict[str, Sample]) -> None:
    sample = samples["drbd-2005"]
    starts = {
        row[:2]: row[2]
        for row in sample.rows(
            "select file.configuration, file.run, min(point.local_at) - interval 5 seconds "
            "from log.measurement_point as point inner join source_file as file using (file_id) group by all"
        )
    }
    happened = sorted(
        (fact["configuration"], fact["run"], starts[fact["configuration"], fact["run"]] + float(fact["value"]) * SECOND)
        for fact in sample.truth
        if fact["unit"] == "s after start"
    )
    noted = sorted((each["configuration"], each["run"], each["at"]) for each in sample.manifest["event"])
    assert [each[:2] for each in happened] == [each[:2] for each in noted]
    late: list[timedelta] = [true - at for (*_, true), (*_, at) in zip(happened, noted, strict=True)]
    assert all(timedelta() <= each < SECOND for each in late)
    assert all(isinstance(at, datetime) for *_, at in noted)


def test_broken_link_is_a_dip_and_no_outage(samples: dict[str, Sample]) -> None:
    sample = samples["drbd-2005"]
    dips = {
        run: (lowest / baseline, outage_s)
        for run, lowest, baseline, outage_s in sample.rows(
            "select run, lowest, baseline, outage_s from measurement_dip where text = 'link of DRBD broken'"
        )
    }
    least = {
        fact["run"]: float(fact["value"])
        for fact in sample.truth
        if fact["quantity"] == "least share of the usual rate in an interval"
    }
    assert dips.keys() == least.keys()
    for run, (share, outage_s) in dips.items():
        assert share == pytest.approx(least[run], abs=0.1)
        assert outage_s == 0


def test_operations_outside_of_failovers_have_the_run_of_their_folder(samples: dict[str, Sample]) -> None:
    tables, _ = _products(samples["drbd-2005"])
    assert {row[1].text for row in tables["operations"].rows} == {"run01", "run02", "run03"}


def test_resynchronisation_is_read_to_the_kibibyte(samples: dict[str, Sample]) -> None:
    sample = samples["drbd-2005"]
    read = {
        (configuration, run, f"resync {device}"): (size, seconds)
        for configuration, run, device, size, seconds in sample.rows(
            "select configuration, run, device, size_kib, reported_s from drbd_resync where side = 'SyncSource'"
        )
    }
    facts = [fact for fact in sample.truth if fact["quantity"].startswith("resync ")]
    assert len(facts) == 2 * len(read) == 36
    for fact in facts:
        size, seconds = read[fact["configuration"], fact["run"], fact["quantity"]]
        value = size if fact["unit"] == "KiB" else seconds
        assert value == pytest.approx(float(fact["value"]), abs=float(fact["tolerance"]))


def test_tuning_nfs_brings_237_per_cent_and_fcp_144(samples: dict[str, Sample]) -> None:
    found, drawn = _products(samples["nfs-fcp-2009"])
    assert [cell.text for cell in found["tuning"].rows[0]][-1] == "237"
    assert [cell.text for cell in found["tuning"].rows[1]][-1] == "144"
    assert "NFS, after tuning: mean 3.370" in drawn["measurement-tps"].description
    order = [name for name, *_ in sorted(_mean_by(samples["nfs-fcp-2009"], "nfs-%"), key=lambda row: row[1])]
    assert order == ["nfs-default", "nfs-jumbo-frames", "nfs-rsize-wsize", "nfs-slot-table", "nfs-tuned"]
    best = max(_mean_by(samples["nfs-fcp-2009"], "fcp-%"), key=lambda row: row[1])
    assert best[0] == "fcp-tuned"
    depth = "select number from configuration_factor where configuration = 'fcp-tuned' and factor = 'queue_depth'"
    assert samples["nfs-fcp-2009"].one(depth) == 128


def _mean_by(sample: Sample, pattern: str) -> list[tuple[Any, ...]]:
    return sample.rows(
        f"select configuration, mean from measurement_stats where metric = 'tps' and clients = 150 "
        f"and configuration like '{pattern}'"
    )


def test_eight_processors_double_the_io_at_a_latency_69_and_18_per_cent_higher(samples: dict[str, Sample]) -> None:
    found, _ = _products(samples["nfs-fcp-2009"])
    rows = [[cell.text for cell in row] for row in found["scaling"].rows]
    assert [(row[0], row[3], row[6]) for row in rows] == [("NFS", "2.00", "1.69"), ("FCP", "2.00", "1.18")]


def test_cluster_posts_what_was_published(samples: dict[str, Sample]) -> None:
    means = dict(
        samples["oltp-cluster-2003"].rows(
            "select configuration, round(mean) from measurement_stats where metric = 'events_per_hour'"
        )
    )
    assert means["single-coordinator"] == 250_000
    assert means["single-coordinator-improved"] == 300_000
    assert 950_000 < means["queues-10"] < 1_000_000
    assert means["queues-20"] < 1.02 * means["queues-16"]
    assert means["queues-24"] == 1_600_000


def test_processors_work_in_proportion_to_events(samples: dict[str, Sample]) -> None:
    _, drawn = _products(samples["oltp-cluster-2003"])
    description = drawn["processors"].description
    assert "27 runs" in description
    assert int(description.split("none further than ")[1].split(" %")[0]) <= 3


def test_queries_are_compared_one_by_one_and_by_their_geometric_mean(samples: dict[str, Sample]) -> None:
    sample = samples["oltp-cluster-2003"]
    _, drawn = _products(sample)
    mean = sample.one("select geometric_mean_ratio from measurement_query_ratio where configuration = 'queries-linux'")
    assert f"geometric mean {mean:.3f} of 12 queries" in drawn["queries"].description
    assert [row[1] for row in drawn["queries"].rows] == [f"query {number}" for number in range(1, 13)]
