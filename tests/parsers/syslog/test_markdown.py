import pytest

from parsers.syslog.syslog import FORMAT
from tests.support.message_lines import claimed_by, row


# ADAPTED: lines of corosync, SAPHana and a kernel as public notes keep them, with other hosts
@pytest.mark.parametrize(
    ("line", "tag", "text"),
    [
        (
            r"[2022-02-07T08:18:08.7+08:00 n1 corosync\[3083\]:   \[TOTEM \] ]A processor failed, forming new.",
            "corosync",
            "[TOTEM ] A processor failed, forming new.",
        ),
        (
            r"2022-02-07T08:06:29.3+08:00 n1 SAPHana(rsc_HDB01)\[67749\]: WARNING: call \'a\_b \--site=X\' \-\> 124",
            "SAPHana",
            r"call 'a_b --site=X' -> 124",
        ),
        (
            r"[May 26 13:29:00 n1 kernel: \[3098788.455720\] ixgbe: em1: ]NIC Link is Down",
            "kernel",
            "ixgbe: em1: NIC Link is Down",
        ),
        (r"2022-02-07T08:06:29.3+08:00 n1 app[7]: pattern \[a-z\] of [x]", "app", r"pattern \[a-z\] of [x]"),
    ],
)
def test_line_kept_as_markdown_is_that_of_the_log(line: str, tag: str, text: str) -> None:
    assert claimed_by([line] * 3) == "syslog"
    found = row(FORMAT, line)
    assert (str(found["tag"]).partition("(")[0], found["text"]) == (tag, text)
