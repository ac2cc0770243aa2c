import re

import polars as pl
import pytest

from parsers.benchmark.pgbench import parse, recognise
from parsers.format import Recognition
from tests.support.measured import points, values, verdicts
from tests.support.message_lines import numbered

# REAL, shortened: pgbench 15.18, run 1 of synchronous_commit = on
SUMMARY = [
    "pgbench (15.18 (Debian 15.18-0+deb12u1))",
    "starting vacuum...end.",
    "progress: 6.0 s, 2586.3 tps, lat 1.921 ms stddev 1.488, 0 failed",
    "progress: 12.0 s, 2372.6 tps, lat 2.104 ms stddev 2.123, 0 failed",
    "transaction type: <builtin: TPC-B (sort of)>",
    "scaling factor: 10",
    "query mode: simple",
    "number of clients: 5",
    "number of threads: 2",
    "maximum number of tries: 1",
    "duration: 12 s",
    "number of transactions actually processed: 28791",
    "number of failed transactions: 0 (0.000%)",
    "latency average = 2.081 ms",
    "latency stddev = 1.979 ms",
    "initial connection time = 7.564 ms",
    "tps = 2398.356013 (without initial connection time)",
    "statement latencies in milliseconds and failures:",
    "         0.111           0  BEGIN;",
]


def test_summary_gives_its_numbers_with_load_and_length() -> None:
    parsed = parse(numbered(SUMMARY))
    assert values(parsed, "line_no", "metric", "unit", "value") == [
        (12, "transactions", "count", 28791),
        (13, "failed", "count", 0),
        (14, "latency_avg_ms", "ms", 2.081),
        (15, "latency_stddev_ms", "ms", 1.979),
        (16, "initial_connection_ms", "ms", 7.564),
        (17, "tps", "1/s", 2398.356013),
    ]
    assert set(values(parsed, "summary_no", "clients", "duration_s", "is_valid", "doubt")) == {(1, 5, 12, True, None)}
    assert verdicts(parsed) == "iiPP" + "P" * 13 + "cc"


def test_settings_are_parameters() -> None:
    settings = parse(numbered(SUMMARY)).tables["parameter_value"]
    assert dict(settings.select("name", "value").rows())["transaction type"] == "<builtin: TPC-B (sort of)>"
    assert settings["scope"].unique().to_list() == ["pgbench"]


@pytest.mark.parametrize(
    ("line", "metric", "value"),
    [
        # REAL, 14 on
        ("tps = 2286.433571 (without initial connection time)", "tps", 2286.433571),
        # REAL, up to 13
        ("tps = 85.184871 (including connections establishing)", "tps_including_connections", 85.184871),
        ("tps = 85.296346 (excluding connections establishing)", "tps", 85.296346),
        # with -C, from the source of pgbench
        ("tps = 512.5 (including reconnection times)", "tps", 512.5),
        ("average connection time = 1.9 ms", "connection_avg_ms", 1.9),
        ("latency average: 1.172 ms", "latency_avg_ms", 1.172),
        ("number of transactions actually processed: 10000/10000", "transactions", 10000),
        ("number of transactions retried: 7 (0.1%)", "retried", 7),
        ("total number of retries: 9", "retries", 9),
        ("number of transactions skipped: 4 (0.040%)", "skipped", 4),
        ("number of transactions above the 10.0 ms latency limit: 12/345 (3.478%)", "above_latency_limit", 12),
    ],
)
def test_wording_of_every_version(line: str, metric: str, value: float) -> None:
    assert values(parse(numbered([line]))) == [(metric, value)]


def test_lag_of_a_limited_rate_is_two_numbers_of_one_line() -> None:
    parsed = parse(numbered(["rate limit schedule lag: avg 1.512 (max 36.201) ms"]))
    assert values(parsed, "part", "metric", "value") == [
        (1, "schedule_lag_avg_ms", 1.512),
        (2, "schedule_lag_max_ms", 36.201),
    ]


def replaced(old: str, new: str) -> list[str]:
    return [re.sub(old, new, line) for line in SUMMARY]


