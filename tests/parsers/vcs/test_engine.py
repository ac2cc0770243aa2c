from datetime import datetime

import polars as pl
import pytest

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA, Recognition, Verdict
from parsers.vcs.engine import VCS_EVENT, messages, parse, recognise
from tests.support.message_lines import numbered

at = datetime.fromisoformat

PARSED, CONTINUATION, IGNORED, BLANK, REJECTED = Verdict

FAULT = "2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System NODEC (Node '2') changed state from RUNNING to FAULTED"
OUTPUT = (
    "2004/02/06 10:27:18 VCS INFO V-16-2-13001 (sun-ha4) Resource(db03shark): "
    "Output of the completed operation (online)"
)
STARTED = "2011/05/13 09:10:27 VCS INFO V-16-1-10196 Cluster logger started"
EQUALS = "=" * 46
OPENING = f"+{'-' * 68}+"
CLOSING = f"+{'=' * 68}+"


def events(*texts: str) -> list[dict[str, object]]:
    return parse(numbered(list(texts))).tables["vcs_event"].to_dicts()


def event(*texts: str) -> dict[str, object]:
    (only,) = events(*texts)
    return only


def verdicts(*texts: str) -> list[int]:
    return parse(numbered(list(texts))).lines["verdict"].to_list()


def filled(row: dict[str, object]) -> dict[str, object]:
    """The columns that an event says something in, without its place and the words it was read from."""
    apart = {*KEY_SCHEMA, "has_year", "severity_printed", "originator", "category", "message_number", "text"}
    return {name: value for name, value in row.items() if value is not None and name not in apart}


def test_a_single_dated_message_is_a_signature() -> None:
    found = recognise(pl.Series(["Notes of the test", "", FAULT]))
    assert isinstance(found, Recognition)
    assert (found.confidence >= 0.9, found.line_no) == (True, 3)


