"""corosync.conf."""

import polars as pl

from parsers.configuration import corosync_conf, ha_cf
from parsers.format import LINE_SCHEMA, Recognition, Verdict

COROSYNC_CONF = """\
# Please read the corosync.conf.5 manual page
totem {
	version: 2
	token: 5000
	interface {
		ringnumber: 0
	}
	interface {
		ringnumber: 1
	}
	crypto_key: abc
}

nodelist {
  node {
    ring0_addr: 10.0.0.1
    name: alpha
  }
  node {
    ring0_addr: 10.0.0.2
    name: beta
  }
}
}
nonsense
"""


def frame(text: str) -> pl.DataFrame:
    lines = text.splitlines()
    numbers = range(1, len(lines) + 1)
    return pl.DataFrame({"file_id": [1] * len(lines), "line_no": numbers, "text": lines}, schema=LINE_SCHEMA)


def test_pairs_of_corosync_conf_have_the_names_of_their_blocks() -> None:
    parsed = corosync_conf.parse(frame(COROSYNC_CONF))
    found = dict(parsed.tables["parameter_value"].select("name", "value").iter_rows())
    assert found["totem.token"] == "5000"
    assert (found["totem.interface.ringnumber"], found["totem.interface[2].ringnumber"]) == ("0", "1")
    assert (found["nodelist.node.name"], found["nodelist.node[2].name"]) == ("alpha", "beta")
    assert found["totem.crypto_key"] == "********"
    assert parsed.lines.filter(verdict=Verdict.REJECTED)["line_no"].to_list() == [24, 25]
    assert parsed.lines.height == 25


def test_it_claims_its_own_and_another_refuses_it() -> None:
    head = pl.Series(COROSYNC_CONF.splitlines())
    assert isinstance(corosync_conf.recognise(head), Recognition)
    assert not isinstance(ha_cf.recognise(head), Recognition)
