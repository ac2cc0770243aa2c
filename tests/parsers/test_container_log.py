import json
from datetime import datetime

import pytest

from parsers.container_log import FORMAT
from tests.parsers.message_lines import claimed_by, reasons, row

at = datetime.fromisoformat


def docker(log: str, time: str = "2025-01-02T10:27:10.123456789Z") -> str:
    return json.dumps({"log": log, "stream": "stderr", "time": time}, separators=(",", ":"))


OUTER = {"has_year": True, "stamp": at("2025-01-02T10:27:10.123456"), "utc_offset_min": 0}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            docker("waiting for the server to start\n"),
            {**OUTER, "framing": "json", "text": "waiting for the server to start"},
            id="no head: the wrapper's time",
        ),
        pytest.param(
            docker("2025-01-02 10:27:09.130 UTC [12] LOG:  redo starts at 0/3\n"),
            {
                "framing": "postgresql",
                "stamp": at("2025-01-02T10:27:09.130"),
                "has_year": True,
                "utc_offset_min": 0,
                "tag": "postgres",
                "pid": 12,
                "level": "info",
                "text": "redo starts at 0/3",
            },
            id="a head: its own time",
        ),
        pytest.param(
            docker("Dec 31 23:59:59 n1 cron[77]: x\n"),
            {
                "framing": "bsd",
                "stamp": at("2024-12-31T23:59:59"),
                "has_year": True,
                "host": "n1",
                "tag": "cron",
                "pid": 77,
                "text": "x",
            },
            id="no year: the wrapper's, or the one before",
        ),
        pytest.param(
            '{"@timestamp": "2025-01-02T10:27:10.123Z", "host": "n1", "message": "a \\"b\\"\\nc"}',
            {**OUTER, "framing": "json", "stamp": at("2025-01-02T10:27:10.123"), "host": "n1", "text": 'a "b"\nc'},
            id="several lines, host of the wrapper",
        ),
        pytest.param('{"message": "a"}', {"framing": "json", "text": "a"}, id="no time at all"),
        pytest.param(
            "2016-10-06T00:17:09.669794202Z stdout F The content of the log entry 1",
            {
                "framing": "cri",
                "stamp": at("2016-10-06T00:17:09.669794"),
                "has_year": True,
                "utc_offset_min": 0,
                "text": "The content of the log entry 1",
            },
            id="REAL: Kubernetes",
        ),
    ],
)
def test_line(line: str, expected: dict[str, object]) -> None:
    assert row(FORMAT, line) == expected
    assert claimed_by([line]) == "container_log"


def test_broken_json_is_rejected() -> None:
    assert reasons(FORMAT, r'{"log":"a\q","time":"x"}', '{"log":"a') == [
        "JSON that cannot be read",
        "no head of a log line",
    ]


def test_other_json_is_not_a_log() -> None:
    assert claimed_by(['{"mean": 1.5, "name": "x"}'] * 3) is None
