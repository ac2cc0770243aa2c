"""The simulator's relations: runs and pairs, repeats, disk fits, the model, windows, bottlenecks, figures of runs."""

import itertools
import math
from dataclasses import replace
from statistics import stdev
from typing import Any

import pytest

from tests.support.logscan_lines import CALCULATOR, INTERVAL, SYNC
from tests.support.simhadr_output import PAGE, Output, disk_test
from tests.support.simhadr_study import Row, Study, one

NETWORK = '[configuration."c"]\nfactors = { network_mb_s = 20, round_trip_s = 0.005 }\n'
ASYNCHRONOUS = Output(mode="ASYNC", flushes=1000, seconds=10.0)


def pair(output: Output, **standby: Any) -> tuple[str, str]:
    return output.text(), replace(output, role="standby", **standby).text()


# --- runs, pairs, repeats --------------------------------------------------------------------------------------------


def test_the_numbers_of_a_run_stand_side_by_side() -> None:
    # seed 002: 3130 flushes of 32 pages in 4.000821 s are 102.542793 MB/s
    run = one(Study({"c/a.txt": Output().text()}), "select * from simhadr_run")
    assert (run["bytes"], run["mb_s"], run["flushes"], run["flush_pages"]) == (410255360, 102.542793, 3130, 32)
    assert (run["role"], run["status"], run["syncmode"], run["ack_bytes"]) == ("primary", "complete", "NEARSYNC", 16)
    assert (run["configuration"], run["run"], run["is_loopback"]) == ("c", "1", False)
    line = Output().lines()[run["line_no"] - 1]
    assert line == "NEARSYNC: Total 410255360 bytes in 4.000821 seconds, 102.542793 MBytes/sec"


@pytest.mark.parametrize(("mode", "decisive"), [("SYNC", "primary"), ("NEARSYNC", "primary"), ("ASYNC", "standby")])
def test_one_side_of_a_pair_is_decisive(mode: str, decisive: str) -> None:
    primary, standby = pair(Output(mode=mode), seconds=4.2)
    study = Study({"c/a.txt": primary, "c/b.txt": standby})
    assert one(study, "select role from simhadr_run where is_decisive") == {"role": decisive}
    assert study.query("select count(distinct peer_run_id) as peers, count(*) as runs from simhadr_run") == [
        {"peers": 2, "runs": 2}
    ]
    assert one(study, "select is_consistent, difference_pct from simhadr_pair") == {
        "is_consistent": True,
        "difference_pct": pytest.approx(100 * (4.2 / 4.000821 - 1), rel=1e-5),
    }


def test_pairs_of_one_second_are_distinguished_by_their_ports() -> None:
    here = Output()
    there = Output(role="standby").text()
    other = there.replace("4601", "4701").replace("4600", "4700")
    study = Study({"c/a.txt": here.text(), "c/b.txt": other, "c/d.txt": there})
    assert study.query("select primary_run_id, standby_run_id from simhadr_pair") == [
        {"primary_run_id": 1, "standby_run_id": 3}
    ]


@pytest.mark.parametrize(
    "other", [{"mode": "SYNC"}, {"pages": 16}, {"conn_time": "2008-07-09_17:12:26_PDT"}], ids=["mode", "pages", "time"]
)
def test_sides_of_different_runs_are_no_pair(other: Row) -> None:
    study = Study({"c/a.txt": Output().text(), "c/b.txt": replace(Output(role="standby"), **other).text()})
    assert study.query("select * from simhadr_pair") == []


def test_sides_in_two_folders_are_one_run() -> None:
    primary, standby = pair(Output())
    study = Study({"c/primary/a.txt": primary, "c/standby/b.txt": standby})
    assert {row["configuration"] for row in study.query("select configuration from simhadr_run")} == {"c/primary"}


