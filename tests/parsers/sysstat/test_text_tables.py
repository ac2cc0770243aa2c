"""Tables of iostat, vmstat and sar: headings, columns, rows."""

from math import isfinite

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.format import tables
from parsers.sysstat import columns
from parsers.sysstat.columns import LINUX, Device, best_sources, device_of, known_linux_columns
from parsers.sysstat.layout import FAMILIES, Layout, clock_of, item_of, named_item, with_half_day
from parsers.sysstat.rows import HIDDEN
from parsers.sysstat.split import fields, fields_with_numbers, single_blanks, width
from parsers.sysstat.tables import CPU_NUMBERS, DEVICE_NUMBERS, IOSTAT_MARK, REPORT_TABLES, VMSTAT_NUMBERS


@pytest.mark.parametrize(
    ("printed", "name", "factor"),
    [
        ("rsec/s", "rkb_per_s", 0.5),
        ("wkB/s", "wkb_per_s", 1.0),
        ("rMB/s", "rkb_per_s", 1024.0),
        ("Blk_wrtn", "wkb_total", 0.5),
        ("GB_read/s", "rkb_per_s", 1048576.0),
        ("avgrq-sz", "areq_kb", 0.5),
        ("kB_w+d/s", "wkb_per_s", 1.0),
    ],
)
def test_units_are_kibibytes(printed: str, name: str, factor: float) -> None:
    assert (LINUX[printed].name, LINUX[printed].factor) == (name, factor)


def test_of_two_columns_for_one_the_exact_one_is_taken() -> None:
    assert best_sources({name: LINUX[name] for name in ("wsec/s", "wkB/s")}) == {"wkb_per_s": "wkB/s"}


def test_shares_of_merges_are_known_but_have_no_column() -> None:
    assert "%rrqm" in known_linux_columns()
    assert "%rrqm" not in LINUX


@pytest.mark.parametrize(
    ("printed", "device"),
    [
        ("/dev/sda", Device("sda", "disk")),
        ("sda1", Device("sda1", "partition", "sda")),
        ("hda3", Device("hda3", "partition", "hda")),
        ("sdaa11", Device("sdaa11", "partition", "sdaa")),
        ("hdisk5", Device("hdisk5", "disk")),
        ("nvme0n1p2", Device("nvme0n1p2", "partition", "nvme0n1")),
        ("nvme0n1", Device("nvme0n1", "disk")),
        ("cciss!c0d0p2", Device("cciss/c0d0p2", "partition", "cciss/c0d0")),
        ("c0t0d0s0", Device("c0t0d0s0", "partition", "c0t0d0")),
        ("c12", Device("c12", "controller")),
        ("ssd22.t2.fp0", Device("ssd22.t2.fp0", "partition", "ssd22")),
        ("drbd0", Device("drbd0", "drbd")),
        ("dm-3", Device("dm-3", "dm")),
        ("md0", Device("md0", "md")),
        ("dev3-0", Device("dev3-0", "disk")),
        ("dev8-17", Device("dev8-17", "partition", "dev8-16")),
        ("dev147-0", Device("dev147-0", "drbd")),
        ("dev253-0", Device("dev253-0", "disk")),  # dm on most distributions, vd on others
        ("fuji:/export/home", Device("fuji:/export/home", "nfs")),
        ("pci-0000:00:1f.2-ata-1-part3", Device("pci-0000:00:1f.2-ata-1-part3", "partition", "pci-0000:00:1f.2-ata-1")),
    ],
)
def test_names_tell_what_a_device_is(printed: str, device: Device) -> None:
    assert device_of(printed) == device


