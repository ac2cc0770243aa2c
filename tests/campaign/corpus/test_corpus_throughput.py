"""The corpus of benchmarks: every file accounted for, numbers checked by hand, and the figures that notes publish."""

from functools import cache
from math import exp, fsum, log
from pathlib import Path

import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, Parsed, formats

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
