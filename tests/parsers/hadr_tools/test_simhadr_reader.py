from typing import Any

import polars as pl
import pytest

from parsers.format import Verdict
from parsers.hadr_tools.simhadr import parse
from tests.support.message_lines import numbered
from tests.support.simhadr_output import Output, disk_test

PRIMARY = Output(shipping_us=1274, congestion_s=0.848714).lines()
STANDBY = Output(role="standby", disk=(45.0, 0.005)).lines()
WRITE = disk_test("write", 1, 9409, 4.000160).splitlines()
Row = dict[str, Any]  # rows have values of many types


def rows(texts: list[str], table: str) -> list[Row]:
    frame = parse(numbered(texts)).tables.get(table)
    return [] if frame is None else frame.to_dicts()


def runs(texts: list[str]) -> list[tuple[str | None, str]]:
    return [(row["role"], row["status"]) for row in rows(texts, "simhadr_run")]


def verdicts(texts: list[str]) -> list[str]:
    return [Verdict(each).name for each in parse(numbered(texts)).lines["verdict"]]


def figures(texts: list[str], run_no: int = 1) -> dict[str, float]:
    return {row["name"]: row["value"] for row in rows(texts, "hadr_figure") if row["run_no"] == run_no}


def test_a_run_has_all_its_blocks() -> None:
    assert runs(PRIMARY) == [("primary", "complete")]
    assert figures(PRIMARY)["flushes"] == 3130
    (handshake,) = rows(PRIMARY, "simhadr_handshake")
    assert (handshake["direction"], handshake["syncmode"], handshake["flush_pages"]) == ("sent", "NEARSYNC", 32)
    assert (handshake["stamp"].isoformat(), handshake["utc_offset_min"]) == ("2008-07-09T17:12:25", -420)
    (socket,) = rows(PRIMARY, "simhadr_socket")
    assert (socket["stage"], socket["is_blocking"], socket["sndbuf_bytes"]) == ("connection", False, 16384)
    assert [(row["side"], row["addresses"]) for row in rows(PRIMARY, "simhadr_host")] == [
        ("local", ["10.0.0.1"]),
        ("remote", ["10.0.0.2"]),
    ]
    assert "REJECTED" not in verdicts(PRIMARY)


def test_a_wrapped_command_line_is_one() -> None:
    texts = ["+ simhadr -role primary -lhost brant", "          -sockSndBuf 64000 -sockRcvBuf 64000 ", *PRIMARY[1:]]
    (run,) = rows(texts, "simhadr_run")
    assert run["command"] == "simhadr -role primary -lhost brant -sockSndBuf 64000 -sockRcvBuf 64000"
    assert (run["asked_sndbuf_bytes"], run["own_host"]) == (64000, "brant")


def test_a_time_that_is_none_stays_a_text() -> None:
    (row,) = rows([line.replace("2008-07-09_17", "2008-02-30_17") for line in PRIMARY], "simhadr_handshake")
    assert (row["stamp"], row["conn_time"]) == (None, "2008-02-30_17:12:25_PDT")


def test_a_zone_that_many_share_is_not_guessed() -> None:
    (row,) = rows([line.replace("_PDT", "_CST") for line in PRIMARY], "simhadr_handshake")
    assert row["utc_offset_min"] is None


@pytest.mark.parametrize("between", [[], [""], ["", "And now the standby:", ""]], ids=["nothing", "blank", "prose"])
def test_several_runs_in_one_file_are_those_of_several_files(between: list[str]) -> None:
    together = [*PRIMARY, *between, *STANDBY, *between, *WRITE]
    assert runs(together) == [("primary", "complete"), ("standby", "complete"), ("write", "complete")]
    assert [figures(together, run_no) for run_no in (1, 2, 3)] == [figures(each) for each in (PRIMARY, STANDBY, WRITE)]
    assert "REJECTED" not in verdicts(together)


def test_several_runs_without_their_command_lines_are_distinguished() -> None:
    together = [*PRIMARY[1:], *PRIMARY[1:], *STANDBY[1:], *WRITE[3:]]
    assert runs(together) == [("primary", "complete")] * 2 + [("standby", "complete"), ("write", "complete")]


def test_excerpts_are_runs() -> None:
    # REAL (IBM's page on tuning): two results, one below the other
    texts = [
        "Total 9409 writes in 4.000160 seconds, 0.000425 sec/write, 1 pages/write",
        "Total 38.539264 MBytes written in 4.000160 seconds. 9.634431 MBytes/sec",
        "Total 174 writes in 4.014913 seconds, 0.023074 sec/write, 1000 pages/write",
        "Total 712.704000 MBytes written in 4.014913 seconds. 177.514183 MBytes/sec",
    ]
    assert runs(texts) == [("write", "complete")] * 2
    assert [figures(texts, run_no)["pages"] for run_no in (1, 2)] == [1, 1000]


