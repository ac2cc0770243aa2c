"""Real logs of Heartbeat."""

import pytest

from parsers.ha.ha_log import FORMAT
from tests.support.message_lines import (
    assert_cuts_agree,
    claimed_by,
    corpus_lines,
    counts,
    is_boundary,
    needs_corpus,
)


@needs_corpus
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("heartbeat2_1.3_drbddisk_fs_mysqld_takeover_2013.log", [26, 0, 0, 0, 0]),
        ("heartbeat2_1.4_ipaddr2_start_shutdown_2009.log", [79, 0, 0, 0, 0]),
        ("heartbeat2_hadebug_xen_takeover_2009.log", [33, 1, 0, 0, 0]),  # one line of a script's output
        ("heartbeat3_drbddisk_filesystem_mysqld_2018_halog.log", [29, 0, 0, 0, 0]),
        ("ossim_heartbeat_sample_lines_2006.log", [4, 0, 0, 0, 0]),
    ],
)
def test_corpus(name: str, expected: list[int]) -> None:
    lines = corpus_lines(f"syslog/{name}")
    assert claimed_by(lines) == "ha_log"
    assert counts(FORMAT, lines) == expected
    assert_cuts_agree(FORMAT, (lines, [cut for cut in range(1, len(lines), 7) if is_boundary(FORMAT, lines[cut])]))
