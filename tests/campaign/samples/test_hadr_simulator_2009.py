"""The sample of HADR planning, end to end: IBM's published run, the recorded study, with and without study.toml."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from samples.files import SAMPLES
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