def test_prose_around_is_set_aside_and_inside_is_rejected() -> None:
    result = next(index for index, text in enumerate(PRIMARY) if text.startswith("NEARSYNC: "))
    texts = ["Here is what we saw.", *PRIMARY[:result], "Look:", "...", *PRIMARY[result:], "Good, is it not?"]
    line_verdicts = parse(numbered(texts)).lines.filter(pl.col("reason").is_not_null())
    assert line_verdicts.select("line_no", "reason").rows() == [
        (1, "text around the output"),
        (result + 2, "inside a run, and unlike any line of simhadr"),
        (result + 3, "left out by whoever copied the output"),
        (len(texts), "text around the output"),
    ]
    assert figures(texts) == figures(PRIMARY)


def test_a_damaged_line_is_rejected_wherever_it_stands() -> None:
    texts = ["NEARSYNC: Total 4102553", *PRIMARY, "Total 3130 flu"]
    line_verdicts = parse(numbered(texts)).lines.filter(verdict=Verdict.REJECTED)
    assert line_verdicts["line_no"].to_list() == [1, len(texts)]


# REAL: gen_err_unresolved_host_merged_stderr.txt
UNRESOLVED = [
    "gethostbyname(nosuchhost.example) failed, errno=11 h_errno=2",
    "gethostbyname() errno. errno=11, Resource temporarily unavailable",
    "h_err: Non-Authoritive Host not found, try again later",
    "+ simhadr -role primary -lhost nosuchhost.example -lport 47000 -rhost 127.0.0.1 -rport 47001 ",
    "",
    "Resolving local host nosuchhost.example via gethostbyname()",
]


def test_errors_above_the_command_line_are_the_run_s() -> None:
    (run,) = rows(UNRESOLVED, "simhadr_run")
    assert (run["line_no"], run["status"], run["error"]) == (1, "no_result", UNRESOLVED[0])
    assert verdicts(UNRESOLVED) == ["PARSED", *["CONTINUATION"] * 3, "BLANK", "PARSED"]


def test_errors_above_each_command_line_stay_with_it() -> None:
    found = rows([*UNRESOLVED, *UNRESOLVED, *PRIMARY], "simhadr_run")
    assert [(row["error"], row["status"]) for row in found] == [
        (UNRESOLVED[0], "no_result"),
        (UNRESOLVED[0], "no_result"),
        (None, "complete"),
    ]


def test_errors_in_a_terminal_belong_to_the_run_above() -> None:
    texts = ["+ simhadr -write /no/file ", "simhadr: Failed to open file /no/file", *WRITE]
    assert [row["error"] for row in rows(texts, "simhadr_run")] == ["simhadr: Failed to open file /no/file", None]


@pytest.mark.parametrize("place", range(0, len(PRIMARY), 7))
def test_errors_may_stand_anywhere(place: int) -> None:
    error = "recv() failed. errno=104, Connection reset by peer"
    texts = [*PRIMARY[:place], error, *PRIMARY[place:]]
    assert [(row["error"], row["status"]) for row in rows(texts, "simhadr_run")] == [(error, "aborted")]
    assert figures(texts) == figures(PRIMARY)


def test_help_text_is_set_aside() -> None:
    texts = [
        "+ simhadr -testDisk x ",
        "+-----------------+",
        "|  Version 2.1, 64 bit. |",
        "-role <primary|standby>",
        *PRIMARY,
    ]
    first, second = rows(texts, "simhadr_run")
    assert (first["version_hint"], first["status"], second["status"]) == ("2.1", "no_result", "complete")
    assert verdicts(texts)[:4] == ["PARSED", "IGNORED", "IGNORED", "IGNORED"]


def test_trace_is_set_aside_and_noted() -> None:
    texts = [*PRIMARY[:30], "16384 bytes sent", "Congestion starts", *PRIMARY[30:]]
    assert rows(texts, "simhadr_run")[0]["is_verbose"]
    assert verdicts(texts)[30:32] == ["IGNORED", "IGNORED"]


def test_warnings_of_sleep_are_counted() -> None:
    pair = ["Requested sleep 0.001 second, actual 0.002 second", "Warning: inaccurate sleep time."]
    place = PRIMARY.index("connTime=2008-07-09_17:12:25_PDT") + 1
    texts = [*PRIMARY[:place], *pair * 3, *PRIMARY[place:]]
    assert rows(texts, "simhadr_run")[0]["sleep_warnings"] == 3
    assert figures(texts) == figures(PRIMARY)


def test_a_sleep_test_is_what_sleeps_are_measured_in() -> None:
    # REAL: gen_testsleep_0.001.txt
    texts = [
        "+ simhadr -testSleep 0.001 ",
        "Using spin time 0.000084 second to compensate for sleep overhead.",
        "Requested sleep 0.001000 second, actual 0.001017 second",
    ]
    assert runs(texts) == [("test_sleep", "complete")]
    assert figures(texts) == {"sleep_requested_s": 0.001, "sleep_actual_s": 0.001017}
