"""Which lines are headers, and of what."""

import pytest

from parsers.sysstat.headers import MAX_LENGTH, header_of, header_rest
from parsers.sysstat.layout import MAX_WIDTH


@pytest.mark.parametrize(
    ("line", "tool", "kind"),
    [
        ("avg-cpu:  %user   %nice %system %iowait  %steal   %idle", "iostat", "cpu"),
        ("Device:            tps   Blk_read/s   Blk_wrtn/s   Blk_read   Blk_wrtn", "iostat", "device"),
        ("Device             tps      kB/s    rqm/s   await  areq-sz  aqu-sz  %util", "iostat", "device"),
        ("Filesystem:  rBlk_nor/s wBlk_nor/s rBlk_dir/s wBlk_dir/s rBlk_svr/s wBlk_svr/s", "iostat", "nfs"),
        (
            "02:42:01          tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util DEV",
            "sar",
            None,
        ),
        (
            "03:14:20 PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle",
            "mpstat",
            None,
        ),
        ("02:42:01 AM     CPU      %usr     %nice      %sys   %iowait    %steal      %irq     %soft", "sar", None),
        (" r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st", "vmstat", None),
    ],
)
def test_headers_tell_the_tool(line: str, tool: str, kind: str | None) -> None:
    header = header_of(line)
    assert header is not None
    assert (header.tool, header.kind) == (tool, kind)
    assert header.ignored is None


@pytest.mark.parametrize(
    "line",
    [
        "",
        "sda 1.00 2.00",
        "1.00 2.00",
        "02:42:03        all     50.50      0.00      3.77",
        "10:22:01 ERROR something went wrong",
        "# Device      rrqm/s  wrqm/s     r/s    w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await",
        "pool    alloc   free   read  write   read  write",
        "device driver loaded",
    ],
)
def test_other_lines_are_none(line: str) -> None:
    assert header_of(line) is None


def test_sections_of_sar_that_are_not_read_are_set_aside() -> None:
    header = header_of("09:00:01       proc/s   cswch/s")
    assert header is not None
    assert header.ignored is not None


def test_the_rest_of_a_wrapped_header_is_recognised_by_its_columns() -> None:
    assert header_rest("avgrq-sz avgqu-sz   await  svctm  %util")
    assert not header_rest("avgrq-sz 1.00")
    assert not header_rest("")


def test_header_of_mpstat_that_lost_a_column_is_one_of_sar() -> None:
    header = header_of("09:00:01     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %guest  %gnice   %idle")
    assert header is not None
    assert header.tool == "sar"


@pytest.mark.parametrize("beginning", ["avg-cpu: %user", "Disks: %tm_act Kbps", "Device: r/s w/s", "r b us id"])
def test_a_header_of_as_many_words_as_no_tool_prints_is_none(beginning: str) -> None:
    room = MAX_WIDTH - len(beginning.split())
    assert header_of(beginning + " a" * room) is not None
    assert header_of(beginning + " a" * (room + 1)) is None


def test_a_line_that_is_too_long_for_a_header_is_none() -> None:
    header, blanks = "Device: r/s w/s", MAX_LENGTH - len("Device: r/s w/s")
    assert header_of(header + " " * blanks) is not None
    assert header_of(header + " " * (blanks + 1)) is None


def test_a_line_of_more_commas_than_columns_is_no_header() -> None:
    names = "r/s,w/s,kr/s,kw/s,wait,actv,wsvc_t,asvc_t,%w,%b"
    assert header_of(f"{names}{',a' * (MAX_WIDTH - 11)},device") is not None
    assert header_of(f"{names}{',a' * (MAX_WIDTH - 10)},device") is None
