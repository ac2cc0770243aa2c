"""Lines that begin reports."""

from tests.support.report_lines import LINUX_X, rows


def test_times_and_headers_are_marks() -> None:
    assert rows(LINUX_X, "iostat_mark", "line_no", "kind", "time_text") == [
        (3, "time", "11/21/26 02:42:01"),
        (4, "cpu", None),
        (7, "device", None),
        (11, "time", "11/21/26 02:42:03"),
        (12, "cpu", None),
        (15, "device", None),
    ]


def test_a_time_in_every_row_is_that_of_the_report() -> None:
    # REAL (linux_sysstat_PR414_mT_perline_time.txt)
    text = """\
Datetime          avg-cpu:  %user   %nice %system %iowait  %steal   %idle
09/29/25 15:22:19            0.83    0.00    1.56    0.47    0.00   97.14

Datetime          Device             tps    MB_read/s    MB_wrtn/s    MB_dscd/s    MB_read    MB_wrtn    MB_dscd
09/29/25 15:22:19 sda              72.08         0.00         0.38         0.00       5060    2631254          0
09/29/25 15:22:19 sdb               0.00         0.00         0.00         0.00          0          0          0
"""
    assert rows(text, "iostat_mark", "kind", "time_text") == [
        ("cpu", "09/29/25 15:22:19"),
        ("device", "09/29/25 15:22:19"),
    ]
    assert rows(text, "iostat_device", "device", "wkb_total", "flags") == [
        ("sda", 2631254.0 * 1024, "coarse"),
        ("sdb", 0.0, "coarse"),
    ]


def test_a_restart_is_a_mark_with_its_time() -> None:
    assert rows("08:51:10          LINUX RESTART\n", "iostat_mark", "kind", "clock_s") == [("restart", 31870.0)]
