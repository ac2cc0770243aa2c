"""The time that a run folder covers."""

from datetime import timedelta

from tests.support.hand_made import T0, Ledger


def test_a_range_ends_a_second_after_its_last_line_or_where_the_next_begins() -> None:
    ledger = Ledger()
    for run, first_s, last_s in (("run01", 0, 100), ("run02", 60, 200)):
        file_id = ledger.file(f"default/{run}/n1/messages", "syslog", "default", run, "n1")
        ledger.add("syslog_event", file_id, first_s, text="first")
        ledger.add("syslog_event", file_id, last_s, text="last")
    con = ledger.build()
    found = con.execute("select run, start_at, end_at from run_range order by run").fetchall()
    assert found == [
        ("run01", T0, T0 + timedelta(seconds=60)),
        ("run02", T0 + timedelta(seconds=60), T0 + timedelta(seconds=201)),
    ]