def test_runs_of_a_setting_are_counted_by_their_time() -> None:
    second = Output(conn_time="2008-07-09_18:00:00_PDT", seconds=5.0).text()
    study = Study({"c/a.txt": second + Output(mode="SYNC").text(), "c/b.txt": Output().text()})
    found = study.query("select syncmode, run, seconds from simhadr_run order by syncmode, run")
    assert [tuple(row.values()) for row in found] == [
        ("NEARSYNC", "1", 4.000821),
        ("NEARSYNC", "2", 5.0),
        ("SYNC", "1", 4.000821),
    ]


def test_a_run_folder_names_the_run() -> None:
    study = Study({"c/run07/a.txt": Output().text()})
    assert one(study, "select configuration, run from simhadr_run") == {"configuration": "c", "run": "run07"}


@pytest.mark.parametrize(
    "change",
    [
        {"mode": "SYNC"},
        {"pages": 16},
        {"disk": (45.0, 0.005)},
        {"options": "-target 10"},
        {"options": "-sockSndBuf 64000"},
        {"options": "-verbose"},
    ],
    ids=["mode", "flush size", "disk", "throttling", "buffer", "verbose"],
)
def test_another_setting_is_no_repeat(change: Row) -> None:
    study = Study({"c/a.txt": Output().text(), "c/b.txt": replace(Output(), **change).text()})
    assert one(study, "select count(distinct setting) as settings from simhadr_run") == {"settings": 2}


def test_repeats_have_their_spread() -> None:
    seconds = [4.0, 4.2, 4.1, 4.3]
    files = {f"c/run{n}/a.txt": Output(seconds=value).text() for n, value in enumerate(seconds, 1)}
    rates = [round(3130 * 32 * PAGE / value / 1e6, 6) for value in seconds]
    row = one(Study(files), "select * from simhadr_repeat")
    assert (row["runs"], row["sides"]) == (4, "primary")
    assert row["stddev_mb_s"] == pytest.approx(stdev(rates))
    half = 3.182446305284 * stdev(rates) / 2  # t(3) = 3.1824
    assert row["ci95_high_mb_s"] - row["mean_mb_s"] == pytest.approx(half)


@pytest.mark.parametrize(
    ("text", "toml"),
    [
        (Output().text().replace("-t 4", "-t 60"), ""),
        ("recv() failed. errno=104, Connection reset by peer\n" + Output().text(), ""),
        (Output().text(), '[[run]]\nconfiguration = "c"\nrun = 2\nexclude = "wrong cable"\n'),
    ],
    ids=["interrupted", "aborted", "excluded"],
)
def test_a_run_that_stands_for_nothing_is_no_repeat(text: str, toml: str) -> None:
    study = Study({"c/run1/a.txt": Output().text(), "c/run2/a.txt": text}, toml)
    assert one(study, "select runs from simhadr_repeat") == {"runs": 1}


# --- disks -----------------------------------------------------------------------------------------------------------


def test_disk_fit_of_the_reference() -> None:
    # IBM's page: 9409 writes of a page in 4.000160 s, 174 of a thousand in 4.014913 s; worked both ways
    study = Study({"d/disk.txt": disk_test("write", 1, 9409, 4.000160) + disk_test("write", 1000, 174, 4.014913)})
    fit = one(study, "select * from hadr_disk_fit")
    assert (fit["simple_mb_s"], fit["simple_overhead_s"]) == (
        pytest.approx(177.514, abs=0.001),
        pytest.approx(425e-6, abs=1e-6),
    )
    assert (fit["fit_mb_s"], fit["fit_overhead_s"]) == (
        pytest.approx(180.67, abs=0.01),
        pytest.approx(402e-6, abs=1e-6),
    )
    assert (fit["method"], fit["remark"], fit["sizes"]) == ("fit", None, 2)


@pytest.mark.parametrize(
    ("calls", "seconds", "word"),
    [(2000, 1.0, "not slower"), (500, 8.2, "below zero")],
    ids=["larger writes are faster", "no overhead left"],
)
def test_noise_gives_way_to_the_simple_method(calls: int, seconds: float, word: str) -> None:
    study = Study({"d/disk.txt": disk_test("write", 1, 4000, 2.0) + disk_test("write", 16, calls, seconds)})
    fit = one(study, "select * from hadr_disk_fit")
    assert fit["method"] == "simple"
    assert word in fit["remark"]
    assert (fit["disk_mb_s"], fit["disk_overhead_s"]) == (fit["simple_mb_s"], fit["simple_overhead_s"])


