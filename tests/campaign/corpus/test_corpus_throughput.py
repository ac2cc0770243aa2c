"""The corpus of benchmarks: every file accounted for, numbers checked by hand, and the figures that notes publish."""

import shutil
from functools import cache
from math import exp, fsum, log, sqrt
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, Parsed, Verdict, formats
from pipeline.ingest.ingest import ingest

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "throughput"
FILES = sorted(path.name for path in CORPUS.glob("*"))
pytestmark = pytest.mark.skipif(not FILES, reason="the corpus of real logs is not beside this checkout")


@cache
def parsed(name: str, format_name: str) -> Parsed:
    texts = (CORPUS / name).read_text().removesuffix("\n").split("\n")
    lines = {"file_id": [1] * len(texts), "line_no": range(1, len(texts) + 1), "text": texts}
    return formats()[format_name].parse(pl.DataFrame(lines, LINE_SCHEMA))


def value(name: str, format_name: str, metric: str) -> float:
    (found,) = parsed(name, format_name).tables["measurement_value"].filter(pl.col("metric") == metric)["value"]
    return float(found)


# format, file, parsed lines, ignored lines, continuation lines; no line of any file is rejected
ACCOUNTS = [
    ("pgbench", "found_pgbench14_sample.txt", 10, 0, 0),
    ("pgbench", "found_pgbench_docs_v9_sample.txt", 9, 0, 0),
    ("pgbench", "gen_pgbench_log_aggregate_interval1.txt", 8, 0, 0),
    ("pgbench", "gen_pgbench_log_per_txn_head200.txt", 1, 0, 199),
    ("pgbench", "gen_pgbench_outage_server_restart.txt", 18, 13, 0),
    *(("pgbench", f"gen_pgbench_synccommit_off_run0{run}.txt", 19, 2, 0) for run in range(1, 5)),
    *(("pgbench", f"gen_pgbench_synccommit_on_run0{run}.txt", 19, 2, 12) for run in range(1, 5)),
    *(
        ("sysbench", f"found_sysbench05_series26_res0{series}_ro_{threads}.txt", 69, 4, 15)
        for series in (1, 2, 4, 6)
        for threads in (16, 64)
    ),
    ("sysbench", "found_sysbench1020_point_select_1thread.txt", 19, 5, 14),
    ("sysbench", "gen_sysbench_rw_run01.txt", 16, 5, 14),
    ("sysbench", "gen_sysbench_rw_run02.txt", 16, 5, 14),
    ("sysbench", "gen_sysbench_rw_run03.txt", 15, 5, 14),
    ("hammerdb", "found_hammerdb47_postgres_10vu.txt", 1, 543, 0),
    ("hammerdb", "found_hammerdb6_cli_mariadb_run.txt", 43, 199, 0),
    ("hammerdb", "found_hammerdb_hdbtcount_log.txt", 33, 3, 0),
    ("benchmarksql", "found_benchmarksql_opengauss_2025_tail.txt", 3, 5, 0),
    ("benchmarksql", "found_benchmarksql_tidb_2019_tail.txt", 3, 2, 0),
    ("tpcc_mysql", "found_tpcc_mysql_interval_lines.txt", 5, 0, 0),
    ("db2batch", "found_db2batch_sample_2018.txt", 13, 25, 0),
    ("shell_time", "found_seed000_time_db2start.txt", 3, 4, 0),
    ("shell_time", "gen_time_bash.txt", 3, 1, 0),
    ("shell_time", "gen_time_posix.txt", 3, 1, 0),
    *(
        ("query_times", f"found_query_timing_MDEV-18367_res0{res}_{form}.txt", 21, 1, 0)
        for res in (1, 2)
        for form in ("long", "short")
    ),
]


@pytest.mark.parametrize(("format_name", "name", "taken", "ignored", "continued"), ACCOUNTS)
def test_every_line_is_accounted_for(format_name: str, name: str, taken: int, ignored: int, continued: int) -> None:
    verdicts = parsed(name, format_name).lines["verdict"].to_list()
    counts = [verdicts.count(each) for each in (Verdict.PARSED, Verdict.IGNORED, Verdict.CONTINUATION)]
    assert [*counts, verdicts.count(Verdict.REJECTED)] == [taken, ignored, continued, 0]


def test_no_file_of_the_corpus_is_forgotten() -> None:
    notes = {"SOURCES.tsv", "found_query_timing_MDEV-18367_DESC.txt", "found_sysbench05_series26_README.txt"}
    assert {name for _, name, *_ in ACCOUNTS} | notes == set(FILES)


