import pytest

from parsers.syslog.container_log import FORMAT as CONTAINER_LOG
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


def test_docker_and_podman_print_the_time_before_a_line_of_syslog() -> None:
    line = "Mar  4 10:00:01 birch corosync[1200]: [TOTEM ] A processor failed, forming new configuration."
    for time in ("2026-03-04T09:00:01.123456789Z", "2026-03-04T10:00:01.123456789+01:00"):
        assert claimed_by([f"{time} {line}"] * 3) == "container_log"
        found, plain = row(CONTAINER_LOG, f"{time} {line}"), row(FORMAT, line)
        assert [found[name] for name in ("host", "tag", "text")] == [plain[name] for name in ("host", "tag", "text")]
        assert str(found["stamp"]) == "2026-03-04 10:00:01"
