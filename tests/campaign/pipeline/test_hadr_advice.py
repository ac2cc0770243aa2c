"""What a planner of HADR learns: which sync mode will do, what it costs and needs, and what speaks against the runs."""

from dataclasses import replace

import pytest

from tests.support.logscan_lines import INTERVAL
from tests.support.simhadr_output import PAGE, Output
from tests.support.simhadr_study import Row, Study, one

DISK = (200.0, 0.001)


def toml(factors: str = "network_mb_s = 20, round_trip_s = 0.005") -> str:
    return f'[configuration."c"]\nfactors = {{ {factors} }}\n'


def runs_of(rates: dict[str, float]) -> dict[str, str]:
    """Both sides of a run of each mode, with flushes of 32 pages at these MB/s, 20 s long."""
    files = {}
    for mode, mb_s in rates.items():
        flushes = round(mb_s * 20e6 / (32 * PAGE))
        output = Output(mode=mode, seconds=20.0, flushes=flushes, disk=DISK)
        files[f"c/{mode}.primary.txt"] = output.text()
        files[f"c/{mode}.standby.txt"] = replace(output, role="standby").text()
    return files


# --- which mode ------------------------------------------------------------------------------------------------------

RATES = {"SYNC": 14.0, "NEARSYNC": 18.5, "ASYNC": 20.0}


@pytest.mark.parametrize(
    ("rates", "more", "mode", "choice"),
    [
        (RATES, "", "NEARSYNC", "safest that will do"),
        (RATES, ", accepted_loss_pct = 40", "SYNC", "safest that will do"),
        (RATES, ", accepted_loss_pct = 5", "ASYNC", "safest that will do"),
        (RATES, ", log_mb_s = 13", "SYNC", "safest that will do"),
        (RATES, ", log_mb_s = 19", "ASYNC", "safest that will do"),
        (RATES, ", log_mb_s = 30", "ASYNC", "fastest as none will do"),
        ({"NEARSYNC": 12.0}, "", "NEARSYNC", "only mode run"),
    ],
    ids=[
        "a tenth less",
        "much accepted",
        "little accepted",
        "small workload",
        "large workload",
        "too large",
        "one mode",
    ],
)
def test_the_safest_mode_that_will_do(rates: dict[str, float], more: str, mode: str, choice: str) -> None:
    declared = toml(f"network_mb_s = 20, round_trip_s = 0.005{more}")
    row = one(Study(runs_of(rates), declared), "select * from hadr_recommendation")
    assert (row["syncmode"], row["choice"]) == (mode, choice)


def test_numbers_of_a_recommendation() -> None:
    row = one(Study(runs_of(RATES), toml()), "select * from hadr_recommendation")
    flushes, freest = round(18.5 * 20e6 / (32 * PAGE)), round(20 * 20e6 / (32 * PAGE))
    assert row["mb_s"] == pytest.approx(flushes * 32 * PAGE / 20e6, abs=1e-6)
    assert row["loss_pct"] == pytest.approx(100 * (1 - flushes / freest), abs=1e-4)
    assert row["commit_wait_s"] == pytest.approx(1.5 * 20 / flushes, abs=2e-6)
    assert row["alone_commit_wait_s"] == pytest.approx(1.5 * (0.001 + 32 * PAGE / 200e6))
    assert (row["reference_mode"], row["reference_source"]) == ("ASYNC", "measured")
    assert (row["safer_mode"], row["flush_pages"], row["runs"]) == ("SYNC", 32, 1)
    # 20 MB/s x 5 ms = 100 000 bytes, held by 2^17
    assert (row["needed_bytes"], row["buffer_bytes"], row["window_verdict"]) == (
        100_000,
        131_072,
        "tuned by the system",
    )
    # the model needs B / (B / 20e6 + 0.005) >= 18 MB/s: 900 000 bytes; of powers of two 256 pages are the first
    assert row["needed_pages"] == 256
    assert row["faster_disk_ratio"] == 1  # the network binds


def test_the_busiest_interval_of_db2logscan_is_the_workload() -> None:
    study = Study(runs_of(RATES) | {"c/calc.txt": INTERVAL + "\n"}, toml())
    row = one(study, "select required_mb_s, required_source, syncmode from hadr_recommendation")
    assert row == {"required_mb_s": 7.307, "required_source": "db2logscan", "syncmode": "SYNC"}


def test_the_free_mode_is_that_of_the_model_where_none_was_run() -> None:
    study = Study({"c/a.txt": Output().text()}, toml("network_mb_s = 115, round_trip_s = 0.0001"))
    row = one(study, "select * from hadr_option")
    assert (row["reference_source"], row["reference_mb_s"]) == ("model", pytest.approx(115))
    assert row["loss_pct"] == pytest.approx(100 * (1 - 102.542793 / 115))


def test_nothing_is_recommended_where_nothing_is_known() -> None:
    files = runs_of({"SYNC": 14.0, "NEARSYNC": 15.0})
    row = one(Study(files), "select * from hadr_recommendation")
    assert (row["syncmode"], row["choice"]) == ("NEARSYNC", "fastest as nothing shows what will do")
    assert (row["loss_pct"], row["needed_bytes"], row["needed_pages"]) == (None, None, None)


