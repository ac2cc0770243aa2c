"""Tables of what was derived from measurements: from logs of a small study to printed cells."""

from pathlib import Path

from pipeline.ingest.ingest import ingest
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import all_tables
from reports.tables.model import Table
from reports.tables.throughput.measurements import _measured_first

SERIES = "time_s,tps\n" + "".join(f"{second},{0 if 30 <= second < 40 else 100}\n" for second in range(0, 100, 5))
QUERIES = "query,elapsed_s\n1,{}\n2,{}\n"


def made(folder: Path, files: dict[str, str]) -> dict[str, Table]:
    for name, text in files.items():
        path = folder / "study" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    db = folder / "haledger.duckdb"
    ingest(folder / "study", db)
    with opened(db) as store:
        return all_tables(StudyView(store))


def printed(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def pgbench(clients: int, tps: float) -> str:
    return (
        "transaction type: <builtin: TPC-B (sort of)>\nscaling factor: 1\nquery mode: simple\n"
        f"number of clients: {clients}\nnumber of threads: 1\nduration: 20 s\n"
        f"number of transactions actually processed: {20 * tps:.0f}\nlatency average = 1.000 ms\n"
        f"tps = {tps:.6f} (without initial connection time)\n"
    )


def test_dip_is_shown_with_its_depth_and_duration(tmp_path: Path) -> None:
    table = made(tmp_path, {"outage/run01/workload.csv": SERIES})["throughput-dips"]
    assert printed(table) == [["outage", "change of the rate", "1", "1", "100", "0", "100.0", "10", "10.0", "1000 ± 0"]]
    assert table.caption.startswith("What each event did to transactions per second")


def test_scaling_is_compared_with_proportion(tmp_path: Path) -> None:
    files = {f"load/run01/clients-{n}.txt": pgbench(n, tps) for n, tps in ((1, 100.0), (2, 190.0), (4, 200.0))}
    rows = printed(made(tmp_path, files)["throughput-scaling"])
    # speed-up 1.9 of 2 and 2.0 of 4; the last two clients brought 5 each where the one before brought 90
    assert [row[2:] for row in rows] == [
        ["1", "1", "100", "100", "1.00", "1.00", "\u2014", ""],
        ["2", "1", "190", "95", "1.90", "0.95", "90", ""],
        ["4", "1", "200", "50", "2.00", "0.50", "5", "yes"],
    ]


def test_several_loads_are_a_column_and_one_is_in_the_heading(tmp_path: Path) -> None:
    several = {f"demand-{n}/run01/pgbench.txt": pgbench(n, 100.0 * n) for n in (1, 2, 4)}
    table = made(tmp_path / "several", several)["measurements"]
    assert [column.label for column in table.columns][:3] == ["Measured", "Configuration", "Clients"]
    rows = [row for row in printed(table) if row[0].startswith("transactions per second")]
    assert [row[:5] for row in rows] == [
        ["transactions per second", "demand-1", "1", "1", "100"],
        ["transactions per second", "demand-2", "2", "1", "200"],
        ["transactions per second", "demand-4", "4", "1", "400"],
    ]
    one = {f"set-{n}/run01/pgbench.txt": pgbench(2, 100.0 * n) for n in (1, 2)}
    table = made(tmp_path / "one", one)["measurements"]
    assert [column.label for column in table.columns][:3] == ["Measured", "Configuration", "Runs"]
    assert {row[0] for row in printed(table) if "per second" in row[0]} == {"transactions per second, 2 clients"}


def test_rows_of_one_heading_stand_together() -> None:
    labels = {"etcd": None, "redis": "port=6401", "valkey": None, "sentinel": "port=6401"}
    common = {"metric": "client_outage_s", "unit": "s"}
    rows = [{**common, "configuration": name, "label": label} for name, label in labels.items()]
    shown = [row["configuration"] for row in sorted(rows, key=_measured_first)]
    assert shown == ["etcd", "valkey", "redis", "sentinel"]


def test_queries_are_one_number_and_its_extremes(tmp_path: Path) -> None:
    files = {"default/run01/q.csv": QUERIES.format(10, 10), "tuned/run01/q.csv": QUERIES.format(5, 20)}
    table = made(tmp_path, files)["relative-query-times"]
    assert printed(table) == [["tuned", "default", "2", "1.000", "0.500", "2.000"]]  # sqrt(0.5 * 2) = 1


def test_processors_of_many_hosts_are_one_row_a_configuration(tmp_path: Path) -> None:
    files = {
        f"demand/run0{run}/sar-db{host}.txt": (
            f"Linux 5.14.0 (db{host}) \t03/01/2026 \t_x86_64_\t(4 CPU)\n\n"
            "10:00:01        CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
            f"10:01:01        all     {busy:.2f}      0.00      0.00      0.00      0.00     {100 - busy:.2f}\n"
        )
        for run, added in ((1, 0.0), (2, 4.0))
        for host, busy in enumerate((10 + added, 20 + added, 30 + added, 60 + added), 1)
    }
    tables = made(tmp_path, files)
    # runs of 30 and 34 %: mean 32, deviation 2.8
    assert printed(tables["processors-by-configuration"]) == [
        ["demand", "4", "2", "32.0 ± 2.8", "12.0 (db1)", "62.0 (db4)"]
    ]
    assert tables["processors"].section == "machines"
    assert len(tables["processors"].rows) == 4


def test_hosts_that_two_tools_watched_count_once(tmp_path: Path) -> None:
    cpu = "          10.00    0.00    0.00    0.00    0.00   90.00\n\n"
    files: dict[str, str] = {}
    for host in ("db1", "db2"):
        head = f"Linux 5.14.0 ({host}) \t03/01/2026 \t_x86_64_\t(4 CPU)\n\n"
        files[f"load/run01/sar-{host}.txt"] = (
            f"{head}10:00:01        CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
            "10:01:01        all     10.00      0.00      0.00      0.00      0.00     90.00\n"
        )
        files[f"load/run01/iostat-{host}.txt"] = head + 2 * (
            f"avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n{cpu}"
        )
    tables = made(tmp_path, files)
    assert len(tables["processors"].rows) == 4
    assert "processors-by-configuration" not in tables
