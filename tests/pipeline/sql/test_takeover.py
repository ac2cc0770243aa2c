"""Take-overs under Heartbeat and Pacemaker: operations, incidents, fault times, milestones; DRBD resynchronisations."""

from typing import Any

import pytest

from tests.support.hand_made import Ledger, elapsed, one

CONFIGURATION, RUN, SURVIVOR, LOST = "ha", "run01", "master2", "master1"


class Log:
    """A log of one node; each call adds a message at a second and gives its line."""

    def __init__(
        self, ledger: Ledger, file_format: str = "ha_log", *, node: str | None = SURVIVOR, run: str | None = RUN
    ) -> None:
        self.ledger = ledger
        path = "/".join(part for part in (CONFIGURATION, run, node, file_format) if part)
        self.file_id = ledger.file(path, file_format, CONFIGURATION, run, node)

    def __call__(self, second: float | None, stack: str, kind: str, **values: Any) -> int:
        return self.ledger.add("ha_event", self.file_id, second, stack=stack, kind=kind, text=kind, **values)

    def heartbeat(self, second: float, kind: str, **values: Any) -> int:
        return self(second, "heartbeat", kind, **({"process": "heartbeat", "pid": 13209} | values))

    def script(self, second: float, kind: str, **values: Any) -> int:
        return self(second, "heartbeat", kind, **({"process": "ResourceManager", "pid": 15361} | values))


def heartbeat_takeover(log: Log, *, is_planned: bool) -> None:
    """The take-over of 2013 line by line: address 37 to 38, DRBD 38 to 39, mount 39, mysqld 40 to 44; t = 0 is 36."""
    if is_planned:
        log.heartbeat(0, "shutdown_notice", peer=LOST)
    else:
        log.heartbeat(0, "peer_dead", peer=LOST)
    log.heartbeat(0, "takeover_start", peer=LOST)
    log.heartbeat(1, "takeover_done", action="standby", pid=15293)
    log.script(1, "group_acquire", object="master1 IPaddr::192.168.4.1/16/eth1 drbddisk::data mysqld")
    log.heartbeat(1, "resource_status", process="IPaddr", agent="IPaddr", pid=15388)
    log.script(
        1, "resource_start", action="start", agent="IPaddr", object="192.168.4.1/16/eth1", object_class="address"
    )
    log.heartbeat(2, "agent_success", process="IPaddr", agent="IPaddr", pid=15457)
    log.script(2, "resource_start", action="start", agent="drbddisk", object="data", object_class="replication")
    log.heartbeat(3, "resource_status", process="Filesystem", agent="Filesystem", pid=15636)
    log.script(3, "resource_start", action="start", agent="Filesystem", object="/data", object_class="mount")
    log.heartbeat(3, "mount_start", process="Filesystem", agent="Filesystem", pid=15717)
    log.heartbeat(3, "agent_success", process="Filesystem", agent="Filesystem", pid=15706)
    log.script(4, "resource_start", action="start", agent="mysqld", object="mysqld", object_class="database")
    log.heartbeat(8, "takeover_done", action="mach_down", process="mach_down", pid=15335)
    if is_planned:
        log.heartbeat(33, "peer_dead", peer=LOST)


