"""Rules of iostat in text: each way in which its lines differ between systems, releases, locales and copies."""

import pytest

from parsers.format import Recognition, Refusal, Verdict
from parsers.sysstat.iostat_vmstat_sar import recognise
from tests.support.report_lines import LINUX_X, numbered, read, rejected, rows

DEVICE = "iostat_device"


def test_device_rows_are_in_canonical_units() -> None:
    values = rows(LINUX_X, DEVICE, "device", "mark_line", "r_per_s", "rkb_per_s", "w_await_ms", "wareq_kb")
    assert values == [("vda", 7, 99.86, 10030.03, 0.65, 87.64), ("vda", 15, 8.5, 118.0, 0.09, 62.81)]
    assert rows(LINUX_X, "iostat_cpu", "user_pct", "iowait_pct", "idle_pct") == [
        (44.92, 0.26, 44.91),
        (50.63, 7.02, 38.35),
    ]


def test_what_is_not_printed_is_null_not_zero() -> None:
    assert rows(LINUX_X, DEVICE, "util_pct", "await_ms", "d_per_s") == [(None, None, None)] * 2


def test_columns_held_nowhere_else_are_kept_as_printed() -> None:
    # REAL (RHEL3, linux_rhel3_2.4.21-27.0.4.ELsmp_x_spork2.txt)
    text = """\
Device:    rrqm/s wrqm/s   r/s   w/s  rsec/s  wsec/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await  svctm  %util
sda          0.00   2.00  0.00  1.20    0.00   27.20     0.00    13.60    22.67     0.03   21.67  10.00   1.20
"""
    assert rows(text, DEVICE, "wkb_per_s", "areq_kb", "raw") == [
        (13.6, 22.67 / 2, '{"rsec/s":0.0,"wsec/s":27.2,"avgrq-sz":22.67}')
    ]


# REAL (linux_2.6_x_10_raid_dwd_2005.txt): values wider than their columns
WIDE = """\
Device:    rrqm/s wrqm/s   r/s   w/s  rsec/s  wsec/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await  svctm  %util
sde        10428.40   0.00 336.40  0.00 86118.40    0.00 43059.20     0.00   256.00     1.92    5.71   2.97 100.02
"""


def test_values_that_overflow_their_columns_are_read() -> None:
    assert rows(WIDE, DEVICE, "rrqm_per_s", "rkb_per_s", "util_pct", "flags") == [
        (10428.4, 43059.2, 100.02, "util_gt_100")
    ]


def test_decimal_commas_are_points_and_never_deleted() -> None:
    # REAL (linux_2.6_plain_decimal_comma_2005.txt)
    text = """\
avg-cpu:  %user   %nice    %sys %iowait   %idle
            1,79    1,52    2,66    0,33   93,70

Device:            tps   Blk_read/s   Blk_wrtn/s   Blk_read   Blk_wrtn
hda               2,51        49,99        50,09  538412978  539475864
"""
    assert rows(text, "iostat_cpu", "user_pct", "idle_pct") == [(1.79, 93.7)]
    assert rows(text, DEVICE, "tps", "rkb_per_s", "rkb_total") == [(2.51, 49.99 / 2, 538412978 / 2)]


def test_suffixes_count_in_kib_for_any_header() -> None:
    # RECORDED: iostat -h of sysstat 12.6.1; the device stands last
    text = """\
      tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd Device
   435.38         9.8M        27.1k        16.6M      13.2G      36.5G      22.3G vda
"""
    assert rows(text, DEVICE, "device", "rkb_per_s", "wkb_per_s", "rkb_total", "flags") == [
        ("vda", 9.8 * 1024, 27.1, 13.2 * 1024**2, "coarse")
    ]


