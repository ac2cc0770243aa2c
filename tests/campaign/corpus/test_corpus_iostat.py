"""Every file of the corpus of iostat, vmstat, sar and sadf: its format, what it holds, and that no line is lost.

`diff/` holds what seven releases of sysstat printed of the same counters: all of it must be read as the same numbers.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, Parsed, Recognition, formats
from parsers.sysstat.tables import IOSTAT_INVOCATION, REPORTS
from pipeline.reading.lines import without_colours
from pipeline.reading.recognition import recognise
from pipeline.reading.report_clock import resolved

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "iostat"
FILES = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.rglob("*") if path.is_file())
pytestmark = pytest.mark.skipif(not FILES, reason="the corpus of real logs is not beside this checkout")

# What is no report, or of another tool whose columns mean something else.
NOT_OURS = {
    "SOURCES.tsv": "no line is a header",
    "diff/truth.json": "no line",
    "lookalike_pcp_pmiostat_842.txt": "pcp",
    "negative_zpool_iostat_v.txt": "zpool",
    "rec_sadf_12.6.1_gu.txt": "no line is a header",
}
NAMED = {"vmstat": "vmstat", "sadf": "sadf", "sar_": "sar", "mpstat": "sar", "json": "iostat_json"}


def format_of(path: str) -> str | None:
    if path in NOT_OURS:
        return None
    if path == "rec_sadf_12.6.1_jud.txt":
        return "sadf"
    return next((name for word, name in NAMED.items() if word in path), "iostat")


@cache
def numbered(path: str) -> pl.DataFrame:
    content, _ = without_colours((CORPUS / path).read_bytes())
    texts = [line.rstrip("\r") for line in content.decode("utf-8", "replace").split("\n")]
    if texts[-1] == "":
        texts.pop()
    return pl.DataFrame(
        {"file_id": [1] * len(texts), "line_no": range(1, len(texts) + 1), "text": texts}, schema=LINE_SCHEMA
    )


@cache
def parsed(path: str) -> Parsed:
    return formats()[str(format_of(path))].parse(numbered(path))


@cache
def marks(path: str) -> pl.DataFrame:
    tables = parsed(path).tables
    return resolved(REPORTS, tables["iostat_mark"], tables.get("iostat_invocation", IOSTAT_INVOCATION.empty()), {})


def table(path: str, name: str) -> pl.DataFrame:
    """A table of a file with the number and the stamp of each row's report."""
    of_mark = marks(path).select(
        mark_line="line_no", report_no="report_no", stamp="stamp", is_since_boot="is_since_boot"
    )
    return parsed(path).tables[name].join(of_mark, on="mark_line", how="left", maintain_order="left")


OURS = [path for path in FILES if format_of(path)]


@pytest.mark.parametrize("path", FILES)
def test_file_is_claimed_by_the_right_format(path: str) -> None:
    head = numbered(path)["text"].head(400)
    claims = [name for name in ("iostat", "iostat_json", "vmstat", "sar", "sadf") if is_claimed(head, name)]
    assert claims == ([format_of(path)] if format_of(path) else [])
    decided = recognise(head, Path(path).name, formats())
    assert decided.format == format_of(path)
    if path in NOT_OURS:
        assert NOT_OURS[path] in decided.refusals["iostat"].reason


def is_claimed(head: pl.Series, name: str) -> bool:
    answer = formats()[name].recognise(head)
    return isinstance(answer, Recognition) and answer.confidence >= 0.9


@pytest.mark.parametrize("path", OURS)
def test_every_row_is_of_a_report(path: str) -> None:
    for name in ("iostat_device", "iostat_cpu", "vmstat"):
        if name in parsed(path).tables:
            assert table(path, name)["report_no"].is_not_null().all()


# --- the same counters, printed by seven releases --------------------------------------------------------------------

DIFF = [path for path in OURS if path.startswith("diff/")]


def truth() -> dict[str, Any]:
    content: dict[str, Any] = json.loads((CORPUS / "diff" / "truth.json").read_text())
    return content


