from parsers.hadr_tools.simhadr import FORMAT, parse
from parsers.hadr_tools.simhadr_disk import FORMAT as DISK_FORMAT
from tests.support.configuration_lines import numbered
from tests.support.simhadr_output import Output, disk_test


def test_files_do_not_touch_each_other() -> None:
    primary, test = Output().lines(), disk_test("read", 1, 2493, 0.186893).splitlines()
    together = parse(numbered(primary, test)).tables
    alone = [parse(numbered(each)).tables for each in (primary, test)]
    for name, frame in together.items():
        assert frame.height == sum(tables[name].height for tables in alone if name in tables)
    assert together["simhadr_run"]["run_no"].to_list() == [1, 1]


def test_both_formats_read_alike() -> None:
    assert FORMAT.parse is DISK_FORMAT.parse
    assert FORMAT.role == DISK_FORMAT.role == "measurement"
