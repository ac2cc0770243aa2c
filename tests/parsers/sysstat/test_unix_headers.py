"""Rules of iostat on Solaris, AIX, HP-UX, the BSDs and macOS."""

import pytest

from tests.support.report_lines import read, rejected, reports, rows

DEVICE = "iostat_device"

# REAL (solaris_smartos_xzn5.txt): the device stands last
SOLARIS_N = """\
    [root@smartos-node-1 ~]# iostat -xzn 5
                        extended device statistics
        r/s    w/s   kr/s   kw/s wait actv wsvc_t asvc_t  %w  %b device
      212.2   13.0 3609.6 1228.8  0.1  0.1    0.4    0.4   3   6 c2d0
"""

# REAL (solaris_illumos_man_xtc.txt): tty and cpu stand on the first device of a report only
SOLARIS_TC = """\
                  extended device statistics        tty         cpu
device r/s  w/s kr/s  kw/s wait actv svc_t %w  %b  tin tout  us sy dt id
sd0    0.4  0.3 10.4   8.0  0.0  0.0  36.9  0   1    0   10   0  0  0 99
sd1    0.0  0.0  0.3   0.4  0.0  0.0  35.0  0   0
"""


def test_solaris_shows_queue_from_service() -> None:
    columns = ("device", "rkb_per_s", "wait_q", "actv_q", "wsvc_ms", "svctm_ms", "wait_pct", "util_pct")
    assert rows(SOLARIS_N, DEVICE, *columns) == [("c2d0", 3609.6, 0.1, 0.1, 0.4, 0.4, 3.0, 6.0)]


def test_processors_on_the_first_row_are_read_once() -> None:
    assert rows(SOLARIS_TC, DEVICE, "device", "await_ms", "util_pct") == [("sd0", 36.9, 1.0), ("sd1", 35.0, 0.0)]
    assert rows(SOLARIS_TC, "iostat_cpu", "line_no", "user_pct", "idle_pct", "iowait_pct") == [(3, 0.0, 99.0, None)]


def test_commas_may_stand_between_the_values() -> None:
    text = "extended device statistics\nr/s,w/s,kr/s,kw/s,wait,actv,wsvc_t,asvc_t,%w,%b,device\n"
    text += "1.0,2.0,3.0,4.0,0.0,0.1,0.2,0.3,0,1,c0t0d0\n"
    assert rows(text, DEVICE, "device", "r_per_s", "util_pct") == [("c0t0d0", 1.0, 1.0)]


def test_column_groups_take_their_names_from_the_line_above() -> None:
    # REAL (solaris8_oracle_note_D.txt)
    text = """\
     sd15          sd16
 rps wps util  rps wps util
   7   4  9.0    6   3  8.6
   4  22 16.5    8  41 37.9
"""
    assert rows(text, DEVICE, "line_no", "part", "device", "w_per_s", "util_pct") == [
        (3, 1, "sd15", 4.0, 9.0),
        (3, 2, "sd16", 3.0, 8.6),
        (4, 1, "sd15", 22.0, 16.5),
        (4, 2, "sd16", 41.0, 37.9),
    ]
    assert reports(text, "report_no", "is_since_boot") == [(1, True), (2, False)]


def test_every_row_of_processors_alone_is_a_report() -> None:
    # REAL (solaris8_oracle_note_c.txt)
    text = "     cpu\n us sy wt id\n 15  5 13 67\n 19 11 52 18\n"
    assert rows(text, "iostat_cpu", "user_pct", "iowait_pct", "idle_pct") == [(15.0, 13.0, 67.0), (19.0, 52.0, 18.0)]
    assert reports(text, "report_no") == [1, 2]


def test_aix_prints_a_blank_after_percent_and_idle_before_iowait() -> None:
    # REAL (aix73_iostat_1_2.txt)
    text = """\
tty:      tin         tout    avg-cpu: % user % sys % idle % iowait
          0.0          0.0                0.9  34.6   61.5      3.0

Disks:         % tm_act     Kbps      tps    Kb_read   Kb_wrtn
hdisk8            0.0      68.0      17.0          0        68
"""
    assert rows(text, "iostat_cpu", "system_pct", "idle_pct", "iowait_pct") == [(34.6, 61.5, 3.0)]
    assert rows(text, DEVICE, "device", "util_pct", "tkb_per_s", "tps", "wkb_total") == [
        ("hdisk8", 0.0, 68.0, 17.0, 68.0)
    ]
    assert reports(text, "report_no", "report_line") == [(1, 1)]


def test_a_stanza_of_aix_is_one_row() -> None:
    # REAL (aix_dD_hdisk6_1_3.txt): 16.4K are 16384 bytes, so K is 1000
    text = """\
hdisk6          xfer:  %tm_act      bps      tps      bread      bwrtn
                         9.6     16.4K     4.0       16.4K       0.0
               read:      rps  avgserv  minserv  maxserv   timeouts      fails
                         4.0      4.9      0.3      9.9           0          0
              write:      wps  avgserv  minserv  maxserv   timeouts      fails
                         0.0      0.0      0.0      0.0           0          0
              queue:  avgtime  mintime  maxtime  avgwqsz    avgsqsz     sqfull
                         0.5      0.0      0.0      0.0        0.0         0.0
"""
    assert rows(text, DEVICE, "device", "util_pct", "rkb_per_s", "r_per_s", "r_await_ms", "wsvc_ms") == [
        ("hdisk6", 9.6, 16400 / 1024, 4.0, 5.4, 0.5)
    ]
    assert "aix_composed" in rows(text, DEVICE, "flags")[0]
    assert rejected(text) == []


