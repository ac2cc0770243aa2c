"""Views over DB2's monitor output and configurations."""

from datetime import datetime

import duckdb
import pytest

from tests.support.hand_made import Ledger


class Snapshots:
    """Snapshots of one database, a file each, in seconds after the begin."""

    def __init__(self, run: str | None = "run01") -> None:
        self.ledger = Ledger()
        self.run = run

    def at(
        self, second: float | None, since: str | None = "first", *, entity: str | None = None, **counts: float
    ) -> None:
        file_id = self.ledger.file(f"c/{self.run}/{second}.txt", "db2_snapshot", "c", self.run, "db1")
        for element, number in counts.items():
            self.ledger.add(
                "snapshot_element",
                file_id,
                second,
                snapshot_no=1,
                level="database",
                database="ABSOLUT",
                entity=entity,
                element=element,
                number=float(number),
                is_counter=not element.endswith("_currently"),
                counted_since=since,
            )

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        return self.ledger.build().execute(sql).fetchall()


RATE = "select element, interval_s, delta, per_s from snapshot_rate order by element, start_at"


def test_rate_is_what_was_counted_per_second() -> None:
    shots = Snapshots()
    shots.at(0, commit_sql_stmts=10234, rollback_sql_stmts=112, held_currently=5)
    shots.at(60, commit_sql_stmts=12034, rollback_sql_stmts=132, held_currently=9)
    assert shots.rows(RATE) == [
        ("commit_sql_stmts", 60.0, 1800.0, 30.0),
        ("rollback_sql_stmts", 60.0, 20.0, pytest.approx(1 / 3)),
        ("transactions", 60.0, 1820.0, pytest.approx(1820 / 60)),
    ]


@pytest.mark.parametrize("since", ["first", "another"])
def test_new_start_of_counting_breaks_the_series(since: str) -> None:
    shots = Snapshots()
    shots.at(0, rows_read=100, log_reads=1)
    shots.at(10, rows_read=200, log_reads=2)
    # counted anew: a counter fell, or more was counted than before the reset, which only its date shows
    shots.at(20, since, rows_read=50 if since == "first" else 500, log_reads=3)
    shots.at(30, since, rows_read=900, log_reads=4)
    rows = shots.rows("select element, segment_no, delta from snapshot_rate order by element, start_at")
    last = 850.0 if since == "first" else 400.0
    assert rows == [("log_reads", 1, 1.0), ("log_reads", 2, 1.0), ("rows_read", 1, 100.0), ("rows_read", 2, last)]


def test_undated_snapshot_has_no_rate() -> None:
    shots = Snapshots()
    shots.at(0, rows_read=100)
    shots.at(None, rows_read=150)
    shots.at(20, rows_read=200)
    assert shots.rows(RATE) == [("rows_read", 20.0, 100.0, 5.0)]


def test_copy_of_a_snapshot_counts_once() -> None:
    shots = Snapshots()
    for _ in range(2):
        shots.at(0, rows_read=100)
        shots.at(10, rows_read=200)
    assert shots.rows(RATE) == [("rows_read", 10.0, 100.0, 10.0)]


def test_things_within_a_database_are_series_of_their_own() -> None:
    shots = Snapshots()
    for second in (0, 10):
        shots.at(second, entity="A", pool_data_writes=second)
        shots.at(second, entity="B", pool_data_writes=2 * second)
    rows = shots.rows("select entity, delta from snapshot_rate order by entity")
    assert rows == [("A", 10.0), ("B", 20.0)]


def test_element_that_stands_twice_in_a_snapshot_has_no_rate() -> None:
    shots = Snapshots()
    for second in (0, 10):
        shots.at(second, rows_read=second)
        shots.at(second, rows_read=7 + second)
    assert shots.rows(RATE) == []


# numbers: RECON_snapshot_db_t0 and _t1, where 24000 pages in 900 writes are expected to be 26.667
def test_flush_is_pages_a_write_with_the_share_of_partial_ones() -> None:
    shots = Snapshots()
    shots.at(0, log_writes=182300, num_log_write_io=7012, num_log_part_page_io=5120)
    shots.at(60, log_writes=206300, num_log_write_io=7912, num_log_part_page_io=5730)
    shots.at(120, log_writes=206300, num_log_write_io=7912, num_log_part_page_io=5730)
    rows = shots.rows("select pages_written, write_count, flush_pages, partial_share from log_flush")
    assert rows == [(24000.0, 900.0, pytest.approx(26.6667, abs=1e-4), pytest.approx(610 / 900))]


