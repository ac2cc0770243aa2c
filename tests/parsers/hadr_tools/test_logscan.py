from typing import Any

import pytest

from parsers.format import Verdict
from parsers.hadr_tools import calculator, db2logscan
from parsers.hadr_tools.db2logscan import parse
from tests.support.configuration_lines import confidence
from tests.support.logscan_lines import CALCULATOR, CATCHUP, GAP, HEAD, INTERVAL, SYNC
from tests.support.message_lines import numbered


def test_a_scan_is_recognised_by_its_intervals() -> None:
    assert confidence(db2logscan.FORMAT, *HEAD, INTERVAL) > 0.9
    assert confidence(db2logscan.FORMAT, *HEAD) == 0
    assert confidence(db2logscan.FORMAT) == 0


def test_predictions_make_it_a_calculation() -> None:
    assert confidence(db2logscan.FORMAT, INTERVAL, SYNC) == 0


Row = dict[str, Any]  # rows have values of many types


def rows(table: str, *texts: str) -> list[Row]:
    frame = parse(numbered(texts)).tables.get(table)
    return [] if frame is None else frame.to_dicts()


def verdicts(*texts: str) -> list[Verdict]:
    return [Verdict(each) for each in parse(numbered(texts)).lines["verdict"]]


def test_interval() -> None:
    (row,) = rows("logscan_interval", INTERVAL)
    assert row["stamp"].isoformat() == "2013-02-26T15:32:09"
    assert (row["has_year"], row["utc_offset_min"]) == (True, None)
    names = ("mb_s", "interval_s", "pages_per_flush", "sec_per_flush", "pages_per_transaction", "sec_per_transaction")
    assert [row[name] for name in names] == [7.307, 60, 17.6, 0.009435, 15.9, 0.186589]
    assert (row["sec_per_commit"], row["open_transactions"], row["is_after_gap"]) == (0.00858, 22.7, False)


def test_interval_after_missing_extents_is_marked() -> None:
    found = rows("logscan_interval", INTERVAL, GAP, INTERVAL, INTERVAL)
    assert [row["is_after_gap"] for row in found] == [False, True, False]


def test_impossible_date_is_rejected() -> None:
    assert verdicts(INTERVAL.replace("02-26", "02-30")) == [Verdict.REJECTED]


def test_prediction_has_the_time_of_its_interval() -> None:
    (row,) = rows("hadrcalc_prediction", *CALCULATOR, INTERVAL, SYNC)
    assert row["stamp"].isoformat() == "2013-02-26T15:32:09"
    assert (row["mode"], row["marker"]) == ("SYNC", "???")
    assert [row[f"target_{name}"] for name in ("mb_s", "pages", "sec_per_flush")] == [5.484, 360, 0.257087]
    assert [row[f"min_{name}"] for name in ("mb_s", "pages", "sec_per_flush")] == [0.627, 17, 0.109563]


@pytest.mark.parametrize(("marker", "expected"), [("   ", None), ("?  ", "?"), ("?? ", "??"), ("???", "???")])
def test_marker(marker: str, expected: str | None) -> None:
    (row,) = rows("hadrcalc_prediction", SYNC.replace("???", marker, 1))
    assert row["marker"] == expected


def test_catchup_is_of_the_whole_scan() -> None:
    (row,) = rows("hadrcalc_prediction", INTERVAL, CATCHUP)
    assert (row["mode"], row["stamp"], row["min_mb_s"]) == ("REMOTE CATCHUP", None, None)


def test_numbers_about_the_scan() -> None:
    found = rows(
        "hadr_figure",
        *CALCULATOR,
        "transTable: nOpenTran=48 openTranSize=5910673 nBuckets=1024 nAdds=166489 nCollisions=1243 collisionRate=0%",
        "3906.125 MB scanned in 5.300 seconds, scanning rate 736.941 MB/second",
        "Average rate         4.096 MB/s",
        "SYNC       Max flush size: predicted 360 pages, workload max 1126 pages",
    )
    figures = {(row["label"], row["name"]): row["value"] for row in found}
    assert figures[None, "network_mb_s"] == 10
    assert figures[None, "round_trip_s"] == 0.1
    assert figures[None, "disk_overhead_s"] == 0.001
    assert figures[None, "openTranSize"] == 5910673
    assert figures[None, "scan_mb_s"] == 736.941
    assert figures[None, "average_mb_s"] == 4.096
    assert figures["SYNC", "workload_max_pages"] == 1126


def test_calculations_in_one_file_are_counted() -> None:
    echoed = [*CALCULATOR, *HEAD, INTERVAL, SYNC]
    assert [row["run_no"] for row in rows("hadrcalc_prediction", *echoed, *echoed)] == [1, 2]


def test_verdicts() -> None:
    texts = [
        *HEAD,
        INTERVAL,
        "actual           7.307 MB/s@  17 pg/f 0.009435 s/f",
        "",
        "...",
        "something else",
        SYNC[:40],
    ]
    ignored, parsed, rejected = Verdict.IGNORED, Verdict.PARSED, Verdict.REJECTED
    assert verdicts(*texts) == [
        ignored,
        ignored,
        parsed,
        Verdict.CONTINUATION,
        Verdict.BLANK,
        ignored,
        rejected,
        rejected,
    ]


def test_a_calculation_is_recognised_by_its_name_or_a_prediction() -> None:
    for texts in ((INTERVAL, SYNC), (CATCHUP,), tuple(CALCULATOR)):
        assert confidence(calculator.FORMAT, *texts) > 0.9
    assert confidence(calculator.FORMAT, INTERVAL) == 0
    assert confidence(calculator.FORMAT) == 0


def test_it_reads_what_it_echoes() -> None:
    assert calculator.FORMAT.parse is parse