# read off the files by eye
SPOTS = [
    ("pgbench", "found_pgbench14_sample.txt", "tps", 2286.433571),
    ("pgbench", "found_pgbench14_sample.txt", "transactions", 685983),
    ("pgbench", "found_pgbench_docs_v9_sample.txt", "tps", 85.296346),
    ("pgbench", "gen_pgbench_outage_server_restart.txt", "tps", 3854.817265),
    ("pgbench", "gen_pgbench_synccommit_on_run04.txt", "latency_avg_ms", 2.769),
    ("sysbench", "found_sysbench05_series26_res04_ro_64.txt", "tps", 9418.41),
    ("sysbench", "found_sysbench1020_point_select_1thread.txt", "tps", 1282.05),
    ("sysbench", "gen_sysbench_rw_run03.txt", "latency_p95_ms", 9.06),
    ("hammerdb", "found_hammerdb47_postgres_10vu.txt", "nopm", 2602),
    ("hammerdb", "found_hammerdb6_cli_mariadb_run.txt", "tpm", 298394),
    ("benchmarksql", "found_benchmarksql_opengauss_2025_tail.txt", "tpmC", 44511.25),
    ("benchmarksql", "found_benchmarksql_tidb_2019_tail.txt", "tpmTOTAL", 171959.88),
    ("db2batch", "found_db2batch_sample_2018.txt", "geometric_mean_s", 0.011564),
    ("db2batch", "found_db2batch_sample_2018.txt", "statement 3", 0.006095),
    ("shell_time", "gen_time_bash.txt", "elapsed_s", 1.237),
    ("shell_time", "gen_time_posix.txt", "elapsed_s", 0.5),
    ("query_times", "found_query_timing_MDEV-18367_res01_long.txt", "query 18", 10.1944808),
    ("query_times", "found_query_timing_MDEV-18367_res02_short.txt", "query 21", 27.5540213),
]


@pytest.mark.parametrize(("format_name", "name", "metric", "expected"), SPOTS)
def test_number_of_a_file(format_name: str, name: str, metric: str, expected: float) -> None:
    assert value(name, format_name, metric) == expected


def test_run_whose_server_died_is_invalid() -> None:
    rows = parsed("gen_pgbench_outage_server_restart.txt", "pgbench").tables["measurement_value"]
    assert not rows["is_valid"].any()


def test_geometric_mean_of_db2batch_is_that_of_its_statements() -> None:
    rows = parsed("found_db2batch_sample_2018.txt", "db2batch").tables["measurement_value"]
    times = rows.filter(pl.col("metric").str.contains(r"^statement \d+$"))["value"].to_list()
    assert exp(fsum(map(log, times)) / len(times)) == pytest.approx(0.011564, abs=5e-7)
    assert rows["doubt"].null_count() == len(rows)


def test_time_of_db2start_falls_by_two_thirds() -> None:
    rows = parsed("found_seed000_time_db2start.txt", "shell_time").tables["measurement_value"]
    first, second = rows.filter(metric="elapsed_s", label="db2start")["value"]
    assert (first, second) == (13.39, 4.67)
    assert 100 * (1 - second / first) == pytest.approx(65, abs=0.5)


STUDY_TOML = """
[configuration.sync_off]
[configuration.sync_on]
reference = "sync_off"
[configuration.res01]
[configuration.res02]
reference = "res01"
[configuration.res04]
reference = "res01"
[configuration.res06]
reference = "res01"
[configuration."queries_1g"]
[configuration."queries_2g"]
reference = "queries_1g"
"""
PLACES = {
    **{
        f"gen_pgbench_synccommit_{state}_run0{run}.txt": f"sync_{state}/run0{run}/pgbench.txt"
        for state in ("on", "off")
        for run in range(1, 5)
    },
    **{
        f"found_sysbench05_series26_res0{series}_ro_{threads}.txt": f"res0{series}/sysbench.ro.{threads}.res"
        for series in (1, 2, 4, 6)
        for threads in (16, 64)
    },
    "found_query_timing_MDEV-18367_res01_long.txt": "queries_1g/timing.txt",
    "found_query_timing_MDEV-18367_res02_long.txt": "queries_2g/timing.txt",
    "gen_pgbench_outage_server_restart.txt": "outage/pgbench.txt",
    "gen_pgbench_log_aggregate_interval1.txt": "threads/pgbench_log.7",
    "found_seed000_time_db2start.txt": "db2start/terminal.txt",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    """A study of the corpus' files, as one would lay them out."""
    study = tmp_path_factory.mktemp("benchmarks")
    for name, place in PLACES.items():
        path = study / place
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CORPUS / name, path)
    one_thread = (CORPUS / "gen_pgbench_log_aggregate_interval1.txt").read_text()
    another = one_thread.replace("1795228533 1002 1414508 ", "1795228533 998 1385492 ")
    (study / "threads" / "pgbench_log.7.1").write_text(another)
    appended = [(CORPUS / f"gen_sysbench_rw_run0{run}.txt").read_text() for run in (1, 2, 3)]
    (study / "appended").mkdir()
    (study / "appended" / "sysbench.txt").write_text("".join(appended))
    (study / "study.toml").write_text(STUDY_TOML)
    ingest(study, study.parent / "store.duckdb")
    return duckdb.connect(str(study.parent / "store.duckdb"), read_only=True)


