"""Configurations and monitor output of DB2 in the corpus, through the parsers and through the whole pipeline."""

import os
import shutil
from datetime import datetime
from pathlib import Path

import duckdb
import polars as pl
import pytest

from parsers.format import Refusal, formats
from pipeline.ingest.ingest import ingest
from tests.support.message_lines import numbered

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "db2"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real logs is not beside this checkout")
NOW = datetime(2024, 8, 1)  # noqa: DTZ001 - naive UTC


def lines(name: str) -> pl.DataFrame:
    return numbered(CORPUS.joinpath(name).read_text(encoding="utf-8", errors="replace").splitlines())


def rows(name: str, format_name: str, table: str) -> pl.DataFrame:
    return formats()[format_name].parse(lines(name)).tables[table]


def test_console_of_db2start_is_of_no_format() -> None:
    head = lines("db2start_db2stop_console_mixed_locale.txt")["text"]
    answers = {name: each.recognise(head) for name, each in formats().items()}
    assert all(isinstance(answer, Refusal) and answer.reason for answer in answers.values())


def test_values_of_a_whole_configuration() -> None:
    found = rows("dbcfg_115_sample_full.txt", "db2_cfg", "parameter_value")
    declared = {name: rest for name, *rest in found.select("name", "value", "effective_value", "is_automatic").rows()}
    assert found["subject"].unique().to_list() == ["SAMPLE"]
    assert declared["DATABASE_MEMORY"] == ["AUTOMATIC(79840)", "79840", True]
    assert declared["PCKCACHESZ"] == ["AUTOMATIC((MAXAPPLS*8))", "(MAXAPPLS*8)", True]
    assert declared["NUM_LOG_SPAN"] == ["0", None, False]
    assert declared["NEWLOGPATH"] == ["", None, False]
    assert declared["update_to_database_level_pending"] == ["NO (0x0)", None, False]
    assert found.filter(pl.col("name") == pl.col("name").str.to_lowercase()).height == 27  # formats/db2.md: without key


def test_seconds_resolve_what_day_4_of_july_is() -> None:
    found = rows("db2pd_hadr_1159_keyvalue.txt", "db2_pd", "hadr_status_value")
    assert found.select("stamp", "utc_offset_min", "host").unique().rows() == [
        (datetime(2024, 7, 4, 6, 30, 52, 620854), -420, "pacemakertest1")  # noqa: DTZ001 - wall clock
    ]
    shown = dict(found.select("name", "shown_at").rows())
    assert shown["PEER_WINDOW_END"] == datetime(2024, 7, 4, 13, 35, 52)  # noqa: DTZ001 - UTC, kept naive


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    """A study of the configurations of table 3.6, the pair of snapshots, and HADR."""
    root = tmp_path_factory.mktemp("corpus") / "study"
    places = {
        "default/db.cfg": "RECON_dbcfg_81_absolut_default.txt",
        "tuned/db.cfg": "RECON_dbcfg_81_absolut_tuned.txt",
        "tuned/run01/snap0.txt": "RECON_snapshot_db_t0.txt",
        "tuned/run01/snap1.txt": "RECON_snapshot_db_t1.txt",
        "hadr/run01/db2pd.txt": "db2pd_hadr_1159_keyvalue.txt",
    }
    for place, name in places.items():
        target = root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CORPUS / name, target)
        os.utime(target, ns=(10**18, 10**18))
    db = root.parent / "store.duckdb"
    ingest(root, db, now=NOW)
    return duckdb.connect(db, read_only=True)


# table 3.6 of the paper, and DBHEAP
def test_parameters_that_were_tuned(store: duckdb.DuckDBPyConnection) -> None:
    found = store.execute("select name, reference_value, value from parameter_change where configuration = 'tuned'")
    assert {name: (before, after) for name, before, after in found.fetchall()} == {
        "LOGBUFSZ": ("8", "4"),
        "CHNGPGS_THRESH": ("60", "20"),
        "NUM_IOCLEANERS": ("1", "20"),
        "NUM_IOSERVERS": ("3", "10"),
        "LOGFILSIZ": ("1000", "500"),
        "LOGPRIMARY": ("3", "250"),
        "LOGSECOND": ("2", "0"),
        "SOFTMAX": ("100", "1"),
        "INDEXREC": ("SYSTEM (RESTART)", "ACCESS"),
        "DBHEAP": ("1200", "5000"),
    }


def test_rates_of_the_pair_of_snapshots(store: duckdb.DuckDBPyConnection) -> None:
    found = store.execute("select element, delta, per_s from snapshot_rate where interval_s = 60 and run = 'run01'")
    rates = {element: rest for element, *rest in found.fetchall()}
    assert rates["commit_sql_stmts"] == [1800.0, 30.0]
    assert rates["rollback_sql_stmts"][0] == 20.0
    assert rates["transactions"][0] == 1820.0
    flush = store.execute("select flush_pages, partial_share from log_flush").fetchall()
    assert flush == [(pytest.approx(26.667, abs=5e-4), pytest.approx(610 / 900))]


def test_status_of_hadr_is_at_its_time(store: duckdb.DuckDBPyConnection) -> None:
    found = store.execute('select node, "at", role, state, syncmode, peer_window_s from hadr_status').fetchall()
    at = datetime(2024, 7, 4, 13, 30, 52, 620854)  # noqa: DTZ001 - UTC, kept naive
    assert found == [("pacemakertest1", at, "primary", "peer", "NEARSYNC", 300.0)]
