import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.syslog.container_log import FORMAT
from parsers.syslog.json_log import Json, Time, dated, read, time_of
from tests.support.message_lines import row, rows

at = datetime.fromisoformat
UTC_TIME = Time(at("2022-11-27T18:58:02.096800"), 0)

# ADAPTED
RECORD = {
    "log_time": "2022-11-27 18:58:02.096 UTC",
    "process_id": "27",
    "session_id": "658be283.1b",
    "session_start_time": "2022-11-27 18:58:01 UTC",
    "error_severity": "LOG",
    "message": "received promote request",
    "backend_type": "startup",
}
OPERATOR = {
    "level": "info",
    "ts": 1669575482.9,
    "logger": "postgres",
    "msg": "record",
    "logging_pod": "pg-1",
    "record": RECORD,
}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(1669575482.0968, UTC_TIME, id="seconds"),
        pytest.param(1669575482, Time(at("2022-11-27T18:58:02"), 0), id="whole seconds"),
        pytest.param(1669575482096, Time(at("2022-11-27T18:58:02.096"), 0), id="milliseconds"),
        pytest.param(1669575482096800, UTC_TIME, id="microseconds"),
        pytest.param(1669575482096800999, UTC_TIME, id="nanoseconds"),
        pytest.param("1669575482.0968", UTC_TIME, id="number as text"),
        pytest.param(
            {"$date": "2022-11-27T20:58:02.0968+02:00"}, Time(at("2022-11-27T20:58:02.0968"), 120), id="$date"
        ),
        pytest.param({"$date": {"$numberLong": "1669575482096"}}, Time(at("2022-11-27T18:58:02.096"), 0), id="long"),
        pytest.param("2022-11-27 18:58:02,0968", Time(at("2022-11-27T18:58:02.0968"), None), id="comma"),
        pytest.param("2022-11-27T18:58:02.0968009Z", UTC_TIME, id="Z"),
        pytest.param("2022-11-27T18:58:02.0968-0330", Time(at("2022-11-27T18:58:02.0968"), -210), id="offset"),
        pytest.param("18:58:02.096", None, id="no date"),
        pytest.param("2022-02-30T18:58:02Z", None, id="no such day"),
        pytest.param(12345, None, id="a count"),
        pytest.param(True, None, id="no number"),
    ],
)
def test_time(value: Json, expected: Time | None) -> None:
    assert time_of(value) == expected


def test_time_without_zone_gets_that_of_the_time_around_it() -> None:
    wall = at("2022-11-27T20:58:02")
    assert dated(Time(wall, None), UTC_TIME) == Time(wall, 120)
    assert dated(Time(wall, None), Time(at("2022-11-27T18:30:00"), 0)) == Time(wall, None)  # read much later
    assert dated(None, UTC_TIME) == UTC_TIME


def test_mongodb() -> None:
    # REAL
    line = (
        '{"t":{"$date":"2025-09-25T23:40:59.827+02:00"},"s":"I",  "c":"REPL",     "id":21358,   "ctx":"ReplCoord-5",'
        '"msg":"Replica set state transition","attr":{"newState":"PRIMARY","oldState":"SECONDARY"}}'
    )
    assert row(FORMAT, line) == {
        "framing": "json",
        "stamp": at("2025-09-25T23:40:59.827"),
        "has_year": True,
        "utc_offset_min": 120,
        "level": "info",
        "tag": "REPL",
        "message_id": "21358",
        "text": 'Replica set state transition {"newState":"PRIMARY","oldState":"SECONDARY"}',
    }


def test_runtime_around_operator_around_record() -> None:
    docker = {"log": json.dumps(OPERATOR) + "\n", "stream": "stderr", "time": "2022-11-27T18:58:03.5Z"}
    expected = {
        "framing": "json",
        "stamp": at("2022-11-27T18:58:02.096"),
        "has_year": True,
        "utc_offset_min": 0,
        "host": "pg-1",
        "level": "info",
        "tag": "postgres",
        "pid": 27,
        "text": "received promote request",
    }
    assert row(FORMAT, json.dumps(OPERATOR)) == expected
    assert row(FORMAT, json.dumps(docker)) == expected
    cri = f"2022-11-27T18:58:03.5Z stderr F {json.dumps(OPERATOR)}"
    assert row(FORMAT, cri) == {**expected, "framing": "cri"}
    assert row(FORMAT, cri, table="ha_event")["kind"] == rows(FORMAT, cri, table="ha_event")[0]["kind"]


def test_record_shows_its_details_below_the_message() -> None:
    record = {**RECORD, "detail": "because", "statement": "select 1"}
    said = read(json.dumps({**OPERATOR, "record": record}))
    assert said is not None
    assert said.text == "received promote request\nDETAIL:  because\nSTATEMENT:  select 1"


def test_pod_of_a_shipper_is_the_host() -> None:
    line = {"log": "a", "kubernetes": {"pod_name": "db-0", "namespace_name": "x"}, "time": "2022-11-27T18:58:02Z"}
    said = read(json.dumps(line))
    assert said is not None
    assert said.host == "db-0"


def test_no_object_with_a_message_is_none() -> None:
    assert [read(text) for text in ("a", "{}", '{"a": "b"}', '{"msg": 5}', '{"msg": "a"', "[" * 9, '{"a":' * 9999)] == [
        None
    ] * 7


def test_half_of_a_character_is_replaced() -> None:
    said = read('{"msg": "a\\ud800b"}')
    assert said is not None
    assert said.text == "a?b"


WORDS = st.text('abc {}"\\:é', max_size=30)
KEYS = st.sampled_from(
    ["attr", "error", "kubernetes", "stream", "caller", "user", "detail", "record", "log", "file", "x", "tags"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda each: st.lists(each, max_size=3) | st.dictionaries(KEYS, each, max_size=3),
    max_leaves=6,
)


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for each in inner for text in strings(each)]


@given(st.dictionaries(KEYS, VALUES, max_size=5), WORDS)
def test_no_text_is_shorter_than_a_string_of_its_object(fields: dict[str, object], message: str) -> None:
    line = {"ts": "2022-11-27T18:58:02.096Z", **fields, "msg": message}
    (found,) = rows(FORMAT, json.dumps(line))
    longest = max((text for text in strings(line) if text not in {line["ts"], "stdout", "stderr"}), key=len, default="")
    assert len(str(found["text"])) >= len(longest.rstrip("\r\n"))


def test_mongodb_names_its_host_when_it_starts() -> None:
    found = read('{"s":"I","c":"CONTROL","id":4615611,"ctx":"x","msg":"MongoDB starting","attr":{"pid":1,"host":"m2"}}')
    assert found is not None
    assert (found.host, found.text) == ("m2", 'MongoDB starting {"pid":1,"host":"m2"}')
    other = read('{"s":"I","c":"REPL","id":21215,"ctx":"x","msg":"Member is in new state","attr":{"host":"m3"}}')
    assert other is not None
    assert other.host is None
