from datetime import datetime

from parsers.dated.minute_log import FORMAT
from parsers.format import Verdict
from tests.support.message_lines import claimed_by, rows, verdicts

at = datetime.fromisoformat


# RECONSTRUCTED: layouts of backup scripts, logbooks and appliances
def test_stamps_without_seconds() -> None:
    stamps = {
        "2024-03-17 10:11": "2024-03-17T10:11",
        "2024-03-17T10:11Z": "2024-03-17T10:11",
        "17.03.2024 10:11": "2024-03-17T10:11",
        "3/17/2024 10:11 PM": "2024-03-17T22:11",
        "17 Mar 2024 10:11": "2024-03-17T10:11",
        "Mar 17 10:11": "2000-03-17T10:11",
        "17.03. 10:11": "2000-03-17T10:11",
        "[2024/03/17 10:11]": "2024-03-17T10:11",
    }
    for stamp, moment in stamps.items():
        lines = [f"{stamp} WARN it began", f"{stamp} it ended"]
        assert claimed_by(lines) == "minute_log", stamp
        first, _ = rows(FORMAT, *lines, table="log_record")
        assert (first["stamp"], first["level"], first["stamp_step_s"]) == (at(moment), "warning", 60.0), stamp


def test_lines_below_belong_to_the_record() -> None:
    lines = ["2024-03-17 10:11 it began", "with more", "2024-03-17 10:12 it ended"]
    assert verdicts(FORMAT, *lines) == [Verdict.PARSED, Verdict.CONTINUATION, Verdict.PARSED]


def test_what_has_seconds_or_no_words_is_none() -> None:
    for lines in (
        ["2024-03-17 10:11:12 it began", "2024-03-17 10:11:13 it ended"],
        ["2024-03-17 10:11 1.5 2.5", "2024-03-17 10:12 1.5 2.5"],
        ["-rw-r--r-- 1 root root 12 Mar 17 10:11 a", "-rw-r--r-- 1 root root 12 Mar 17 10:12 b"],
        ["start,end,station", "2024-03-17 10:11,2024-03-17 10:15,Kiel", "2024-03-17 10:12,2024-03-17 10:17,Bonn"],
    ):
        assert claimed_by(lines) != "minute_log", lines
