"""What records of HADR tell. Marked lines were printed by DB2; the others are adapted from the words of IBM's pages."""

from datetime import datetime
from typing import Any

import pytest

from parsers.db2.hadr import STATES
from parsers.db2.hadr_status import own_host, values_of
from parsers.printed_date import orders_of
from tests.support.db2diag_log import HEADER_82, checked, needs_corpus, numbered, read


def events(*lines: str) -> list[dict[str, Any]]:
    return checked(numbered("\n".join([HEADER_82, *lines]))).tables["hadr_event"].rows(named=True)


def event(*lines: str) -> dict[str, Any]:
    (row,) = events(*lines)
    return row


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Received START HADR command.", ("start", None, None)),
        ("Received START HADR PRIMARY command.", ("start", "primary", False)),
        ("Received START HADR PRIMARY FORCE command.", ("start", "primary", True)),
        pytest.param("Received START HADR SECONDARY command.", ("start", "standby", False), id="REAL bug IT10602"),
        ("Received STOP HADR command.", ("stop", None, None)),
        pytest.param("Received TAKEOVER HADR command.  ", ("takeover", None, None), id="REAL db2pcmkconfig"),
    ],
)
def test_command_says_which_and_for_what_role(text: str, expected: tuple[str, str | None, bool | None]) -> None:
    row = event(f"START   : {text}")
    assert row["kind"] == "hadr_command"
    assert (row["command"], row["command_role"], row["is_forced"]) == expected
    assert row["text"] == text.strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Standby has initiated a takeover.", ("standby", False, False)),
        ("Standby has initiated a takeover by force.", ("standby", True, False)),
        ("Standby has initiated a takeover by force\n          peer window only.", ("standby", True, True)),
        pytest.param(
            "Primary has started non-forced takeover request.", ("primary", False, None), id="REAL db2pcmkconfig"
        ),
        ("Primary has started a forced takeover request.", ("primary", True, None)),
    ],
)
def test_takeover_says_who_began_and_how(text: str, expected: tuple[str, bool, bool | None]) -> None:
    row = event(f"MESSAGE : {text}")
    assert row["kind"] == "hadr_takeover"
    assert (row["side"], row["is_forced"], row["is_peer_window_only"]) == expected


@pytest.mark.parametrize(
    ("lines", "old", "new"),
    [
        pytest.param(["CHANGE  : HADR role set to Primary (was Standard)"], "standard", "primary", id="REAL, V9.7"),
        pytest.param(
            [
                "CHANGE  : HADR DATABASE ROLE/TYPE -",
                "HADR database role set to STANDBY (was PRIMARY).",
                "HADR database type set to PHYSICAL (was PHYSICAL).",
            ],
            "primary",
            "standby",
            id="REAL, V10.1",
        ),
    ],
)
def test_role_before_and_after(lines: list[str], old: str, new: str) -> None:
    row = event(*lines)
    assert (row["kind"], row["old_role"], row["new_role"], row["side"]) == ("hadr_role", old, new, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("P-Peer (was P-NearlyPeer)", ("nearly_peer", "primary", "peer", "primary", None), id="REAL, V9.7"),
        pytest.param("S-Peer (was P-Peer)", ("peer", "primary", "peer", "standby", None), id="REAL, V9.7, switched"),
        pytest.param(
            "HDR_P_PEER (was HDR_P_NPEER), connId=1", ("nearly_peer", "primary", "peer", "primary", 1), id="REAL, V10.1"
        ),
        pytest.param(
            "HDR_S_PEER (was HDR_P_PEER), connId=1", ("peer", "primary", "peer", "standby", 1), id="REAL, V11.5"
        ),
        ("HDR_P_REM_CATCHUP_PENDING (was HDR_P_BOOT)", ("boot", "primary", "rcu_pending", "primary", None)),
        ("S-RemoteCatchupPending (was S-LocalCatchup)", ("local_catchup", "standby", "rcu_pending", "standby", None)),
        ("HDR_S_DISCONN_PEER (was HDR_S_PEER)", ("peer", "standby", "disconnected_peer", "standby", None)),
        ("HDR_S_BOOT (was HDR_NO_STATE)", ("none", None, "boot", "standby", None)),
        ("P-Boot (was None)", ("none", None, "boot", "primary", None)),
        ("HDR_P_NEWSTATE (was HDR_P_PEER)", ("peer", "primary", None, "primary", None)),
    ],
)
def test_state_in_one_vocabulary_for_both_spellings(text: str, expected: tuple[Any, ...]) -> None:
    row = event(f"CHANGE  : HADR state set to {text}")
    assert row["kind"] == "hadr_state"
    assert tuple(row[name] for name in ("old_state", "old_role", "new_state", "new_role", "conn_id")) == expected
    assert f"{row['new_state_raw']} (was {row['old_state_raw']})" == text.split(",", maxsplit=1)[0]