class TestHeartbeat:
    def test_planned_takeover_is_counted_from_the_notice_and_the_later_death_is_no_detection(self) -> None:
        ledger = Ledger()
        heartbeat_takeover(Log(ledger), is_planned=True)
        con = ledger.build()
        expected = {"dead": 0, "ip": 2, "promoted": 3, "mounted": 3, "started": 8}
        assert elapsed(con, RUN, CONFIGURATION) == expected
        row = one(con, "select fault_source, lost_node, surviving_node, used, flags from run")
        assert row == ("shutdown notice", LOST, SURVIVOR, True, "planned_takeover")
        assert one(con, "select count(*) from run") == (1,)

    def test_crash_is_dated_by_the_dead_time(self) -> None:
        ledger = Ledger()
        heartbeat_takeover(Log(ledger), is_planned=False)
        config = ledger.file(f"{CONFIGURATION}/ha.cf", "ha_cf", CONFIGURATION, None, None)
        ledger.add("parameter_value", config, None, scope="ha.cf", name="deadtime", value="10")
        ledger.add("parameter_value", config, None, scope="ha.cf", name="keepalive", value="500ms")
        con = ledger.build()
        row = one(
            con,
            "select fault_source, flags, epoch(fault_at_high) - epoch(fault_at_low), "
            "epoch(fault_at) - epoch(timestamp '2003-07-28 10:27:04') from run",
        )
        # heard last 10 s before, lost up to a heartbeat later; looked at once a second, stamps cut to seconds
        assert row[:2] == ("dead time", "")
        assert row[2] == pytest.approx(2.5)
        assert row[3] == pytest.approx(-9.75)
        assert elapsed(con, RUN, CONFIGURATION)["started"] == pytest.approx(17.75)

    def test_dead_time_that_no_file_gives_is_assumed_and_said(self) -> None:
        ledger = Ledger()
        heartbeat_takeover(Log(ledger), is_planned=False)
        assert one(ledger.build(), "select fault_source, flags from run") == ("dead time", "assumed_timer")

    def test_resources_that_are_released_are_operations_too(self) -> None:
        ledger = Ledger()
        log = Log(ledger)
        log.script(1, "release_start", action="stop", agent="Filesystem", object="/dev/drbd0", object_class="mount")
        log.heartbeat(1, "release_start", action="stop", process="Filesystem", agent="Filesystem", object="/dev/drbd0")
        log.script(3, "release_done")
        rows = ledger.build().execute("select action, outcome, duration_s from ha_operation").fetchall()
        assert rows == [("stop", "ok", 2)]

    def test_resources_that_a_starting_cluster_acquires_are_no_failover(self) -> None:
        ledger = Ledger()
        log = Log(ledger)
        log.heartbeat(0, "takeover_start", peer=LOST)
        log.heartbeat(1, "initial_acquisition")
        log.script(1, "resource_start", action="start", agent="mysqld", object="mysqld", object_class="database")
        row = one(ledger.build(), "select used, excluded_reason from run")
        assert row == (False, "resources were acquired as the cluster started; no node loss found")


def pacemaker_takeover(log: Log) -> None:
    """The fencing of 2016: lost at 0, fenced at 17, service at 18."""
    controller = {"process": "crmd", "pid": 2294}
    log(0, "corosync", "membership", object="192.168.110.122:4472", old_state="1", value=4472)
    for process in ("attrd", "cib", "crmd"):
        log(0, "pacemaker", "member_lost", peer=LOST, old_state="member", new_state="lost", process=process)
    log(17, "pacemaker", "fence_done", peer=LOST, new_state="OK", **controller)
    done = {"action": "start", "return_code": 0, **controller}
    log(18, "pacemaker", "resource_done", object="webserver", object_class="application", **done)
    log(18, "pacemaker", "address_added", object="VIP", agent="IPaddr2", object_class="address")
    log(18, "pacemaker", "resource_done", object="VIP", **done)