def test_one_size_is_no_fit_and_reads_are_another_disk() -> None:
    study = Study({"d/disk.txt": disk_test("write", 1, 4000, 2.0) + disk_test("read", 16, 4000, 2.0)})
    assert [row["method"] for row in study.query("select * from hadr_disk_fit")] == [None, None]


def test_three_sizes_are_fitted_by_least_squares() -> None:
    exact = [(pages, 0.001 + pages * PAGE / 100e6) for pages in (1, 16, 256)]
    study = Study({"d/disk.txt": "".join(disk_test("write", pages, 1000, each * 1000) for pages, each in exact)})
    fit = one(study, "select * from hadr_disk_fit")
    assert (fit["disk_mb_s"], fit["disk_overhead_s"]) == (pytest.approx(100), pytest.approx(0.001))


# --- the model -------------------------------------------------------------------------------------------------------

DISK = (200.0, 0.001)


@pytest.mark.parametrize(
    ("mode", "disk", "model_s", "mb_s"),
    [  # the paper's network, without a disk and with a mid-range one
        ("NEARSYNC", "", 0.001240, 105.7),
        ("ASYNC", "", 0.001140, 115.0),
        ("NEARSYNC", "45, disk_overhead_s = 0.005", 0.007913, 16.56),
        ("ASYNC", "45, disk_overhead_s = 0.005", 0.007913, 16.56),
        ("SYNC", "45, disk_overhead_s = 0.005", 0.017065, 7.68),
    ],
)
def test_model_of_the_paper(mode: str, disk: str, model_s: float, mb_s: float) -> None:
    declared = f", disk_mb_s = {disk}" if disk else ""
    toml = f'[configuration."c"]\nfactors = {{ network_mb_s = 115, round_trip_s = 0.0001{declared} }}\n'
    study = Study({"c/a.txt": Output().text()}, toml)
    row = one(
        study,
        f"""select * from hadr_prediction where syncmode = '{mode}' and flush_pages = 32
        and disk = '{"stated" if disk else "infinitely fast"}'""",
    )
    assert row["sec_per_flush"] == pytest.approx(model_s, abs=0.7e-6)
    assert row["mb_s"] == pytest.approx(mb_s, abs=0.06)
    if not disk and mode == "NEARSYNC":
        assert (row["measured_mb_s"], row["error_pct"]) == (102.542793, pytest.approx(3.1, abs=0.05))


def test_stronger_modes_are_never_faster() -> None:
    study = Study({"c/a.txt": Output(disk=DISK).text()}, NETWORK)
    by_size = study.query(
        "select flush_pages, list(sec_per_flush order by syncmode) as each from hadr_prediction group by flush_pages",
    )
    assert len(by_size) == 11
    for row in by_size:
        asynchronous, nearly, super_asynchronous, synchronous = row["each"]
        assert asynchronous == super_asynchronous <= nearly <= synchronous


def test_network_is_inferred_from_runs_where_nobody_declares_it() -> None:
    # shipping of NEARSYNC: size over 20 MB/s, and 5 ms
    files = {
        f"c/{pages}.txt": Output(pages=pages, shipping_us=round(pages * PAGE / 20 + 5000), flushes=100).text()
        for pages in (100, 1000)
    }
    network = one(Study(files), "select * from hadr_network")
    assert (network["send_source"], network["round_trip_source"]) == ("shipping times", "shipping times")
    assert (network["send_mb_s"], network["round_trip_s"]) == (
        pytest.approx(20, rel=1e-4),
        pytest.approx(0.005, rel=1e-3),
    )


