from datetime import datetime

import pytest

from parsers.syslog.dmesg import FORMAT
from tests.support.message_lines import claimed_by, corpus_lines, needs_corpus, row, rows, verdicts

at = datetime.fromisoformat
RESYNC = "[335791.633014] block drbd133: Resync done (total 9 sec; paused 0 sec; 3492 K/sec)"
KERNEL = {"framing": "uptime", "tag": "kernel"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            RESYNC,
            {
                **KERNEL,
                "uptime_s": 335791.633014,
                "text": "block drbd133: Resync done (total 9 sec; paused 0 sec; 3492 K/sec)",
            },
            id="REAL",
        ),
        pytest.param(
            "<6>[    1.500000] x: y",
            {**KERNEL, "facility": "kern", "level": "info", "uptime_s": 1.5, "text": "x: y"},
            id="RECONSTRUCTED: dmesg -r",
        ),
        pytest.param(
            "kern  :warn  : [    1.500000] x: y",
            {**KERNEL, "level": "warning", "uptime_s": 1.5, "text": "x: y"},
            id="RECONSTRUCTED: dmesg -x",
        ),
        pytest.param(
            "[    1.500000 <    0.000012>] x: y",
            {**KERNEL, "uptime_s": 1.5, "text": "x: y"},
            id="RECONSTRUCTED: dmesg -d",
        ),
        pytest.param(
            "[    1.500000][    T0] x: y", {**KERNEL, "uptime_s": 1.5, "text": "x: y"}, id="RECONSTRUCTED: thread"
        ),
        pytest.param(
            "[Fri Nov  8 17:41:18 2019] drbd r0: x",
            {
                "framing": "ctime",
                "tag": "kernel",
                "stamp": at("2019-11-08T17:41:18"),
                "has_year": True,
                "text": "drbd r0: x",
            },
            id="RECONSTRUCTED: dmesg -T",
        ),
        pytest.param(
            "drbd r1 s1: conn( Unconnected -> Connecting )",
            {"framing": "bare", "tag": "kernel", "text": "drbd r1 s1: conn( Unconnected -> Connecting )"},
            id="REAL: neither time nor uptime",
        ),
    ],
)
def test_head(line: str, expected: dict[str, object]) -> None:
    assert row(FORMAT, line) == expected


def test_line_with_both_clocks_keeps_both() -> None:
    found = row(FORMAT, "Apr  6 00:09:31 node1 kernel: [7705431.110245] block drbd0: asender terminated")
    assert (found["stamp"], found["uptime_s"]) == (at("2000-04-06T00:09:31"), 7705431.110245)


def test_undated_row_is_kept_with_its_typed_form() -> None:
    (event,) = rows(FORMAT, RESYNC, table="ha_event")
    assert event["uptime_s"] == 335791.633014
    assert "stamp" not in event


def test_lines_without_a_head_are_rejected() -> None:
    assert verdicts(FORMAT, "no head", RESYNC, "no head", "\tbelow") == [5, 1, 5, 5]
    assert verdicts(FORMAT, RESYNC, "\tbelow") == [1, 2]


@needs_corpus
def test_intervals_are_exact_to_the_microsecond() -> None:
    """The fifth must-pass of the format's reference: resync of minor 133 took 9.405553 s."""
    found = rows(FORMAT, *corpus_lines("syslog/drbd84_dmesg_uptime_only_resync_2019.log"))
    uptimes = {
        text: each["uptime_s"]
        for each in found
        for text in ("Began resync", "Resync done")
        if "drbd133" in str(each["text"]) and text in str(each["text"])
    }
    began, done = (float(str(uptimes[text])) for text in ("Began resync", "Resync done"))
    assert done - began == pytest.approx(9.405553, abs=1e-6)


@pytest.mark.parametrize(
    "line",
    [
        "[Sun Dec 04 04:47:44 2005] [notice] workerEnv.init() ok /etc/httpd/conf/workers2.properties",  # REAL
        "[Sun Dec 14 04:47:44 2005] [error] mod_jk child workerEnv in error state 6",
        "[Sun Dec 14 04:47:44 2005] [core:error] [pid 35708:tid 4328636416] a",
        "[Sun Dec 14 04:47:44 2005] [1234:5678] [info] init_jk::mod_jk.c: a",
        "[Sun Dec 14 04:47:44 2005] PHP Warning:  a",
        "[Sun Dec 14 04:47:44 2005] 127.0.0.1:5555 [200]: /",
    ],
)
def test_log_of_a_web_server_is_not_of_the_kernel(line: str) -> None:
    assert claimed_by([line] * 5) in {None, "dated_log"}


def test_brackets_of_the_kernel_behind_its_date() -> None:
    assert claimed_by(["[Fri Nov  8 17:41:18 2019] [drm] Initialized i915 1.6.0"]) == "dmesg"
