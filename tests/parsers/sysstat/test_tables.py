"""Tables of reports: what columns may mean and what they are called."""

import pytest

from parsers.format import tables
from parsers.sysstat import columns
from parsers.sysstat.layout import FAMILIES
from parsers.sysstat.rows import HIDDEN
from parsers.sysstat.tables import CPU_NUMBERS, DEVICE_NUMBERS, IOSTAT_MARK, REPORT_TABLES, VMSTAT_NUMBERS

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
