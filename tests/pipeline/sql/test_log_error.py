"""`log_error`: what the logs themselves call an error, the first of each message."""

from datetime import timedelta

from tests.support.hand_made import T0, Ledger


def errors(ledger: Ledger, columns: str) -> list[tuple[object, ...]]:
    return ledger.build().execute(f"select {columns} from log_error order by line_no").fetchall()


def test_word_of_severity_decides_what_is_an_error_and_how_grave() -> None:
    ledger = Ledger()
    messages = ledger.file("x/messages", "syslog", "x", None, "alder")
    ranks = {
        **dict.fromkeys(("emerg", "alert", "PANIC"), 0),
        **dict.fromkeys(("crit", "Critical", "Severe", "FATAL ERROR"), 1),
        **dict.fromkeys(("err", "ERROR", "Error"), 2),
    }
    for word in (*ranks, "warning", "WARNING", "Event", "notice", "Info", "Unknown", "debug"):
        ledger.add("syslog_event", messages, 1, level=word, text=f"ERROR: a word is no severity beside {word}")
    assert errors(ledger, "severity, rank") == list(ranks.items())


def test_text_calls_itself_an_error_where_its_line_has_no_severity() -> None:
    ledger = Ledger()
    messages = ledger.file("x/messages", "syslog", "x", None, "alder")
    severities = {
        "2024-03-01 10:00:00 0 [ERROR] WSREP: no route": "ERROR",
        "ERROR: no route": "ERROR",
        "FATAL:  no route": "FATAL",
        "mount: fatal error: no route": "fatal error",
        "Kernel panic - not syncing: VFS": "panic",
        "Buffer I/O error on dev sdb, logical block 7": "error",
        "EXT4-fs error (device sdb1): ext4_find_entry": "error",
        "checked 3 disks, 0 errors": None,
        "[Note] error log is /var/log/mysql/error.log": None,
        "Error handling is on": None,
    }
    for text in severities:
        ledger.add("syslog_event", messages, 1, text=text)
    assert errors(ledger, "text, severity") == [each for each in severities.items() if each[1] is not None]


def test_message_is_told_once_with_its_first_line_its_hosts_and_how_often() -> None:
    ledger = Ledger()
    messages = ledger.file("x/messages", "syslog", "x", None, None)
    for second, host, text, repeats in (
        (5, "birch", "write of block 17 failed after 3.5 s", 0),
        (1, "alder", "write of block 4 failed after 0.2 s", 2),
        (9, "alder", "read of block 4 failed after 0.2 s", 0),
    ):
        ledger.add("syslog_event", messages, second, host=host, level="err", text=text, repeat_count=repeats)
    first, last, alone = (T0 + timedelta(seconds=second) for second in (1, 5, 9))
    assert errors(ledger, 'text, "count", nodes, first_at, last_at, line_no') == [
        ("write of block 4 failed after 0.2 s", 4, "alder, birch", first, last, 2),
        ("read of block 4 failed after 0.2 s", 1, "alder", alone, alone, 3),
    ]


def test_runs_and_names_are_told_apart() -> None:
    ledger = Ledger()
    for run in ("run1", "run2"):
        messages = ledger.file(f"x/{run}/messages", "syslog", "x", run, "alder")
        for device in ("sda", "sdb"):
            ledger.add("syslog_event", messages, 1, host="alder", level="err", text=f"{device} is gone")
    assert errors(ledger, "run, text") == [
        (run, f"{device} is gone") for run in ("run1", "run2") for device in ("sda", "sdb")
    ]


def test_message_that_syslog_carries_beside_the_log_of_its_own_is_told_once() -> None:
    ledger = Ledger()
    text = "System alder (Node '0') changed state from RUNNING to FAULTED"
    engine = ledger.file("x/engine_A.log", "vcs_engine", "x", None, "birch")
    ledger.add("vcs_event", engine, 1, kind="system_state", severity="ERROR", message_id="V-16-1-10322", text=text)
    messages = ledger.file("x/messages", "syslog", "x", None, "birch")
    carried = f"VCS ERROR V-16-1-10322 {text}"
    ledger.add("syslog_event", messages, 1, host="birch", level="err", message_id="V-16-1-10322", text=carried)
    assert errors(ledger, 'source, "count", meaning') == [("vcs", 1, "The cluster took the system for faulted")]


def test_what_a_cluster_manager_reports_as_failed_is_an_error_though_it_calls_it_a_notice() -> None:
    ledger = Ledger()
    messages = ledger.file("x/messages", "syslog", "x", None, "alder")
    for kind in ("split_brain", "resource_done"):
        line = ledger.add("syslog_event", messages, 1, host="alder", level="notice", text=kind)
        ledger.rows["ha_event"].append(
            {"file_id": messages, "line_no": line, "part": 1, "at": T0, "local_at": T0, "stack": "drbd", "kind": kind}
        )
    assert errors(ledger, "text, severity, meaning") == [
        ("split_brain", "notice", "Both sides were active, and their data may differ")
    ]
