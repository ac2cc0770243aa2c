import pytest

from parsers.db2.pd import FORMAT
from parsers.format import Verdict
from tests.support.configuration_lines import confidence, verdicts
from tests.support.message_lines import numbered

# REAL (V11.5.9)
NEW = [
    "Database Member 0 -- Database SAMPLE -- Active -- Up 1 days 00:00:41 -- Date 2024-07-04-06.30.52.620854",
    "",
    "                            HADR_ROLE = PRIMARY",
    "                  PRIMARY_MEMBER_HOST = pacemakertest1",
    "                           HADR_FLAGS = ",
    "             HADR_CONNECT_STATUS_TIME = 04-07-2024 06:30:46.823373 (1720099846)",
    "SOCK_SEND_BUF_REQUESTED,ACTUAL(bytes) = 0, 87040",
    "              HADR_LAST_TAKEOVER_TIME = NULL",
]
# REAL (V9.7)
OLD = [
    "Database Partition 0 -- Database HADRDB -- Active -- Up 0 days 00:19:25",
    "HADR Information:",
    "Role    State                SyncMode HeartBeatsMissed   LogGapRunAvg (bytes)",
    "Primary Remote catchup pending Sync     0                  1412",
    "ConnectStatus ConnectTime                           Timeout",
    "Connected     Thu Aug  5 20:33:00 2010 (1281011580) 8",
    "RemoteHost                               RemoteService      RemoteInstance",
    "server2.ibm.com                          hdr_svc2",
]
Shown = dict[str, str | None]


def shown(*texts: str) -> Shown:
    return dict(FORMAT.parse(numbered(texts)).tables["hadr_status_value"].select("name", "value").iter_rows())


def test_pairs_are_values() -> None:
    assert shown(*NEW) == {
        "DATABASE_STATUS": "Active",
        "UPTIME": "86441",
        "HADR_ROLE": "PRIMARY",
        "PRIMARY_MEMBER_HOST": "pacemakertest1",
        "HADR_FLAGS": "",
        "HADR_CONNECT_STATUS_TIME": "04-07-2024 06:30:46.823373 (1720099846)",
        "SOCK_SEND_BUF_REQUESTED": "0",
        "SOCK_SEND_BUF_ACTUAL": "87040",
        "HADR_LAST_TAKEOVER_TIME": None,
    }


@pytest.mark.parametrize("collapsed", [False, True])
def test_values_stand_below_heads_of_columns(*, collapsed: bool) -> None:
    texts = [" ".join(text.split()) for text in OLD] if collapsed else OLD
    time = "Thu Aug 5 20:33:00 2010 (1281011580)"
    assert shown(*texts) == {
        "DATABASE_STATUS": "Active",
        "UPTIME": "1165",
        "HADR_ROLE": "Primary",
        "HADR_STATE": "Remote catchup pending",
        "HADR_SYNCMODE": "Sync",
        "HEARTBEAT_MISSED": "0",
        "HADR_LOG_GAP": "1412",
        "HADR_CONNECT_STATUS": "Connected",
        "HADR_CONNECT_STATUS_TIME": time if collapsed else time.replace("Aug 5", "Aug  5"),
        "HADR_TIMEOUT": "8",
        "REMOTE_HOST": "server2.ibm.com",
        "REMOTE_SERVICE": "hdr_svc2",
    }
    assert verdicts(FORMAT, *texts).count(Verdict.PARSED) == 4


def test_headline_dates_all_values_and_the_seconds_tell_the_zone() -> None:
    rows = FORMAT.parse(numbered(NEW)).tables["hadr_status_value"]
    line_verdicts = (
        rows.select("stamp", "has_year", "utc_offset_min", "host", "database", "member", "status_no").unique().rows()
    )
    assert [(str(stamp), *rest) for stamp, *rest in line_verdicts] == [
        ("2024-07-04 06:30:52.620854", True, -420, "pacemakertest1", "SAMPLE", 0, 1)
    ]


