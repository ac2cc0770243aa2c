from parsers.db2.instance_message import INSTANCE_MESSAGE, instance_messages
from tests.support.measured import numbered


def test_messages_of_one_line_are_its_parts() -> None:
    # REAL: the text extraction joined lines, without a blank before the date
    line = (
        "db2set db207-28-2003 10:27:12 0 0 SQL1064N DB2STOP processing was successful. SQL1064N DB2STOP processing was"
        " successful. [138] > time db2start 07-28-2003 10:27:32 1 2 SQL1063N DB2START processing was successful."
    )
    found = instance_messages(numbered(["", line]))
    assert found.schema == INSTANCE_MESSAGE.schema
    rows = found.select("line_no", "part", "stamp", "member", "port", "message_id").rows()
    assert [(no, part, str(stamp), *rest) for no, part, stamp, *rest in rows] == [
        (2, 1, "2003-07-28 10:27:12", 0, 0, "SQL1064N"),
        (2, 2, "2003-07-28 10:27:32", 1, 2, "SQL1063N"),
    ]


def test_no_stamp_or_an_impossible_one_gives_no_row() -> None:
    lines = [
        "SQL1063N DB2START processing was successful.",
        "13-28-2003 10:27:04 0 0 SQL1063N DB2START processing was successful.",
    ]
    assert instance_messages(numbered(lines)).is_empty()
