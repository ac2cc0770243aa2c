import pytest

from parsers.syslog.syslog import FORMAT
from tests.support.message_lines import numbered, row, rows


@pytest.mark.parametrize(
    ("said", "writer", "lost"),
    [
        ("rsyslogd-2177: imuxsock[pid 22830]: begin to drop messages due to rate-limiting", "imuxsock", None),
        ("rsyslogd-2177: imjournal: begin to drop messages due to rate-limiting", "imjournal", None),
        ("rsyslogd-2177: imjournal: 236 messages lost due to rate-limiting", "imjournal", 236),
        ("rsyslogd-2177: imuxsock lost 128 messages from pid 12105 due to rate-limiting", "imuxsock", 128),
        ("systemd-journal[1864]: Suppressed 917 messages from /", "systemd-journal", 917),
        ("systemd-journald[1]: Missed 15 kernel messages", "systemd-journald", 15),
        ("kernel: [ 12.345678] drbd0: 7 messages suppressed in drbd_main.c:12.", "kernel", 7),
        ("kernel: __ratelimit: 43 callbacks suppressed", "kernel", 43),
    ],
)
def test_lost_messages_are_counted(said: str, writer: str, lost: int | None) -> None:
    gap = row(FORMAT, f"Jun 28 10:32:15 n1 {said}", table="log_gap")
    assert (gap["host"], gap["writer"], gap.get("lost_count")) == ("n1", writer, lost)


@pytest.mark.parametrize(
    "said",
    [
        "heartbeat[1]: info: lost packet(s) for [n2] [1:3]",
        "crmd[1]: notice: Suppressed messages",
        "x[1]: lost connection",
        "x[1]: I missed you 3 messages ago",
        f"x[1]: {'9' * 30} messages lost",
    ],
)
def test_other_losses_are_not(said: str) -> None:
    assert rows(FORMAT, f"Jun 28 10:32:15 n1 {said}", table="log_gap") == []


def test_a_message_of_a_failover_has_its_typed_row() -> None:
    dead = "Aug 15 19:55:11 mail2 heartbeat[554]: WARN: node mail1.X.X: is dead"
    tables = FORMAT.parse(numbered([dead, "Aug 15 19:55:12 mail2 cron[1]: x", dead])).tables
    assert tables["ha_event"].select("line_no", "part", "host", "pid").rows() == [
        (1, 1, "mail2", 554),
        (3, 1, "mail2", 554),
    ]
    assert tables["syslog_event"].height == 3


def test_texts_of_many_rows_on_one_line_are_counted_on() -> None:
    glued = (
        "Feb  6 10:27:06 n1 kernel: LLT INFO V-14-1-10205 link 0 (eth1) node 0 in trouble "
        "GAB INFO V-15-1-20036 Port a gen 1bbf01 membership ;1  4"
    )
    for name, frame in FORMAT.parse(numbered([glued])).tables.items():
        assert frame.select("file_id", "line_no", "part").is_unique().all(), name
