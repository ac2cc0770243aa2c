import json
from datetime import datetime

import pytest

from parsers.syslog.journal import FORMAT
from tests.support.message_lines import (
    claimed_by,
    counts,
    reasons,
    row,
    verdicts,
)

at = datetime.fromisoformat

ENTRY = {
    "__CURSOR": "s=e9;i=37",
    "__REALTIME_TIMESTAMP": "1534860261221373",
    "__MONOTONIC_TIMESTAMP": "38708007",
    "_BOOT_ID": "0dc874d3",
    "PRIORITY": "5",
    "SYSLOG_FACILITY": "3",
    "_HOSTNAME": "n1",
    "SYSLOG_IDENTIFIER": "pacemaker-controld",
    "_PID": "184",
    "_COMM": "pacemaker-contr",
    "MESSAGE": 'State transition "S_IDLE" -> S_POLICY_ENGINE',
}
READ = {
    "framing": "journal_json",
    "stamp": at("2018-08-21T14:04:21.221373"),
    "has_year": True,
    "utc_offset_min": 0,
    "host": "n1",
    "facility": "daemon",
    "level": "notice",
    "tag": "pacemaker-controld",
    "pid": 184,
    "uptime_s": 38.708007,
    "text": 'State transition "S_IDLE" -> S_POLICY_ENGINE',
}


def as_json(**changes: object) -> str:
    return json.dumps({name: value for name, value in {**ENTRY, **changes}.items() if value is not None})


def as_pretty(**changes: object) -> list[str]:
    return json.dumps({**ENTRY, **changes}, indent="\t", separators=(",", " : ")).split("\n")


def as_export(**changes: str) -> list[str]:
    """An entry of the export form as it is after NUL bytes were taken off."""
    lines = []
    for name, value in {**ENTRY, **changes}.items():
        if "\n" in value:
            length = len(value.encode()).to_bytes(8, "little").replace(b"\0", b"").decode("latin-1")
            lines += [name, *(length + value).split("\n")]
        else:
            lines.append(f"{name}={value}")
    return [*lines, ""]


def test_entry_of_each_form_gives_the_same_row() -> None:
    assert row(FORMAT, as_json()) == READ
    assert row(FORMAT, "\x1e" + as_json()) == READ  # json-seq
    assert row(FORMAT, *as_pretty()) == READ
    assert row(FORMAT, *as_export()) == READ


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param(
            {"_SOURCE_REALTIME_TIMESTAMP": "1534860261220000"},
            {"stamp": at("2018-08-21T14:04:21.22")},
            id="the sender's time is preferred",
        ),
        pytest.param(
            {
                "_SOURCE_MONOTONIC_TIMESTAMP": "38700000",
                "_TRANSPORT": "kernel",
                "SYSLOG_IDENTIFIER": None,
                "_PID": None,
            },
            {"uptime_s": 38.7, "tag": "kernel", "pid": None},
            id="the kernel's own uptime",
        ),
        pytest.param({"SYSLOG_IDENTIFIER": None}, {"tag": "pacemaker-contr"}, id="no identifier: the command"),
        pytest.param({"MESSAGE": list(b"caf\xe9 ok")}, {"text": "caf� ok"}, id="bytes that are not UTF-8"),
        pytest.param({"MESSAGE": [1000]}, {"text": "[1000]"}, id="an array that is no bytes"),
        pytest.param({"MESSAGE": "[1, 2]"}, {"text": "[1, 2]"}, id="text that looks like an array"),
        pytest.param({"MESSAGE": None}, {"text": ""}, id="no message"),
        pytest.param({"MESSAGE": "a\n\tb\n\nc"}, {"text": "a\n\tb\n\nc"}, id="several lines"),
        pytest.param({"MESSAGE": 'x "MESSAGE": "y" \\ é'}, {"text": 'x "MESSAGE": "y" \\ é'}, id="quotes inside"),
        pytest.param(
            {"MESSAGE": "2018-08-21 14:04:21,219 INFO: no action.", "PRIORITY": None, "SYSLOG_FACILITY": None},
            {"text": "no action.", "level": "info", "facility": None, "stamp": at("2018-08-21T14:04:21.219")},
            id="a program's own stamp",
        ),
    ],
)
def test_fields(changes: dict[str, object], expected: dict[str, object]) -> None:
    found = {**READ, **expected}
    assert row(FORMAT, as_json(**changes)) == {name: value for name, value in found.items() if value is not None}


@pytest.mark.parametrize("text", ["a\nb", "x" * 9 + "\n", "\n" + "y" * 254 + "\nz", "l\n" + "m" * 300, "é\n" * 128])
def test_message_with_its_length_before_it(text: str) -> None:
    assert row(FORMAT, *as_export(MESSAGE=text))["text"] == text.rstrip("\n")


def test_lines_of_an_entry_continue_its_first() -> None:
    pretty = as_pretty()
    assert verdicts(FORMAT, *pretty, *pretty) == 2 * [1, *[2] * (len(pretty) - 1)]
    export = as_export()
    assert verdicts(FORMAT, *export, *export) == 2 * [1, *[2] * (len(export) - 2), 4]