Cells = tuple[Any, ...]  # of any column


def row(store: duckdb.DuckDBPyConnection, query: str) -> Cells:
    (found,) = store.execute(query).fetchall()
    return tuple(found)


def test_synchronous_commit_costs_two_fifths_of_the_rate(store: duckdb.DuckDBPyConnection) -> None:
    stats = "select runs, mean, stddev from measurement_stats where metric = 'tps' and configuration = "
    assert row(store, f"{stats} 'sync_on'") == (4, pytest.approx(2258.9, abs=0.05), pytest.approx(307.7, abs=0.05))
    assert row(store, f"{stats} 'sync_off'") == (4, pytest.approx(3638.4, abs=0.05), pytest.approx(1021.9, abs=0.05))
    ratio, stderr = row(
        store, "select relative_ratio, stderr from measurement_ratio where metric = 'tps' and configuration = 'sync_on'"
    )
    assert ratio == pytest.approx(0.621, abs=0.0005)
    assert stderr == pytest.approx(0.097, abs=0.0005)
    assert stderr == pytest.approx(ratio * sqrt((307.7 / 2 / 2258.9) ** 2 + (1021.9 / 2 / 3638.4) ** 2), abs=1e-4)


def test_normalised_throughput_of_sysbench(store: duckdb.DuckDBPyConnection) -> None:
    query = (
        "select configuration, relative_ratio from measurement_ratio"
        " where metric = 'tps' and clients = 64 and configuration like 'res%'"
    )
    assert dict(store.execute(query).fetchall()) == {
        "res01": 1,
        "res02": pytest.approx(2.089, abs=0.0005),
        "res04": pytest.approx(0.905, abs=0.0005),
        "res06": pytest.approx(1.027, abs=0.0005),
    }


def test_queries_are_compared_one_by_one_and_by_their_geometric_mean(store: duckdb.DuckDBPyConnection) -> None:
    query = (
        "select metric, relative_ratio from measurement_ratio"
        " where configuration = 'queries_2g' and metric like 'query %'"
    )
    ratios = dict(store.execute(query).fetchall())
    assert len(ratios) == 21
    assert ratios["query 21"] == pytest.approx(27.5540213 / 139.9199865)
    found = row(
        store, "select queries, geometric_mean_ratio from measurement_query_ratio where configuration = 'queries_2g'"
    )
    assert found == (21, pytest.approx(exp(fsum(map(log, ratios.values())) / 21)))


def test_invalid_run_is_reported_and_in_no_statistic(store: duckdb.DuckDBPyConnection) -> None:
    assert row(store, "select count(*) from measurement_stats where configuration = 'outage'") == (0,)
    kind, text = row(store, "select kind, text from finding where configuration = 'outage' and severity = 'warning'")
    assert kind == "invalid_measurement"
    assert "clients aborted" in text


def test_outage_lasts_from_the_kill_to_the_end_that_was_ordered(store: duckdb.DuckDBPyConnection) -> None:
    # median of 4045.8 3491.1 3317.2 4170.1 4297.5; nothing from second 5 to 14
    found = row(
        store,
        "select event, event_s, resolution_s, baseline, outage_s, depth_pct, recovered_s, is_recovered, lost"
        " from measurement_dip where configuration = 'outage'",
    )
    assert found == ("series", 5, 1, 4045.8, 9, 100, None, False, pytest.approx(9 * 4045.8))


def test_threads_of_one_run_are_added_per_second(store: duckdb.DuckDBPyConnection) -> None:
    query = (
        "select offset_s, value from measurement_series where configuration = 'threads' and metric = '{}' order by 1"
    )
    assert store.execute(query.format("tps")).fetchmany(2) == [(0, 1002 + 998), (1, 2 * 1491)]
    # (1,414,508 + 1,385,492) us over 2,000 transactions
    assert store.execute(query.format("latency_avg_ms")).fetchone() == (0, pytest.approx(1.4))


def test_summaries_of_one_file_are_runs_in_its_order(store: duckdb.DuckDBPyConnection) -> None:
    rates = "select run, value from measurement where configuration = 'appended' and metric = 'tps' order by run"
    assert store.execute(rates).fetchall() == [("1", 951.47), ("2", 934.91), ("3", 1011.58)]
    runs = "select run, run_no, used from run where configuration = 'appended' order by run_no"
    assert store.execute(runs).fetchall() == [("1", 1, True), ("2", 2, True), ("3", 3, True)]


def test_times_of_one_command_are_runs(store: duckdb.DuckDBPyConnection) -> None:
    query = (
        "select run, label, value from measurement"
        " where configuration = 'db2start' and metric = 'elapsed_s' order by run"
    )
    assert store.execute(query).fetchall() == [("1", "db2start", 13.39), ("2", "db2start", 4.67)]
    assert row(store, "select count(*) from instance_message where configuration = 'db2start'") == (3,)
