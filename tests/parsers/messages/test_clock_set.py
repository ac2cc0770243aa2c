"""Messages that say that a clock was set."""

import pytest

from parsers.syslog.syslog import FORMAT
from tests.support.message_lines import row, rows


@pytest.mark.parametrize(
    ("said", "kind", "step_s", "direction"),
    [
        ("ntpd[17271]: time reset +99.339460 s", "stepped", 99.33946, 1),
        ("ntpd[17271]: time reset -5.000000 s", "stepped", -5, -1),
        ("xntpd[412]: [ID 774427 daemon.notice] time reset (step) -1.623456 s", "stepped", -1.623456, -1),
        ("ntpdate[412]: step time server 10.0.0.1 offset 60.123456 sec", "stepped", 60.123456, 1),
        ("ntpd[5]: setting time to 2016-01-01 00:00:00.000000 (offset +1.234567s)", "stepped", 1.234567, 1),
        ("chronyd[757]: System clock was stepped by -32398.026858 seconds", "stepped", -32398.026858, -1),
        ("chronyd[757]: System clock was stepped by 2.4...s", "set", None, None),
        ("chronyd[757]: System's initial offset : 1.25 seconds fast of true (step)", "stepped", -1.25, -1),
        ("chronyd[757]: System clock wrong by 16422.107473 seconds, adjustment started", "announced", 16422.107473, 1),
        ("chronyd[757]: Forward time jump detected!", "jumped", None, 1),
        ("systemd-journald[571]: Time jumped backwards, rotating.", "jumped", None, -1),
        ("systemd[1]: Time has been changed", "jumped", None, None),
        ("systemd-resolved[722]: Clock change detected. Flushing caches.", "jumped", None, None),
        ("systemd-timedated[16849]: Changed local time to Sun 2023-01-08 11:42:42", "set", None, None),
        ("sudo: bob : TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/bin/date -s 12:00", "ordered", None, None),
        (
            "kernel: rtc_cmos 00:00: setting system clock to 2022-10-26 10:09:47 UTC (1666778987)",
            "boot",
            None,
            None,
        ),
    ],
)
def test_a_clock_that_was_set(said: str, kind: str, step_s: float | None, direction: int | None) -> None:
    found = row(FORMAT, f"Jun 28 10:32:15 n1 {said}", table="clock_set")
    own = {"host": "n1", "kind": kind, "step_s": step_s, "direction": direction}
    assert {name: found.get(name) for name in own} == own


@pytest.mark.parametrize(
    "said",
    [
        "ntpdate[412]: adjust time server 10.0.0.1 offset 0.023456 sec",
        "chronyd[785]: System clock TAI offset set to 37 seconds",
        "kernel: clocksource: Switched to clocksource tsc",
        "app[4]: System clock was stepped by 16422.107473 seconds",
        "sudo: bob : TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/bin/date",
        "systemd-timesyncd[817]: Timed out waiting for reply from 91.189.91.157:123 (ntp.ubuntu.com).",
    ],
)
def test_what_sets_no_clock(said: str) -> None:
    assert rows(FORMAT, f"Jun 28 10:32:15 n1 {said}", table="clock_set") == []