def test_what_cannot_be_read_is_rejected() -> None:
    assert reasons(FORMAT, as_json()[:-5] + "}") == ["JSON that cannot be read"]
    assert reasons(FORMAT, as_json(__REALTIME_TIMESTAMP="x")) == ["impossible date or time"]
    assert reasons(FORMAT, "MESSAGE=torn", *as_export())[:2] == ["no journal entry begins above", None]
    assert reasons(FORMAT, "{", '"a" : "b"', "}")[1:] == ["part of a journal entry that cannot be read"] * 2


KERNEL = {"has_year": True, "host": "15sp1-1", "tag": "kernel", "text": "sd 2:0:0:0: x"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            "2019-03-22T11:36:57+0800 15sp1-1 kernel: sd 2:0:0:0: x",
            {"framing": "iso", "stamp": at("2019-03-22T11:36:57"), "utc_offset_min": 480, **KERNEL},
            id="REAL: short-iso",
        ),
        pytest.param(
            "2019-03-22T11:36:57.123456+0800 15sp1-1 kernel: sd 2:0:0:0: x",
            {"framing": "iso", "stamp": at("2019-03-22T11:36:57.123456"), "utc_offset_min": 480, **KERNEL},
            id="short-iso-precise",
        ),
        pytest.param(
            "Fri 2019-03-22 11:36:57 CST 15sp1-1 kernel: sd 2:0:0:0: x",
            {"framing": "short_full", "stamp": at("2019-03-22T11:36:57"), **KERNEL},
            id="short-full",
        ),
        pytest.param(
            "Fri 2019-03-22 03:36:57 UTC 15sp1-1 init.scope[1]: Reloading.",
            {
                **KERNEL,
                "framing": "short_full",
                "stamp": at("2019-03-22T03:36:57"),
                "utc_offset_min": 0,
                "tag": "init.scope",
                "pid": 1,
                "text": "Reloading.",
            },
            id="with-unit",
        ),
        pytest.param(
            "1553225817.123456 15sp1-1 kernel: sd 2:0:0:0: x",
            {"framing": "unix", "stamp": at("2019-03-22T03:36:57.123456"), "utc_offset_min": 0, **KERNEL},
            id="short-unix",
        ),
        pytest.param(
            "Mar 22 11:36:57.123456 15sp1-1 kernel: sd 2:0:0:0: x",
            {**KERNEL, "framing": "bsd", "stamp": at("2000-03-22T11:36:57.123456"), "has_year": False},
            id="short-precise",
        ),
        pytest.param(
            "[   12.345678] 15sp1-1 kernel: sd 2:0:0:0: x",
            {"framing": "monotonic", "uptime_s": 12.345678, **{name: KERNEL[name] for name in ("host", "tag", "text")}},
            id="short-monotonic",
        ),
        pytest.param(
            "Feb 11 13:15:39 n1 postgres[10808]: [3-1] db=,user= LOG:  ending log output to stderr",
            {
                "framing": "bsd",
                "stamp": at("2000-02-11T13:15:39"),
                "has_year": False,
                "host": "n1",
                "level": "info",
                "tag": "postgres",
                "pid": 10808,
                "msgid": "3-1",
                "text": "ending log output to stderr",
            },
            id="PostgreSQL's level behind a head of syslog",
        ),
    ],
)
def test_head(line: str, expected: dict[str, object]) -> None:
    assert row(FORMAT, line) == expected


SHORT = "Mar 22 11:36:57 15sp1-1 kernel: sd 2:0:0:0: x"
LOGS_BEGIN = "-- Logs begin at Fri 2019-03-22 10:34:24 CST, end at Fri 2019-03-22 11:37:01 CST. --"


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([LOGS_BEGIN, SHORT], id="short, with its first line"),
        pytest.param(["-- Journal begins at Fri 2019-03-22 10:34:24 CST. --", SHORT], id="the same of later releases"),
        pytest.param(["2019-03-22T11:36:57+0800 15sp1-1 kernel: x"] * 3, id="short-iso"),
        pytest.param(["Fri 2019-03-22 11:36:57 CST 15sp1-1 kernel: x"] * 3, id="short-full"),
        pytest.param(["1553225817.123456 15sp1-1 kernel: x"] * 3, id="short-unix"),
        pytest.param(["[   12.345678] n1 kernel: x: y", "[   12.345679] n1 systemd[1]: x"], id="short-monotonic"),
        pytest.param([as_json()], id="json"),
        pytest.param(as_pretty(), id="json-pretty"),
        pytest.param(as_export(), id="export"),
    ],
)
def test_journal_is_recognised(lines: list[str]) -> None:
    assert claimed_by(lines) == "journal"
    assert counts(FORMAT, lines)[4] == 0


def test_what_is_no_journal_is_left_to_others() -> None:
    assert claimed_by([SHORT] * 3) == "syslog"
    assert claimed_by(["2019-03-22T10:36:02.651273+08:00 15sp1-1 systemd[1]: Reloading."] * 3) == "syslog"
    assert claimed_by(["[   12.345678] usb 1-1: x", "[   12.345679] systemd[1]: x", "[  13.000001] sd 2:0:0:0: x"]) == (
        "dmesg"
    )
    assert claimed_by(["{", '"a": 1', "}"]) is None
