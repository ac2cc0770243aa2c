"""Changes of configuration as db2diag.log records them."""

from typing import Any

import pytest

from tests.support.db2diag_log import HEADER_82, checked, numbered

COLUMNS = ("scope", "database", "parameter", "old_value", "new_value")


def change(*lines: str) -> dict[str, Any]:
    (row,) = checked(numbered("\n".join([HEADER_82, *lines]))).tables["config_change"].rows(named=True)
    return row


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            'CFG DBM: "Sysmon_group" From: ""  To: "db2mons" ',
            ("dbm", None, "SYSMON_GROUP", "", "db2mons"),
            id="REAL, DB2 11.5: blank behind",
        ),
        ('CFG DB SAMPLE: "Softmax" From: "100"  To: "1"', ("db", "SAMPLE", "SOFTMAX", "100", "1")),
        ('CFG (DB SAMPLE): "Softmax" From: "100"  To: "1"', ("db", "SAMPLE", "SOFTMAX", "100", "1")),
        (
            'CFG DB X: "Logarchmeth1" From: "OFF"  To: "DISK:/a "b" c/"',
            ("db", "X", "LOGARCHMETH1", "OFF", 'DISK:/a "b" c/'),
        ),
        ("CFG DB X: other words", (None, None, None, None, None)),
    ],
)
def test_change_names_parameter_and_values(text: str, expected: tuple[str | None, ...]) -> None:
    row = change(f"CHANGE  : {text}")
    assert tuple(row[name] for name in COLUMNS) == expected
    assert row["text"] == text.strip()
    assert row["is_self_tuned"] is False


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(['CHANGE  : STMM CFG DB X: "Locklist" From: "1" <automatic>  To: "2" <automatic>'], id="said"),
        pytest.param(
            [
                "EDUID   : 7240                 EDUNAME: db2stmm (X) 0",
                'CHANGE  : CFG DB X: "Locklist" From: "1" <automatic>  To: "2" <automatic>',
            ],
            id="by its EDU",
        ),
    ],
)
def test_self_tuning_is_distinguished_from_people(lines: list[str]) -> None:
    row = change(*lines)
    assert (row["is_self_tuned"], row["is_old_automatic"], row["is_new_automatic"]) == (True, True, True)
    assert (row["parameter"], row["old_value"], row["new_value"]) == ("LOCKLIST", "1", "2")