def hadr(*blocks: dict[str, tuple[str | None, float | None, datetime | None]]) -> duckdb.DuckDBPyConnection:
    ledger = Ledger()
    file_id = ledger.file("c/run01/db2pd.txt", "db2_pd", "c", "run01", None)
    for number, block in enumerate(blocks, 1):
        for name, (value, figure, shown_at) in block.items():
            ledger.add(
                "hadr_status_value",
                file_id,
                60,
                status_no=number,
                host="db1.ibm.com",
                database="SAMPLE",
                name=name,
                value=value,
                number=figure,
                shown_at=shown_at,
            )
    return ledger.build()


@pytest.mark.parametrize(
    ("printed", "state"),
    [
        ("PEER", "peer"),
        ("Peer", "peer"),
        ("REMOTE_CATCHUP", "rcu"),
        ("Remote catchup pending", "rcu_pending"),
        ("LOCAL_CATCHUP", "local_catchup"),
        ("Disconnected peer", "disconnected_peer"),
        ("Disconnected", "none"),
    ],
)
def test_state_of_any_release_is_one_word(printed: str, state: str) -> None:
    con = hadr({"HADR_STATE": (printed, None, None)})
    assert con.execute("select node, state, state_raw from hadr_status").fetchall() == [("db1", state, printed)]


def test_block_is_one_row_with_its_numbers() -> None:
    since = datetime(2003, 7, 28, 10, 27, 34)  # noqa: DTZ001 - UTC, kept naive; 30 s before the block was shown
    con = hadr(
        {
            "HADR_ROLE": ("PRIMARY", None, None),
            "HADR_STATE": ("PEER", None, None),
            "HADR_CONNECT_STATUS": ("CONGESTED", None, None),
            "HADR_CONNECT_STATUS_TIME": ("07-28-2003 10:27:34 (1)", None, since),
            "SOCK_SEND_BUF_REQUESTED": ("0", 0.0, None),
            "SOCK_SEND_BUF_ACTUAL": ("87040", 87040.0, None),
            "REMOTE_HOST": ("db2", None, None),
            "LOCAL_HOST": ("db1", None, None),
        },
        {"HADR_ROLE": ("PRIMARY", None, None), "HADR_STATE": ("REMOTE_CATCHUP", None, None)},
        {"DATABASE_STATUS": ("Active", None, None)},
    )
    rows = con.execute(
        "select role, state, congested_s, send_buffer_requested_bytes, send_buffer_actual_bytes, primary_host, "
        "standby_host from hadr_status"
    ).fetchall()
    assert rows == [
        ("primary", "peer", 30.0, 0.0, 87040.0, "db1", "db2"),
        ("primary", "rcu", None, None, None, None, None),
    ]


def parameters(**values: dict[str, dict[str, object]]) -> duckdb.DuckDBPyConnection:
    """Values by configuration and name."""
    ledger = Ledger('[study]\nreference = "default"\n')
    for configuration, names in values.items():
        file_id = ledger.file(f"{configuration}/db.cfg", "db2_cfg", configuration, None, None)
        for name, row in names.items():
            ledger.add("parameter_value", file_id, None, name=name.split("@")[0], **row)
    return ledger.build()


def test_what_automatic_came_to_is_distinguished_from_changes() -> None:
    memory: dict[str, object] = {"scope": "db", "is_automatic": True}
    con = parameters(
        default={"DATABASE_MEMORY": {**memory, "value": "AUTOMATIC(79840)", "effective_value": "79840"}},
        tuned={"DATABASE_MEMORY": {**memory, "value": "AUTOMATIC(81920)", "effective_value": "81920"}},
    )
    assert con.execute("select * from parameter_change").fetchall() == []
    rows = con.execute("select name, reference_value, configuration, value from automatic_change").fetchall()
    assert rows == [("DATABASE_MEMORY", "79840", "tuned", "81920")]


def test_variable_counts_at_the_level_that_holds() -> None:
    def level(value: str, subject: str) -> dict[str, object]:
        return {"scope": "registry", "value": value, "subject": subject}

    con = parameters(
        default={"DB2COMM@i": level("tcpip", "instance"), "DB2COMM@g": level("none", "global")},
        tuned={"DB2COMM@g": level("other", "global"), "DB2COMM@i": level("tcpip", "instance")},
    )
    assert con.execute("select * from parameter_change").fetchall() == []


