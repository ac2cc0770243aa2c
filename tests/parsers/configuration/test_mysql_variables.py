"""Variables of MySQL and Galera, from my.cnf and as the client prints them."""

import pytest

from parsers.configuration.mysql_variables import FORMAT
from parsers.format import Recognition
from tests.support.message_lines import numbered

# RECONSTRUCTED
FILE = ["[mysqld]", "wsrep-cluster-name = shop", 'wsrep_provider_options="gcache.size=1G; evs.suspect_timeout=PT5S"']
TABLE = [
    "+---+---+",
    "| Variable_name | Value |",
    "+---+---+",
    "| wsrep_cluster_name | shop |",
    "1 row in set (0.00 sec)",
]
TABS = ["wsrep_cluster_name\tshop", "wsrep_ready\tON"]


@pytest.mark.parametrize("lines", [FILE, TABLE, TABS])
def test_each_form_gives_the_variable(lines: list[str]) -> None:
    frame = numbered(lines)
    assert isinstance(FORMAT.recognise(frame["text"]), Recognition)
    rows = FORMAT.parse(frame).tables["parameter_value"].select("name", "value").rows()
    assert rows[0] == ("wsrep_cluster_name", "shop")


def test_each_option_of_the_provider_is_a_parameter() -> None:
    rows = FORMAT.parse(numbered(FILE)).tables["parameter_value"].select("name", "value").rows()
    assert rows[2:] == [
        ("wsrep_provider_options.gcache.size", "1G"),
        ("wsrep_provider_options.evs.suspect_timeout", "PT5S"),
    ]
