"""What holds for every format of messages alike: any lines are accounted for, and cuts at boundaries change nothing."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from parsers.format import Format, formats
from parsers.syslog.event import TABLES
from tests.support.examples import BATCHED
from tests.support.message_lines import assert_alike_alone, assert_cuts_agree, assert_sound, is_boundary

MINE = sorted(name for name, each in formats().items() if each.tables == TABLES)

# No host but n1; some lines name none.
SAMPLES = [
    "heartbeat[28295]: 2009/06/30_13:46:24 WARN: node n2: is dead",
    "ResourceManager[29597]:\t2009/06/30_13:46:13 debug: Starting /etc/ha.d/resource.d/xendomainsHA1  start",
    "Starting auto Xen domains: hejsan(skip) *   [done] ",
    "Mar 01 23:20:10 n1 heartbeat: [3036]: info: mach_down takeover complete.",
    "Mar 22 10:34:48 n1 pacemakerd          [1761] (main) \tnotice: Starting Pacemaker 2.0.1",
    "Feb 14 23:30:37 [27960] n1 pacemakerd:     info: pcmk_quorum_notification:      Quorum retained",
    "Feb 20 03:29:11 [1155] n1 corosync notice  [TOTEM ] A new membership (1.116fc) was formed. Members joined: 1",
    "[27935] n1 corosyncnotice  [MAIN  ] Completed service synchronization, ready to provide service.",
    "Wed Dec 4 03:25:57 GMT 2013 Invoked vxfen. Starting",
    "2020-05-29 12:59:39,513 INFO: no action.  i am a secondary and i am following a leader",
    "Traceback (most recent call last):",
    "2025-08-13 01:45:01.130 PDT [12345] LOG:  database system is ready to accept connections",
    "\tselect 1",
    '2025-08-13 01:45:01.130 UTC,"u","d",1,"[local]",65.1,1,"idle",2025-08-13 01:40:12 UTC,3/0,0,LOG,00000,"a ""b""",,',
    "Feb 11 13:15:39 n1 postgres[10808]: [3-1] db=,user= LOG:  ending log output to stderr",
    "Feb  6 10:27:10 n1 cron[77]: (root) CMD (true)",
    "Feb  6 10:27:30 n1 last message repeated 5 times",
    "2019-03-22T11:36:57+0800 n1 kernel: sd 2:0:0:0: [sda] Attached SCSI disk",
    "Fri 2019-03-22 11:01:02 CST n1 systemd[1]: Reloading.",
    "1553223662.123456 n1 systemd[1]: Reloading.",
    "[   12.345678] n1 systemd[1]: Reloading.",
    "[335791.633014] block drbd133: Resync done (total 9 sec; paused 0 sec; 3492 K/sec)",
    "[Fri Nov  8 17:41:18 2019] drbd r0: conn( Connected -> Timeout )",
    "drbd r1 s1: conn( Connected -> ProtocolError ) peer( Primary -> Unknown )",
    '{"__REALTIME_TIMESTAMP":"1534860261221373","_HOSTNAME":"n1","MESSAGE":"a\\nb","PRIORITY":"6"}',
    '{"log":"Feb  6 10:27:10 n1 cron[77]: (root) CMD (true)\\n","stream":"stderr","time":"2025-02-06T10:27:10.1Z"}',
    '{"timestamp":"2025-08-13 01:45:01.123 UTC","pid":5,"error_severity":"LOG","message":"x"}',
    "2016-10-06T00:17:09.669794202Z stdout F The content of the log entry 1",
    *("", "no head", "...", "-- Boot 5d1d --", "\0\0\0", "{", "}", "__CURSOR=s=1", "MESSAGE=x"),
]
SPLICED = st.builds(lambda a, b, i, j: a[:i] + b[j:], *[st.sampled_from(SAMPLES)] * 2, *[st.integers(0, 90)] * 2)


@pytest.mark.parametrize("name", MINE)
@BATCHED
@given(files=st.lists(st.tuples(st.permutations(SAMPLES), st.integers(0, 3000)), min_size=1, max_size=9))
def test_a_file_cut_at_any_byte_still_ends_normally(name: str, files: list[tuple[list[str], int]]) -> None:
    raw = ["\n".join(lines).encode()[:cut] for lines, cut in files]
    assert_sound(formats()[name], *(each.decode("utf-8", "replace").split("\n") for each in raw))


@pytest.mark.parametrize("name", MINE)
@BATCHED
@given(
    files=st.lists(
        st.lists(st.one_of(SPLICED, st.sampled_from(SAMPLES)), min_size=1, max_size=9), min_size=2, max_size=8
    )
)
def test_a_file_gives_the_same_after_any_other(name: str, files: list[list[str]]) -> None:
    assert_alike_alone(formats()[name], files)


OF_ONE_HOST = [line for line in SAMPLES if line[:1] not in {"{", "}", "_", "M"}]


@pytest.mark.parametrize("name", MINE)
@BATCHED
@given(files=st.lists(st.lists(st.sampled_from(OF_ONE_HOST), min_size=2, max_size=15), min_size=1, max_size=6))
@example(files=[[SAMPLES[5], SAMPLES[9], SAMPLES[16]]])  # a line without a host between a record and its repeat
def test_any_cut_at_a_boundary_gives_the_same_rows(name: str, files: list[list[str]]) -> None:
    each = formats()[name]
    assert_cuts_agree(each, *((lines, boundaries(each, lines)) for lines in files))


def boundaries(each: Format, lines: list[str]) -> list[int]:
    """Where a file may be cut."""
    places = range(1, len(lines))
    return [cut for cut in places if is_boundary(each, lines[cut]) and not is_repeat_cut_off(lines[cut:])]


def is_repeat_cut_off(lines: list[str]) -> bool:
    """Whether a repeat comes before any line of its host: what it repeats is in the chunk before."""
    of_host = [line for line in lines if " n1 " in line and line[:1] != "["]  # no host to dmesg, one to a journal
    return bool(of_host) and "repeated" in of_host[0]


def test_every_format_of_messages_fills_the_same_tables() -> None:
    expected = {
        "container_log",
        "corosync",
        "dmesg",
        "ha_log",
        "journal",
        "pacemaker",
        "patroni",
        "postgresql",
        "syslog",
    }
    assert set(MINE) == expected | {"vxfen"}
