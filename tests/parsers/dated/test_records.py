from parsers.dated.dated_log import FORMAT
from parsers.dated.records import LOG_RECORD
from tests.support.message_lines import counts, rows


def test_what_a_record_says_of_its_writer() -> None:
    lines = [
        "Log file created at: 2019/07/18 10:00:00",
        "Running on machine: n1",
        "2019-07-18 10:00:01 mysqld[12]: [ERROR] [MY-010116] Server no",
    ]
    first, second = rows(FORMAT, *lines, table=LOG_RECORD.name)
    assert first["host"] == "n1"
    assert (second["process"], second["pid"], second["message_id"]) == ("mysqld", 12, "MY-010116")


def test_remarks_of_log_files_are_ignored() -> None:
    lines = [
        "#Fields: date time s-ip",
        "2020-01-31 10:00:00 10.0.0.1 GET /a",
        "#Date: 2020-01-31",
        "2020-01-31 10:00:01 x GET /b",
    ]
    assert counts(FORMAT, lines) == [2, 0, 2, 0, 0]
