"""Every recorded output of simhadr and its companions: its format, its accounts, and the laws that its numbers obey."""

import math
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, Parsed, formats
from pipeline.ingest.ingest import ingest
from tests.support.simhadr_study import Row

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "simhadr"
FILES = sorted(path.name for path in CORPUS.glob("*.txt"))
pytestmark = pytest.mark.skipif(not FILES, reason="the corpus of real logs is not beside this checkout")

PAGE = 4096
DISK = ("gen_read", "gen_write", "gen_testsleep", "found_v2.1_write")


def expected_format(name: str) -> str:
    if "hadrcalculator" in name:
        return "hadr_calculator"
    if "db2logscan" in name:
        return "hadr_db2logscan"
    return "simhadr_disk" if name.startswith(DISK) else "simhadr"


@cache
def lines_of(name: str) -> pl.DataFrame:
    texts = (CORPUS / name).read_text().splitlines()
    return pl.DataFrame(
        {"file_id": [1] * len(texts), "line_no": range(1, len(texts) + 1), "text": texts}, schema=LINE_SCHEMA
    )


@cache
def parsed(name: str) -> Parsed:
    return formats()[expected_format(name)].parse(lines_of(name))


def rows(name: str, table: str) -> list[Row]:
    frame = parsed(name).tables.get(table)
    return [] if frame is None else frame.to_dicts()


def figures(name: str) -> dict[str, float]:
    return {row["name"]: row["value"] for row in rows(name, "hadr_figure")}


def run(name: str) -> Row:
    (only,) = rows(name, "simhadr_run")
    return only


RUNS = [name for name in FILES if expected_format(name) == "simhadr"]
RESULTS = [
    name for name in RUNS if not name.startswith("gen_err") and name != "found_async_summary_line_and_buffer_sweep.txt"
]
PRIMARIES = [name for name in RESULTS if ".primary." in name or "_primary_" in name]
PAIRS = [name for name in PRIMARIES if name.replace(".primary.", ".standby.") in RESULTS and ".primary." in name]
DISK_TESTS = [name for name in FILES if expected_format(name) == "simhadr_disk" and "testsleep" not in name]


@pytest.mark.parametrize("name", RUNS)
def test_file_holds_one_run(name: str) -> None:
    found = run(name)
    role = next((role for role in ("primary", "standby") if role in name.replace("no_", "")[-30:]), None)
    if name.startswith("gen_err"):
        assert found["status"] == "no_result"
    else:
        assert found["role"] == ("primary" if name in PRIMARIES else role)
        assert found["status"] == ("interrupted" if name == "gen_lo_sigint.primary.txt" else "complete")


def test_all_runs_in_one_file_are_those_of_the_files() -> None:
    names = [name for name in FILES if expected_format(name).startswith("simhadr")]
    together = pl.concat(lines_of(name) for name in names).with_columns(
        pl.int_range(1, pl.len() + 1, dtype=pl.Int32).alias("line_no")
    )
    tables = formats()["simhadr"].parse(together).tables
    for table, frame in tables.items():
        assert frame.height == sum(len(rows(name, table)) for name in names), table
    separate = [row["value"] for name in names for row in rows(name, "hadr_figure")]
    assert tables["hadr_figure"]["value"].to_list() == separate


# --- invariants of the reference's section 3 --------------------------------------------------------------------------


@pytest.mark.parametrize("name", RESULTS)
def test_bytes_are_flushes_times_pages(name: str) -> None:
    total = figures(name)
    assert total["bytes_per_flush"] == total["pages"] * PAGE
    assert total["bytes"] == total["flushes"] * total["pages"] * PAGE


@pytest.mark.parametrize("name", [name for name in FILES if expected_format(name) != "hadr_db2logscan"])
def test_buckets_add_up(name: str) -> None:
    buckets = {
        number: list(group)
        for number, group in groupby(rows(name, "hadr_bucket"), key=lambda row: row["distribution_no"])
    }
    for each in rows(name, "hadr_distribution"):
        if "hadrcalculator" in name:
            continue  # the page leaves most of its buckets out
        mine = buckets[each["distribution_no"]]
        assert sum(row["count"] for row in mine) == each["n"]
        assert int(each["sum"] / each["n"]) == each["avg"]
        assert any(row["lo"] <= each["min"] <= row["hi"] for row in mine)
        assert any(row["lo"] <= each["max"] <= row["hi"] for row in mine)
        assert min(row["hi"] for row in mine) >= each["min"]
        assert max(row["lo"] for row in mine) <= each["max"]


@pytest.mark.parametrize("name", RESULTS)
def test_rates_are_quotients(name: str) -> None:
    total = figures(name)
    # both are printed to six decimals, and the seconds of a run of microseconds have few digits
    tolerance = 0.6e-6 + total["mb_s"] * 0.5e-6 / total["seconds"]
    assert total["mb_s"] == pytest.approx(total["bytes"] / total["seconds"] / 1e6, abs=tolerance)
    for calls, volume, mean in (
        ("send_calls", "sent_bytes", "kb_per_send"),
        ("recv_calls", "recv_bytes", "kb_per_recv"),
        ("write_calls", "written_bytes", "kb_per_write"),
    ):
        if total.get(calls):
            assert total[mean] == total[volume] // total[calls] / 1000  # whole bytes per call, cut off
    if total["congestions"]:
        assert total["sec_per_congestion"] == pytest.approx(total["congestion_s"] / total["congestions"], abs=1e-6)
    else:
        assert total["congestion_s"] == total["sec_per_congestion"] == 0