def test_a_mode_stands_with_its_best_setting() -> None:
    files = {
        f"c/{pages}.txt": Output(mode="ASYNC", pages=pages, flushes=1000, seconds=20.0).text() for pages in (8, 64, 16)
    }
    assert one(Study(files), "select flush_pages from hadr_option") == {"flush_pages": 64}


def test_runs_with_a_disk_come_before_faster_ones_without() -> None:
    files = {
        "c/a.txt": Output(mode="SYNC", seconds=20.0, flushes=2000, disk=DISK).text(),
        "c/b.txt": Output(mode="SYNC", seconds=20.0, flushes=9000).text(),
    }
    row = one(Study(files), "select setting from hadr_option")
    assert row == {"setting": "SYNC, 32 pages, disk 200 MB/s + 0.001 s"}


@pytest.mark.parametrize("options", ["-target 10", "-verbose"])
def test_runs_that_are_no_measurement_recommend_nothing(options: str) -> None:
    assert Study({"c/a.txt": Output(options=options).text()}).query("select * from hadr_recommendation") == []


# --- warnings --------------------------------------------------------------------------------------------------------

SOUND = Output(seconds=20.0, flushes=15650, disk=(400.0, 0.0005))


@pytest.mark.parametrize(
    ("change", "warning", "severity"),
    [
        ({"hosts": ("127.0.0.1", "127.0.0.1")}, "loopback", "warning"),
        ({"seconds": 4.0}, "short", "warning"),
        ({"options": "-target 10"}, "throttled", "warning"),
        ({"options": "-verbose"}, "verbose", "warning"),
        ({"disk": None}, "no_disk", "note"),
    ],
)
def test_warnings(change: Row, warning: str, severity: str) -> None:
    primary = replace(SOUND, **change)
    files = {"c/a.txt": primary.text(), "c/b.txt": replace(primary, role="standby").text()}
    found = Study(files).query("select * from hadr_warning where warning <> 'run_once'")
    assert [(row["warning"], row["severity"]) for row in found] == [(warning, severity)]
    assert (found[0]["runs"], found[0]["of_runs"]) == (1, 1)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (SOUND.text().replace("-t 20", "-t 60"), "interrupted"),
        ("recv() failed. errno=104, Connection reset by peer\n" + SOUND.text(), "aborted"),
        ("\n".join(SOUND.head()), "no_result"),
    ],
)
def test_broken_runs_are_reported(text: str, warning: str) -> None:
    found = Study({"c/a.txt": text}).query("select warning from hadr_warning")
    assert warning in {row["warning"] for row in found}


def test_sound_repeats_on_two_hosts_give_no_warning() -> None:
    files = {}
    for number in range(5):
        each = replace(SOUND, conn_time=f"2008-07-09_17:12:2{number}_PDT")
        files[f"c/run{number}/a.txt"] = each.text()
        files[f"c/run{number}/b.txt"] = replace(each, role="standby").text()
    assert Study(files, toml("network_mb_s = 110, round_trip_s = 0.0001")).query("select * from hadr_warning") == []


def test_a_warning_is_said_once_for_all_runs_and_names_the_first() -> None:
    files = {f"c/{number}.txt": Output(pages=number).text() for number in (8, 16, 32)}
    found = Study(files).query("select runs, of_runs, file_id from hadr_warning where warning = 'short'")
    assert found == [{"runs": 3, "of_runs": 3, "file_id": 1}]


def test_settings_that_were_run_once_are_counted() -> None:
    files = {f"c/run{number}/a.txt": Output(pages=pages).text() for number, pages in enumerate((8, 8, 16))}
    row = one(Study(files), "select runs, of_runs from hadr_warning where warning = 'run_once'")
    assert row == {"runs": 1, "of_runs": 2}


def test_doubts_tell_the_warnings_and_not_each_run() -> None:
    files = {f"c/{number}.txt": Output(pages=number).text() for number in (8, 16, 32)}
    found = Study(files).query("select kind, text from finding")
    reported = [row["text"] for row in found if "too short" in row["text"]]
    assert len(reported) == 1
    assert reported[0].startswith("3 of 3 runs of the HADR simulator in `c`: ")
    assert not {"doubtful_measurement", "no_reference"} & {row["kind"] for row in found}


@pytest.mark.parametrize(("options", "is_told"), [("", True), ("-sockSndBuf 2048 -sockRcvBuf 2048", False)])
def test_a_model_that_misses_is_reported_unless_the_window_explains_it(options: str, is_told: bool) -> None:  # noqa: FBT001 - a table of cases
    # by the model a flush takes 131072 / 110e6 + 0.0001 = 1.29 ms; here it takes 2 ms
    slow = replace(SOUND, flushes=10_000, options=options)
    study = Study({"c/a.txt": slow.text()}, toml("network_mb_s = 110, round_trip_s = 0.0001"))
    reported = {row["warning"] for row in study.query("select warning from hadr_warning")}
    assert ("model_missed" in reported) == is_told
