"""From files of reports to their relations."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.ingest.ingest import ingest
from pipeline.store.relations import catalogue

at = datetime.fromisoformat

HEADER = "Device r/s w/s rkB/s wkB/s r_await w_await aqu-sz %util\n"
Ask = Callable[[str], list[tuple[Any, ...]]]


def report(second: int, *rows: str) -> str:
    return f"2026-11-21T02:42:{second:02d}+0000\n{HEADER}" + "".join(f"{row}\n" for row in rows) + "\n"


def busy(reads: float) -> str:
    return f"sdb {reads} 10.0 80.0 160.0 2.0 4.0 0.5 50.0"


STUDY = {
    "tuned/run01/iostat.txt": "Linux 4.4.0 (elm) 11/21/26 _x86_64_ (2 CPU)\n\n"
    + report(0, busy(999))
    + report(10, busy(10), "drbd0 10.0 10.0 80.0 160.0 3.0 5.0 0.7 60.0")
    + report(40, busy(40), "sdb1 40.0 10.0 80.0 160.0 2.0 4.0 0.5 50.0"),
    "tuned/run02/iostat.txt": "Linux 4.4.0 (elm) 11/21/26 _x86_64_ (2 CPU)\n\n"
    + report(0, busy(999))
    + report(10, busy(20)),
    "tuned/run03/iostat.txt": "Linux 4.4.0 (elm) 11/21/26 _x86_64_ (2 CPU)\n\n"
    + report(0, busy(999))
    + report(10, busy(30)),
    "basic/run01/plain.txt": "Device: tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nsda 1.00 5.00 2.00 9000 8000\n\n"
    "Device: tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nsda 1.00 40.00 20.00 400 200\n\n"
    "Device: tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nsda 1.00 44.01 20.00 440 200\n",
    "basic/run01/vmstat.txt": " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
    "15  0      0 16886536 127828 7496524    0    0  5027 13899 1020 4855 45 10 45  0  0\n"
    " 2  0      0 16886536 127828 7496524    0    0    42 155034 2867 5071 51  4 39  7  0\n",
    "basic/run01/sar.txt": "Linux 4.4.0 (elm) 11/21/26 _x86_64_ (2 CPU)\n\n"
    "02:42:01 CPU %user %nice %system %iowait %steal %idle\n02:42:03 all 50.50 0.00 3.77 7.04 0.00 38.69\n",
}


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    folder = tmp_path_factory.mktemp("iostat")
    for name, text in STUDY.items():
        file = folder / "study" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    ingest(folder / "study", folder / "store.duckdb")
    con = duckdb.connect(str(folder / "store.duckdb"), read_only=True)
    return lambda query: con.execute(query).fetchall()


def test_rows_have_their_place_and_time(ask: Ask) -> None:
    found = ask(
        'select configuration, run, node, device, report_no, is_since_boot, "at", offset_s, interval_s, r_per_s '
        "from iostat_device where run = 'run01' and device = 'sdb' order by report_no"
    )
    assert found == [
        ("tuned", "run01", "elm", "sdb", 1, True, at("2026-11-21 02:42:00"), 0.0, None, 999.0),
        ("tuned", "run01", "elm", "sdb", 2, False, at("2026-11-21 02:42:10"), 10.0, 10.0, 10.0),
        ("tuned", "run01", "elm", "sdb", 3, False, at("2026-11-21 02:42:40"), 40.0, 30.0, 40.0),
    ]


def test_what_follows_exactly_is_filled_in_and_named(ask: Ask) -> None:
    found = ask(
        "select await_ms, areq_kb, rareq_kb, tps, tkb_per_s, derived "
        "from iostat_device where run = 'run02' and report_no = 2"
    )
    assert found == [
        (
            pytest.approx((20 * 2 + 10 * 4) / 30),
            240 / 30,
            4.0,
            30.0,
            240.0,
            "await_ms, rareq_kb, wareq_kb, areq_kb, tps, tkb_per_s",
        )
    ]


def test_a_device_that_comes_later_is_reported(ask: Ask) -> None:
    found = ask(
        "select device, flags from iostat_device where flags is not null and configuration = 'tuned' order by all"
    )
    assert found == [("drbd0", "first_seen"), ("sdb1", "first_seen")]


def test_the_interval_follows_from_amounts_and_rates(ask: Ask) -> None:
    found = ask(
        "select report_no, interval_s, interval_source, offset_s from iostat_report "
        "where configuration = 'basic' and section = 'iostat' order by report_no"
    )
    assert found == [(1, None, None, 0.0), (2, 10.0, "derived", 10.0), (3, 10.0, "derived", 20.0)]


def test_the_summary_is_over_runs_and_weighs_by_time(ask: Ask) -> None:
    found = ask(
        "select device, runs, reports, mean, stddev, ci95_low is not null, unit from iostat_summary "
        "where metric = 'r_per_s' and configuration = 'tuned' order by device"
    )
    # run01: (10 * 10 s + 40 * 30 s) / 40 s = 32.5
    assert found == [("sdb", 3, 4, 27.5, pytest.approx(6.6144, abs=1e-4), True, "1/s")]


def test_times_of_requests_weigh_by_requests(ask: Ask) -> None:
    found = ask("select mean from iostat_summary where metric = 'r_await_ms' and device = 'sdb'")
    assert found == [(2.0,)]


def test_processors_and_vmstat(ask: Ask) -> None:
    assert ask("select source, cpu, user_pct, busy_pct, not_idle_pct, interval_s from iostat_cpu") == [
        ("sar", "all", 50.5, pytest.approx(100 - 38.69 - 7.04), pytest.approx(61.31), 2.0)
    ]
    assert ask("select report_no, is_since_boot, user_pct, blocks_out_per_s from vmstat order by report_no") == [
        (1, True, 45.0, 13899.0),
        (2, False, 51.0, 155034.0),
    ]


def test_no_row_lacks_its_report(ask: Ask) -> None:
    for name in ("iostat_device", "iostat_cpu", "vmstat"):
        assert ask(f"select (select count(*) from log.{name}) = (select count(*) from {name})") == [(True,)]


def test_a_statement_about_a_file_reaches_its_reports_in_a_second_ingest(tmp_path: Path) -> None:
    study = tmp_path / "study"
    (study / "a" / "run1").mkdir(parents=True)
    file = study / "a" / "run1" / "iostat.txt"
    file.write_text("05/06/26 02:42:01\n" + HEADER + busy(1) + "\n", encoding="utf-8")
    query = 'select "at", time_quality from iostat_report'
    ingest(study, tmp_path / "store.duckdb")
    with duckdb.connect(str(tmp_path / "store.duckdb"), read_only=True) as con:
        assert con.execute(query).fetchall() == [(at("2026-05-06 02:42:01"), "ambiguous_date")]
    (study / "study.toml").write_text('[[files]]\nmatch = "**/iostat.txt"\ndate_order = "dmy"\n', encoding="utf-8")
    ingest(study, tmp_path / "store.duckdb")
    with duckdb.connect(str(tmp_path / "store.duckdb"), read_only=True) as con:
        assert con.execute(query).fetchall() == [(at("2026-06-05 02:42:01"), None)]


def test_a_device_is_counted_once_in_each_report_that_shows_it() -> None:
    # sda is twice in each of 130 reports, sdb in every third and in the last
    presence = next(each for each in catalogue() if each.name == "iostat_device_presence")
    with duckdb.connect() as con:
        con.execute("create schema log")
        con.execute(
            "create table log.iostat_mark as select 1 as file_id, i as line_no, 1 as invocation_no, "
            "'iostat' as section, cast(1 + i // 2 as integer) as report_no from range(260) as r(i)"
        )
        con.execute(
            "create table log.iostat_device as select file_id, line_no as mark_line, unnest(case when line_no % 2 = 0 "
            "and (report_no % 3 = 0 or report_no = 130) then ['sda', 'sdb'] else ['sda'] end) as device "
            "from log.iostat_mark"
        )
        found = con.execute(f"select device, first_report_no, last_report_no, reports from ({presence.sql})").fetchall()
    assert found == [("sda", 1, 130, 130), ("sdb", 3, 130, 44)]


def test_the_only_report_counts_with_a_remark(tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    (study / "iostat.txt").write_text("Device: tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nsda 1.00 5.00 2.00 9000 8000\n")
    ingest(study, tmp_path / "store.duckdb")
    with duckdb.connect(str(tmp_path / "store.duckdb"), read_only=True) as con:
        query = "select value, is_since_boot from iostat_run where metric = 'tps'"
        assert con.execute(query).fetchall() == [(1.0, True)]
        assert con.execute("select count(*) from finding where kind = 'since_boot'").fetchone() == (1,)
