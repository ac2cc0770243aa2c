from datetime import datetime

import polars as pl

from parsers.chaos.jepsen_log import parse, recognise
from parsers.format import Parsed, Recognition
from tests.support.measured import verdicts
from tests.support.message_lines import numbered

# REAL: a public store of a test of MongoDB, most lines left out
STORE = [
    "2020-02-29 22:14:12,512{GMT}\tINFO\t[jepsen test runner] jepsen.core: Running test:",
    " {:read-concern :linearizable,",
    " :start-time",
    ' #object[org.joda.time.DateTime 0x1a1cc163 "2020-02-29T22:14:12.000+08:00"],',
    "2020-02-29 22:14:30,781{GMT}\tINFO\t[jepsen worker nemesis] jepsen.util: :nemesis\t:info\t:isolate\tnil",
    "2020-02-29 22:14:31,631{GMT}\tINFO\t[jepsen worker nemesis] jepsen.util: :nemesis\t:info\t:isolate\t:done",
]
# REAL: standard output of a test of Stolon
OUTPUT = [
    "INFO [2020-06-02 15:33:51,617] jepsen test runner - jepsen.core Relative time begins now",
    "INFO [2020-06-02 15:33:51,841] jepsen worker nemesis - jepsen.util :nemesis\t:info\t:start-partition\t:primaries",
    "INFO [2020-06-02 15:33:51,841] jepsen worker 1 - jepsen.util 1\t:invoke\t:txn\t[[:r 8 nil]]",
    "INFO [2020-06-02 15:33:51,862] jepsen worker 1 - jepsen.util 1\t:info\t:txn\t[[:r 8 nil]]\t:timeout",
]


def operations(parsed: Parsed) -> list[tuple[object, ...]]:
    columns = ("line_no", "process", "type", "f", "value", "error")
    return parsed.tables["logged_operation"].select(columns).rows()


def test_operations_of_a_store_and_the_zone_of_its_start() -> None:
    parsed = parse(numbered(STORE))
    assert operations(parsed) == [
        (4, None, "start_time", None, None, None),
        (5, "nemesis", "info", "isolate", "nil", None),
        (6, "nemesis", "info", "isolate", ":done", None),
    ]
    stamps = parsed.tables["logged_operation"].select("stamp", "utc_offset_min").rows()
    assert stamps[0] == (datetime(2020, 2, 29, 22, 14, 12), 480)  # noqa: DTZ001  a wall clock
    assert [offset for _, offset in stamps[1:]] == [None, None]
    assert verdicts(parsed) == "PccPPP"


def test_start_time_in_utc_shows_the_zone_of_the_head_above() -> None:
    start = ' #object[org.joda.time.DateTime "0x1a1" "2020-06-02T19:32:44.000Z"]'
    parsed = parse(numbered(["INFO [2020-06-02 15:32:44,977] main - jepsen.core Running test:", start]))
    rows = parsed.tables["logged_operation"].select("stamp", "utc_offset_min").rows()
    assert rows == [(datetime(2020, 6, 2, 15, 32, 44), -240)]  # noqa: DTZ001  a wall clock
    without_head = parse(numbered([start, OUTPUT[0]]))
    assert (verdicts(without_head), [row[2] for row in operations(without_head)]) == ("RP", ["begin"])


def test_operations_of_standard_output() -> None:
    assert operations(parse(numbered(OUTPUT))) == [
        (1, None, "begin", None, None, None),
        (2, "nemesis", "info", "start-partition", ":primaries", None),
        (3, "1", "invoke", "txn", None, None),
        (4, "1", "info", "txn", None, ":timeout"),
    ]


def test_recognised_by_a_head_of_its_own() -> None:
    # REAL: behind the head of another program
    wrapped = (
        "< t:2023-10-08 18:08:39,971 f:base.py         l:228  c:RemoteLibSSH2CmdRunner p:DEBUG > "
        "INFO [2023-10-08 18:08:39,970] jepsen worker nemesis - jepsen.util :nemesis\t:info\t:pause\t:majority"
    )
    other = "INFO [2023-10-08 18:08:39,970] main - com.example.App reads jepsen.log"
    heads: tuple[list[str], ...] = (STORE, OUTPUT, [wrapped], [other], [])
    found = [isinstance(recognise(pl.Series(each, dtype=pl.String)), Recognition) for each in heads]
    assert found == [True, True, True, False, False]
    assert parse(numbered([wrapped])).tables["logged_operation"]["stamp"].to_list() == [
        datetime(2023, 10, 8, 18, 8, 39, 970_000)  # noqa: DTZ001  a wall clock
    ]
