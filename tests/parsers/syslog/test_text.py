from datetime import datetime

import pytest

from parsers.syslog.syslog import FORMAT
from tests.support.message_lines import row

at = datetime.fromisoformat


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            "Dec 10 00:00:19 pg-01 patroni[582]: 2023-12-10 00:00:19,397 INFO: promoted self to leader",
            {
                "stamp": at("2023-12-10T00:00:19.397"),
                "has_year": True,
                "level": "info",
                "text": "promoted self to leader",
            },
            id="REAL: a finer stamp with its year takes the place of the head's",
        ),
        pytest.param(
            "Dec 10 00:00:19 pg-01 postgres[5]: 2023-12-10 00:00:18.600 UTC [5] LOG:  redo starts at 0/3",
            {"stamp": at("2023-12-10T00:00:18.600"), "has_year": True, "level": "info", "text": "redo starts at 0/3"},
            id="PostgreSQL's",
        ),
        pytest.param(
            "Dec 10 00:00:19 pg-01 patroni[582]: 2023-12-10 00:00:29,397 INFO: x",
            {"stamp": at("2000-12-10T00:00:19"), "has_year": False, "text": "2023-12-10 00:00:29,397 INFO: x"},
            id="a stamp further away is part of the text",
        ),
        pytest.param(
            "2023-12-10T00:00:19+01:00 pg-01 patroni[582]: 2022-12-10 00:00:19,397 INFO: x",
            {"stamp": at("2023-12-10T00:00:19"), "has_year": True, "text": "2022-12-10 00:00:19,397 INFO: x"},
            id="a stamp of another year too",
        ),
        pytest.param(
            "Feb 11 13:15:39 n1 postgres[10808]: [3-1] db=,user= FATAL:  no pg_hba.conf entry",
            {"msgid": "3-1", "level": "crit", "text": "no pg_hba.conf entry"},
            id="PostgreSQL through syslog",
        ),
        pytest.param(
            "Feb 11 13:15:39 n1 other[10808]: [3-1] db=,user= FATAL:  x",
            {"text": "[3-1] db=,user= FATAL:  x"},
            id="brackets of another program",
        ),
    ],
)
def test_marks_before_the_text(line: str, expected: dict[str, object]) -> None:
    found = row(FORMAT, line)
    assert found == found | expected
