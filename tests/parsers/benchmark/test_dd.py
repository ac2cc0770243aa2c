"""The last line of dd is a measurement, alone and in a terminal's text."""

import pytest

from parsers.benchmark.dd import FORMAT
from parsers.benchmark.shell_time import FORMAT as SHELL_TIME
from parsers.format import Recognition
from tests.support.message_lines import numbered

# RECONSTRUCTED: coreutils, busybox, BSD
LAST = [
    "1000000000 bytes (1.0 GB, 954 MiB) copied, 2.5 s, 400 MB/s",
    "1000000000 bytes (953.7MB) copied, 2.500000 seconds, 381.5MB/s",
    "1000000000 bytes transferred in 2.500000 secs (400000000 bytes/sec)",
]


@pytest.mark.parametrize("last", LAST)
def test_a_copy_has_its_rate_and_time(last: str) -> None:
    lines = numbered(["dd if=/dev/zero of=x bs=1M", "953+1 records in", "953+1 records out", last])
    assert isinstance(FORMAT.recognise(lines["text"]), Recognition)
    rows = FORMAT.parse(lines).tables["measurement_value"].select("metric", "unit", "value").rows()
    assert rows == [("MB/s", "MB/s", 400.0), ("bytes", "bytes", 1e9), ("copy_s", "s", 2.5)]


def test_a_timed_copy_keeps_both() -> None:
    rows = SHELL_TIME.parse(numbered([LAST[0], "real\t0m2.600s"])).tables["measurement_value"]
    assert rows["metric"].to_list() == ["MB/s", "bytes", "copy_s", "elapsed_s"]
