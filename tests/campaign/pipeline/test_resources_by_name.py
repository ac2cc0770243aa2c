"""Resources that only their names describe."""

from pathlib import Path

import duckdb
import pytest

from pipeline.store.relations import create_macros
from tests.support.failover_logs import ingested, write

SAID = (
    ("03.000", "corosync[8]", "[TOTEM ] A processor failed, forming new configuration."),
    ("04.200", "corosync[8]", "[TOTEM ] A new membership (2.1f) was formed. Members left: 1"),
    ("04.210", "pacemaker-controld[9]", "notice: Node elm state is now lost"),
    ("08.000", "pacemaker-controld[9]", "notice: Initiating start operation p_fs_start_0 locally on oak"),
    ("08.500", "pacemaker-controld[9]", "notice: Result of start operation for p_fs on oak: ok"),
    ("08.600", "pacemaker-controld[9]", "notice: Initiating start operation vip_start_0 locally on oak"),
    ("08.900", "pacemaker-controld[9]", "notice: Result of start operation for vip on oak: ok"),
    ("09.000", "pacemaker-controld[9]", "notice: Initiating start operation pgsql_start_0 locally on oak"),
    ("13.100", "pacemaker-controld[9]", "notice: Result of start operation for pgsql on oak: ok"),
)  # fmt: skip


def test_steps_of_resources_that_only_their_names_describe(tmp_path: Path) -> None:
    lines = [f"2026-03-02T09:00:{at}+00:00 oak {program}: {text}" for at, program, text in SAID]
    write(tmp_path / "plain" / "oak" / "messages", lines)
    store = ingested(tmp_path)
    steps = store.rows("select milestone, round(epoch(\"at\" - timestamp '2026-03-02 09:00:00'), 3) from milestone")
    assert {("mounted", 8.5), ("ip", 8.9), ("started", 13.1)} <= set(steps)
    assert store.rows("select outcome, reason from run_outcome") == [
        ("recovered", "every step that means service was done, the last `started`")
    ]
    ((text,),) = store.rows("select text from finding where kind = 'type_by_name'")
    assert "`p_fs` mount, `pgsql` database, `vip` address" in text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((each, "address") for each in ("vip", "ClusterIP", "p_ip_db", "pgsql-vip", "ip1", "VIP_1", "ipaddr2")),
        *((each, "mount") for each in ("fs", "p_fs_pgdata", "WebFS", "mnt-data", "db_filesystem")),
        *((each, "replication") for each in ("drbd", "p_drbd_r0", "drbd_pgsql")),
        *((each, "database") for each in ("pgsql", "db2_hadr", "MySQL", "p_mariadb", "prod-db", "SAPHana_HDB")),
        *((each, "fencing") for each in ("stonith-sbd", "fence_n1", "st-node1", "ipmi_n2", "fencing")),
        *((each, "application") for each in ("apache", "my_vg", "ship", "strips", "offset", "zip_job")),
    ],
)
def test_class_of_a_name(name: str, expected: str) -> None:
    with duckdb.connect() as con:
        create_macros(con)
        assert con.execute("select class_of_name(?)", [name]).fetchall() == [(expected,)]
