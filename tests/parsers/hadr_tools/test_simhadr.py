from parsers.hadr_tools.simhadr import FORMAT
from parsers.hadr_tools.simhadr_disk import FORMAT as DISK_FORMAT


def test_both_formats_read_alike() -> None:
    assert FORMAT.parse is DISK_FORMAT.parse
    assert FORMAT.role == DISK_FORMAT.role == "measurement"