class TestPacemaker:
    def test_lost_fenced_service(self) -> None:
        ledger = Ledger("[[run]]\nconfiguration='ha'\nrun=1\nfault_at=2003-07-28T10:27:02Z")
        pacemaker_takeover(Log(ledger, "syslog"))
        con = ledger.build()
        assert elapsed(con, RUN, CONFIGURATION) == {"dead": 2, "fenced": 19, "ip": 20, "started": 20}
        assert one(con, "select lost_node, surviving_node, used from run") == (LOST, SURVIVOR, True)

    def test_crash_is_dated_by_token_and_consensus(self) -> None:
        ledger = Ledger()
        pacemaker_takeover(Log(ledger, "syslog"))
        config = ledger.file(f"{CONFIGURATION}/corosync.conf", "corosync_conf", CONFIGURATION, None, None)
        ledger.add("parameter_value", config, None, scope="corosync.conf", name="totem.token", value="5000")
        con = ledger.build()
        row = one(con, "select fault_source, flags, epoch(fault_at_low), epoch(fault_at_high) from run")
        start = one(con, "select epoch(timestamp '2003-07-28 10:27:04')")[0]
        assert row[:2] == ("token timeout", "")
        hold = 0.8 * 5 / 4.2 - 0.01  # a node that is lost may have kept the token so long
        assert (row[2] - start, row[3] - start) == (pytest.approx(-11.01 - hold), pytest.approx(-9.99 + hold))

    def test_steps_from_the_token_to_the_database(self) -> None:
        ledger = Ledger("[[run]]\nconfiguration='ha'\nrun=1\nfault_at=2003-07-28T10:26:50Z")
        log, server = Log(ledger, "pacemaker"), Log(ledger, "postgresql")
        database = {"object_class": "database"}
        log(-6, "corosync", "token_lost", value=5000)
        log(-1, "pacemaker", "transition_start", value=0)  # before the loss
        pacemaker_takeover(log)
        log(1, "pacemaker", "transition_start", value=0)
        log(2, "pacemaker", "transition_start", value=1)
        log(
            3, "pacemaker", "db_ready", agent="pgsql", process="pgsql", object="database", **database
        )  # cut to the second
        for second, kind in enumerate(("db_start", "db_recovery_needed", "db_recovery_start", "db_redo_done"), 2):
            server(second, "postgresql", kind, **database)
        server(3.4, "postgresql", "db_recovery_needed", **database)  # said twice
        server(7.5, "postgresql", "db_ready", **database)
        found = elapsed(ledger.build(), RUN, CONFIGURATION)
        expected = {
            "token": 8,
            "transition": 15,
            "db_start": 16,
            "recovery": 17,
            "redo": 18,
            "redo_done": 19,
            "ready": 21.5,
        }
        assert {name: found.get(name) for name in expected} == expected

    def test_class_of_a_resource_is_known_from_its_agent_or_the_study(self) -> None:
        ledger = Ledger('[resource_type]\n"store*" = "mount"')
        log = Log(ledger, "syslog")
        pacemaker_takeover(log)
        log(19, "pacemaker", "resource_done", object="store1", action="start", return_code=0)
        con = ledger.build()
        rows = con.execute("select object, object_class from ha_operation order by line_no").fetchall()
        assert rows == [("webserver", "application"), ("VIP", "address"), ("store1", "mount")]

    def test_ring_that_a_node_left_counts_where_nothing_names_the_node(self) -> None:
        ledger = Ledger()
        log = Log(ledger, "corosync")
        log(0, "corosync", "membership", object="1:2", old_state="2")
        log(5, "pacemaker", "resource_done", object="vip1", object_class="address", action="start", return_code=0)
        con = ledger.build()
        assert one(con, "select lost_node from run") == ("node 2",)
        assert set(elapsed(con, RUN, CONFIGURATION)) == {"dead", "ip"}


def hadr_takeover(ledger: Ledger, *, first: float = 0, is_forced: bool | None = None) -> None:
    """The take-over of a real log: ordered at 39.522612, primary and peer at 41.901131."""
    for node, path in (("db2b", "new"), ("db2a", "old")):
        file_id = ledger.file(f"{CONFIGURATION}/{RUN}/{path}/db2diag.log", "db2diag", CONFIGURATION, RUN, node)
        common = {"host": node, "instance": "db2inst1", "database": "HADRDB"}
        if path == "new":
            command = {"kind": "hadr_command", "command": "takeover", "is_forced": is_forced}
            ledger.add("hadr_event", file_id, first, **common, **command)
            roles = {"old_role": "standby", "new_role": "primary"}
            ledger.add("hadr_event", file_id, first + 1, kind="hadr_role", **common, **roles)
            states = {"old_state": "peer", "new_state": "rcu_pending" if is_forced else "peer"}
            ledger.add("hadr_event", file_id, first + 2.378519, kind="hadr_state", **common, **roles, **states)
        elif not is_forced:
            roles = {"old_role": "primary", "new_role": "standby"}
            states = {"old_state": "peer", "new_state": "peer"}
            ledger.add("hadr_event", file_id, first + 2.3, kind="hadr_state", **common, **roles, **states)


DATABASE = {"instance": "db2inst1", "database": "HADRDB"}


