"""patronictl list: the members of a cluster at one moment."""

import pytest

from parsers.cluster_state import CLUSTER_STATE
from parsers.format import Recognition
from parsers.ha.patronictl import FORMAT
from tests.support.message_lines import numbered

# RECONSTRUCTED, in the forms of version 2 and 1
NEW = """\
+ Cluster: shop (6919213028405485581) ----+----+-----------+
| Member | Host       | Role    | State   | TL | Lag in MB |
+--------+------------+---------+---------+----+-----------+
| db-0   | 192.0.2.10 | Leader  | running |  3 |           |
| db-1   | 192.0.2.11 | Replica | stopped |    |       1.5 |
+--------+------------+---------+---------+----+-----------+"""
OLD = """\
+---------+--------+------------+--------+---------+-----------+
| Cluster | Member |    Host    |  Role  |  State  | Lag in MB |
+---------+--------+------------+--------+---------+-----------+
|   shop  |  db-0  | 192.0.2.10 | Leader | running |           |
|   shop  |  db-1  | 192.0.2.11 |        | stopped |    1.5    |
+---------+--------+------------+--------+---------+-----------+"""


def test_a_number_that_no_member_has_is_none() -> None:
    lines = numbered(NEW.replace(" 3 ", "18446744073709551616").replace("1.5", "9" * 400).split("\n"))
    assert FORMAT.parse(lines).tables[CLUSTER_STATE.name].select("timeline", "lag_mb").rows() == [(None, None)] * 2


@pytest.mark.parametrize(("text", "timeline"), [(NEW, 3), (OLD, None)])
def test_each_member_has_its_role_and_state(text: str, timeline: int | None) -> None:
    lines = numbered(text.split("\n"))
    assert isinstance(FORMAT.recognise(lines["text"]), Recognition)
    found = FORMAT.parse(lines).tables[CLUSTER_STATE.name]
    assert found.select("name", "parent", "role", "state", "timeline", "lag_mb", "detail").rows() == [
        ("db-0", "shop", "Leader", "running", timeline, None, "192.0.2.10"),
        ("db-1", "shop", "Replica", "stopped", None, 1.5, "192.0.2.11"),
    ]
