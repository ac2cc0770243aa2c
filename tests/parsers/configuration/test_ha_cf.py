"""ha.cf of Heartbeat."""

import polars as pl

from parsers.configuration import corosync_conf, ha_cf
from parsers.format import LINE_SCHEMA, Recognition, Verdict

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


def frame(text: str) -> pl.DataFrame:
    lines = text.splitlines()
    numbers = range(1, len(lines) + 1)
    return pl.DataFrame({"file_id": [1] * len(lines), "line_no": numbers, "text": lines}, schema=LINE_SCHEMA)


def test_directives_of_ha_cf() -> None:
    parsed = ha_cf.parse(frame(HA_CF))
    found = dict(parsed.tables["parameter_value"].select("name", "value").iter_rows())
    assert (found["keepalive"], found["deadtime"], found["node"]) == ("500ms", "10", "master2")
    assert parsed.lines.filter(verdict=Verdict.REJECTED)["line_no"].to_list() == [11]
    assert parsed.lines.height == 11


def test_it_claims_its_own_and_another_refuses_it() -> None:
    head = pl.Series(HA_CF.splitlines())
    assert isinstance(ha_cf.recognise(head), Recognition)
    assert not isinstance(corosync_conf.recognise(head), Recognition)