def test_undated_messages_are_a_weaker_sign() -> None:
    found = recognise(pl.Series(["VCS ERROR V-16-1-10600 Cannot connect to VCS engine"]))
    assert isinstance(found, Recognition)
    assert found.confidence < 0.9


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Jun  1 14:13:22 node Had[20417]: VCS ERROR V-16-1-10322 System elm", id="syslog"),
        pytest.param(
            "2019-03-22T10:45:37.687203+08:00 node Had[1]: VCS ERROR V-16-1-10322 System elm", id="syslog iso"
        ),
        pytest.param("// 2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System elm", id="comment"),
        pytest.param("2004-02-06-10.27.09.000000-300 I1A1 LEVEL: Event", id="db2diag"),
        pytest.param("", id="blank"),
    ],
)
def test_what_merely_carries_messages_is_refused(text: str) -> None:
    refusal = recognise(pl.Series([text]))
    assert not isinstance(refusal, Recognition)
    assert refusal.reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "TAG_E 2000/10/19 09:12:07 Resource vip1 is online on alder",
            {
                "stamp": at("2000-10-19 09:12:07"),
                "era": "tag_1",
                "severity": "INFO",
                "kind": "resource_online",
                "resource": "vip1",
                "system": "alder",
                "state": "online",
            },
            id="1.x has no ids: the text decides",
        ),
        pytest.param(
            "TAG_C 2001/11/05 07:21:40 VCS:10075:building from remote system.",
            {
                "stamp": at("2001-11-05 07:21:40"),
                "era": "tag_2",
                "severity": "WARNING",
                "message_id": "V-16-1-10075",
                "kind": "remote_build",
            },
            id="2.x id is written as the later one",
        ),
        pytest.param(
            "TAG_C 2001/11/05 08:02:13 VCS:254001:Oracle:orares1:online:One or more attributes contain invalid values.",
            {
                "stamp": at("2001-11-05 08:02:13"),
                "era": "tag_2",
                "severity": "WARNING",
                "message_id": "VCS:254001",
                "kind": "other",
                "agent": "Oracle",
                "resource": "orares1",
                "entry_point": "online",
            },
            id="2.x agent",
        ),
        pytest.param(
            "2007/09/14 11:57:00 VCS INFO V-16-1-10304 Resource Mount_anlab_ora05data01 (Owner: unknown, Group: ANLAB) "
            "is offline on duck (First probe)",
            {
                "stamp": at("2007-09-14 11:57:00"),
                "era": "umi",
                "severity": "INFO",
                "message_id": "V-16-1-10304",
                "kind": "resource_offline",
                "resource": "Mount_anlab_ora05data01",
                "owner": "unknown",
                "group": "ANLAB",
                "system": "duck",
                "state": "offline",
                "how": "First probe",
            },
            id="resource with owner and group",
        ),
        pytest.param(
            FAULT,
            {
                "stamp": at("2011-05-13 03:31:45"),
                "era": "umi",
                "severity": "ERROR",
                "message_id": "V-16-1-10322",
                "kind": "system_state",
                "system": "NODEC",
                "node_id": 2,
                "previous_state": "RUNNING",
                "state": "FAULTED",
            },
            id="system state",
        ),
        pytest.param(
            "2011/05/13 03:31:40 VCS ERROR V-16-1-10111 System NODEC (Node '2') is in Regular and Jeopardy Memberships "
            "- Membership: 0x7, Jeopardy: 0x4",
            {
                "stamp": at("2011-05-13 03:31:40"),
                "era": "umi",
                "severity": "ERROR",
                "message_id": "V-16-1-10111",
                "kind": "jeopardy",
                "system": "NODEC",
                "node_id": 2,
                "membership": "0x7",
            },
            id="jeopardy",
        ),
        pytest.param(
            "Tue 12 May 2015 07:19:29 PM IST VCS NOTICE V-16-1-10447 Group Grp_CS_gp1 is online on system s-1",
            {
                "stamp": at("2015-05-12 19:19:29"),
                "era": "hamsg",
                "severity": "NOTICE",
                "message_id": "V-16-1-10447",
                "kind": "group_online",
                "group": "Grp_CS_gp1",
                "system": "s-1",
                "state": "online",
            },
            id="hamsg; IST is three zones, so none",
        ),
        pytest.param(
            "2013/04/22 21:14:09 VCS INFO V-16-10061-14001 HostMonitor:VCShm:monitor:Updating System attribute",
            {
                "stamp": at("2013-04-22 21:14:09"),
                "era": "umi",
                "severity": "INFO",
                "message_id": "V-16-10061-14001",
                "kind": "other",
                "agent": "HostMonitor",
                "resource": "VCShm",
                "entry_point": "monitor",
            },
            id="agent script",
        ),
        pytest.param(
            "2011/05/12 10:05:11 VCS INFO V-16-6-15004 (NODEC) hatrigger:Failed to send trigger for postonline",
            {
                "stamp": at("2011-05-12 10:05:11"),
                "era": "umi",
                "severity": "INFO",
                "message_id": "V-16-6-15004",
                "kind": "trigger",
                "host": "NODEC",
            },
            id="forwarded",
        ),
        pytest.param(
            "Had[20417]: VCS NOTICE V-16-1-10086 System oak (Node '0') is in Regular Membership - Membership: 0x3",
            {
                "era": "undated",
                "severity": "NOTICE",
                "message_id": "V-16-1-10086",
                "kind": "regular_membership",
                "system": "oak",
                "node_id": 0,
                "membership": "0x3",
            },
            id="undated",
        ),
        pytest.param(
            "2011/05/13 03:31:45 VCS DBG_21 V-16-50-0 Thread(4) something",
            {
                "stamp": at("2011-05-13 03:31:45"),
                "era": "umi",
                "severity": "DBG_21",
                "message_id": "V-16-50-0",
                "kind": "other",
            },
            id="debug, thread",
        ),
    ],
)
def test_message_says(text: str, expected: dict[str, object]) -> None:
    assert filled(event(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Resource x (Owner: a@b.c, Group: g) is FAULTED (timed out) on sys s1", ("resource_faulted", "x", "g", "s1")),
        ("Initiating Online of Resource x (Owner: u, Group: g) on System s1", ("initiate_online", "x", "g", "s1")),
        ("Initiating Offline of Resource x (Owner: u, Group: g) on System s1", ("initiate_offline", "x", "g", "s1")),
        ("Group g is offline on system s1", ("group_offline", None, "g", "s1")),
        ("Group g is faulted on system s1", ("group_faulted", None, "g", "s1")),
        ("Initiating switch of group g from system s0 to system s1", ("group_switch", None, "g", "s1")),
        ("Group g autodisabled on node s1 until it is probed", ("group_autodisabled", None, "g", "s1")),
        ("Group g has been probed on system s1", ("other", None, "g", "s1")),
        ("Received new cluster membership", ("new_membership", None, None, None)),
        ("Agent is calling clean for resource(x) because ...", ("clean_called", "x", None, None)),
        ("Resource (x) - clean completed successfully.", ("clean_done", "x", None, None)),
        (
            "Resource(x) - monitor procedure did not complete within the expected time.",
            ("monitor_timeout", "x", None, None),
        ),
        ("Resource(x) - online procedure did not complete", ("online_timeout", "x", None, None)),
        ("Resource(x) - offline procedure did not complete", ("offline_timeout", "x", None, None)),
        (
            "Resource(x) became OFFLINE unexpectedly on its own. Agent is restarting (attempt number 1 of 2) the ...",
            ("restart_attempt", "x", None, None),
        ),
        (
            "Resource(x) has reported unexpected OFFLINE 1 times, which is still within the ToleranceLimit(2).",
            ("unexpected_offline", "x", None, None),
        ),
        ("CurrentCount increased above 1 for failover group g", ("concurrency_violation", None, "g", None)),
        ("User admin fired command: hagrp -switch g s1 from localhost", ("user_command", None, None, None)),
        ("Cluster logger started", ("logger_started", None, None, None)),
        ("something nobody has seen", ("other", None, None, None)),
    ],
)
@pytest.mark.parametrize("head", ["TAG_E 2000/10/19 09:12:07", "2011/05/13 03:31:45 VCS INFO V-16-1-99999"])
def test_text_decides_where_the_id_says_nothing(head: str, text: str, expected: tuple[str | None, ...]) -> None:
    row = event(f"{head} {text}")
    assert (row["kind"], row["resource"], row["group"], row["system"]) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("2011/05/13 03:31:45 VCS ERROR V-16-1-10322 Le système NODEC a changé d'état", "system_state"),
        ("2011/05/13 03:31:45 VCS INFO V-16-1-10298 Ressource x ist online", "resource_online"),
        ("TAG_E 2003/07/28 10:27:23 VCS:10298:Ressource x ist online", "resource_online"),
        ("TAG_B 2003/07/28 10:27:23 VCS:13027:nichts", "monitor_timeout"),
        ("2011/05/13 03:31:45 VCS NOTICE V-16-1-10112 System (NODEA) - Membership: 0x3, DDNA: 0x0", "other"),
    ],
)
def test_id_decides_before_the_text(text: str, kind: str) -> None:
    assert event(text)["kind"] == kind


