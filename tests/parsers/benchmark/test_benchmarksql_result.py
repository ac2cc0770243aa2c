from parsers.benchmark.benchmarksql import parse
from parsers.benchmark.benchmarksql_result import result_points
from tests.support.measured import numbered, points, verdicts

# RECONSTRUCTED from the header
LINES = [
    "run,elapsed,latency,dblatency,ttype,rbk,dskipped,error",
    "57,12,11,10,NEW_ORDER,0,0,0",
    "57,512,9,8,PAYMENT,0,0,0",
    "57,1043,12,11,NEW_ORDER,1,0,0",
    "57,1050,40,11,NEW_ORDER,0,0,1",
    "57,990,5,4,NEW_ORDER,0,0,0",
]


def test_second_is_one_point_and_a_late_line_a_part_of_it() -> None:
    parsed = parse(numbered(LINES))
    assert points(parsed, "line_no", "offset_s", "metric", "value", "weight") == [
        (2, 0, "tps", 2, 2),
        (2, 0, "tpmC", 60, 2),
        (2, 0, "latency_avg_ms", 10, 2),
        (4, 1, "tps", 1, 1),
        (4, 1, "tpmC", 0, 1),
        (4, 1, "latency_avg_ms", 12, 1),
        (4, 1, "failed", 1, 1),
        (6, 0, "tps", 1, 1),
        (6, 0, "tpmC", 60, 1),
        (6, 0, "latency_avg_ms", 5, 1),
    ]
    assert verdicts(parsed) == "iPcPcP"


def test_other_lines_are_no_transactions() -> None:
    assert result_points(numbered(["57,x,11,10,NEW_ORDER,0,0,0", "57,12"])).is_empty()
