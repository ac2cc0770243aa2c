"""ha.cf and corosync.conf: the files that state after which silence a peer is lost."""

import polars as pl
import pytest

from parsers import corosync_conf, ha_cf
from parsers.format import LINE_SCHEMA, Parsed, Recognition, Verdict

HA_CF = """\
# timers
logfile /var/log/ha-log
keepalive 500ms
deadtime 10   # seconds
initdead 120
auto_failback on
bcast eth1
node master1
node master2

what is this?
"""

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


def values(parsed: Parsed) -> dict[str, str]:
    return dict(parsed.tables["parameter_value"].select("name", "value").iter_rows())


def rejected(parsed: Parsed) -> list[int]:
    return parsed.lines.filter(verdict=Verdict.REJECTED)["line_no"].to_list()


def test_directives_of_ha_cf() -> None:
    parsed = ha_cf.parse(frame(HA_CF))
    found = values(parsed)
    assert (found["keepalive"], found["deadtime"], found["node"]) == ("500ms", "10", "master2")
    assert rejected(parsed) == [11]
    assert parsed.lines.height == 11


def test_pairs_of_corosync_conf_bear_the_names_of_their_blocks() -> None:
    parsed = corosync_conf.parse(frame(COROSYNC_CONF))
    found = values(parsed)
    assert found["totem.token"] == "5000"
    assert (found["totem.interface.ringnumber"], found["totem.interface[2].ringnumber"]) == ("0", "1")
    assert (found["nodelist.node.name"], found["nodelist.node[2].name"]) == ("alpha", "beta")
    assert found["totem.crypto_key"] == "(masked)"
    assert rejected(parsed) == [24, 25]
    assert parsed.lines.height == 25


@pytest.mark.parametrize(("parser", "text"), [(ha_cf, HA_CF), (corosync_conf, COROSYNC_CONF)])
def test_each_claims_its_own_and_refuses_the_other(parser: object, text: str) -> None:
    head = pl.Series(text.splitlines())
    claims = [isinstance(each.recognise(head), Recognition) for each in (ha_cf, corosync_conf)]
    assert claims == [parser is ha_cf, parser is corosync_conf]


@pytest.mark.parametrize("parser", [ha_cf, corosync_conf])
def test_any_lines_have_one_verdict_each(parser: object) -> None:
    odd = ["", " ", "}", "{", "a {", "a: b", "x" * 5000, "\t#", "deadtime", "key: \0", "é{"] * 40
    lines = frame("\n".join(odd))
    parsed = parser.FORMAT.parse(lines)  # type: ignore[attr-defined]
    assert parsed.lines.select("file_id", "line_no").equals(lines.select("file_id", "line_no"))