def test_the_best_asynchronous_run_is_the_send_rate() -> None:
    slow, fast = ASYNCHRONOUS.text(), replace(ASYNCHRONOUS, pages=64).text()
    near = Output(shipping_us=round(32 * PAGE / (64 * PAGE / 0.01 / 1e6) + 700), flushes=100).text()
    network = one(Study({"c/a.txt": slow, "c/b.txt": fast, "c/n.txt": near}), "select * from hadr_network")
    assert (network["send_mb_s"], network["send_source"]) == (64 * PAGE * 1000 / 10 / 1e6, "asynchronous run")
    assert (network["round_trip_s"], network["round_trip_source"]) == (
        pytest.approx(0.0007, abs=1e-6),
        "shipping time less send time",
    )


def test_without_a_round_trip_nothing_is_predicted_for_modes_that_wait() -> None:
    study = Study({"c/a.txt": ASYNCHRONOUS.text()})
    found = study.query(
        "select syncmode, bool_or(sec_per_flush is not null) as is_known from hadr_prediction group by 1"
    )
    assert {row["syncmode"]: row["is_known"] for row in found} == {
        "SYNC": False,
        "NEARSYNC": False,
        "ASYNC": True,
        "SUPERASYNC": True,
    }


def test_what_if() -> None:
    study = Study({"c/a.txt": Output(mode="SYNC", pages=8, disk=DISK, flushes=400).text()}, NETWORK)
    found = study.query("select change, sec_per_flush from hadr_what_if where syncmode = 'SYNC'")
    write_s, send_s = 0.001 + 8 * PAGE / 200e6, 8 * PAGE / 20e6
    assert {row["change"]: row["sec_per_flush"] for row in found} == {
        "as it is": pytest.approx(2 * write_s + send_s + 0.005),
        "disk twice as fast": pytest.approx(write_s + send_s + 0.005),
        "round trip 1 ms": pytest.approx(2 * write_s + send_s + 0.001),
        "round trip 10 ms": pytest.approx(2 * write_s + send_s + 0.01),
        "round trip 100 ms": pytest.approx(2 * write_s + send_s + 0.1),
    }


def test_modes_are_compared_with_async_of_the_same_setting() -> None:
    files = {
        f"c/{mode}{pages}.txt": Output(mode=mode, pages=pages, seconds=seconds).text()
        for (mode, seconds), pages in itertools.product((("SYNC", 8.0), ("ASYNC", 4.0)), (16, 32))
    }
    found = Study(files).query("select syncmode, flush_pages, ratio, loss_pct from hadr_mode_comparison")
    assert [tuple(row.values()) for row in found] == [
        ("SYNC", 16, pytest.approx(0.5, rel=1e-6), pytest.approx(50, rel=1e-6)),
        ("ASYNC", 16, 1, 0),
        ("SYNC", 32, pytest.approx(0.5, rel=1e-6), pytest.approx(50, rel=1e-6)),
        ("ASYNC", 32, 1, 0),
    ]


# --- windows and bottlenecks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "granted", "verdict", "limit_mb_s"),
    [
        ("", 131072, "tuned by the system", None),
        ("-sockSndBuf 65536 -sockRcvBuf 65536", 131072, "too small", 2.048),
        ("-sockSndBuf 262144 -sockRcvBuf 262144", 524288, "wide enough", 8.192),
        ("-sockSndBuf 262144 -sockRcvBuf 262144", 65536, "too small", 2.048),  # refused by the system
        ("-sockRcvBuf 65536", 131072, "too small", 2.048),
    ],
)
def test_window(options: str, granted: int, verdict: str, limit_mb_s: float | None) -> None:
    # Portland to San Francisco: 4.8 MB/s times 32 ms are 153600 bytes
    toml = '[configuration."c"]\nfactors = { network_mb_s = 4.8, round_trip_s = 0.032 }\n'
    output = replace(ASYNCHRONOUS, options=options, sockets=(granted, granted))
    row = one(Study({"c/a.txt": output.text()}, toml), "select * from hadr_window")
    assert row["needed_bytes"] == pytest.approx(153600)
    assert (row["verdict"], row["limit_mb_s"]) == (verdict, pytest.approx(limit_mb_s) if limit_mb_s else None)


