import polars as pl
import pytest

from parsers.benchmark.hammerdb import FORMAT, recognise
from parsers.benchmark.hammerdb_json import read_json
from parsers.format import Recognition
from tests.support.measured import points, values, verdicts
from tests.support.message_lines import numbered

# REAL, shortened
CONSOLE = [
    "hammerdb>vurun",
    "Vuser 1:RUNNING",
    "0 MariaDB tpm",
    "Vuser 1:Beginning rampup time of 2 minutes",
    "185196 MariaDB tpm",
    "309240 MariaDB tpm",
    "Vuser 1:Timing test period of 5 in minutes",
    "Vuser 1:1  ...,",
    "Vuser 1:24 Active Virtual Users configured",
    "Vuser 1:TEST RESULT : System achieved 128176 NOPM from 298394 MariaDB TPM",
    "Vuser 9:FINISHED SUCCESS",
]


def test_result_is_two_numbers_with_load_and_length() -> None:
    parsed = FORMAT.parse(numbered(CONSOLE))
    assert values(parsed, "line_no", "part", "metric", "unit", "value") == [
        (10, 1, "nopm", "1/min", 128176),
        (10, 2, "tpm", "1/min", 298394),
    ]
    assert set(values(parsed, "summary_no", "clients", "duration_s", "is_valid", "doubt")) == {(1, 24, 300, True, None)}
    assert verdicts(parsed) == "iiiiPPiiiPi"


def test_samples_of_the_console_are_ten_seconds_apart_after_the_first_of_0() -> None:
    assert points(FORMAT.parse(numbered(CONSOLE)), "offset_s", "interval_s", "value") == [
        (10, 10, 185196),
        (20, 10, 309240),
    ]
    assert points(FORMAT.parse(numbered(CONSOLE[4:])), "offset_s", "value") == [(10, 185196), (20, 309240)]


def test_log_of_the_counter_has_wall_clock() -> None:
    # REAL
    lines = [
        "Hammerdb Transaction Counter Log @ Mon Apr 14 13:18:31 BST 2025",
        "+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+",
        "0 MSSQLServer tpm @ Mon Apr 14 13:18:34 BST 2025",
        "1630290 MSSQLServer tpm @ Mon Apr 14 13:18:44 BST 2025",
    ]
    parsed = FORMAT.parse(numbered(lines))
    ((stamp, *rest),) = points(parsed, "stamp", "utc_offset_min", "offset_s", "value")
    assert (str(stamp), rest) == ("2025-04-14 13:18:44", [None, None, 1630290])
    assert verdicts(parsed) == "iiiP"


@pytest.mark.parametrize(
    ("line", "clients"),
    [("Vuser 1:5 VU * 10 AC = 50 Active Sessions configured", 50), ("10 Active Virtual Users configured", 10)],
)
def test_load(line: str, clients: int) -> None:
    assert values(FORMAT.parse(numbered([line, CONSOLE[9]])), "clients") == [(clients,)] * 2


def test_older_wording_of_the_result() -> None:
    line = "Vuser 1:TEST RESULT : System achieved 6190 SQL Server TPM at 2602 NOPM"
    assert values(FORMAT.parse(numbered([line]))) == [("nopm", 2602), ("tpm", 6190)]


def test_results_appended_to_one_log_are_runs() -> None:
    parsed = FORMAT.parse(numbered(CONSOLE * 2))
    assert values(parsed, "metric", "summary_no")[::2] == [("nopm", 1), ("nopm", 2)]
    assert [number for (number,) in points(parsed, "summary_no")] == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("line", "is_valid", "doubt"),
    [
        # REAL
        ("Vuser 11:New Order Procedure Error set RAISEERROR for Details", True, "1 errors inside transactions"),
        ("Vuser 3:FINISHED FAILED", False, "1 virtual users failed"),
        ("Error in Virtual User 4: connection lost", False, "1 virtual users failed"),
    ],
)
def test_errors_of_the_result_are_reported(line: str, is_valid: bool, doubt: str) -> None:  # noqa: FBT001 - a table of cases
    assert set(values(FORMAT.parse(numbered([*CONSOLE, line])), "is_valid", "doubt")) == {(is_valid, doubt)}


def test_no_line_of_the_dictionary_is_kept() -> None:
    parsed = FORMAT.parse(numbered(["connection {", " pg_superuserpass    = tiger", "}"]))
    assert parsed.tables == {}
    assert verdicts(parsed) == "iii"


@pytest.mark.parametrize(
    ("texts", "is_own"),
    [
        (CONSOLE[:1], True),
        (CONSOLE[9:10], True),
        (["185196 MariaDB tpm"], True),
        (["the system achieved a lot"], False),
        (["Vuser"], False),
    ],
)
def test_recognition(texts: list[str], is_own: bool) -> None:  # noqa: FBT001 - a table of cases
    assert isinstance(recognise(pl.Series(texts)), Recognition) == is_own


def test_other_line_is_rejected() -> None:
    assert verdicts(FORMAT.parse(numbered(["It was a fine day."]))) == "R"


# RECONSTRUCTED from the manual
RESULT = [
    "[",
    '  "6388D3C85CFE03E273632373",',
    '  "2022-12-01 16:19:20",',
    '  "5 Active Virtual Users configured",',
    '  "TEST RESULT : System achieved 192869 NOPM from 443601 SQL Server TPM"',
    "]",
]
TIMING = [
    '{"NEWORD": {"calls": "87632", "min_ms": "1.2", "avg_ms": "3.4", "p95_ms": "7.5", "sd": "0.9"},',
    '"PAYMENT": {',
    '"avg_ms": "1.5"',
    "}}",
]
COUNTER = ['{"MariaDB tpm": {', '"2025-04-14 13:18:44": "1630290",', '"2025-04-14 13:18:54": "1562688"', "}}"]


def test_result_of_a_job() -> None:
    parsed = FORMAT.parse(numbered(RESULT))
    ((metric, value, clients, stamp), tpm) = values(parsed, "metric", "value", "clients", "stamp")
    assert (metric, value, clients, str(stamp)) == ("nopm", 192869, 5, "2022-12-01 16:19:20")
    assert tpm[1] == 443601
    assert verdicts(parsed) == "iiiiPi"


def test_result_on_one_line() -> None:
    assert values(FORMAT.parse(numbered(["".join(RESULT)])), "part", "value", "clients") == [
        (1, 192869, 5),
        (2, 443601, 5),
    ]


def test_timing_names_its_transaction() -> None:
    assert values(FORMAT.parse(numbered(TIMING)), "label", "metric", "value") == [
        ("NEWORD", "calls", 87632),
        ("NEWORD", "latency_min_ms", 1.2),
        ("NEWORD", "latency_avg_ms", 3.4),
        ("NEWORD", "latency_p95_ms", 7.5),
        ("NEWORD", "latency_stddev_ms", 0.9),
        ("PAYMENT", "latency_avg_ms", 1.5),
    ]


def test_samples_of_the_counter() -> None:
    found = points(FORMAT.parse(numbered(COUNTER)), "stamp", "metric", "value")
    assert [(str(stamp), metric, value) for stamp, metric, value in found] == [
        ("2025-04-14 13:18:44", "tpm", 1630290),
        ("2025-04-14 13:18:54", "tpm", 1562688),
    ]


def test_what_is_no_json_is_rejected() -> None:
    assert verdicts(FORMAT.parse(numbered(["{", "junk", '"2025-02-30 10:00:00"', "}"]))) == "iRii"
    assert len(list(read_json([]))) == 0