NUMBERS = {"cpu": CPU_NUMBERS, "vmstat": VMSTAT_NUMBERS}
UNITS = {
    "_pct": ("percent", "%"),
    "kb_per_s": ("KiB per second",),
    "_ms": ("millisecond", "ms"),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_what_a_printed_column_means_is_a_column_of_a_table(family: str) -> None:
    canonical = {name for name, _ in NUMBERS.get(family, DEVICE_NUMBERS)} | set(HIDDEN)
    line_verdicts = {meaning.name for meaning in FAMILIES[family].values()}
    assert line_verdicts <= canonical | {"svctm_ms"}, family  # svctm is kept as printed only: it was never right


def test_names_tell_the_units() -> None:
    for name, description in (*DEVICE_NUMBERS, *CPU_NUMBERS):
        for ending, units in UNITS.items():
            if name.endswith(ending):
                assert any(unit in description for unit in units), name


def test_no_column_is_named_twice_and_all_are_described() -> None:
    for table in REPORT_TABLES:
        names = [column.name for column in table.columns]
        assert len(names) == len(set(names)), table.name
        assert all(column.comment for column in table.columns)
        assert tables()[table.name] == table


def test_only_marks_are_dated_and_rows_name_their_mark() -> None:
    assert [table.name for table in REPORT_TABLES if table.is_dated and table.name.startswith("iostat")] == [
        "iostat_mark"
    ]
    for table in REPORT_TABLES:
        if table.name in {"iostat_device", "iostat_cpu", "vmstat"}:
            assert "mark_line" in {column.name for column in table.columns}
    assert IOSTAT_MARK.is_dated


def test_best_source_of_a_column_is_the_finest() -> None:
    known = {name: columns.LINUX[name] for name in ("MB/s", "kB/s")}
    assert columns.best_sources(known) == {"tkb_per_s": "kB/s"}


def test_an_item_knows_what_its_columns_mean() -> None:
    item = item_of("device", ["tps", "kB_read/s", "novelty"], 1, name_at=0)
    assert item.at == (1, 2, 3)
    assert item.meanings == {"tps": LINUX["tps"], "kB_read/s": LINUX["kB_read/s"]}


def test_columns_of_one_name_are_distinguished() -> None:
    assert item_of("vmstat", ["s1", "s1", "s1"], 0, "vmstat").printed == ("s1", "s1'", "s1''")


def test_the_name_of_a_device_may_stand_anywhere() -> None:
    item = named_item(["tps", "rkB/s", "DEV"], 1, "DEV")
    assert (item.name_at, item.at, item.printed) == (3, (1, 2), ("tps", "rkB/s"))


def test_a_row_that_begins_with_a_date_may_hold_half_of_the_day() -> None:
    layout = Layout(4, (item_of("device", ["tps"], 3, name_at=2),), 0, 2)
    plain, half_day = with_half_day(layout)
    assert plain == layout
    assert (half_day.width, half_day.items[0].at, half_day.items[0].name_at) == (5, (4,), 3)
    assert clock_of(0, None) == (None, 0)
    assert with_half_day(Layout(1, ())) == (Layout(1, ()),)


ROW = st.lists(st.text(st.characters(blacklist_categories=("Z", "C")), min_size=1, max_size=6), min_size=1, max_size=9)


@given(st.lists(st.tuples(ROW, st.lists(st.text(" \t", min_size=1, max_size=60), min_size=9, max_size=9)), max_size=6))
def test_any_run_of_blanks_becomes_one(rows: list[tuple[list[str], list[str]]]) -> None:
    texts = ["".join(sum(zip(words, runs, strict=False), ())).rstrip(" \t") for words, runs in rows]
    found = single_blanks(pl.Series("content", texts, dtype=pl.String))
    assert found.to_list() == [" ".join(words) for words, _ in rows]
    assert found.to_frame().select(width()).to_series().to_list() == [len(words) for words, _ in rows]


def test_values_are_in_columns_of_their_place() -> None:
    rows = single_blanks(pl.Series("content", ["sda      1.00     2.50", "nvme0n1\t 10.00  0.00"]))
    assert fields(rows, 3).to_dict(as_series=False) == {
        "field_0": ["sda", "nvme0n1"],
        "field_1": ["1.00", "10.00"],
        "field_2": ["2.50", "0.00"],
    }


def test_no_rows_have_columns_too() -> None:
    assert fields(pl.Series("content", [], dtype=pl.String), 2).columns == ["field_0", "field_1"]


WORD = st.one_of(
    st.floats().map(str),
    st.text("0159.,eE+-_xnaif", min_size=1, max_size=6),
    st.text(st.characters(blacklist_categories=("Z", "C")), min_size=1, max_size=3),
)


@given(st.lists(st.lists(WORD, min_size=2, max_size=4), min_size=1, max_size=5))
def test_numbers_are_read_at_once_where_all_of_them_are_and_then_as_if_one_by_one(rows: list[list[str]]) -> None:
    content = pl.Series("content", [" ".join(row) for row in rows])
    found = fields_with_numbers(content.str.replace_all(" ", " \t  ", literal=True), {0}, 3)
    if all(len(row) == 3 for row in rows):
        names, *numbers = fields(content, 3).with_columns(pl.exclude("field_0").str.replace(",", ".", literal=True))
        one_by_one = [each.cast(pl.Float64, strict=False) for each in numbers]
        if found is not None:
            assert found.equals(pl.DataFrame([names, *one_by_one]))
        elif not any("," in word for row in rows for word in row):
            assert not all(each.is_finite().fill_null(value=False).all() for each in one_by_one) or _is_large(numbers)
    else:
        assert found is None


def _is_large(numbers: list[pl.Series]) -> bool:
    """Numbers whose sum is not finite, or none that a reader of CSV takes, are left to be read one by one."""
    return any(not isfinite(each.cast(pl.Float64).sum()) for each in numbers)