def missed_by_a_standby(ledger: Ledger) -> tuple[int, int]:
    """The primary is missed at 20; its file and that of the standby."""
    primary = ledger.file(f"{CONFIGURATION}/{RUN}/old/db2diag.log", "db2diag", CONFIGURATION, RUN, "db2a")
    standby = ledger.file(f"{CONFIGURATION}/{RUN}/new/db2diag.log", "db2diag", CONFIGURATION, RUN, "db2b")

    def add(file_id: int, second: float, host: str, **values: Any) -> None:
        ledger.add("hadr_event", file_id, second, host=host, **DATABASE, **values)

    add(primary, -601, "db2a", kind="hadr_role", old_role="standard", new_role="primary")
    roles = {"old_role": "primary", "new_role": "primary"}
    add(primary, -600, "db2a", kind="hadr_state", old_state="nearly_peer", new_state="peer", **roles)
    roles = {"old_role": "standby", "new_role": "standby"}
    add(standby, -600, "db2b", kind="hadr_state", old_state="nearly_peer", new_state="peer", **roles)
    add(standby, 20, "db2b", kind="hadr_state", old_state="peer", new_state="disconnected_peer", **roles)
    return primary, standby


def forced_by_a_standby(ledger: Ledger) -> int:
    """The primary is missed at 20, the command comes at 25 by force at 26; it is primary at 31."""
    _, standby = missed_by_a_standby(ledger)
    common = {"host": "db2b", **DATABASE}
    ledger.add("hadr_event", standby, 25, kind="hadr_command", command="takeover", **common)
    ledger.add(
        "hadr_event",
        standby,
        26,
        kind="hadr_takeover",
        is_forced=True,
        is_peer_window_only=True,
        side="standby",
        **common,
    )
    ledger.add("hadr_event", standby, 31, kind="hadr_role", old_role="standby", new_role="primary", **common)
    return standby


PEER_AGAIN = {"kind": "hadr_state", "old_state": "nearly_peer", "new_state": "peer"}


