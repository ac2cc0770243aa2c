"""What collectors write is known by its layout, and not by its name."""

import pytest

from pipeline.discovery.bundles import bundles, refusals
from pipeline.discovery.path_parts import parts


def tops(*paths: str) -> set[str]:
    read = [(tuple(each.name for each in parts(path)[0]), parts(path)[1]) for path in paths]
    return {"/".join(each) for each in bundles(read)}


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        pytest.param(["a/x/sos_commands/date/date", "a/x/var/log/messages"], {"a/x"}, id="sos"),
        pytest.param(["a/x/analysis.txt", "a/x/members.txt", "a/x/n1/ha-log.txt"], {"a/x"}, id="crm report"),
        pytest.param(["a/x/etc/VRTSvcs/conf/sysname", "a/x/var/VRTSvcs/log/engine_A.log"], {"a/x"}, id="hagetcf"),
        pytest.param(["x/DB2DUMP/db2diag.log", "x/DB2CONFIG/db2nodes.cfg"], {"x"}, id="db2support"),
        pytest.param(["x/nodes.json", "x/default/events.json", "x/default/pg-0/logs.txt"], {"x"}, id="kubernetes"),
        pytest.param(["x/img/cluster-scoped-resources/core/nodes/n1.yaml"], {"x/img"}, id="must-gather"),
        pytest.param(["default/run01/n1/messages", "default/description.txt", "nodes.json"], set(), id="a study"),
        pytest.param(["n1/var/VRTSvcs/log/engine_A.log", "n1/etc/llttab"], set(), id="a copied tree"),
    ],
)
def test_tops_of_bundles(paths: list[str], expected: set[str]) -> None:
    assert tops(*paths) == expected


def test_what_a_collector_did_itself_is_not_read() -> None:
    paths = ["x/sos_commands/host/hostname", "x/sos_logs/sos.log", "x/sos_reports/sos.txt", "x/var/log/messages"]
    assert set(refusals(paths)) == {"x/sos_logs/sos.log", "x/sos_reports/sos.txt"}
    assert set(refusals(["x/sos_logs/sos.log", "x/messages"])) == set()  # no sos report around it
