"""Which tool a file is of."""

import pytest

from parsers.format import Recognition
from parsers.sysstat.iostat_vmstat_sar import recognise
from tests.support.report_lines import LINUX_X, numbered

SAR = "02:42:01        CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
VMSTAT = " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"


@pytest.mark.parametrize(
    ("text", "tool"), [(LINUX_X, "iostat"), (SAR, "sar"), (VMSTAT, "vmstat"), (VMSTAT + LINUX_X, "vmstat")]
)
def test_the_first_table_shows_the_tool(text: str, tool: str) -> None:
    head = numbered(text)["text"]
    claims = [each for each in ("iostat", "sar", "vmstat") if isinstance(recognise(head, each), Recognition)]
    assert claims == [tool]