def test_tables_of_one_report_make_one_row_per_device() -> None:
    # RECORDED: iostat -xh of sysstat 12.6.1
    text = """\
     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device
   99.85      9.8M    10.61   9.6%    0.60   100.4k vda

     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz Device
  316.45     27.1M   155.03  32.9%    0.65    87.6k vda

     f/s f_await  aqu-sz  %util Device
   90.47    0.04    0.28   3.3% vda


     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device
    9.50    158.0k     1.00   9.5%    0.16    16.6k vda

     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz Device
 2469.50    151.5M   314.50  11.3%    0.09    62.8k vda
"""
    assert rows(text, DEVICE, "line_no", "mark_line", "r_per_s", "w_per_s", "f_per_s", "raw") == [
        (2, 1, 99.85, 316.45, 90.47, '{"%rrqm":9.6,"%wrqm":32.9}'),
        (12, 11, 9.5, 2469.5, None, '{"%rrqm":9.5,"%wrqm":11.3}'),
    ]
    verdicts = read(text).lines["verdict"]
    assert [verdicts[line - 1] for line in (2, 5, 8)] == [Verdict.PARSED, Verdict.CONTINUATION, Verdict.CONTINUATION]


def test_a_name_on_its_own_line_belongs_to_the_numbers_below() -> None:
    # RECORDED: diff_11.6.1_xh.txt
    text = """\
Device:            tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn
mapper-with-a-long-name
                  0.24         5.24         1.10     203305      42533
sda               1.00         2.00         3.00          4          5
"""
    assert rows(text, DEVICE, "device", "line_no", "tps") == [("mapper-with-a-long-name", 2, 0.24), ("sda", 4, 1.0)]
    assert read(text).lines["verdict"].to_list() == [1, 1, 2, 1]


def test_tables_that_a_mailer_wrapped_are_joined() -> None:
    # REAL (linux_2.4.18-17.7.xbigmem_x_mailwrapped.txt)
    text = """\
Device:    rrqm/s wrqm/s   r/s   w/s  rsec/s  wsec/s    rkB/s    wkB/s
avgrq-sz avgqu-sz   await  svctm  %util
/dev/sda     2.25  17.49  1.66 19.56   28.36  297.10    14.18   148.55
15.33     0.22   12.52   6.23   1.32
/dev/sda7    0.00   1.00  0.00  3.00    0.00   32.00     0.00    16.00
10.67 42949662.96    0.00 3333.33 100.00
"""
    assert rows(text, DEVICE, "device", "parent_device", "device_kind", "aqu_sz", "util_pct", "flags") == [
        ("sda", None, "disk", 0.22, 1.32, None),
        ("sda7", "sda", "partition", None, 100.0, "counter_wrap"),
    ]
    assert read(text).lines["verdict"].to_list() == [1, 2, 1, 2, 1, 2]


def test_numbers_that_ran_together_are_parted_only_if_the_count_then_fits() -> None:
    text = """\
Device:            tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn
sda               1.00 12345678.0012345678.00        1          2
sdb               1.00 12345678.0012345678.0012345678.00   3    4
"""
    assert rows(text, DEVICE, "device", "rkb_per_s", "wkb_per_s") == [("sda", 12345678.0, 12345678.0)]
    assert rejected(text) == [(3, "numbers run together")]


def test_a_row_cut_at_the_end_is_rejected_and_its_report_reported() -> None:
    text = LINUX_X.removesuffix("\n") + "\nvdb              8.50    118.00     1.0"
    assert rejected(text) == [(17, "row cut at the end of its report")]
    assert rows(text, DEVICE, "device", "flags") == [("vda", None), ("vda", "truncated")]


def test_a_short_row_in_the_middle_is_an_error_of_its_own() -> None:
    text = WIDE + "sdf 1.00 2.00\n" + WIDE.splitlines()[1] + "\n"
    assert rejected(text) == [(3, "expected 14 values as in the header above, found 3")]


def test_a_header_without_rows_is_no_error() -> None:
    # REAL (iostat -d foo)
    text = "Linux 1.2.3-TEST (SYSSTAT.TEST)\n\nDevice             tps    kB_read/s    kB_wrtn/s\n"
    assert rejected(text) == []
    assert DEVICE not in read(text).tables


def test_a_device_that_comes_again_without_a_header_is_of_another_report() -> None:
    line = WIDE.splitlines()[1]
    text = WIDE + line.replace("sde", "sdf") + "\n" + line + "\n" + line.replace("sde", "sdf") + "\n"
    assert rows(text, DEVICE, "device", "mark_line") == [("sde", 1), ("sdf", 1), ("sde", 4), ("sdf", 4)]
    assert all("interleaved" in flags for flags in rows(text, DEVICE, "flags"))