@pytest.mark.parametrize(
    ("printed", "severity"),
    [("TAG_A", "CRITICAL"), ("TAG_B", "ERROR"), ("TAG_C", "WARNING"), ("TAG_D", "NOTICE"), ("TAG_E", "INFO")],
)
def test_tag_letters_are_translated(printed: str, severity: str) -> None:
    row = event(f"{printed} 2003/07/28 10:27:23 VCS:10077:Received new cluster membership")
    assert (row["severity"], row["severity_printed"]) == (severity, printed)


def test_note_of_windows_is_a_notice() -> None:
    assert event("2004/02/17 15:08:33 VCS NOTE V-16-1-1 x")["severity"] == "NOTICE"


@pytest.mark.parametrize(
    ("printed_id", "expected"),
    [
        ("VCS INFO V-16-1-10298", ("V-16-1-10298", 16, 1, 10298)),
        ("VCS INFO V-2-19", ("V-2-19", 2, None, 19)),
        ("VCS INFO V-16-10061-14001", ("V-16-10061-14001", 16, 10061, 14001)),
        ("VCS INFO V-16-1-99999999999", ("V-16-1-99999999999", 16, 1, None)),
    ],
)
def test_id_is_taken_apart(printed_id: str, expected: tuple[object, ...]) -> None:
    row = event(f"2011/05/13 03:31:45 {printed_id} text")
    assert (row["message_id"], row["originator"], row["category"], row["message_number"]) == expected


def test_agent_id_of_2x_has_no_category() -> None:
    row = event("TAG_C 2001/11/05 08:02:13 VCS:254001:text")
    assert (row["message_id"], row["originator"], row["category"], row["message_number"]) == (
        "VCS:254001",
        16,
        None,
        254001,
    )


@pytest.mark.parametrize(
    ("texts", "joined"),
    [
        ((FAULT[:60], "wrapped"), f"{FAULT[43:60].strip()} wrapped"),
        (
            ("2003/03/04 11:19:52 VCS INFO V-16-1-10077 received new", "", "cluster membership."),
            "received new cluster membership.",
        ),
        (
            ("2003/03/17 06:50:11 VCS WARNING V-16-2-23331 \t", "Oracle:FIN:monitor:Open failed "),
            "Oracle:FIN:monitor:Open failed",
        ),
    ],
)
def test_wrapped_text_is_joined_by_one_blank(texts: tuple[str, ...], joined: str) -> None:
    assert event(*texts)["text"] == joined