# REAL (IBM wiki, V10.1): 8 June, by the seconds
def test_seconds_tell_day_and_month_of_the_headline() -> None:
    head = "Database Member 0 -- Database HADRDB -- Active -- Up 0 days 00:23:17 -- Date 06/08/2011 13:57:23"
    time = "HADR_CONNECT_STATUS_TIME = 06/08/2011 13:38:10.199479 (1307565490)"
    rows = FORMAT.parse(numbered([head, time])).tables["hadr_status_value"]
    assert {(str(stamp), offset) for stamp, offset in rows.select("stamp", "utc_offset_min").rows()} == {
        ("2011-06-08 13:57:23", -420)
    }


def test_headline_without_date_takes_that_of_the_date_above() -> None:
    rows = FORMAT.parse(numbered(["Thu Aug  5 20:40:00 EDT 2010", *OLD])).tables["hadr_status_value"]
    assert {str(stamp) for stamp in rows["stamp"]} == {"2010-08-05 20:40:00"}
    assert FORMAT.parse(numbered(OLD)).tables["hadr_status_value"]["stamp"].null_count() == 15 - 3


def test_each_standby_has_a_block_of_its_own() -> None:
    texts = [NEW[0], "HADR_ROLE = PRIMARY", "STANDBY_ID = 1", "HADR_ROLE = PRIMARY", "STANDBY_ID = 2", *NEW]
    rows = FORMAT.parse(numbered(texts)).tables["hadr_status_value"]
    assert rows.filter(name="HADR_ROLE")["status_no"].to_list() == [1, 2, 3]
    assert rows.filter(name="STANDBY_ID")["status_no"].to_list() == [1, 2]


@pytest.mark.parametrize("collapsed", [False, True])
def test_a_query_has_a_line_for_each_standby_and_its_waits_in_seconds(*, collapsed: bool) -> None:
    texts = [
        "HADR_ROLE     STANDBY_ID HADR_STATE              STANDBY_MEMBER_HOST  LOG_HADR_WAIT_CUR    HADR_LOG_GAP",
        "------------- ---------- ----------------------- -------------------- -------------------- ------------",
        "PRIMARY                1 PEER                    elm-2                                1500        12034",
        "PRIMARY                2 DISCONNECTED_PEER       -                                       0            -",
        "",
        "  2 record(s) selected.",
    ]
    texts[2:4] = [" ".join(each.split()) for each in texts[2:4]] if collapsed else texts[2:4]
    rows = FORMAT.parse(numbered(texts)).tables["hadr_status_value"]
    first, second = (rows.filter(status_no=number) for number in (1, 2))
    assert dict(first.select("name", "number").drop_nulls().iter_rows()) == {
        "STANDBY_ID": 1,
        "LOG_HADR_WAIT_CUR": 1.5,
        "HADR_LOG_GAP": 12034,
    }
    assert second["name"].to_list() == ["HADR_ROLE", "STANDBY_ID", "HADR_STATE", "LOG_HADR_WAIT_CUR"]
    assert Verdict.REJECTED not in verdicts(FORMAT, *texts)
    assert confidence(FORMAT, *texts) >= 0.9


def test_copies_with_quotation_marks_and_tags_are_read() -> None:
    assert shown("# <b>HADR_ROLE = PRIMARY</b>", "> HADR_STATE = PEER") == {
        "HADR_ROLE": "PRIMARY",
        "HADR_STATE": "PEER",
    }


@pytest.mark.parametrize("texts", [NEW, OLD, NEW[2:]])
def test_own_files_are_recognised(texts: list[str]) -> None:
    assert confidence(FORMAT, *texts) >= 0.9


@pytest.mark.parametrize("texts", [[], [""], ["HADR"], [NEW[0], "", "Logs:"], ["x = 1"]])
def test_other_files_are_refused(texts: list[str]) -> None:
    assert confidence(FORMAT, *texts) == 0
