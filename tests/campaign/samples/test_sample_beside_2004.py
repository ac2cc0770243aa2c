"""What was measured beside the failovers of 2004, from the sample's files by the statements of its study.toml."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.support.sample import sample_store

STUDY = Path(__file__).parents[3] / "samples" / "failover-2004"
FAILOVERS = {each.name for each in STUDY.iterdir() if (each / "main.cf").exists()}


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """The store of the study of 2004: what was measured beside the failovers."""
    with duckdb.connect(str(sample_store(STUDY.name, tmp_path_factory)), read_only=True) as con:
        yield con


def _table(con: duckdb.DuckDBPyConnection, name: str) -> list[tuple[object, ...]]:
    """Rows of a table of the study's manifest, by its own statement."""
    manifest = tomllib.loads((STUDY / "study.toml").read_text(encoding="utf-8"))
    (sql,) = [each["sql"] for each in manifest["table"] if each["name"] == name]
    return con.execute(sql).fetchall()


def test_parameters_are_the_published_ones_in_their_order(beside: duckdb.DuckDBPyConnection) -> None:
    assert _table(beside, "table-3-6") == [
        ("LOGBUFSZ", "8", "4"),
        ("CHNGPGS_THRESH", "60", "20"),
        ("NUM_IOCLEANERS", "1", "20"),
        ("NUM_IOSERVERS", "3", "10"),
        ("LOGFILSIZ", "1000", "500"),
        ("LOGPRIMARY", "3", "250"),
        ("LOGSECOND", "2", "0"),
        ("SOFTMAX", "100", "1"),
        ("INDEXREC", "SYSTEM (RESTART)", "ACCESS"),
    ]


def test_mix_of_statements_is_the_published_one(beside: duckdb.DuckDBPyConnection) -> None:
    found = [(name, count, round(float(str(share)), 1)) for name, count, share in _table(beside, "workload-mix")]
    assert found == [
        ("SELECT", 1664, 41.8),
        ("SEARCHED UPDATE", 1492, 37.5),
        ("SEARCHED DELETE", 381, 9.6),
        ("LOCK TABLE", 120, 3.0),
        ("INSERT", 324, 8.1),
        ("in all", 3981, 100.0),
    ]


def test_start_of_the_instance_takes_the_published_time(beside: duckdb.DuckDBPyConnection) -> None:
    assert _table(beside, "db2start") == [
        ("not set", 13.39, 0.42, 0.93),
        ("MINIMUM", 5.12, 0.46, 0.91),
        ("OFF", 4.67, 0.48, 0.89),
    ]


def test_load_is_the_same_on_both_kinds_of_storage(beside: duckdb.DuckDBPyConnection) -> None:
    query = """
        select element, count(*), avg(per_s) filter (where configuration = 'load-cfs')
            / avg(per_s) filter (where configuration = 'load-diskgroup')
        from snapshot_rate group by element
    """
    found = beside.execute(query).fetchall()
    assert {element for element, _, _ in found} >= {"transactions", "rows_selected", "rows_updated", "rows_deleted"}
    for element, intervals, ratio in found:
        assert intervals == 2 * 3 * 20, element
        assert ratio == pytest.approx(0.991, abs=0.001), element


def test_what_has_no_failover_counts_in_none(beside: duckdb.DuckDBPyConnection) -> None:
    counted = beside.execute("select distinct configuration from milestone_stats").fetchall()
    assert len(FAILOVERS) == 9
    assert {configuration for (configuration,) in counted} == FAILOVERS
    (runs,) = beside.execute("select count(*) from run where fault_at is null and used").fetchall()
    assert runs == (9,)