@pytest.mark.parametrize(("with_run", "reference"), [(None, "default"), ("tuned", "default"), ("before", "before")])
def test_configurations_are_compared_where_no_run_is_there(with_run: str | None, reference: str) -> None:
    ledger = Ledger()
    for configuration in ("default", "tuned", *(["before"] if with_run == "before" else [])):
        ledger.file(f"{configuration}/db.cfg", "db2_cfg", configuration, None, None)
    if with_run:
        ledger.file(f"{with_run}/run01/db2diag.log", "db2diag", with_run, "run01", None)
    con = ledger.build()
    assert con.execute("select distinct reference from configuration_order").fetchall() == [(reference,)]


def test_what_a_kernel_counts_is_no_setting() -> None:
    def kernel(count: str, swappiness: str) -> dict[str, dict[str, object]]:
        return {
            "fs.dentry-state": {"scope": "sysctl", "value": count},
            "kernel.random.uuid": {"scope": "sysctl", "value": count},
            "vm.swappiness": {"scope": "sysctl", "value": swappiness},
        }

    con = parameters(default=kernel("1", "60"), tuned=kernel("2", "10"))
    assert con.execute("select name, value from parameter_change").fetchall() == [("vm.swappiness", "10")]


@pytest.mark.parametrize(
    ("row", "resource", "object_class"),
    [
        ({"scope": "crm", "description": "primitive", "value": "ocf:heartbeat:IPaddr2"}, "VIP", "address"),
        ({"scope": "crm", "description": "primitive", "value": "ocf:linbit:drbd"}, "VIP", "replication"),
        ({"scope": "crm", "description": "primitive", "value": "stonith:external/ipmi"}, "VIP", "fencing"),
        ({"scope": "crm", "description": "primitive", "value": "lsb:tomcat"}, "VIP", "application"),
        ({"scope": "haresources", "value": "db2inst1"}, "db2::db2inst1", "database"),
        ({"scope": "haresources", "value": "/dev/drbd0::/db"}, "Filesystem::/dev/drbd0", "mount"),
        ({"scope": "crm", "description": "group", "value": "a b"}, "group g", None),
    ],
)
def test_class_of_a_resource_is_that_of_its_agent(
    row: dict[str, object], resource: str, object_class: str | None
) -> None:
    ledger = Ledger()
    file_id = ledger.file("c/crm.txt", "crm_configure", "c", None, None)
    ledger.add("parameter_value", file_id, None, name=resource, **row)
    rows = ledger.build().execute("select resource, object_class from crm_resource").fetchall()
    assert rows == ([] if object_class is None else [(resource, object_class)])


@pytest.mark.parametrize(
    ("standby", "gap", "kinds"),
    [("90", 5.0, ["hadr_gap"]), ("80", 5.0, []), ("90", 0.0, [])],
)
def test_a_gap_between_equal_positions_is_a_finding(standby: str, gap: float, kinds: list[str]) -> None:
    position = {"PRIMARY_LOG_FILE": "S1.LOG", "STANDBY_LOG_FILE": "S1.LOG", "PRIMARY_LOG_POS": "90"}
    texts = {name: (value, None, None) for name, value in (position | {"STANDBY_LOG_POS": standby}).items()}
    role = {"HADR_ROLE": ("PRIMARY", None, None)}
    con = hadr({**texts, **role, "HADR_LOG_GAP": (str(gap), gap, None)})
    found = con.execute("select kind from finding where kind in ('hadr_gap', 'hadr_single_wait')").fetchall()
    assert [kind for (kind,) in found] == kinds


def test_one_wait_is_no_mean() -> None:
    waits = {"LOG_HADR_WAIT_ACCUMULATED": ("450", 450.0, None), "LOG_HADR_WAIT_COUNT": ("1", 1.0, None)}
    con = hadr({"HADR_ROLE": ("PRIMARY", None, None), **waits})
    assert con.execute("select count(*) from finding where kind = 'hadr_single_wait'").fetchone() == (1,)


def test_a_start_of_hadr_that_was_given_up_is_a_finding() -> None:
    ledger = Ledger()
    file_id = ledger.file("c/run01/db2diag.log", "db2diag", "c", "run01", "db1")
    ledger.add("hadr_event", file_id, 10, kind="hadr_start", text="HADR Startup has begun.")
    ledger.add("hadr_event", file_id, 41.2, kind="hadr_start_failed", text="gave up", timeout_s=30.0)
    ((text,),) = ledger.build().execute("select text from finding where kind = 'hadr_start'").fetchall()
    assert "31.2 s after it began (timeout 30 s)" in text
