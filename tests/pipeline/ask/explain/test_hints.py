"""What unread texts look like: each likeness is shown by a line, and nothing is said without one."""

import polars as pl
import pytest

from parsers.format import formats
from pipeline.ask.explain.hints import fitting_names, looks, nearest, wide_text

SYSLOG = [f"Jul 28 10:27:{second:02} sun-ha4 sshd[41]: Accepted publickey for root" for second in range(20)]


@pytest.mark.parametrize(
    ("lines", "what", "line_no"),
    [
        pytest.param(
            ["", "run,tps,tpm", "1,10,600", "2,11,660"], "a table (CSV) with a header: 3 columns", 2, id="CSV"
        ),
        pytest.param(["{", '  "sysstat": {', "}"], "JSON, its first key is sysstat", 1, id="JSON over lines"),
        pytest.param(
            ["Linux 5.4.0 (db1) \t01/02/2020 \t_x86_64_\t(4 CPU)", "", "avg-cpu:  %user"],
            "an iostat report",
            3,
            id="iostat",
        ),
        pytest.param(
            ["Linux 5.4.0 (db1) \t01/02/2020 \t_x86_64_"],
            "a report of sar, iostat or a like tool",
            1,
            id="its head only",
        ),
        pytest.param(
            ["[root@sun-ha4 ~]# iostat -x 5", "Device: r/s"],
            "a copy of a terminal: it starts with a prompt and the command `iostat -x 5`",
            1,
            id="prompt",
        ),
        pytest.param(["db2 => get db cfg", "x"], "a copy of a terminal", 1, id="prompt of DB2"),
        pytest.param(["C:\\DB2>db2pd -hadr", "x"], "a copy of a terminal", 1, id="prompt of Windows"),
        pytest.param(
            ["2003-07-28 10:27:04 one", "2003-07-28 10:27:05 two", "more"],
            "a log that haledger does not know: 2 of 3 lines begin with year-month-day and time",
            1,
            id="stamps",
        ),
    ],
)
def test_a_text_looks_like_what_a_line_of_it_shows(lines: list[str], what: str, line_no: int) -> None:
    first = looks(lines)[0]
    assert first.what.startswith(what)
    assert first.line_no == line_no


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([], id="nothing"),
        pytest.param(["", " \t"], id="white space"),
        pytest.param(["nothing"], id="a word"),
        pytest.param(["# LLT link to the other node"], id="a comment is no prompt"),
        pytest.param(["set-node /etc/nodename"], id="a directive"),
    ],
)
def test_nothing_is_said_without_evidence(lines: list[str]) -> None:
    assert looks(lines) == []


def test_nearest_is_the_format_that_reads_most_lines() -> None:
    heads = {
        3: pl.Series("text", ["about the run", *SYSLOG[:4], *["and more"] * 5]),
        7: pl.Series("text", ["nothing", "at all"]),
        9: pl.Series("text", [], dtype=pl.String()),
    }
    found = nearest(heads, formats())
    assert set(found) == {3}
    assert found[3].read_count >= 4
    assert (found[3].line_count, found[3].line_no) == (10, 2)


def test_a_stray_line_is_no_likeness() -> None:
    assert nearest({1: pl.Series("text", [SYSLOG[0], *["nothing"] * 50])}, formats()) == {}


def test_a_time_alone_is_no_likeness() -> None:
    times = [f"07/28/2025 10:27:{second:02} AM" for second in range(9)]
    lines = [each for second in times for each in (second, "a line of some program")]
    assert nearest({1: pl.Series("text", lines)}, {"iostat": formats()["iostat"]}) == {}


def test_a_script_is_no_log_even_if_its_lines_look_like_one() -> None:
    assert nearest({1: pl.Series("text", ["#!/bin/sh", *SYSLOG])}, formats()) == {}
    for first in ("#!/bin/sh", "#! /usr/bin/env bash", "#!/usr/bin/env -S ksh -e"):
        assert looks([first, "set -eu"])[0].what == "a shell script"
    assert nearest({1: pl.Series("text", SYSLOG)}, formats())


def test_a_file_name_shows_only_where_it_is_a_formats_own() -> None:
    assert fitting_names("db2diag.log.old", formats()) == ["db2diag"]
    assert fitting_names("notes.txt", formats()) == []


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        pytest.param("Привет мир\r\n".encode("utf-16-le") * 9, "utf-16-le", id="little end first"),
        pytest.param("Привет мир\r\n".encode("utf-16-be") * 9, "utf-16-be", id="big end first"),
        pytest.param(b"\0" * 100, None, id="nothing but NUL"),
        pytest.param(bytes(range(256)), None, id="all bytes"),
        pytest.param(b"", None, id="empty"),
    ],
)
def test_bytes_that_may_be_utf_16(raw: bytes, encoding: str | None) -> None:
    assert wide_text(raw) == encoding