def test_values_that_no_counter_can_have_are_null_and_reported() -> None:
    # REAL (linux_2.6.15-rc5_x_overflow_hostprefix.txt): the prefix is of a parallel shell
    text = """\
ilc4: Device:    rrqm/s wrqm/s r/s    w/s  rsec/s  wsec/s    rkB/s wkB/s avgrq-sz avgqu-sz   await  svctm  %util
ilc4: sda        5.50   0.00   143.96 0.00 307496983987862656.00 0.00 153748491993931328.00     0.00 2136028725038430.00     7.94   55.12    5.59  80.42
"""  # noqa: E501 a line as printed
    assert rows(text, DEVICE, "rkb_per_s", "areq_kb", "r_per_s", "util_pct", "flags") == [
        (None, None, 143.96, 80.42, "counter_wrap")
    ]


@pytest.mark.parametrize("printed", ["nan", "-nan", "-"])
def test_placeholders_for_numbers_are_null(printed: str) -> None:
    text = f"Device:   tps kB_read/s kB_wrtn/s\nsda 1.00 {printed} 2.00\n"
    assert rows(text, DEVICE, "tps", "rkb_per_s", "wkb_per_s") == [(1.0, None, 2.0)]


def test_a_token_that_is_no_number_rejects_the_row() -> None:
    text = "Device:   tps kB_read/s kB_wrtn/s\nsda 1.00 about 2.00\n"
    assert rejected(text) == [(2, "`about` is not a number")]


def test_unknown_columns_are_kept_in_raw() -> None:
    text = "Device:   tps kB_read/s kB_wrtn/s zz_await\nsda 1.00 2.00 3.00 4.00\n"
    assert rows(text, DEVICE, "tps", "raw") == [(1.0, '{"zz_await":4.0}')]


def test_hostile_column_names_do_not_meet_our_own() -> None:
    text = "Device:   tps kB_read/s line_no mark_line flags tps\nsda 1.00 2.00 3 4 5 6\n"
    assert rows(text, DEVICE, "line_no", "tps", "mark_line") == [(2, 1.0, 1)]


def test_translated_headers_are_recognised_by_their_columns() -> None:
    text = "cpu-moy: %user %nice %sys %iowait %idle\n1.00 2.00 3.00 4.00 90.00\n"
    text += "\nPériph.:   tps kB_read/s kB_wrtn/s\nsda 1.00 2.00 3.00\n"
    assert rows(text, "iostat_cpu", "user_pct", "idle_pct") == [(1.0, 90.0)]
    assert rows(text, DEVICE, "device", "tps") == [("sda", 1.0)]


def test_a_group_is_recognised_by_its_indent() -> None:
    # REAL (iostat -g total)
    text = """\
Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn
sda               8.59       222.14        57.08    1597749     410544
 total           19.59       475.06        77.17    3416881     555044
"""
    assert rows(text, DEVICE, "device", "device_kind") == [("sda", "disk"), ("total", "group")]


def test_a_report_without_a_sample_of_the_processors_is_null() -> None:
    # REAL (linux_centos83_11.7.3_ymxt_cpuzero.txt)
    text = """\
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           0.00    0.00    0.00    0.00    0.00    0.01
"""
    assert rows(text, "iostat_cpu", "user_pct", "idle_pct", "flags") == [(None, None, "no_sample")]


def test_idle_before_iowait_is_read_by_name() -> None:
    # REAL (linux_2.4.2_sysstat3_tty_hdisk.txt)
    text = """\
tty:     tin       tout   avg-cpu:  %user   %nice    %sys   %idle  %iowait
           0          0              1.09    0.00    0.69    0.00   98.22
"""
    assert rows(text, "iostat_cpu", "idle_pct", "iowait_pct", "raw") == [(0.0, 98.22, '{"tin":0.0,"tout":0.0}')]


def test_elided_reports_are_reported() -> None:
    text = WIDE + "...\n" + WIDE
    assert rows(text, DEVICE, "flags") == ["elided, util_gt_100", "util_gt_100"] or rows(text, DEVICE, "flags") == [
        "util_gt_100, elided",
        "util_gt_100",
    ]


