"""Disk and sleep tests of the HADR simulator, from lines that it printed: REAL, with the corpus's names of them."""

from typing import Any

import pytest

from parsers.format import Verdict, formats
from parsers.hadr_tools.simhadr_disk import FORMAT
from parsers.hadr_tools.tables import HADR_BUCKET, HADR_DISTRIBUTION, HADR_FIGURE, SIMHADR_RUN
from tests.support.configuration_lines import confidence, verdicts
from tests.support.message_lines import numbered
from tests.support.simhadr_output import Output, disk_test

WRITE = """\
+ simhadr -write testFile -flushSize 64 -t 2\x20

Measured sleep overhead: 0.001110 second, using spin time 0.001332 second.
use file system cache = false
write behind caching = false

Writing to file testFile
Press Ctrl-C to stop.

Total 2111 writes in 2.000049 seconds, 0.000947 sec/write, 64 pages/write

Total 553.385984 MBytes written in 2.000049 seconds. 276.686213 MBytes/sec

Distribution of write time (unit is microsecond):
Total 2111 numbers, Sum 2000049, Min 183, Max 13741, Avg 947
From 128 to 255                  406 numbers
From 256 to 511                 1053 numbers
From 512 to 1023                 277 numbers
From 1024 to 2047                137 numbers
From 2048 to 4095                121 numbers
From 4096 to 8191                 91 numbers
From 8192 to 16383                26 numbers
""".splitlines()  # gen_write_fs64.txt; the command ends in a blank, as simhadr prints it

VERBOSE = """\
bytesPerFlush=65536, bytesWritten=65536
bytesPerFlush=65536, bytesWritten=65536
bytesPerFlush=65536, bytesWritten=65536
+ simhadr -write testFile -flushSize 16 -verbose -n 3\x20

Measured sleep overhead: 0.000224 second, using spin time 0.000268 second.
use file system cache = false
write behind caching = false

Writing to file testFile
Press Ctrl-C to stop.
Writing 16 pages
Writing 16 pages
Writing 16 pages

Total 3 writes in 0.018666 seconds, 0.006222 sec/write, 16 pages/write

Total 0.196608 MBytes written in 0.018666 seconds. 10.532948 MBytes/sec

Distribution of write time (unit is microsecond):
Total 3 numbers, Sum 18666, Min 1891, Max 14149, Avg 6222
Exactly       2626           1 numbers
Exactly       1891           1 numbers
Exactly      14149           1 numbers
""".splitlines()  # gen_write_verbose_n3_merged_stderr.txt

SLEEP = """\
+ simhadr -testSleep 0.001\x20

Measured sleep overhead: 0.000070 second, using spin time 0.000084 second.
Using spin time 0.000084 second to compensate for sleep overhead.
Requested sleep 0.001000 second, actual 0.001017 second
""".splitlines()  # gen_testsleep_0.001.txt

Row = dict[str, Any]  # rows have values of many types


def rows(texts: list[str], table: str) -> list[Row]:
    frame = FORMAT.parse(numbered(texts)).tables.get(table)
    return [] if frame is None else frame.to_dicts()


def figures(texts: list[str]) -> dict[str, float]:
    return {row["name"]: row["value"] for row in rows(texts, HADR_FIGURE.name)}


def test_a_test_of_the_disk() -> None:
    (run,) = rows(WRITE, SIMHADR_RUN.name)
    assert (run["role"], run["status"], run["error"]) == ("write", "complete", None)
    assert (run["test_file"], run["is_cached"], run["asked_pages"], run["asked_s"]) == ("testFile", False, 64, 2)
    found = figures(WRITE)
    assert (found["calls"], found["seconds"], found["pages"]) == (2111, 2.000049, 64)
    assert (found["mbytes"], found["mb_s"]) == (553.385984, 276.686213)
    assert set(verdicts(FORMAT, *WRITE)) <= {Verdict.PARSED, Verdict.CONTINUATION, Verdict.BLANK}