def tolerance(path: str, column: str, expected: float) -> float:
    """Half of the last digit printed."""
    if path.endswith("_xh.txt"):  # two or three digits, and units of 1024
        return max(0.0513 * 1024 if expected >= 1024 else 0.0513, 0.0051)
    if "_xm" in path and column.endswith("kb_per_s"):
        return 0.0051 * 1024
    return 0.0051


@pytest.mark.parametrize("path", DIFF)
def test_releases_agree_with_the_counters(path: str) -> None:
    expected = truth()["devices"]
    names = {"await_ms": "await_rw_ms", "areq_kb": "areq_rw_kb"}
    # sdd of hot_* came in the middle: its first row holds totals
    found = table(path, "iostat_device").filter((pl.col("report_no") > 1) & (pl.col("device") != "sdd"))
    assert sorted(found["report_no"].unique()) == [2, 3, 4]
    checked = 0
    for row in found.iter_rows(named=True):
        with_discards = "await_includes_discard" in (row["flags"] or "") and row["device"] == "nvme0n1"
        for column, value in row.items():
            wanted = expected[row["device"]].get(names.get(column, column)) if isinstance(value, float) else None
            if wanted is None or (with_discards and column in names):
                continue
            checked += 1
            assert value == pytest.approx(wanted, abs=tolerance(path, column, wanted)), (row["device"], column)
    assert checked >= 3 * len(expected) - 3


@pytest.mark.parametrize("path", [path for path in DIFF if "iostat_cpu" in parsed(path).tables])
def test_releases_agree_on_the_processors(path: str) -> None:
    for row in table(path, "iostat_cpu").filter(pl.col("report_no") > 1).iter_rows(named=True):
        for name, wanted in truth()["cpu_pct"].items():
            assert row[f"{name}_pct"] == pytest.approx(wanted, abs=0.051)


@pytest.mark.parametrize("path", [path for path in FILES if path.startswith("diff/hot_")])
def test_a_device_that_comes_later_is_missing_before_not_zero(path: str) -> None:
    reports = table(path, "iostat_device").filter(device="sdd")["report_no"].to_list()
    assert reports[0] == 3


# --- values read off the files by hand -------------------------------------------------------------------------------

HAND = [
    ("linux_rhel3_2.4.21-27.0.4.ELsmp_x_spork2.txt", "sda3", 1, {"wkb_per_s": 7.2, "areq_kb": 18.0, "util_pct": 1.0}),
    ("linux_2.4.20-24.9_x_doc-squeezed.txt", "had", 1, {"r_per_s": 0.81, "rkb_per_s": 7.59, "await_ms": 63.76}),
    ("linux_2.4.20-24.9_plain_dev3-0.txt", "dev3-0", 1, {"tps": 2.22, "rkb_per_s": 7.6, "wkb_total": 2399760.0}),
    ("linux_2.6_x_steal_13col.txt", "sdc", 1, {"r_per_s": 1405.91, "rkb_per_s": 9370.01, "util_pct": 96.74}),
    ("linux_centos58_7.0.2_dxk.txt", "sda", 2, {"wkb_per_s": 0.0, "util_pct": 0.01}),
    ("linux_rhel6_2.6.32-358_x_nohost.txt", "sdb", 1, {"rkb_per_s": 875.505, "areq_kb": 54.37}),
    ("linux_rhel6_2.6.32-358_xmt_AMPM.txt", "dm-0", 1, {"w_per_s": 5.83, "wkb_per_s": 20.48}),
    ("linux_nvme_1.3Miops_quoted.txt", "nvme0n1", 2, {"r_per_s": 114589.0, "aqu_sz": 33.54}),
    ("linux_sysstat12.7.9_simtest_iostat-s.txt", "sdq", 1, {"wkb_per_s": 25.21, "rkb_total": 1597504.0}),
    ("linux_sysstat12.7.9_simtest_iostat-xs.txt", "sdr", 2, {"tps": 4.81, "tkb_per_s": 20.85, "await_ms": 15.33}),
    ("linux_sysstat12.7.9_simtest_iostat-human.txt", "sdr", 1, {"rkb_per_s": 29.9, "rkb_total": 210.2 * 1024}),
    ("linux_sysstat_issue303_longnames_pretty.txt", "TF0500WE0PGNXV_500GB_hdd", 1, {"r_await_ms": 26.58}),
    ("linux_iostat-tool_sample_iostat_small.txt", "sdf", 2, {"wrqm_per_s": 743.0, "wkb_per_s": 2.93 * 1024}),
    ("rec_linux_sysstat12.6.1_deDE_xt.txt", "vda", 2, {"wkb_per_s": 155098.0, "dareq_kb": 20945.82, "util_pct": 16.4}),
    ("rec_linux_sysstat12.6.1_C_xh.txt", "vda", 2, {"r_per_s": 9.5, "wkb_per_s": 151.5 * 1024, "util_pct": 16.4}),
    ("aix73_iostat_1_2.txt", "hdisk0", 2, {"tkb_per_s": 8.0, "tps": 2.0, "rkb_total": 8.0}),
    ("solaris2_xtc_extended_disk.txt", "d1", 1, {"rkb_per_s": 14.3, "await_ms": 41.6, "util_pct": 7.0}),
    ("solaris_illumos_man_xcnCXTdz.txt", "d10", 2, {"wkb_per_s": 1948.6, "svctm_ms": 30.1, "util_pct": 99.0}),
    ("solaris_sunos5_x_annotated.txt", "sd1", 2, {"w_per_s": 139.0, "wkb_per_s": 1850.6, "util_pct": 10.0}),
    ("sar_hpux_B.11.31_full.txt", "disk1", 1, {"util_pct": 8.35, "aqu_sz": 10.17, "tkb_per_s": 289.0}),
]


