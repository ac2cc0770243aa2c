"""Numbers, doubts and their rows."""

import polars as pl
import pytest

from parsers.sysstat.columns import AIX, LINUX
from parsers.sysstat.rows import numbers, typed
from parsers.sysstat.tables import IOSTAT_CPU
from tests.support.report_lines import read, rows


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("1.50", 1.5),
        (".81", 0.81),
        ("44,92", 44.92),
        ("9.8M", 9.8 * 1024),
        ("27.1k", 27.1),
        ("1.5G", 1.5 * 1024**2),
        ("44.9%", 44.9),
        ("nan", None),
        ("-nan", None),
        ("-", None),
    ],
)
def test_numbers_of_linux(printed: str, value: float | None) -> None:
    tokens = pl.DataFrame({"=rkB/s": [printed]})
    read = numbers(tokens, pl.Series([printed]), {"rkB/s": LINUX["rkB/s"]}, "linux")
    assert read.select("=rkB/s", "bad").row(0) == (value, None)


@pytest.mark.parametrize(("printed", "value"), [("16.4K", 16400.0), ("4.2G", 4.2e9), ("1.5S", 1500.0)])
def test_suffixes_of_aix_are_decimal(printed: str, value: float) -> None:
    tokens = pl.DataFrame({"=bps": [printed]})
    assert numbers(tokens, pl.Series([printed]), {"bps": AIX["bps"]}, "aix")["=bps"].to_list() == [value]


def test_what_is_no_number_is_named() -> None:
    tokens = pl.DataFrame({"=tps": ["1.0", "1.2.3"]})
    assert numbers(tokens, tokens["=tps"], {}, "linux")["bad"].to_list() == [None, "1.2.3"]


def test_an_nvme_disk_that_is_busy_and_says_it_is_not_is_reported() -> None:
    text = "Device:   r/s w/s rkB/s wkB/s %util\nnvme0n1 1317510.00 0.00 5270044.00 0.00 0.00\n"
    assert rows(text, "iostat_device", "flags") == ["util_zero_but_busy"]


def test_shares_that_do_not_add_up_are_reported() -> None:
    text = "avg-cpu:  %user   %nice %system %iowait   %idle\n50.0 0.0 10.0 0.0 10.0\n"
    assert rows(text, "iostat_cpu", "flags") == ["cpu_sum"]


def test_requests_with_discards_are_reported() -> None:
    text = "Device tps kB/s rqm/s await areq-sz aqu-sz %util\nsda 8.59 279.22 1.75 12.00 32.51 0.10 0.46\n"
    assert rows(text, "iostat_device", "tps", "tkb_per_s", "await_ms", "flags") == [
        (8.59, 279.22, 12.0, "await_includes_discard")
    ]


def test_a_stanza_of_aix_without_its_second_half_is_read() -> None:
    text = (
        "hdisk6          xfer:  %tm_act      bps      tps      bread      bwrtn\n"
        "               read:      rps  avgserv  minserv  maxserv   timeouts      fails\n"
        "          44.92    0.00    9.68    0.26    0.24   44.91\n"
    )
    assert rows(text, "iostat_device", "device", "r_per_s", "r_await_ms") == [("hdisk6", 44.92, None)]


def test_a_stanza_of_aix_ends_where_the_tool_begins_again() -> None:
    text = (
        "hdisk6          xfer:  %tm_act      bps      tps      bread      bwrtn\n"
        "Linux 6.18.44-fc-v657 (vm) \t11/21/26 \t_x86_64_\t(2 CPU)\n"
        "               read:      rps  avgserv  minserv  maxserv   timeouts      fails\n"
        "          44.92    0.00    9.68    0.26    0.24   44.91\n"
    )
    assert "iostat_device" not in read(text).tables


def test_a_table_lacks_no_column() -> None:
    frame = pl.DataFrame({"file_id": [1], "line_no": [2], "part": [1], "user_pct": ["1.5"]})
    typed_frame = typed(frame, IOSTAT_CPU)
    assert typed_frame.schema == pl.Schema(IOSTAT_CPU.schema)
    assert typed_frame["user_pct"].to_list() == [1.5]


def test_a_value_with_a_suffix_is_that_of_its_own_line() -> None:
    """The name of a device may end like one, and another line may hold what is no number."""
    tokens = pl.DataFrame({"=tps": ["1.0", "-", "2.0k"]})
    content = pl.Series(["disk1k 1.0", "sda -", "sdb 2.0k"])
    for number, is_suffixed in enumerate([False, False, True]):
        alone = numbers(tokens[number : number + 1], content[number : number + 1], {}, "linux")
        assert alone["is_suffixed"].to_list() == [is_suffixed]
    assert numbers(tokens, content, {}, "linux")["is_suffixed"].to_list() == [False, False, True]