class TestHadr:
    def test_ordered_takeover_is_counted_from_the_command(self) -> None:
        ledger = Ledger()
        hadr_takeover(ledger)
        con = ledger.build()
        assert elapsed(con, RUN, CONFIGURATION) == {"takeover_start": 0, "takeover_done": 2.378519, "peer": 2.378519}
        row = one(con, "select fault_source, lost_node, surviving_node, used, flags from run")
        assert row == ("take-over command", None, "db2b", True, "planned_takeover")
        assert one(con, "select duration_s from phase where phase = 'hadr_takeover'") == (2.378519,)

    @pytest.mark.parametrize("surviving", ["db2b", None])
    def test_primary_that_logs_the_command_is_the_one_that_is_taken_over(self, surviving: str | None) -> None:
        ledger = Ledger()
        if surviving:
            hadr_takeover(ledger)
        old = ledger.file(f"{CONFIGURATION}/{RUN}/older/db2diag.log", "db2diag", CONFIGURATION, RUN, "db2a")
        common = {"host": "db2a", **DATABASE}
        ledger.add("hadr_event", old, 0.1, kind="hadr_command", command="takeover", **common)
        roles = {"old_role": "primary", "new_role": "standby", "old_state": "peer", "new_state": "peer"}
        ledger.add("hadr_event", old, 2.3, kind="hadr_state", **common, **roles)
        con = ledger.build()
        assert con.execute("select lost_node, surviving_node, flags from run").fetchall() == [
            ("db2a", surviving, "planned_takeover")
        ]

    def test_takeover_by_force_is_done_with_the_role(self) -> None:
        ledger = Ledger()
        hadr_takeover(ledger, is_forced=True)
        con = ledger.build()
        assert elapsed(con, RUN, CONFIGURATION) == {"takeover_start": 0, "takeover_done": 1}
        assert one(con, "select flags from run") == ("",)
        text = one(con, "select text from finding where kind = 'unseen_loss'")[0]
        assert "no line shows when the primary was lost" in text

    @pytest.mark.parametrize("kept", [("hadr_takeover",), ("hadr_command", "hadr_role", "hadr_takeover")])
    def test_what_the_standby_says_of_its_takeover_stands_for_records_that_were_left_out(
        self, kept: tuple[str, ...]
    ) -> None:
        ledger = Ledger()
        _, standby = missed_by_a_standby(ledger)
        common = {"host": "db2b", "side": "standby", **DATABASE}
        records: list[tuple[int, dict[str, Any]]] = [
            (25, {"kind": "hadr_command", "command": "takeover"}),
            (25, {"kind": "hadr_takeover", "is_forced": True, "text": "Standby has initiated a takeover by force."}),
            (31, {"kind": "hadr_role", "old_role": "standby", "new_role": "primary"}),
            (31, {"kind": "hadr_takeover", "text": "Standby has completed takeover (now primary)."}),
        ]
        for second, values in records:
            if values["kind"] in kept:
                ledger.add("hadr_event", standby, second, **common, **values)
        con = ledger.build()
        assert one(con, "select lost_node, surviving_node, outcome from run inner join run_outcome using (run)") == (
            "db2a",
            "db2b",
            "recovered",
        )
        assert one(con, "select duration_s from phase where phase = 'hadr_takeover'") == (6,)
        assert one(con, "select count(*) from milestone") == (2,)

    def test_primary_that_only_its_standby_missed_is_lost(self) -> None:
        ledger = Ledger()
        standby = forced_by_a_standby(ledger)
        config = ledger.file(f"{CONFIGURATION}/db.cfg", "db2_cfg", CONFIGURATION, None, None)
        ledger.add("parameter_value", config, None, scope="db", name="HADR_TIMEOUT", value="10")
        con = ledger.build()
        row = one(con, "select fault_source, lost_node, surviving_node, used, flags from run")
        assert row == ("hadr connection", "db2a", "db2b", True, "")
        # lost within the 10 s before the second 20; ordered in the second 25, primary in the second 31
        lows = con.execute(
            "select milestone, elapsed_low_s, elapsed_high_s from milestone order by milestone"
        ).fetchall()
        assert lows == [("takeover_done", 10, 22), ("takeover_start", 4, 16)]
        assert one(con, "select duration_s from phase where phase = 'hadr_takeover'") == (6,)
        assert one(con, "select runs, recovered from recovery") == (1, 1)
        assert one(con, "select file_id from run") == (standby,)

    def test_timeout_that_no_file_gives_is_assumed_and_said(self) -> None:
        ledger = Ledger()
        forced_by_a_standby(ledger)
        con = ledger.build()
        width = "epoch(fault_at_high) - epoch(fault_at_low)"
        assert one(con, f"select {width}, flags from run") == (121, "assumed_timer")

    @pytest.mark.parametrize("is_back", [pytest.param(True, id="rebooted"), pytest.param(False, id="gone")])
    def test_primary_that_nobody_took_over_from_is_a_run_that_failed(self, *, is_back: bool) -> None:
        ledger = Ledger()
        primary, standby = missed_by_a_standby(ledger)
        both = {"old_role": "standby", "new_role": "standby", "host": "db2b", **DATABASE}
        if is_back:
            start = {"kind": "hadr_command", "command": "start_primary", "host": "db2a"}
            ledger.add("hadr_event", primary, 300, **start, **DATABASE)
        states = {"kind": "hadr_state", "old_state": "disconnected_peer", "new_state": "remote_catchup_pending"}
        ledger.add("hadr_event", standby, 1001, **(PEER_AGAIN if is_back else states), **both)
        con = ledger.build()
        assert one(con, "select outcome, fault_source from run_outcome inner join run using (configuration, run)") == (
            "failed",
            "hadr connection",
        )
        assert one(con, "select runs, recovered from recovery") == (1, 0)

    def test_takeover_after_a_declared_fault_belongs_to_it(self) -> None:
        ledger = Ledger("[[run]]\nconfiguration='ha'\nrun=1\nfault_at=2003-07-28T10:27:04Z")
        hadr_takeover(ledger, first=17)
        con = ledger.build()
        assert elapsed(con, RUN, CONFIGURATION) == {"takeover_start": 17, "takeover_done": 19.378519, "peer": 19.378519}
        assert con.execute("select run, used, surviving_node, flags from run").fetchall() == [(RUN, True, "db2b", "")]

    def test_takeover_after_a_crash_belongs_to_the_crash(self) -> None:
        ledger = Ledger("[[run]]\nconfiguration='ha'\nrun=1\nfault_at=2003-07-28T10:27:04Z")
        log = Log(ledger, "syslog", node="db2b")
        log(2, "pacemaker", "member_lost", peer="db2a", old_state="member", new_state="lost")
        log(3, "pacemaker", "resource_done", object="db2", object_class="database", action="promote", return_code=0)
        hadr_takeover(ledger, first=10, is_forced=True)
        con = ledger.build()
        expected = {"dead": 2, "started": 3, "takeover_start": 10, "takeover_done": 11}
        assert elapsed(con, RUN, CONFIGURATION) == expected
        assert one(con, "select count(*) from run") == (1,)


