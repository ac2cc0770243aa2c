"""Lines of syslog between dated ones, and the other way round, are read as what they are."""

import pytest

from parsers.format import formats
from tests.support.message_lines import numbered

TOOL = ["2021-05-04 08:10:11,836: toold pid=10 INFO attach 6", "  of a resource"]
KERNEL = [
    "May  4 08:10:11 stor7 kernel: [  118.046555] block drbd6: disk( Diskless -> Attaching )",
    "May  4 08:10:12 stor7 kernel: [  118.946555] block drbd6: disk( Attaching -> UpToDate )",
]


@pytest.mark.parametrize("name", ["dated_log", "syslog"])
def test_each_line_is_read_as_what_it_is(name: str) -> None:
    lines = [*TOOL, KERNEL[0], *TOOL, KERNEL[1]]
    parsed = formats()[name].parse(numbered(lines))
    assert parsed.lines["verdict"].to_list() == [1, 2, 1, 1, 2, 1]
    events = parsed.tables["ha_event"].select("line_no", "host", "object", "peer", "process", "new_state").rows()
    assert events == [
        (3, "stor7", "drbd6", None, "kernel", "Attaching"),
        (6, "stor7", "drbd6", None, "kernel", "UpToDate"),
    ]
    own = (
        parsed.tables["log_record"] if name == "dated_log" else parsed.tables["syslog_event"].filter(framing="program")
    )
    assert own.select("line_no", "host").rows() == [(1, None), (4, None)]


def test_seconds_since_1970_show_the_zone_of_the_wall_clock_below() -> None:
    lines = [
        "3894:signal-handler (1683364211) Received SIGTERM scheduling shutdown...",
        "3894:M 06 May 14:40:11.373 # User requested shutdown...",
    ]
    found = formats()["dated_log"].parse(numbered(lines)).tables["log_record"]
    assert found["utc_offset_min"].to_list() == [330, None]
    assert str(found["stamp"][0]) == "2023-05-06 14:40:11"