@pytest.mark.parametrize(("path", "device", "report_no", "values"), HAND)
def test_values_are_those_of_the_text(path: str, device: str, report_no: int, values: dict[str, float]) -> None:
    row = table(path, "iostat_device").filter(device=device, report_no=report_no).row(0, named=True)
    assert {name: row[name] for name in values} == pytest.approx(values)


STAMPS = [
    ("rec_linux_sysstat12.6.1_C_xt.txt", "2026-11-21 02:42:03"),
    ("rec_linux_sysstat12.6.1_enUS_xt.txt", "2026-11-21 02:42:03"),
    ("rec_linux_sysstat12.6.1_enGB_xt.txt", "2026-11-21 02:42:03"),
    ("rec_linux_sysstat12.6.1_frFR_dkt.txt", "2026-11-21 02:42:03"),
    ("rec_linux_sysstat12.6.1_ptBR_ct.txt", "2026-11-21 02:42:03"),
    ("rec_linux_sysstat12.6.1_deDE_xt.txt", "2026-11-21 02:42:03"),
    ("rec_linux_sysstat12.6.1_jaJP_xt.txt", "2026-11-21 02:42:03"),
    ("rec_linux_sysstat12.6.1_ISO_xt.txt", "2026-11-21 02:42:03"),
    ("rec_linux_sysstat12.6.1_deDE_json.txt", "2026-11-21 02:42:03"),
    ("linux_sysstat9_pcp_iostat-t-x-bud.txt", "2014-10-07 15:49:59"),
    ("linux_iostat-tool_sample_iostat_killo.txt", "2018-06-14 18:08:08"),
    ("solaris_illumos_man_xcnCXTdz.txt", "2003-11-24 14:58:41"),
    ("rec_vmstat_procps4_tw.txt", "2026-11-21 02:42:03"),
    ("rec_sar_12.6.1_u_enUS.txt", "2026-11-21 02:42:05"),
    ("sar_hpux_B.11.31_full.txt", "2018-03-21 00:10:01"),
]


@pytest.mark.parametrize(("path", "stamp"), STAMPS)
def test_the_second_report_is_dated(path: str, stamp: str) -> None:
    assert str(marks(path).filter(report_no=2)["stamp"][0]) == stamp