def test_wrapped_agent_line_gives_its_fields() -> None:
    row = event("2011/06/21 13:02:45 VCS WARNING V-16-2-23331", "Oracle:FIN:monitor:Open for ora_lgwr failed")
    assert (row["agent"], row["resource"], row["entry_point"]) == ("Oracle", "FIN", "monitor")


def test_announced_output_is_payload_up_to_the_next_dated_line() -> None:
    texts = (OUTPUT, "log replay in progress", "", "VCS ERROR V-16-1-10600 Cannot connect to VCS engine", STARTED)
    first, second = events(*texts)
    assert first["payload"] == "log replay in progress\nVCS ERROR V-16-1-10600 Cannot connect to VCS engine"
    assert (first["kind"], first["entry_point"], first["resource"]) == ("entry_output", "online", "db03shark")
    assert second["kind"] == "logger_started"
    assert verdicts(*texts) == [PARSED, CONTINUATION, BLANK, CONTINUATION, PARSED]


@pytest.mark.parametrize(("opening", "closing"), [(EQUALS, EQUALS), (OPENING, CLOSING)])
def test_output_between_rulers_is_payload(opening: str, closing: str) -> None:
    undated = "VCS ERROR V-16-1-10600 Cannot connect to VCS engine"
    texts = (FAULT, opening, "  mount: busy", undated, closing, undated)
    first, second = events(*texts)
    assert first["payload"] == f"  mount: busy\n{undated}"
    assert first["text"] == FAULT[43:]
    assert second["era"] == "undated"
    assert verdicts(*texts) == [PARSED, IGNORED, CONTINUATION, CONTINUATION, IGNORED, PARSED]


def test_ruler_that_is_never_closed_ends_at_the_next_dated_line() -> None:
    assert [row["payload"] for row in events(FAULT, OPENING, "output", STARTED)] == ["output", None]


def test_lines_before_the_first_message_are_rejected_with_a_reason() -> None:
    lines = parse(numbered(["cut off text", "", FAULT])).lines
    assert lines["verdict"].to_list() == [REJECTED, BLANK, PARSED]
    assert lines["reason"].to_list() == ["before the first message", None, None]


@pytest.mark.parametrize(
    "text",
    [
        "2011/13/45 03:31:45 VCS ERROR V-16-1-10322 x",
        "2011/02/29 03:31:45 VCS ERROR V-16-1-10322 x",
        "2011/05/13 24:00:00 VCS ERROR V-16-1-10322 x",
        "2011/05/13 03:31:60 VCS ERROR V-16-1-10322 x",
        "2011/05/13  03:31:60 VCS ERROR V-16-1-10322 x",
        "0000/01/01 00:00:00 VCS ERROR V-16-1-10322 x",
        "TAG_E 2011/13/45 03:31:45 x",
        "Tue 31 Feb 2015 07:19:29 PM IST VCS NOTICE V-16-1-10447 x",
        "Di 12 Mai 2015 19:19:29 CEST VCS NOTICE V-16-1-10447 x",
    ],
)
def test_impossible_date_is_rejected_with_what_continues_it(text: str) -> None:
    lines = parse(numbered([FAULT, text, "more"])).lines
    assert lines["verdict"].to_list() == [PARSED, REJECTED, REJECTED]
    assert None not in lines["reason"].to_list()[1:]


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("Tue 12 May 2015 07:19:29 PM IST", at("2015-05-12 19:19:29")),
        ("Tue 12 May 2015 12:00:00 AM IST", at("2015-05-12 00:00:00")),
        ("Tue 12 May 2015 19:19:29 IST", at("2015-05-12 19:19:29")),
        ("Tue May 12 19:19:29 2015", at("2015-05-12 19:19:29")),
        ("Tue May  2 19:19:29 CEST 2015", at("2015-05-02 19:19:29")),
        ("May 12 2015 19:19:29", at("2015-05-12 19:19:29")),
    ],
)
def test_dates_in_words(date: str, expected: datetime) -> None:
    row = event(f"{date} VCS NOTICE V-16-1-10447 Group g is online on system s")
    assert (row["stamp"], row["has_year"], row["utc_offset_min"]) == (expected, True, None)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(FAULT.replace("13 03", "1303"), id="lost blank in the date"),
        pytest.param(FAULT.replace("45 VCS", "45VCS"), id="lost blank after the date"),
        pytest.param(FAULT.replace("ERROR V", "ERRORV"), id="lost blank before the id"),
        pytest.param(f"<b>{FAULT}</b><br/>", id="tags"),
        pytest.param(f'<span class="x">{FAULT}</span>', id="tag with attribute"),
        pytest.param(f"{FAULT}  <<<<<=== look here", id="mark of a reader"),
        pytest.param(f"  {FAULT}", id="indented"),
    ],
)
def test_damage_of_copies_changes_nothing(text: str) -> None:
    assert filled(event(text)) == filled(event(FAULT))
    assert event(text)["text"] == event(FAULT)["text"]