def test_every_state_of_the_reference_has_its_word() -> None:
    assert set(STATES.values()) == {
        "none", "boot", "local_catchup", "rcu_pending", "rcu", "nearly_peer", "peer", "disconnected_peer",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            [
                "INSTANCE: v11580               NODE : 000",
                "EDUID   : 128                  EDUNAME: db2hadrs.2.0 (HADRDB) 0",
            ],
            ("HADRDB", "standby", 2, 0),
            id="standby, database in the name of the EDU only",
        ),
        pytest.param(
            ["EDUID   : 453                  EDUNAME: db2hadrp.0.1 (HADRDB)"],
            ("HADRDB", "primary", 0, 1),
            id="REAL, V10.1",
        ),
        pytest.param(
            ["EDUID   : 524                  EDUNAME: db2hadrp (HADRDB)"],
            ("HADRDB", "primary", None, None),
            id="REAL, V9.7",
        ),
        pytest.param(["EDUID   : 22      EDUNAME: db2agent (X)"], ("X", None, None, None), id="another EDU"),
        pytest.param([], (None, None, None, None), id="no EDU"),
    ],
)
def test_edu_shows_side_log_stream_and_standby(lines: list[str], expected: tuple[Any, ...]) -> None:
    row = event(*lines, "DATA #1 : <preformatted>", "Connection succeeded, connId=7")
    assert (row["kind"], row["conn_id"], row["text"]) == ("hadr_connected", 7, "Connection succeeded, connId=7")
    assert (row["database"], row["side"], row["log_stream"], row["standby_id"]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "HADR Socket send buffer size, SO_SNDBUF: Requested 131072 bytes, Actual 262142 bytes",
            ("send", 131072, 262142),
        ),
        ("HADR Socket receive buffer size, SO_RCVBUF: 87040 bytes", ("receive", None, 87040)),
        ("HADR Socket send buffer size adjusted to, SO_SNDBUF: 65536 bytes", ("send", None, 65536)),
        ("HADR Socket send buffer size is what it is", (None, None, None)),
    ],
)
def test_socket_buffer(text: str, expected: tuple[Any, ...]) -> None:
    row = event("DATA #1 : <preformatted>", text)
    assert (row["kind"], row["text"]) == ("hadr_socket_buffer", text)
    assert (row["direction"], row["requested_bytes"], row["actual_bytes"]) == expected


def test_record_with_two_buffers_is_two_rows() -> None:
    both = ["HADR Socket send buffer size, SO_SNDBUF: 1 bytes", "HADR Socket receive buffer size, SO_RCVBUF: 2 bytes"]
    rows = events("DATA #1 : <preformatted>", *both)
    assert [(row["part"], row["direction"], row["actual_bytes"], row["text"]) for row in rows] == [
        (1, "send", 1, both[0]),
        (2, "receive", 2, both[1]),
    ]


@pytest.mark.parametrize(
    ("lines", "kind", "code"),
    [
        (["MESSAGE : ADM12507E  The HADR_TIMEOUT parameters differ."], "hadr_error", "ADM12507E"),
        (["MESSAGE : ADM12512W  Log replay on the standby has stopped."], "hadr_error", "ADM12512W"),
        (["MESSAGE : ADM12510E  Unable to establish the connection."], "hadr_refused", "ADM12510E"),
        (["MESSAGE : Failed to connect to primary. rc:"], "hadr_refused", None),
        (
            [
                "FUNCTION: DB2 UDB, High Availability Disaster Recovery, hdrEduAcceptEvent, probe:20280",
                "RETCODE : ZRC=0x810F0019=-2129723367=SQLO_CONN_REFUSED",
            ],
            "hadr_refused",
            None,
        ),
    ],
)
def test_errors_and_refusals(lines: list[str], kind: str, code: str | None) -> None:
    row = event(*lines)
    assert (row["kind"], row["message_code"]) == (kind, code)


@needs_corpus
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "db2diag_1158_hadr_takeover_back.log",
            [("20:32:39.522612", "hadr_command", None), ("20:32:41.901131", "hadr_state", "primary")],
        ),
        (
            "db2diag_1158_hadr_takeover_old_primary.log",
            [
                ("20:26:08.204400", "hadr_takeover", None),
                ("20:26:08.238097", "hadr_command", None),
                ("20:26:10.655241", "hadr_state", "standby"),
            ],
        ),
        (
            "db2diag_97_hadr_role_state.log",
            [
                ("14:40:35.450719", "hadr_role", "primary"),
                ("14:40:36.401196", "hadr_state", "primary"),
                ("14:40:50.329996", "hadr_state", "standby"),
            ],
        ),
        (
            "db2diag_101_hadr_state_connid.log",
            [("14:26:23.545742", "hadr_connected", None), ("14:26:24.033020", "hadr_state", "primary")],
        ),
        (
            "RECON_db2diag_97_hadr_socket_buffers.log",
            [("10:27:04.123456", "hadr_socket_buffer", None), ("10:27:04.123790", "hadr_socket_buffer", None)],
        ),
    ],
)
def test_events_of_the_corpus(name: str, expected: list[tuple[str, str, str | None]]) -> None:
    rows = checked(numbered(read(name))).tables["hadr_event"].rows(named=True)
    clock = [datetime.strftime(row["stamp"], "%H:%M:%S.%f") for row in rows]
    assert [(at, row["kind"], row["new_role"]) for at, row in zip(clock, rows, strict=True)] == expected


@pytest.mark.parametrize(
    ("dumped", "timeout_s"),
    [("0000 001E", 30.0), ("1E00 0000", 30.0), ("2C01 0000", 300.0)],
)
def test_a_start_that_is_given_up_says_after_what_time(dumped: str, timeout_s: float) -> None:
    lines = [
        "MESSAGE : HADR primary did not establish connection with standby within timeout",
        "          and will shut down. Timeout seconds =",
        "DATA #1 : Hexdump, 4 bytes",
        f"0x0780000012340008 : {dumped}",
    ]
    row = event(*lines)
    assert (row["kind"], row["timeout_s"]) == ("hadr_start_failed", timeout_s)
    assert event("MESSAGE : Info: HADR Startup has begun.")["kind"] == "hadr_start"


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
