"""What is around the lines of a copy is taken off, and nothing else."""

import pytest

from parsers.sysstat.cleaning import cleaned
from tests.support.report_lines import numbered, read, rows

HEADER = "Device:    tps kB_read/s kB_wrtn/s"
ROW = "sda       1.00 2.00 3.00"


@pytest.mark.parametrize(
    "mark",
    [
        pytest.param("{}", id="nothing"),
        pytest.param("> {}", id="mail"),
        pytest.param("> > {}", id="mail in a mail"),
        pytest.param("|{} |", id="frame of a document"),
        pytest.param("<pre>{}", id="markup"),
        pytest.param("ilc4: {}", id="parallel shell"),
        pytest.param("2026-11-21 02:42:01 {}", id="ts"),
        pytest.param("Nov 21 02:42:01 {}", id="ts without a year"),
        pytest.param("    {}", id="indent"),
        pytest.param("{}\r", id="carriage return"),
    ],
)
def test_marks_before_lines_are_taken_off(mark: str) -> None:
    text = "\n".join(mark.format(line) for line in (HEADER, ROW)) + "\n"
    assert rows(text, "iostat_device", "device", "tps", "wkb_per_s") == [("sda", 1.0, 3.0)]


def test_a_mark_counts_only_before_a_header() -> None:
    text = f"{HEADER}\n> {ROW}\n"
    assert cleaned(numbered(text))["text"].to_list() == [HEADER, f"> {ROW}"]


def test_a_time_put_before_a_line_is_kept() -> None:
    text = f"2026-11-21 02:42:01 {HEADER}\n2026-11-21 02:42:01 {ROW}\n"
    assert cleaned(numbered(text))["put_before"].to_list() == ["2026-11-21 02:42:01"] * 2
    assert rows(text, "iostat_mark", "time_text", "time_source") == [("2026-11-21 02:42:01", "wrapper")]


def test_a_frame_around_nothing_is_no_blank_line() -> None:
    text = f"|{HEADER} |\n|       |\n|{ROW} |\n"
    parsed = read(text)  # which holds that exactly the lines of white space are blank
    assert parsed.lines["reason"].to_list() == [None, "markup", None]
