import polars as pl
import pytest

from parsers.benchmark.benchmarksql import parse, recognise
from parsers.format import Recognition
from tests.support.measured import points, values, verdicts
from tests.support.message_lines import numbered

# REAL
TAIL = [
    "Term-00, Running Average tpmTOTAL: 98607.17    Current tpmTOTAL: 1306284    Memory Usage: 66MB / 1550MB",
    "11:38:09,553 [Thread-7] INFO   jTPCC : Term-00,",
    "11:38:09,554 [Thread-7] INFO   jTPCC : Term-00, Measured tpmC (NewOrders) = 44511.25",
    "11:38:09,554 [Thread-7] INFO   jTPCC : Term-00, Measured tpmTOTAL = 98585.38",
    "11:38:09,554 [Thread-7] INFO   jTPCC : Term-00, Session Start     = 2025-03-18 11:36:09",
    "11:38:09,554 [Thread-7] INFO   jTPCC : Term-00, Session End       = 2025-03-18 11:38:09",
    "11:38:09,554 [Thread-7] INFO   jTPCC : Term-00, Transaction Count = 197224",
]
# RECONSTRUCTED
HEAD = ["Term-00, warehouses=4", "Term-00, terminals=10", "Term-00, runMins=2"]


def test_figures_have_the_session() -> None:
    parsed = parse(numbered(TAIL))
    assert values(parsed, "line_no", "metric", "unit", "value", "duration_s") == [
        (3, "tpmC", "1/min", 44511.25, 120),
        (4, "tpmTOTAL", "1/min", 98585.38, 120),
        (7, "transactions", "count", 197224, 120),
    ]
    assert {str(stamp) for (stamp,) in values(parsed, "stamp")} == {"2025-03-18 11:36:09"}
    assert verdicts(parsed) == "iiPPiiP"


def test_settings_give_load_and_efficiency() -> None:
    # 50 % of 12.86 tpmC per warehouse
    parsed = parse(numbered([*HEAD, "Term-00, Measured tpmC (NewOrders) = 25.72"]))
    assert values(parsed, "metric", "value", "clients") == [
        ("tpmC", 25.72, 10),
        ("tpmC_efficiency", pytest.approx(50), 10),
    ]


def test_text_glued_to_progress_is_found() -> None:
    glued = "Term-00, Running Average tpmTOTAL: 1.5    Memory Usage: 6MB / 9MB          09:12:03,5 INFO " + TAIL[2][13:]
    assert values(parse(numbered([glued]))) == [("tpmC", 44511.25)]


@pytest.mark.parametrize(
    ("line", "metric"),
    [
        ("Term-00, Measured tpmE (ErrorCount) = 1.25", "tpmE"),
        ("Term-00, Transaction Error = 4", "failed"),
        ("Term-00, Transaction NewOrders = 7", "new_orders"),
    ],
)
def test_keys_of_forks(line: str, metric: str) -> None:
    ((found, _),) = values(parse(numbered([line])))
    assert found == metric


def test_runs_of_one_log_are_numbered() -> None:
    for lines in (TAIL * 2, [*HEAD, *TAIL, *HEAD, *TAIL]):
        assert [
            number for metric, number in values(parse(numbered(lines)), "metric", "summary_no") if metric == "tpmC"
        ] == [1, 2]


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("Term-00, Measured tpmTOTAL = fast", "R"),
        ("Term-00, Session Start = 2025-02-30 11:36:09", "R"),
        ("Term-00, Fancy Key = 5", "i"),
        ("jTPCC : +-----+", "i"),
        ("junk", "R"),
    ],
)
def test_other_lines(line: str, verdict: str) -> None:
    parsed = parse(numbered([line]))
    assert verdicts(parsed) == verdict
    assert parsed.tables == {}


def test_result_file_and_log_keep_their_order() -> None:
    parsed = parse(numbered([TAIL[2], "1,1043,12,11,NEW_ORDER,0,0,0", "junk", "1,1050,14,11,PAYMENT,0,0,0"]))
    assert verdicts(parsed) == "PPRc"
    assert ("tps", 2) in points(parsed)


def test_recognition() -> None:
    for texts in (TAIL, HEAD, ["run,elapsed,latency,dblatency,ttype,rbk,dskipped,error"]):
        assert isinstance(recognise(pl.Series(texts)), Recognition)
    assert not isinstance(recognise(pl.Series(["Term-00 is a terminal", "run,elapsed"])), Recognition)