def test_a_disk_that_comes_again_begins_the_next_report_of_aix() -> None:
    stanza = "{}          xfer:  %tm_act      bps      tps      bread      bwrtn\n"
    stanza += " 9.6     16.4K     4.0       16.4K       0.0\n"
    text = "".join(stanza.format(disk) for disk in ("hdisk6", "hdisk7", "hdisk6", "hdisk7"))
    assert rows(text, DEVICE, "device", "mark_line") == [("hdisk6", 1), ("hdisk7", 1), ("hdisk6", 5), ("hdisk7", 5)]


def test_wide_rows_of_aix_are_read_by_their_order() -> None:
    # REAL (aix_DRTl_wide_time.txt), without its two further lines of header
    text = """\
Disks:                     xfers                                read                                write                                  queue                    time
hdisk1          60.0 169.1M 645.0 169.1M   0.0  645.0   0.9    0.7    1.5     0    0   0.0   0.0    0.0    0.0     0    0   0.0    0.0    0.0    0.0   0.0   0.0  11:44:31
"""  # noqa: E501 lines as printed
    assert rows(text, DEVICE, "device", "util_pct", "rkb_per_s", "r_per_s", "r_await_ms") == [
        ("hdisk1", 60.0, 169.1e6 / 1024, 645.0, 0.9)
    ]
    assert rows(text, "iostat_mark", "kind", "time_text") == [("device", "11:44:31")]


def test_tables_that_are_not_of_disks_are_set_aside() -> None:
    text = "Vadapter:  xfers  read  write  queue\nvscsi0  0.0   0.0    0.0    0.0            1\n"
    assert rows(text, DEVICE, "device") == []
    assert read(text).lines["reason"].to_list()[1] == "table of virtual adapters"


def test_hp_ux_prints_kilobytes_and_a_constant() -> None:
    # REAL (hpux11_iostat_oracle_note.txt)
    text = "  device    bps     sps    msps  \n\n  c1t2d0     36     7.4     1.0  \n"
    assert rows(text, DEVICE, "device", "tkb_per_s", "tps", "raw") == [("c1t2d0", 36.0, 7.4, '{"msps":1.0}')]


def test_freebsd_prints_the_queue_and_the_response_time() -> None:
    # REAL (freebsd10_Cx_cpu.txt)
    text = """\
                        extended device statistics             cpu
device     r/s   w/s    kr/s    kw/s qlen svc_t  %b  us ni sy in id
ada0       3.3  19.3   237.2   749.4    0   4.2   7   3  0  2  0 95
ada1       3.2  19.5   236.2   749.5    0   4.2   7
"""
    assert rows(text, DEVICE, "device", "aqu_sz", "await_ms", "util_pct") == [
        ("ada0", 0.0, 4.2, 7.0),
        ("ada1", 0.0, 4.2, 7.0),
    ]
    assert rows(text, "iostat_cpu", "user_pct", "system_pct", "irq_pct", "idle_pct") == [(3.0, 2.0, 0.0, 95.0)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(  # REAL (macos_w1_c5_2disks_load.txt)
            "            disk0               disk4       cpu    load average\n"
            "   KB/t  tps  MB/s     KB/t  tps  MB/s  us sy id   1m   5m   15m\n"
            "  24.08   79  1.85   240.24    0  0.00  13  6 81  2.14 2.18 2.08\n",
            [("disk0", 24.08, 79.0, 1.85 * 1024), ("disk4", 240.24, 0.0, 0.0)],
            id="macOS",
        ),
        pytest.param(  # REAL (freebsd_default_tty_2disks.txt)
            "          tty             ad0              ad1             cpu\n"
            "    tin  tout  KB/t tps  MB/s   KB/t tps  MB/s  us ni sy in id\n"
            "      1    90 13.29   7  0.09  50.15   6  0.28   6  0  2  0 92\n",
            [("ad0", 13.29, 7.0, 0.09 * 1024), ("ad1", 50.15, 6.0, 0.28 * 1024)],
            id="FreeBSD",
        ),
    ],
)
def test_groups_of_the_bsds(text: str, expected: list[tuple[object, ...]]) -> None:
    assert rows(text, DEVICE, "device", "areq_kb", "tps", "tkb_per_s") == expected
    assert len(rows(text, "iostat_cpu", "idle_pct")) == 1


def test_groups_without_names_are_set_aside() -> None:
    assert read("KB/t tps MB/s\n1.0 2 3.0\n").lines["reason"][1] == "columns of devices that no line above names"


def test_the_head_of_aix_may_be_in_another_language() -> None:
    text = (
        "\u30c7\u30a3\u30b9\u30af: xfers read write queue \u6642\u9593\n"
        "hdisk1 60.0 1.0M 645.0 1.0M 0.0 645.0 0.9 0.7 1.5 0 0 0.0 0.0 0.0 0.0 0 0 0.0 0.0 0.0 0.0 0.0 0.0 11:44:31\n"
    )
    assert rows(text, DEVICE, "device", "util_pct", "r_per_s") == [("hdisk1", 60.0, 645.0)]
    assert rows(text, "iostat_mark", "kind", "time_text") == [("device", "11:44:31")]


def test_averages_of_hp_ux_alone_are_rows_marked_so() -> None:
    text = "device %busy avque r+w/s blks/s avwait avserv\nAverage c2t6d0 3.10 0.52 9 140 0.11 7.40\n"
    expected = [("c2t6d0", 3.1, 9.0, 70.0, 0.11, 7.4, "average")]
    assert rows(text, DEVICE, "device", "util_pct", "tps", "tkb_per_s", "wsvc_ms", "svctm_ms", "flags") == expected
