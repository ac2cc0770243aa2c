"""Lines of iostat, vmstat and sar before they are rows: cleaned, marked (`marks`), cut."""

import re

import pytest

from parsers.sysstat.cleaning import cleaned
from parsers.sysstat.headers import header_of
from parsers.sysstat.iostat_vmstat_sar import BOUNDARY
from parsers.sysstat.lines import Role, classify_lines
from parsers.sysstat.reports import parse
from tests.support import report_lines
from tests.support.message_lines import numbered
from tests.support.report_lines import LINUX_X, read, rows


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("", Role.BLANK),
        ("sda 1.00 2.00", Role.ROW),
        ("Device: tps kB_read/s kB_wrtn/s", Role.HEADER),
        ("Linux 4.4.0", Role.INVOCATION),
        ("$ iostat -x 10 2", Role.INVOCATION),
        ("root@516c6159696e:/# iostat -xz 1", Role.INVOCATION),
        ("example% iostat -xtc 5 2", Role.INVOCATION),
        ("Time: 03:49:57 PM", Role.TIME),
        ("zzz ***Wed Oct 12 10:03:00 EDT 2005", Role.TIME),
        ("TS 1294325021.003 2011-01-06 12:30:21", Role.TIME),
        ("### 2005-10-12 10:03:00", Role.TIME),
        ("2026年11月21日 02時42分01秒", Role.TIME),
        ("1294325021", Role.TIME),
        ("08:51:10          LINUX RESTART", Role.RESTART),
        ("...", Role.ELISION),
        ("[...]", Role.ELISION),
        ("-- more --", Role.ELISION),
        ("--------------------------------", Role.ORNAMENT),
        ("procs -----------memory---------- ---swap--", Role.ORNAMENT),
        ("                    extended device statistics <-- since boot", Role.ORNAMENT),
        ("System configuration: lcpu=4 drives=6", Role.ORNAMENT),
        ("<<device added: sd0>>", Role.ORNAMENT),
        ("$", Role.ORNAMENT),
    ],
)
def test_roles(line: str, role: Role) -> None:
    assert classify_lines(report_lines.numbered(line + "\n")).frame["role"].to_list() == [role]


def test_rows_know_the_header_above_them() -> None:
    text = "sda 1.0\nDevice: tps kB_read/s kB_wrtn/s\nsda 1.0 2.0 3.0\n\nLinux 4.4.0 (x)\nsda 1.0 2.0 3.0\n"
    assert classify_lines(report_lines.numbered(text)).frame["head_row"].to_list() == [-1, 1, 1, 1, -1, -1]


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
    assert cleaned(report_lines.numbered(text))["text"].to_list() == [HEADER, f"> {ROW}"]


@pytest.mark.parametrize(("head", "time"), [("2026-11-21 02:42:01", "2026-11-21 02:42:01"), ("--time--", None)])
def test_a_time_put_before_a_line_is_kept(head: str, time: str | None) -> None:
    text = f"{head} {HEADER}\n2026-11-21 02:42:01 {ROW}\n"
    assert cleaned(report_lines.numbered(text))["put_before"].to_list() == [time, "2026-11-21 02:42:01"]
    assert rows(text, "iostat_mark", "time_text", "time_source") == [(time, time and "wrapper")]


def test_a_frame_around_nothing_is_no_blank_line() -> None:
    text = f"|{HEADER} |\n|       |\n|{ROW} |\n"
    parsed = read(text)  # which holds that exactly the lines of white space are blank
    assert parsed.lines["reason"].to_list() == [None, "markup", None]


def test_times_and_headers_are_marks() -> None:
    assert rows(LINUX_X, "iostat_mark", "line_no", "kind", "time_text") == [
        (3, "time", "11/21/26 02:42:01"),
        (4, "cpu", None),
        (7, "device", None),
        (11, "time", "11/21/26 02:42:03"),
        (12, "cpu", None),
        (15, "device", None),
    ]


def test_a_time_in_every_row_is_that_of_the_report() -> None:
    # REAL (linux_sysstat_PR414_mT_perline_time.txt)
    text = """\
Datetime          avg-cpu:  %user   %nice %system %iowait  %steal   %idle
09/29/25 15:22:19            0.83    0.00    1.56    0.47    0.00   97.14

Datetime          Device             tps    MB_read/s    MB_wrtn/s    MB_dscd/s    MB_read    MB_wrtn    MB_dscd
09/29/25 15:22:19 sda              72.08         0.00         0.38         0.00       5060    2631254          0
09/29/25 15:22:19 sdb               0.00         0.00         0.00         0.00          0          0          0
"""
    assert rows(text, "iostat_mark", "kind", "time_text") == [
        ("cpu", "09/29/25 15:22:19"),
        ("device", "09/29/25 15:22:19"),
    ]
    assert rows(text, "iostat_device", "device", "wkb_total", "flags") == [
        ("sda", 2631254.0 * 1024, "coarse"),
        ("sdb", 0.0, "coarse"),
    ]


def test_a_restart_is_a_mark_with_its_time() -> None:
    assert rows("08:51:10          LINUX RESTART\n", "iostat_mark", "kind", "clock_s") == [("restart", 31870.0)]


HEADERS = (
    "avg-cpu:  %user   %nice %system %iowait  %steal   %idle",
    "Device:         rrqm/s   wrqm/s     r/s     w/s   rsec/s   wsec/s avgrq-sz avgqu-sz   await  svctm  %util",
    "Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn",
    "Disks:         % tm_act     Kbps      tps    Kb_read   Kb_wrtn",
    "tty:      tin         tout    avg-cpu: % user % sys % idle % iowait",
    "r  b   swpd   free   buff  cache   si   so    bi    bo   in    cs us sy id wa",
    "r b w   swap  free  re  mf pi po fr de sr f0 s1 s1 s1   in   sy   cs us sy id",
    "02:42:01          tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util DEV",
)


@pytest.mark.parametrize("header", HEADERS)
def test_only_a_header_that_is_read_as_one_is_a_boundary(header: str) -> None:
    boundary = re.compile(BOUNDARY)
    assert boundary.match(header)
    cuts = [header[:size] for size in range(1, len(header))]
    assert [each for each in cuts if boundary.match(each) and header_of(each.strip(), "") is None] == []


def test_a_cut_header_is_the_same_row_in_a_chunk_of_its_own() -> None:
    """Found by a property: its reason was that of a cut row, or that no header stands above."""
    lines = numbered(
        [HEADERS[5], " 1  0      0 100  10  20    0    0     1     2    3     4  5  6 88  1", "r  b   swpd"]
    )
    places = lines["text"].str.contains(BOUNDARY).arg_true().to_list()
    whole = parse(lines).lines
    for place in places:
        first, second = parse(lines[:place]).lines, parse(lines[place:]).lines
        assert whole.equals(first.vstack(second))
