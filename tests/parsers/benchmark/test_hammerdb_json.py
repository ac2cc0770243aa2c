from parsers.benchmark.hammerdb import FORMAT
from parsers.benchmark.hammerdb_json import read_json
from tests.support.measured import points, values, verdicts
from tests.support.message_lines import numbered

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