def test_buffers_asked_for_and_given() -> None:
    text = Output(options="-sockSndBuf 64000 -sockRcvBuf 64000", sockets=(128000, 32000)).text()
    study = Study({"c/a.txt": text})
    diag = study.ledger.file("c/db2diag.log", "db2diag", "c", None, "ann")
    study.ledger.add(
        "hadr_event", diag, 0, kind="hadr_socket_buffer", direction="send", requested_bytes=131072, actual_bytes=262142
    )
    found = study.query("select source, direction, verdict from hadr_socket_buffer")
    assert [tuple(row.values()) for row in found] == [
        ("simhadr", "send", "twice what was asked for, as Linux does"),
        ("simhadr", "receive", "less than asked for: raise the limit of the system"),
        ("db2diag", "send", "more than asked for"),
    ]


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        (Output(pages=3200, flushes=10, seconds=4.0, shipping_us=399000), "network"),
        (Output(disk=(45.0, 0.005), flushes=500, seconds=4.0), "disk"),
        (Output(options="-target 10"), "throttled"),
        (Output(pages=1, flushes=700, seconds=4.0), "latency"),  # 5 ms of 5.7
        (Output(disk=(1000.0, 0.0), flushes=400, seconds=4.0, congestion_s=2.5), "network"),
        (Output(disk=(1000.0, 0.0), flushes=400, seconds=4.0), "none alone"),
    ],
    ids=["no disk", "disk", "throttled", "latency", "congestion", "neither"],
)
def test_bottleneck(output: Output, verdict: str) -> None:
    assert one(Study({"c/a.txt": output.text()}, NETWORK), "select verdict from hadr_bottleneck") == {
        "verdict": verdict
    }


@pytest.mark.parametrize(
    ("change", "flag"),
    [
        ({"hosts": ("127.0.0.1", "127.0.0.1")}, "loopback"),
        ({"options": "-verbose"}, "verbose"),
        ({"options": "-target 5"}, "throttled"),
        ({"options": "-sockSndBuf 64000", "sockets": (32000, 32000)}, "buffer_refused"),
    ],
)
def test_doubts(change: Row, flag: str) -> None:
    study = Study({"c/a.txt": replace(Output(seconds=20.0), **change).text()})
    assert one(study, "select flags from hadr_bottleneck") == {"flags": ", ".join(sorted([flag, "unpaired"]))}


def test_sides_that_differ_are_flagged() -> None:
    primary, standby = pair(Output(seconds=20.0), seconds=21.0)
    study = Study({"c/a.txt": primary, "c/b.txt": standby})
    assert {row["flags"] for row in study.query("select flags from hadr_bottleneck")} == {"sides_differ"}


# --- distributions ---------------------------------------------------------------------------------------------------


def distribution(*values: int) -> str:
    """The values as simhadr prints them in buckets of powers of two."""
    mean = sum(values) // len(values)
    buckets: dict[int, int] = {}
    for value in sorted(values):
        power = 2 ** int(math.log2(value))
        buckets[power] = buckets.get(power, 0) + 1
    return "\n".join(
        [
            "Distribution of log shipping time (unit is microsecond):",
            f"Total {len(values)} numbers, Sum {sum(values)}, Min {min(values)}, Max {max(values)}, Avg {mean}",
            *(f"From {low} to {2 * low - 1} {count} numbers" for low, count in buckets.items()),
        ]
    )


def test_quantiles_lie_within_their_bounds_and_bounds_within_their_bucket() -> None:
    values = [100, 110, 120, 130, 250, 260, 300, 900, 5000, 9000, 9001]
    study = Study({"c/a.txt": Output().text() + distribution(*values)})
    for row in study.query("select * from simhadr_quantile"):
        true_value = values[math.ceil(row["quantile"] * len(values)) - 1]
        assert row["lo"] <= true_value <= row["hi"]
        assert row["hi"] <= min(2 * 2 ** int(math.log2(true_value)) - 1, max(values))


