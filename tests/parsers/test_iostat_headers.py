"""Which lines are headers, and of what."""

import pytest

from parsers.iostat_headers import header_of, header_rest


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


def test_the_rest_of_a_wrapped_header_is_told_by_its_columns() -> None:
    assert header_rest("avgrq-sz avgqu-sz   await  svctm  %util")
    assert not header_rest("avgrq-sz 1.00")
    assert not header_rest("")