def test_times_of_writes_are_counted_in_ranges() -> None:
    (distribution,) = rows(WRITE, HADR_DISTRIBUTION.name)
    assert (distribution["metric"], distribution["unit"], distribution["n"]) == ("write time", "microsecond", 2111)
    buckets = rows(WRITE, HADR_BUCKET.name)
    assert [(row["lo"], row["hi"]) for row in buckets] == [(2**k, 2 ** (k + 1) - 1) for k in range(7, 14)]
    assert sum(row["count"] for row in buckets) == 2111
    assert not any(row["exact"] for row in buckets)


def test_errors_of_the_same_file_may_come_before_the_command() -> None:
    (run,) = rows(VERBOSE, SIMHADR_RUN.name)
    assert (run["is_verbose"], run["asked_flushes"], run["status"]) == (True, 3, "complete")
    assert [(row["lo"], row["count"], row["exact"]) for row in rows(VERBOSE, HADR_BUCKET.name)] == [
        (2626, 1, True),
        (1891, 1, True),
        (14149, 1, True),
    ]
    traces = [
        text for text, verdict in zip(VERBOSE, verdicts(FORMAT, *VERBOSE), strict=True) if verdict == Verdict.IGNORED
    ]
    assert set(traces) == {"Writing 16 pages"}
    assert Verdict.REJECTED not in verdicts(FORMAT, *VERBOSE)


def test_a_test_of_sleeping() -> None:
    (run,) = rows(SLEEP, SIMHADR_RUN.name)
    assert (run["role"], run["status"]) == ("test_sleep", "complete")
    found = figures(SLEEP)
    assert (found["sleep_requested_s"], found["sleep_actual_s"]) == (0.001, 0.001017)


@pytest.mark.parametrize(
    ("command", "role"),
    [
        ("+ simhadr -read testFile -flushSize 1 -t 2 ", "read"),
        ("+ simhadr -write testFile ", "write"),
        ("+ simhadr -testDisk /db2log -flushSize 32 ", "test_disk"),  # 2008; taken from IBM's text, no output is known
    ],
)
def test_the_option_shows_the_kind(command: str, role: str) -> None:
    assert confidence(FORMAT, command) > 0.9
    assert [row["role"] for row in rows([command], SIMHADR_RUN.name)] == [role]


def test_a_published_excerpt_has_no_command() -> None:
    # REAL, IBM's page on tuning: found_v2.1_write_fs1_excerpt.txt
    texts = [
        "Total 9409 writes in 4.000160 seconds, 0.000425 sec/write, 1 pages/write",
        "",
        "Total 38.539264 MBytes written in 4.000160 seconds. 9.634431 MBytes/sec",
    ]
    assert confidence(FORMAT, *texts) > 0.9
    (run,) = rows(texts, SIMHADR_RUN.name)
    assert (run["role"], run["command"], run["test_file"]) == ("write", None, None)
    assert figures(texts)["calls"] == 9409


def test_several_tests_in_one_file_are_several_runs() -> None:
    texts = [*WRITE, *SLEEP, *disk_test("read", 1, 2493, 0.186893).splitlines()]
    assert [(row["run_no"], row["role"]) for row in rows(texts, SIMHADR_RUN.name)] == [
        (1, "write"),
        (2, "test_sleep"),
        (3, "read"),
    ]


@pytest.mark.parametrize(
    "texts",
    [
        Output().lines(),
        [*WRITE, *Output().lines()],
        ["write speed 276 MB/s"],
        ["1024 bytes (1.0 kB) copied, 0.0002 s, 5.1 MB/s"],
        [],
    ],
    ids=["run over the network", "beside such a run", "words", "dd", "nothing"],
)
def test_other_files_are_left_to_others(texts: list[str]) -> None:
    assert confidence(FORMAT, *texts) == 0


@pytest.mark.parametrize("texts", [WRITE, VERBOSE, SLEEP], ids=["write", "verbose", "sleep"])
def test_no_other_format_claims_them(texts: list[str]) -> None:
    assert [name for name, each in formats().items() if confidence(each, *texts)] == [FORMAT.name]