def test_the_first_line_names_the_system() -> None:
    columns = ("host", "sysname", "release", "arch", "cpus", "date_text")
    assert rows(LINUX_X, "iostat_invocation", *columns) == [("vm", "Linux", "6.18.44-fc-v657", "x86_64", 2, "11/21/26")]
    # REAL: no host; a host in double brackets; nothing but a release
    for line, line_verdicts in (
        ("Linux 2.6.32-358.23.2.el6.x86_64         02/11/2015      _x86_64_        (8 CPU)", (None, "02/11/2015", 8)),
        ("Linux 2.6.12.6 ((none))         04/11/23", (None, "04/11/23", None)),
        ("Linux 2.6.0-test3lp", (None, None, None)),
        ("HP-UX lasv B.11.31 U ia64    03/21/18", ("lasv", "03/21/18", None)),
    ):
        assert rows(line, "iostat_invocation", "host", "date_text", "cpus") == [line_verdicts]


def test_commands_are_kept() -> None:
    # REAL (linux_rhel5_2.6.18-92.el5_x_javaprod21.txt)
    text = "[root@javaprod21 ~]# /opt/local/SNAG/bin/iostat -x 10 2\n"
    assert rows(text, "iostat_invocation", "command") == ["/opt/local/SNAG/bin/iostat -x 10 2"]


# --- recognition -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [LINUX_X, WIDE, "> " + WIDE, "    " + WIDE])
def test_iostat_is_recognised_by_a_header(text: str) -> None:
    answer = recognise(numbered(text)["text"], "iostat")
    assert isinstance(answer, Recognition)
    assert answer.confidence >= 0.9


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("                capacity     operations     bandwidth\npool    alloc   free   read  write\n", "zpool"),
        ("# Device      rrqm/s  wrqm/s     r/s    w/s    rkB/s    wkB/s\n", "pcp"),
        ('{"sysstat": {\n', "JSON"),
        (
            "procs ---memory---\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa\n",
            "vmstat",
        ),
        ("May  5 10:00:00 host kernel: Device sda is ready\n", "no line"),
    ],
)
def test_what_only_looks_like_iostat_is_refused_by_name(text: str, words: str) -> None:
    answer = recognise(numbered(text)["text"], "iostat")
    assert isinstance(answer, Refusal)
    assert words in answer.reason


FURTHER_LINES = [
    "Time: 03:49:57 PM",
    "r/s,w/s,kr/s,kw/s,wait,actv,wsvc_t,asvc_t,%w,%b,device",
    "1.0,2.0,3.0,4.0,0.0,0.1,0.2,0.3,0,1,c0t0d0",
    "        extended device statistics",
    "device     r/s   w/s    kr/s    kw/s qlen svc_t  %b",
    "da1        0.0 158.3     0.0 20106.1    1   6.5 100",
    "hdisk6          xfer:  %tm_act      bps      tps      bread      bwrtn",
    "                         9.6     16.4K     4.0       16.4K       0.0",
    "               read:      rps  avgserv  minserv  maxserv   timeouts      fails",
    "     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device",
    "   99.85      9.8M    10.61   9.6%    0.60   100.4k vda",
    "00:00:01   device   %busy   avque   r+w/s  blks/s  avwait  avserv",
    "00:05:01    disk1    8.35   10.17      39     578   12.74    3.96",
    "            disk3    2.82    0.50       8     111    0.00    4.19",
    "02:42:01        CPU     %user     %nice   %system   %iowait    %steal     %idle",
    "02:42:03        all     50.50      0.00      3.77      7.04      0.00     38.69",
    "Average:        all     53.22      0.00      3.26      3.77      0.00     39.75",
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st",
    " 2  0      0 491008 199604 741304    0    0     2     1  147   54  4  1 95  0  0",
    "          disk0           disk1",
    "    KB/t tps  MB/s     KB/t tps  MB/s",
    "   21.11  23  0.47    20.01   0  0.00",
    "$ iostat -y 5",
]
"""Lines that tests/parsers/test_format.py cuts and splices, besides those above."""
