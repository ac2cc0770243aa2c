"""hastatus -sum: states of systems, groups and resources at one moment."""

from parsers.cluster_state import CLUSTER_STATE
from parsers.format import Recognition, Verdict
from parsers.vcs.hastatus import FORMAT
from tests.support.message_lines import numbered

# RECONSTRUCTED
SUMMARY = """\
# hastatus -sum

-- SYSTEM STATE
-- System               State                Frozen

A  east              RUNNING              1
A  west              FAULTED              0

-- GROUP STATE
B  shop         east             Y          N               ONLINE
B  shop         west             N          Y               OFFLINE|FAULTED
C  shop         Mount            data       west
what is this"""


def test_each_row_is_a_state() -> None:
    parsed = FORMAT.parse(numbered(SUMMARY.split("\n")))
    columns = ("subject", "name", "host", "state", "is_frozen", "is_autodisabled")
    assert parsed.tables[CLUSTER_STATE.name].select(columns).rows() == [
        ("node", "east", "east", "RUNNING", True, None),
        ("node", "west", "west", "FAULTED", False, None),
        ("group", "shop", "east", "ONLINE", None, False),
        ("group", "shop", "west", "OFFLINE|FAULTED", None, True),
        ("resource", "data", "west", "FAULTED", None, None),
    ]
    assert parsed.lines["verdict"].to_list().count(Verdict.REJECTED) == 1


def test_a_copy_without_headings_is_recognised() -> None:
    rows = numbered([line for line in SUMMARY.split("\n") if line[:1] in "AB"])
    assert isinstance(FORMAT.recognise(rows["text"]), Recognition)
