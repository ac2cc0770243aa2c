import pytest

from parsers.configuration.haresources import FORMAT
from parsers.format import Verdict
from tests.support.configuration_lines import confidence, numbered, verdicts

# RECONSTRUCTED (the product's own example file has this form)
RESOURCES = [
    "# node resources",
    "node1 drbddisk::r0 Filesystem::/dev/drbd0::/data::ext3 \\",
    "      10.0.0.10/24/eth0 db2::db2inst1 mysql",
]


def test_resources_are_named_by_script_and_first_argument() -> None:
    rows = FORMAT.parse(numbered(RESOURCES)).tables["parameter_value"]
    assert rows.select("line_no", "name", "value", "subject").rows() == [
        (2, "drbddisk::r0", "r0", "node1"),
        (2, "Filesystem::/dev/drbd0", "/dev/drbd0::/data::ext3", "node1"),
        (3, "IPaddr::10.0.0.10/24/eth0", "10.0.0.10/24/eth0", "node1"),
        (3, "db2::db2inst1", "db2inst1", "node1"),
        (3, "mysql", "", "node1"),
    ]
    assert verdicts(FORMAT, *RESOURCES) == [Verdict.IGNORED, Verdict.PARSED, Verdict.PARSED]


@pytest.mark.parametrize("texts", [[], ["node1 mysql"], ["0 sun-ha3"], ["use std::vec;", "a", "b"]])
def test_other_files_are_refused(texts: list[str]) -> None:
    assert confidence(FORMAT, *texts) == 0


def test_own_files_are_recognised() -> None:
    assert confidence(FORMAT, *RESOURCES) >= 0.9