def test_text_in_angle_brackets_that_is_no_tag_stays() -> None:
    assert event("2011/05/13 03:31:45 VCS INFO V-16-1-1 value <unknown> a < b")["text"] == "value <unknown> a < b"


@pytest.mark.parametrize("text", ["..", "... ...", "<br>"])
def test_marks_of_a_pasted_log_are_ignored(text: str) -> None:
    assert verdicts(FAULT, text, STARTED) == [PARSED, IGNORED, PARSED]
    assert event(FAULT, text)["text"] == FAULT[43:]


def test_dots_in_command_output_are_kept() -> None:
    assert event(OUTPUT, "....")["payload"] == "...."


def test_forms_may_be_mixed_and_keep_their_order() -> None:
    texts = [
        STARTED,
        "TAG_E 2000/10/19 09:12:07 Resource vip1 is online on alder",
        "VCS WARNING V-16-1-11030 HAD not ready",
        FAULT,
    ]
    rows = events(*texts)
    assert [row["era"] for row in rows] == ["umi", "tag_1", "undated", "umi"]
    assert [row["line_no"] for row in rows] == [1, 2, 3, 4]


def test_undated_message_has_no_time() -> None:
    row = event("VCS ERROR V-16-1-10600 Cannot connect to VCS engine")
    assert (row["stamp"], row["has_year"]) == (None, None)


def test_messages_in_another_log_keep_their_key_and_stamp() -> None:
    texts = [
        "VCS ERROR V-16-1-10322 System NODEC (Node '2') changed state from RUNNING to FAULTED",
        'WARNING:: VCS Concurrency Violation!!! Group="webgrp" Hosts=(alder birch)',
        "VCS:10298:Resource vip1 is online on alder",
        "LLT INFO V-14-1-10009 LLT Protocol available",
    ]
    rows = pl.DataFrame(
        [(4, 10 + place, 1, at("2000-05-13 00:00:00"), False, 60, text) for place, text in enumerate(texts)],
        {**KEY_SCHEMA, **STAMP_SCHEMA, "text": pl.String()},
        orient="row",
    )
    found = messages(rows).flat()
    assert found.schema == pl.Schema(VCS_EVENT.schema)
    columns = found.select("line_no", "era", "kind", "message_id", "group", "system").rows()
    assert columns == [
        (10, "umi", "system_state", "V-16-1-10322", None, "NODEC"),
        (11, "tag_1", "concurrency_violation", None, "webgrp", None),
        (12, "tag_2", "resource_online", "V-16-1-10298", None, "alder"),
    ]
    assert found["utc_offset_min"].to_list() == [60, 60, 60]


FURTHER_LINES = [
    "log replay in progress",
    "..",
    "TAG_E 2000/10/19 09:12:07 Resource vip1 is online on alder",
    "TAG_C 2001/11/05 08:02:13 VCS:254001:Oracle:orares1:online:text",
    "Tue 12 May 2015 07:19:29 PM IST VCS NOTICE V-16-1-10447 Group g is online on system s-1",
    "Aug 14 2010 09:47:20 VCS ERROR V-16-2001-14001",
    "VCS WARNING V-16-1-11030 HAD not ready ",
    "VCS INFO V-16-2-13001 Output of the completed operation (online)",
    "2011/13/45 03:31:45 VCS ERROR V-16-1-10322 x",
    "Di 12 Mai 2015 19:19:29 CEST VCS NOTICE V-16-1-10447 x",
    "<br>",
]
"""Lines that tests/parsers/test_format.py cuts and splices, besides those above."""


def test_a_cut_head_begins_a_message_of_its_own() -> None:
    lines = [
        "2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System a (Node '2') changed state from RUNNING to FAULTED",
        "2011/05/13 03:31:46 VCS ERROR",
        "V-16-1-10205 Group shop is faulted on system a",
        "2011/05/13 03:31:47 VCS",
        "NOTICE V-16-1-10446 Group shop is offline on system a",
    ]
    parsed = parse(numbered(lines))
    assert parsed.lines["verdict"].to_list() == [1, 1, 2, 1, 2]
    assert parsed.tables["vcs_event"]["message_number"].to_list() == [10322, 10205, 10446]
