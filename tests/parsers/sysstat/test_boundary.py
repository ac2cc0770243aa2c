"""Where a report may be cut into chunks: before its header, and not before a part of one."""

import re

import pytest

from parsers.sysstat.headers import header_of
from parsers.sysstat.iostat_vmstat_sar import BOUNDARY
from parsers.sysstat.reports import parse
from tests.support.measured import numbered

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
