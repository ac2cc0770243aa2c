import json
import re
from datetime import datetime

import pytest

from parsers.format import Verdict
from parsers.syslog.container_log import FORMAT
from tests.support.message_lines import claimed_by, reasons, row, rows, verdicts

at = datetime.fromisoformat


def docker(log: str) -> str:
    time = "2025-01-02T10:27:10.123456789Z"
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


def test_klog_and_logrus() -> None:
    # REAL
    klog = 'I0405 07:42:07.749214      11 node_lifecycle_controller.go:684] "Controller observed a Node deletion"'
    assert row(FORMAT, klog) == {
        "framing": "klog",
        "stamp": at("2000-04-05T07:42:07.749214"),
        "has_year": False,
        "level": "info",
        "pid": 11,
        "text": klog[30:],
    }
    logrus = r'time="2019-02-04T19:18:12Z" level="info" msg="Started \"proxy\"" name="a b"'
    assert row(FORMAT, logrus) == {
        "framing": "logrus",
        "stamp": at("2019-02-04T19:18:12"),
        "has_year": True,
        "utc_offset_min": 0,
        "level": "info",
        "text": 'Started "proxy" name="a b"',
    }
    assert claimed_by([f"  {klog}"] * 3) == claimed_by([klog]) == claimed_by([logrus]) == "container_log"


@pytest.mark.parametrize(
    ("text", "stamp", "offset"),
    [
        pytest.param("2024-02-09T10:57:00.558265Z 0 [Warning] a", "2024-02-09T10:57:00.558265", 0, id="with zone"),
        pytest.param("2024-02-09 12:57:00.558 a", "2024-02-09T12:57:00.558", 120, id="the zone that the wrapper shows"),
        pytest.param("2024/02/09 10:57:00 a", "2024-02-09T10:57:00.9", 0, id="coarser than the wrapper's"),
        pytest.param("at 2024-02-09 10:57:00.1", "2024-02-09T10:57:00.9", 0, id="not at the beginning"),
    ],
)
def test_time_that_a_text_begins_with(text: str, stamp: str, offset: int) -> None:
    found = row(FORMAT, f"2024-02-09T10:57:00.9Z stderr F {text}")
    assert (found["stamp"], found["utc_offset_min"], found["text"]) == (at(stamp), offset, text)


def test_wrapper_without_a_time() -> None:
    found = row(FORMAT, '{"log":"2024-02-09T10:57:00.558265Z 0 [Warning] a","file":"/b"}')
    assert (found["stamp"], found["utc_offset_min"]) == (at("2024-02-09T10:57:00.558265"), 0)


@pytest.mark.parametrize("traced", [0, 50, 150, 350])
def test_what_an_entrypoint_prints_first_does_not_hide_the_log(traced: int) -> None:
    said = ["+ set -e", "Initializing database", "+ exec mysqld"]
    lines = [said[number % 3] for number in range(traced)]
    wrapped = ['{"log":"2024-02-09T10:57:00.558265Z 0 [Note] a","file":"/b"}'] * 50
    assert claimed_by(lines + wrapped) == "container_log"
    assert claimed_by(lines[:10] + wrapped[:1] + ["text"] * 90) is None


def test_object_of_a_stream_of_events() -> None:
    assert (
        row(FORMAT, 'data: {"message": "a"}') == row(FORMAT, '\x1e{"message": "a"}') == {"framing": "json", "text": "a"}
    )


def test_parts_of_a_line_are_one_message_of_its_stream() -> None:
    # RECONSTRUCTED, in the layout of the container runtime interface
    parts = [
        '2024-05-06T07:08:09.1Z stdout P {"level":"info","ts":"2024-05-06T07:08:09.05Z","msg":"one ',
        "2024-05-06T07:08:09.2Z stderr F in between",
        "2024-05-06T07:08:09.2Z stdout P two ",
        '2024-05-06T07:08:09.3Z stdout F three"}',
        "2024-05-06T07:08:10.3Z stdout F  four",
    ]
    assert [(each["stamp"], each["text"]) for each in rows(FORMAT, *parts)] == [
        (at("2024-05-06T07:08:09.050"), "one two three"),
        (at("2024-05-06T07:08:09.200"), "in between"),
        (at("2024-05-06T07:08:10.300"), " four"),
    ]
    assert verdicts(FORMAT, *parts) == [Verdict.PARSED, Verdict.PARSED, *[Verdict.CONTINUATION] * 2, Verdict.PARSED]


def stdout(log: str) -> str:
    return docker(log).replace("stderr", "stdout")


def test_parts_of_docker_are_one_message_of_their_stream() -> None:
    """Docker cuts a line at 16 KiB; a part has no line feed at its end."""
    start = "2025-01-02 10:27:09.130 UTC [12] LOG:  "
    whole = start + "a" * (16_384 - len(start)) + "b" * 16_384 + "c"
    parts = [stdout(whole[:16_384]), docker("in between\n"), stdout(whole[16_384:32_768]), stdout("c\n"), stdout("d\n")]
    found = rows(FORMAT, *parts)
    assert [each["text"] for each in found] == [whole[len(start) :], "in between", "d"]
    assert found[0]["stamp"] == at("2025-01-02T10:27:09.130")
    assert verdicts(FORMAT, *parts) == [Verdict.PARSED, Verdict.PARSED, *[Verdict.CONTINUATION] * 2, Verdict.PARSED]
    assert [each["text"] for each in rows(FORMAT, stdout("short "), stdout("parts\n"))] == ["short parts"]
    assert [each["text"] for each in rows(FORMAT, stdout(r"a\n"), stdout("b\n"))] == [r"a\nb"]


def test_lines_without_their_line_feeds_are_no_parts() -> None:
    """A shipper of logs took them away; or a process was killed within its last line."""
    for texts in (["one", "two", "three"], ["one\n", "two"], ["2025-01-02 10:27:09 one", "2025-01-02 10:27:10 two\n"]):
        lines = [stdout(text) for text in texts]
        assert verdicts(FORMAT, *lines) == [Verdict.PARSED] * len(texts), texts


def test_part_with_nothing_soon_behind_it_is_a_line() -> None:
    lonely = [
        "2024-05-06T07:08:11.3Z stdout P one",
        "2024-05-06T07:18:11.3Z stdout F two",
        "2024-05-06T07:18:12Z stdout F",
    ]
    assert [each["text"] for each in rows(FORMAT, *lonely)] == ["one", "two", ""]


def test_parts_are_not_cut_apart() -> None:
    lines = [
        '2024-05-06T07:08:09Z stdout F {"msg":"a"}',
        "2024-05-06T07:08:09Z stdout P {b",
        "2024-05-06T07:08:09Z stdout F c}",
    ]
    assert [bool(re.search(FORMAT.boundary or "", each)) for each in lines] == [True, False, False]
    objects = [
        stdout("2025-01-02 10:27:09 a\n"),
        stdout("rest of a line\n"),
        '{"level":"info","msg":"a"}',
        '{"message":"a"}',
    ]
    assert [bool(re.search(FORMAT.boundary or "", each)) for each in objects] == [True, False, True, True]
