from datetime import datetime

from parsers.vcs.vxfen import FORMAT
from tests.support.message_lines import claimed_by, counts, row, rows

at = datetime.fromisoformat
# REAL, of a node of an Ericsson product
REAL = [
    "Wed Dec 4 03:06:51 GMT 2013 stopping vxfen.. Done",
    "  ",
    "Wed Dec 4 03:06:56 GMT 2013 calling mod_unload.",
    "  ",
    "Wed Dec 4 03:25:57 GMT 2013 Invoked vxfen. Starting",
]


def test_head() -> None:
    assert row(FORMAT, REAL[4]) == {
        "framing": "date",
        "stamp": at("2013-12-04T03:25:57"),
        "has_year": True,
        "utc_offset_min": 0,
        "tag": "vxfen",
        "product": "VXFEN",
        "text": "Invoked vxfen. Starting",
    }


def test_zone_by_name_is_an_offset_where_it_means_one_zone() -> None:
    assert row(FORMAT, "Fri Jun  1 14:13:22 EDT 2012 starting vxfen..")["utc_offset_min"] == -240
    assert "utc_offset_min" not in row(FORMAT, "Fri Jun  1 14:13:22 IST 2012 starting vxfen..")


def test_own_log_is_recognised_and_output_of_commands_continues() -> None:
    output = "VXFEN vxfenconfig NOTICE Driver will use SCSI-3 compliant disks."
    assert claimed_by([*REAL, output]) == "vxfen"
    assert counts(FORMAT, [*REAL, output]) == [3, 1, 0, 2, 0]
    assert rows(FORMAT, *REAL, output)[-1]["text"] == f"Invoked vxfen. Starting\n{output}"


def test_dates_of_other_scripts_are_not_vxfen() -> None:
    assert claimed_by(["Wed Dec 4 03:06:51 GMT 2013 backup started"] * 3) == "dated_log"