@pytest.mark.parametrize(
    ("lines", "doubt"),
    [
        # REAL: the server was killed
        pytest.param(
            [
                *SUMMARY[:4],
                "pgbench: error: client 0 aborted in command 5 (SQL) of script 0; perhaps the backend died",
                *SUMMARY[4:],
            ],
            "clients aborted",
            id="a client aborted",
        ),
        pytest.param(
            [*SUMMARY, "pgbench: error: Run was aborted; the above results are incomplete."],
            "clients aborted",
            id="run",
        ),
        pytest.param([SUMMARY[1], "client 3 aborted in state 8", *SUMMARY[2:]], "clients aborted", id="up to 11"),
        pytest.param(replaced("duration: 12 s", "duration: 30 s"), "progress ends at 12.0 s of 30.0 s", id="progress"),
        pytest.param(
            [line for line in replaced("duration: 12", "duration: 30") if not line.startswith("progress")],
            "transactions were counted over 12.0 s of 30.0 s",
            id="without progress",
        ),
    ],
)
def test_run_that_ended_early_is_invalid(lines: list[str], doubt: str) -> None:
    line_verdicts = set(values(parse(numbered(lines)), "is_valid", "doubt"))
    assert len(line_verdicts) == 1
    is_valid, reason = line_verdicts.pop()
    assert not is_valid
    assert str(reason).startswith(doubt)


def test_failed_transactions_are_a_doubt_and_no_reason_to_leave_a_run_out() -> None:
    parsed = parse(numbered(replaced("failed transactions: 0", "failed transactions: 3")))
    assert set(values(parsed, "is_valid", "doubt")) == {(True, "3 transactions failed")}


def test_more_failed_transactions_than_an_integer_holds_are_a_doubt_without_their_number() -> None:
    parsed = parse(numbered(replaced("failed transactions: 0", f"failed transactions: {'9' * 25}")))
    assert set(values(parsed, "is_valid", "doubt")) == {(True, "transactions failed")}


def test_last_progress_line_that_is_missing_is_no_early_end() -> None:
    assert set(values(parse(numbered([*SUMMARY[:3], *SUMMARY[4:]])), "is_valid")) == {(True,)}


def test_summaries_of_one_file_are_numbered_and_classified_each_alone() -> None:
    aborted = [*SUMMARY, "pgbench: error: Run was aborted; the above results are incomplete."]
    parsed = parse(numbered(SUMMARY[2:] + aborted + SUMMARY))
    assert values(parsed, "metric", "summary_no", "is_valid")[5::6] == [
        ("tps", 1, True),
        ("tps", 2, False),
        ("tps", 3, True),
    ]
    assert {row[0] for row in points(parsed, "summary_no")} == {1, 2, 3}


def test_log_of_transactions_goes_beside_a_summary_in_another_file() -> None:
    parsed = parse(numbered(SUMMARY, ["0 1 7635 0 1795228530 178218", "1 1 10187 0 1795228530 180788"]))
    assert points(parsed, "file_id", "metric", "value")[-2:] == [(1, "tps", 2), (1, "latency_avg_ms", 8.911)]


def test_totals_of_a_script_and_words_about_a_lost_server_are_read() -> None:
    # REAL: pgbench 15.18 with two scripts and --max-tries, and one that found no server
    lines = [" - total number of retries: 0", "\tIs the server running on that host and accepting TCP/IP connections?"]
    assert verdicts(parse(numbered(lines))) == "ci"


@pytest.mark.parametrize("line", ["junk", "tps = fast", "progress: x s", "1 2 3"])
def test_other_line_is_rejected(line: str) -> None:
    assert verdicts(parse(numbered([line]))) == "R"


@pytest.mark.parametrize("texts", [SUMMARY, SUMMARY[2:4], ["0 1 7635 0 1795228530 178218"]])
def test_own_files_are_recognised(texts: list[str]) -> None:
    found = recognise(pl.Series(texts))
    assert isinstance(found, Recognition)
    assert found.confidence > 0.9


@pytest.mark.parametrize("texts", [["junk"], ["scaling factor: 10"], ["1 2 3 4"], ["1795228533 1002"]])
def test_other_files_are_not(texts: list[str]) -> None:
    assert not isinstance(recognise(pl.Series(texts)), Recognition)
