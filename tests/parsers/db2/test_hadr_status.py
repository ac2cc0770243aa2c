from datetime import datetime

import pytest

from parsers.db2.hadr_status import own_host, values_of
from parsers.printed_date import orders_of


@pytest.mark.parametrize(
    ("label", "printed", "values"),
    [
        # REAL (V11.5.9)
        (
            "SOCK_SEND_BUF_REQUESTED,ACTUAL(bytes)",
            "0, 87040",
            {"SOCK_SEND_BUF_REQUESTED": ("0", 0.0, "bytes"), "SOCK_SEND_BUF_ACTUAL": ("87040", 87040.0, "bytes")},
        ),
        ("HADR_LAST_TAKEOVER_TIME", "NULL", {"HADR_LAST_TAKEOVER_TIME": (None, None, None)}),
        ("HADR_FLAGS", "", {"HADR_FLAGS": ("", None, None)}),
        ("LOG_HADR_WAIT_CUR(seconds)", "0.000", {"LOG_HADR_WAIT_CUR": ("0.000", 0.0, "seconds")}),
        # REAL (snapshot, V9.7)
        (
            "Primary log position(file, page, LSN)",
            "S0000002.LOG, 18, 0000000000418012",
            {
                "PRIMARY_LOG_FILE": ("S0000002.LOG", None, None),
                "PRIMARY_LOG_PAGE": ("18", 18.0, None),
                "PRIMARY_LOG_POS": ("0000000000418012", None, None),
            },
        ),
        ("timeout(seconds)", "3", {"HADR_TIMEOUT": ("3", 3.0, "seconds")}),
        ("Peer window (seconds)", "120", {"PEER_WINDOW": ("120", 120.0, "seconds")}),
        (
            "Connection status",
            "Connected, 08/05/2010 20:33:00.412948",
            {
                "HADR_CONNECT_STATUS": ("Connected", None, None),
                "HADR_CONNECT_STATUS_TIME": ("08/05/2010 20:33:00.412948", None, None),
            },
        ),
    ],
)
def test_label_of_any_layout_gives_values_by_the_new_names(
    label: str, printed: str, values: dict[str, tuple[str | None, float | None, str | None]]
) -> None:
    found = values_of(label, printed, orders_of([]))
    assert {row["name"]: (row["value"], row["number"], row["unit"]) for row in found} == values


def test_time_is_that_of_the_seconds_with_the_fraction_of_the_text() -> None:
    text = "04-07-2024 06:30:46.823373 (1720099846)"
    (row,) = values_of("HADR_CONNECT_STATUS_TIME", text, orders_of([text]))
    assert row["shown_at"] == datetime(2024, 7, 4, 13, 30, 46, 823373)  # noqa: DTZ001 - UTC, kept naive
    assert "doubt" not in row


def test_times_that_disagree_are_doubted() -> None:
    (row,) = values_of("ConnectTime", "Mon Sep 05 14:05:09 2006 (1158008709)", orders_of([]))
    assert row["doubt"]


@pytest.mark.parametrize(
    ("values", "member", "host"),
    [
        ({"HADR_ROLE": "PRIMARY", "PRIMARY_MEMBER_HOST": "p", "STANDBY_MEMBER_HOST": "s"}, 0, "p"),
        ({"HADR_ROLE": "STANDBY", "PRIMARY_MEMBER_HOST": "p", "STANDBY_MEMBER_HOST": "s"}, 0, "s"),
        ({"HADR_ROLE": "PRIMARY", "PRIMARY_MEMBER_HOST": "p", "PRIMARY_MEMBER": "1"}, 0, None),
        ({"HADR_ROLE": "Primary", "LOCAL_HOST": "server1.ibm.com"}, 0, "server1.ibm.com"),
        ({"HADR_ROLE": "Primary", "LOCAL_HOST": "9.114.47.103"}, None, None),
        ({}, None, None),
    ],
)
def test_host_that_was_asked(values: dict[str, str | None], member: int | None, host: str | None) -> None:
    assert own_host(values, member) == host