def test_buckets_that_do_not_add_up_have_no_quantile() -> None:
    text = distribution(100, 110, 900).replace("Total 3 numbers", "Total 4 numbers")
    assert Study({"c/a.txt": Output().text() + text}).query("select * from simhadr_quantile") == []


def test_numbers_far_above_the_average_are_counted_within_bounds() -> None:
    values = [10] * 1000 + [1000, 50]
    row = one(Study({"c/a.txt": Output().text() + distribution(*values)}), "select * from simhadr_far_value")
    assert (row["far_low"], row["far_high"], row["max"]) == (1, 1, 1000)
    assert Study({"c/a.txt": Output().text() + distribution(10, 20, 40)}).query("select * from simhadr_far_value") == []


# --- figures of runs -------------------------------------------------------------------------------------------------


def test_figures_of_runs_lead_to_their_lines() -> None:
    primary, standby = pair(Output())
    study = Study(
        {"c/run01/a.txt": primary, "c/run01/b.txt": standby, "d/disk.txt": disk_test("write", 1, 9409, 4.00016)}
    )
    found = study.query("select configuration, run, metric, value, label, line_no, is_valid from simhadr_measurement")
    texts = {"c": primary.splitlines(), "d": disk_test("write", 1, 9409, 4.00016).splitlines()}
    assert [(row["configuration"], row["run"], row["metric"]) for row in found] == [
        ("c", "run01", "MB/s"),
        ("c", "run01", "sec_per_flush"),
        ("d", "1", "sec_per_write"),
        ("d", "1", "MB/s"),
    ]
    for row in found:
        assert f"{row['value']:.6f}" in texts[row["configuration"]][row["line_no"] - 1]
        assert row["is_valid"]
    assert {row["label"] for row in found} == {"NEARSYNC, 32 pages", "write, 1 pages"}


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        (Output(seconds=20.0).text().replace("-t 20", "-t 60"), "stopped before its time"),
        (Output(seconds=20.0, options="-target 5").text(), "throttled"),
    ],
)
def test_a_figure_that_stands_for_nothing_says_so(text: str, doubt: str) -> None:
    found = Study({"c/a.txt": text}).query("select distinct is_valid, doubt from simhadr_measurement")
    assert found == [{"is_valid": False, "doubt": doubt}]


# --- hadrCalculator.pl -----------------------------------------------------------------------------------------------


def test_calculator_counts_in_megabytes_of_two_to_the_twenty() -> None:
    # 17.6 pages, disk 200 MB/s and 1 ms, network 10 MB/s and 100 ms: as hadrCalculator.pl prints
    study = Study({"c/calc.txt": "\n".join([*CALCULATOR, INTERVAL, SYNC])})
    assert one(study, "select min_sec_per_flush from log.hadrcalc_prediction") == {"min_sec_per_flush": 0.109563}
    mega = 2**20 / 1e6
    for mode, seconds in (("SYNC", 0.109563), ("NEARSYNC", 0.106875), ("ASYNC", 0.006875)):
        predicted = one(
            study,
            f"""select hadr_flush_s('{mode}', w, w, 17.6 * 4096 / (10 * {mega} * 1e6), 0.1) as seconds
            from (select hadr_write_s(17.6 * 4096, 200 * {mega}, 0.001) as w) cross join hadrcalc_run""",
        )
        assert predicted == {"seconds": pytest.approx(seconds, abs=0.5e-6)}
    network = one(study, "select send_mb_s, round_trip_s, send_source from hadr_network")
    assert network == {"send_mb_s": pytest.approx(10.48576), "round_trip_s": 0.1, "send_source": "hadrCalculator.pl"}


def test_largest_flush_is_what_open_transactions_hold() -> None:
    study = Study({"c/calc.txt": "\n".join([*CALCULATOR, INTERVAL, SYNC])})
    assert one(study, "select largest_flush_pages from logscan_interval") == {
        "largest_flush_pages": pytest.approx(15.9 * 22.7)
    }