@pytest.mark.parametrize("name", RESULTS)
def test_seconds_per_flush_leave_idle_time_out(name: str) -> None:
    total = figures(name)
    busy_s = total["seconds"] - total.get("idle_s", 0)
    assert total["sec_per_flush"] == pytest.approx(busy_s / total["flushes"], abs=0.6e-6)


@pytest.mark.parametrize("name", PRIMARIES)
def test_every_flush_is_acknowledged_in_the_modes_that_wait(name: str) -> None:
    total = figures(name)
    (handshake,) = rows(name, "simhadr_handshake")
    if handshake["syncmode"] in ("SYNC", "NEARSYNC"):
        ack_bytes = 48 if "v2.0" in name else 16
        assert total["recv_bytes"] == total["flushes"] * ack_bytes
    else:
        assert total["recv_bytes"] == 0


@pytest.mark.parametrize("name", PAIRS)
def test_both_sides_agree(name: str) -> None:
    other = name.replace(".primary.", ".standby.")
    here, there = figures(name), figures(other)
    assert (here["bytes"], here["flushes"]) == (there["bytes"], there["flushes"])
    assert here["sent_bytes"] == there["recv_bytes"]
    assert here["recv_bytes"] == there["sent_bytes"]
    (sent,), (received,) = rows(name, "simhadr_handshake"), rows(other, "simhadr_handshake")
    for agreed in ("syncmode", "flush_pages", "conn_time", "stamp", "utc_offset_min"):
        assert sent[agreed] == received[agreed] is not None
    assert (sent["direction"], received["direction"]) == ("sent", "received")


@pytest.mark.parametrize("name", RESULTS)
def test_distributions_add_up_to_the_totals(name: str) -> None:
    total = figures(name)
    found = {row["metric"]: row for row in rows(name, "hadr_distribution")}
    assert found["log write size"]["sum"] == total["bytes"]
    for metric, calls, volume in (
        ("send size", "send_calls", "sent_bytes"),
        ("recv size", "recv_calls", "recv_bytes"),
    ):
        assert (metric in found) == (total[calls] > 0)
        if metric in found:
            assert (found[metric]["n"], found[metric]["sum"]) == (total[calls], total[volume])
    assert ("congestion duration" in found) == (total["congestions"] > 0)
    if total["congestions"]:
        congested = found["congestion duration"]
        assert congested["n"] == total["congestions"]
        assert congested["sum"] / 1e6 == pytest.approx(total["congestion_s"], abs=1e-6 * total["congestions"])
    assert ("log shipping time" in found) == (run(name)["role"] == "primary")


@pytest.mark.parametrize("name", RESULTS)
def test_disk_is_modelled_as_overhead_and_rate(name: str) -> None:
    total = figures(name)
    if total.get("write_calls"):
        w = total["write_calls"] * total["disk_overhead_s"] + total["written_bytes"] / total["disk_mb_s"] / 1e6
        assert total["write_s"] == pytest.approx(w, abs=2e-6 * total["write_calls"])
        asked = run(name)
        assert (asked["disk_mb_s"], asked["disk_overhead_s"]) == (total["disk_mb_s"], total["disk_overhead_s"])


@pytest.mark.parametrize("name", DISK_TESTS)
def test_disk_test_is_consistent(name: str) -> None:
    total = figures(name)
    assert total["mbytes"] == pytest.approx(total["calls"] * total["pages"] * PAGE / 1e6)
    assert total["mb_s"] == pytest.approx(total["mbytes"] / total["seconds"], rel=1e-4)
    assert total["sec_per_call"] == pytest.approx(total["seconds"] / total["calls"], abs=1e-6)
    assert run(name)["role"] == ("read" if "read" in name else "write")
    for each in rows(name, "hadr_distribution"):
        assert each["n"] == total["calls"]
        assert math.isclose(each["sum"] / 1e6, total["seconds"], rel_tol=1e-3)


# --- the whole corpus as one study ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    store = tmp_path_factory.mktemp("corpus") / "haledger.duckdb"
    ingest(CORPUS, store)
    with duckdb.connect(str(store), read_only=True) as connection:
        yield connection


def test_every_pair_is_joined_and_agrees(whole: duckdb.DuckDBPyConnection) -> None:
    found = whole.execute(
        "select here.file, there.file, pair.is_consistent from simhadr_pair as pair "
        "inner join simhadr_run as here on pair.primary_run_id = here.run_id "
        "inner join simhadr_run as there on pair.standby_run_id = there.run_id"
    ).fetchall()
    assert sorted(found) == [(name, name.replace(".primary.", ".standby."), True) for name in PAIRS]


def test_quantiles_claim_no_more_than_the_buckets(whole: duckdb.DuckDBPyConnection) -> None:
    (distributions, wrong) = one_row(
        whole,
        """
        select
            count(distinct (quantile.run_id, quantile.metric)),
            count(*) filter (where quantile.lo > quantile.hi or quantile.lo < each.min or quantile.hi > each.max)
        from simhadr_quantile as quantile
        inner join simhadr_distribution as each
            on quantile.file_id = each.file_id and quantile.distribution_no = each.distribution_no
        """,
    )
    assert distributions == one_row(whole, "select count(*) from simhadr_distribution")[0]
    assert wrong == 0


def one_row(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[Any, ...]:
    (row,) = connection.execute(sql).fetchall()
    return row


# --- numbers that were published --------------------------------------------------------------------------------------