class TestResync:
    def test_devices_in_parallel_are_paired_by_device_and_timed_by_uptime(self) -> None:
        ledger = Ledger()
        log = Log(ledger, "dmesg")
        for device, kib, start in (("drbd131", 33104, 335782.214395), ("drbd133", 31456, 335782.227461)):
            log(None, "drbd", "resync_start", object=device, action="SyncSource", value=kib, uptime_s=start)
        for device, end in (("drbd133", 335791.633014), ("drbd131", 335791.847326)):
            log(None, "drbd", "resync_done", object=device, value=9, uptime_s=end)
        rows = ledger.build().execute(
            "select device, duration_s, duration_source, reported_s, size_kib from drbd_resync order by device"
        )
        assert rows.fetchall() == [
            ("drbd131", 9.632931, "uptime", 9, 33104),
            ("drbd133", 9.405553, "uptime", 9, 31456),
        ]

    def test_resync_without_an_end_has_no_duration(self) -> None:
        ledger = Ledger()
        log = Log(ledger, "syslog")
        log(0, "drbd", "resync_start", object="drbd0", action="SyncTarget", value=100)
        log(5, "drbd", "resync_start", object="drbd0", action="SyncTarget", value=50)
        log(7, "drbd", "resync_done", object="drbd0", value=1)
        rows = ledger.build().execute("select size_kib, duration_s, resolution_s from drbd_resync order by start_at")
        assert rows.fetchall() == [(100, None, None), (50, 2, 1)]


class TestFinding:
    def test_failed_start_and_resources_given_up_are_reported_also_outside_of_a_failover(self) -> None:
        ledger = Ledger()
        log = Log(ledger)
        log.script(1, "resource_start", action="start", agent="mysqld", object="mysqld", object_class="database")
        log.script(2, "resource_failed", agent="mysqld", object="mysqld", return_code=1)
        log.script(2, "give_up", object="mysqld")
        rows = ledger.build().execute(
            "select text, line_no from finding where kind in ('failed_operation', 'cluster_trouble') order by kind desc"
        )
        assert rows.fetchall() == [
            ("On `master2`, `start` of `mysqld` failed at 2003-07-28 10:27:06 with return code 1.", 2),
            ("The cluster gave up its resources on `master2` at 2003-07-28 10:27:06.", 3),
        ]

    def test_lines_of_one_attempt_are_no_attempts(self) -> None:
        ledger = Ledger()
        log = Log(ledger)
        log.script(1, "fence_failed", object="master1")
        log.script(1, "fence_failed", object="master1")
        rows = ledger.build().execute("select text from finding where kind = 'cluster_trouble'").fetchall()
        assert rows == [("Fencing failed, according to `master2` at 2003-07-28 10:27:05; 2 lines say so.",)]

    def test_self_tuning_flags_nothing(self) -> None:
        ledger = Ledger()
        heartbeat_takeover(Log(ledger), is_planned=True)
        diag = ledger.file(f"{CONFIGURATION}/{RUN}/{SURVIVOR}/db2diag.log", "db2diag", CONFIGURATION, RUN, SURVIVOR)
        ledger.add("config_change", diag, 4, scope="db", parameter="SHEAPTHRES", is_self_tuned=True)
        assert one(ledger.build(), "select flags from run") == ("planned_takeover",)

    def test_lost_messages_are_reported(self) -> None:
        ledger = Ledger()
        log = Log(ledger, "syslog")
        ledger.add("log_gap", log.file_id, 3, host=SURVIVOR, writer="imjournal", lost_count=236)
        row = one(ledger.build(), "select text from finding where kind = 'lost_messages'")
        expected = (
            "On `master2`, imjournal lost 236 messages from 2003-07-28 10:27:07 on: what happened then may be missing."
        )
        assert row == (expected,)
