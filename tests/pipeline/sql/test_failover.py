from datetime import timedelta

import pytest

from tests.support.hand_made import (
    DEFAULT_ROW,
    GROUP,
    LOST,
    SURVIVOR,
    T0,
    Ledger,
    add_default_run,
    add_main_cf,
    elapsed,
    faulted,
    inactive,
    initiate,
    llt,
    membership,
    one,
    online,
    recovery,
)

RECORDED = '[[run]]\nconfiguration = "default"\nrun = 1\nfault_at = 2003-07-28T10:27:04Z\n'
TUNED_ROW = {"llt": 3, "gab": 5, "vm": 10, "fs": 18, "ip": 8, "db2udb": 52, "detect": 34, "complete": 40}


def _after(second: float) -> object:
    return T0 + timedelta(seconds=second)


@pytest.fixture
def ledger() -> Ledger:
    made = Ledger(RECORDED)
    add_main_cf(made, "default")
    return made


class TestDefaultRun:
    def test_recorded_fault_gives_the_papers_row(self, ledger: Ledger) -> None:
        add_default_run(ledger)
        assert {name: int(value) for name, value in elapsed(ledger.build()).items()} == DEFAULT_ROW

    @pytest.mark.parametrize("row", [pytest.param(DEFAULT_ROW, id="default"), pytest.param(TUNED_ROW, id="tuned")])
    def test_inferred_fault_gives_the_papers_row_within_its_interval(self, row: dict[str, int]) -> None:
        ledger = Ledger()
        add_main_cf(ledger, "default")
        add_default_run(ledger, row=row)
        con = ledger.build()
        low, high = one(con, "select fault_at_low, fault_at_high from run")
        assert low <= T0 <= high
        for name, value in elapsed(con).items():
            assert value == pytest.approx(row[name], abs=(high - low).total_seconds() / 2 + 1), name

    def test_phases_are_the_differences_of_the_columns(self, ledger: Ledger) -> None:
        add_default_run(ledger)
        rows = (
            ledger.build().execute("select phase, round(duration_s), duration_s - duration_low_s from phase").fetchall()
        )
        phases = {phase: duration for phase, duration, _ in rows}
        assert phases == {
            "detection": 20,  # GAB at 19, cut to the second: 19.5
            "disk_group_import": 5,
            "fs_check_mount": 7,
            "virtual_ip": 2,
            "database_restart": 18,  # from FS at 31, the later of FS and IP, to Detect
            "crash_recovery": 12,
        }

    def test_every_milestone_leads_to_its_line(self, ledger: Ledger) -> None:
        files = add_default_run(ledger)
        rows = ledger.build().execute("select milestone, file_id, method from milestone").fetchall()
        by_log = {
            **dict.fromkeys(("llt", "gab"), files["messages"]),
            **dict.fromkeys(("vm", "fs", "ip", "db2udb"), files["engine"]),
            **dict.fromkeys(("detect", "complete"), files["db2diag"]),
        }
        assert {(name, file_id, "message") for name, file_id in by_log.items()} == set(rows)

    @pytest.mark.parametrize("run", [pytest.param("run01", id="run folder"), pytest.param(None, id="none")])
    def test_identities(self, ledger: Ledger, run: str | None) -> None:
        add_default_run(ledger, run=run)
        add_default_run(ledger, run=run, shift_s=20000)
        con = ledger.build()
        violations = {
            "nothing before the fault": "from milestone where elapsed_s < -resolution_s",
            "a duration is end minus start": "from phase where abs(duration_s - (end_s - start_s)) > 1e-9",
            "runs are unique": "from (select run from run group by all having count(*) > 1)",
            "milestones are unique": "from (select run from milestone group by configuration, run, milestone "
            "having count(*) > 1)",
            "found is used plus set aside": "from run where not used and excluded_reason is null",
            "an interval holds its middle": "from run where not fault_at between fault_at_low and fault_at_high",
        }
        found = {rule for rule, violation in violations.items() if con.execute(f"select * {violation}").fetchall()}
        assert found == set()


class TestIncident:
    def test_group_without_run_folders_is_split_by_time(self) -> None:
        ledger = Ledger()
        add_main_cf(ledger, "default")
        for shift in (0, 10000, 20000):
            add_default_run(ledger, run=None, shift_s=shift)
        con = ledger.build()
        assert con.execute("select run, run_no, used from run").fetchall() == [
            ("1", 1, True),
            ("2", 2, True),
            ("3", 3, True),
        ]
        assert one(con, "select count(*), count(distinct run) from milestone where milestone = 'complete'") == (3, 3)
        assert dict(con.execute("select run, count(*) from event group by run").fetchall()) == {
            "1": 34,
            "2": 34,
            "3": 34,
        }

    def test_one_crash_seen_by_several_logs_is_one_incident(self, ledger: Ledger) -> None:
        add_default_run(ledger)
        third = ledger.file("default/run01/c/engine_A.log", "vcs_engine", "default", "run01", "c")
        faulted(ledger, third, 23)
        assert one(ledger.build(), "select count(*) from incident") == (1,)

    def test_planned_switch_is_no_incident(self) -> None:
        ledger = Ledger()
        engine = ledger.file("x/engine_A.log", "vcs_engine", "x", "run1", SURVIVOR)
        ledger.add("vcs_event", engine, 0, kind="group_switch", message_id="V-16-1-10208", group=GROUP)
        initiate(ledger, engine, 5, "ip")
        online(ledger, engine, 6, "ip")
        con = ledger.build()
        assert one(con, "select fault_at, used, excluded_reason, flags from run") == (
            None,
            False,
            "no node loss found",
            "no_incident, planned_switch",
        )
        assert con.execute("select * from milestone").fetchall() == []

    def test_loss_of_port_h_alone_is_no_loss_while_port_a_is_logged(self) -> None:
        ledger = Ledger()
        messages = ledger.file("x/messages", "syslog", "x", "run1", SURVIVOR)
        engine = ledger.file("x/engine_A.log", "vcs_engine", "x", "run1", SURVIVOR)
        for port in ("a", "h"):
            membership(ledger, messages, 0, [0, 1], port)
        membership(ledger, messages, 50, [1], "h")
        online(ledger, engine, 60, "ip")
        assert one(ledger.build(), "select count(*) from incident") == (0,)

    def test_recorded_fault_makes_an_incident_without_cluster_evidence(self) -> None:
        ledger = Ledger(RECORDED)
        diag = ledger.file("default/run01/db2diag.log", "db2diag", "default", "run01", None)
        recovery(ledger, diag, 12.5, "crash_recovery_needed")
        recovery(ledger, diag, 19.25, "crash_recovery_done")
        con = ledger.build()
        assert elapsed(con) == {"detect": 12.5, "complete": 19.25}
        assert one(con, "select fault_source, used, lost_node from run") == ("manifest", True, None)

    def test_undated_lines_are_never_evidence(self) -> None:
        ledger = Ledger()
        engine = ledger.file("x/engine_A.log", "vcs_engine", "x", "run1", SURVIVOR)
        ledger.add(
            "vcs_event", engine, None, kind="system_state", system=LOST, previous_state="RUNNING", state="FAULTED"
        )
        ledger.add(
            "vcs_event", engine, None, kind="resource_online", system=SURVIVOR, how="VCS initiated", resource="ip"
        )
        con = ledger.build()
        assert one(con, "select used from run") == (False,)
        assert one(con, "select count(*) from event") == (2,)

    def test_lost_node_is_the_other_of_two_where_nothing_names_it(self, ledger: Ledger) -> None:
        messages = ledger.file("default/run01/messages", "syslog", "default", "run01", SURVIVOR)
        diag = ledger.file("default/run01/db2diag.log", "db2diag", "default", "run01", SURVIVOR)
        membership(ledger, messages, -100, [0, 1])
        membership(ledger, messages, 19, [1])
        recovery(ledger, diag, 49, "crash_recovery_needed")
        assert one(ledger.build(), "select lost_node, surviving_node from run") == (LOST, SURVIVOR)

    def test_lost_node_is_its_id_where_there_is_no_name(self) -> None:
        ledger = Ledger()
        messages = ledger.file("x/messages", "syslog", "x", "run1", SURVIVOR)
        membership(ledger, messages, -100, [0, 1])
        membership(ledger, messages, 19, [1])
        diag = ledger.file("x/db2diag.log", "db2diag", "x", "run1", SURVIVOR)
        recovery(ledger, diag, 49, "crash_recovery_needed")
        assert one(ledger.build(), "select lost_node, surviving_node from run") == ("node 0", SURVIVOR)


class TestFaultTime:
    def _estimates(self, ledger: Ledger) -> dict[str, tuple[object, object]]:
        rows = ledger.build().execute("select source, low_at, high_at from fault_estimate").fetchall()
        return {source: (low, high) for source, low, high in rows}

    def _timers(self, ledger: Ledger, **timers: str) -> None:
        llttab = ledger.file("x/llttab", "llttab", "x", None, None)
        for name, value in timers.items():
            ledger.add("parameter_value", llttab, None, scope="llttab", name=name, value=value)

    def _run(self, ledger: Ledger) -> int:
        engine = ledger.file("x/run1/engine_A.log", "vcs_engine", "x", "run1", SURVIVOR)
        faulted(ledger, engine, 21)
        initiate(ledger, engine, 21, "db2shark")
        return ledger.file("x/run1/messages", "syslog", "x", "run1", SURVIVOR)

    @pytest.mark.parametrize(
        ("second", "low", "high"),
        [
            pytest.param(10, -1, 1.5, id="whole seconds: last heard within two, lost within half a second"),
            pytest.param(10.25, -0.75, 0.751, id="milliseconds"),
            pytest.param(10.250001, -0.749999, 0.750001, id="microseconds"),
        ],
    )
    def test_series_is_as_open_as_its_stamps(self, second: float, low: float, high: float) -> None:
        ledger = Ledger()
        messages = self._run(ledger)
        inactive(ledger, messages, second, 10)
        assert self._estimates(ledger)["inactive series"] == (_after(low), _after(high))

    def test_lines_and_links_are_intersected(self) -> None:
        ledger = Ledger()
        messages = self._run(ledger)
        inactive(ledger, messages, 8, 8)
        inactive(ledger, messages, 10, 9)  # last heard in (0, 2)
        inactive(ledger, messages, 9, 8, link=1, key=7)
        assert self._estimates(ledger)["inactive series"] == (_after(0), _after(1.5))

    def test_series_that_contradict_give_their_hull_and_a_flag(self) -> None:
        ledger = Ledger()
        messages = self._run(ledger)
        inactive(ledger, messages, 8, 8)
        inactive(ledger, messages, 14, 8, link=1, key=7)
        con = ledger.build()
        query = "select low_at, high_at, is_consistent from fault_estimate where source = 'inactive series'"
        assert one(con, query) == (_after(-1), _after(7.5), False)
        assert one(con, "select flags from run") == ("inconsistent_fault",)

    def test_life_sign_ends_an_earlier_silence(self) -> None:
        ledger = Ledger()
        messages = self._run(ledger)
        self._timers(ledger, peertrouble="200")
        llt(ledger, messages, -8, "trouble")
        llt(ledger, messages, -6, "active")
        llt(ledger, messages, 2, "trouble")
        # stamp minus 2 s, and the look up to a second late; the crash half a second after the last heartbeat
        assert self._estimates(ledger)["in trouble"] == (_after(-1), _after(1.5))

    @pytest.mark.parametrize(
        ("parameters", "low", "high", "is_assumed"),
        [
            pytest.param([], -17, 16.5, True, id="unknown: 2 to 32 s"),
            pytest.param([("llttab", "peerinact", "300")], 12, 15.5, False, id="3 s in llttab"),
            pytest.param([("llttab", "set-timer", "peerinact:300")], 12, 15.5, False, id="name and value in one"),
        ],
    )
    def test_expiry_minus_peerinact(
        self, parameters: list[tuple[str, str, str]], low: float, high: float, *, is_assumed: bool
    ) -> None:
        ledger = Ledger()
        messages = self._run(ledger)
        llttab = ledger.file("x/llttab", "llttab", "x", None, None)
        for scope, name, value in parameters:
            ledger.add("parameter_value", llttab, None, scope=scope, name=name, value=value)
        llt(ledger, messages, 16, "expired")
        con = ledger.build()
        query = "select low_at, high_at, is_assumed from fault_estimate where source = 'expired'"
        assert one(con, query) == (_after(low), _after(high), is_assumed)

    def test_marker_line_is_a_source(self) -> None:
        ledger = Ledger()
        messages = self._run(ledger)
        ledger.add("syslog_event", messages, 1, host="client", tag="root", text="haledger fault")
        assert self._estimates(ledger)["marker line"] == (_after(1), _after(2))


class TestMilestone:
    def test_llt_is_the_last_expiry_before_the_last_inactive_line(self, ledger: Ledger) -> None:
        files = add_default_run(ledger)
        for link, second in ((0, 16), (1, 17), (0, 40)):  # the last one is after the membership change
            llt(ledger, files["messages"], second, "expired", link=link)
        assert elapsed(ledger.build())["llt"] == 17

    def test_llt_of_another_peer_is_no_evidence(self, ledger: Ledger) -> None:
        files = add_default_run(ledger)
        llt(ledger, files["messages"], 18, "expired", peer=2)
        assert elapsed(ledger.build())["llt"] == 15

    def test_gab_falls_back_to_port_h_and_then_to_had(self, ledger: Ledger) -> None:
        engine = ledger.file("default/run01/engine_A.log", "vcs_engine", "default", "run01", SURVIVOR)
        messages = ledger.file("default/run01/messages", "syslog", "default", "run01", SURVIVOR)
        faulted(ledger, engine, 20)
        initiate(ledger, engine, 20, "db2shark")
        assert elapsed(ledger.build())["gab"] == 20
        membership(ledger, messages, 0, [0, 1], "h")
        membership(ledger, messages, 19, [1], "h")
        assert elapsed(ledger.build())["gab"] == 19

    def test_first_probe_and_uninitiated_online_are_no_completion(self, ledger: Ledger) -> None:
        files = add_default_run(ledger)
        for how, number in (("First probe", 10297), ("Not initiated by VCS", 10299)):
            online(
                ledger, files["engine"], 60, "datashark", how=how, message_number=number, message_id=f"V-16-1-{number}"
            )
        assert elapsed(ledger.build())["fs"] == 31

    def test_second_attempt_ends_the_step_and_is_flagged(self, ledger: Ledger) -> None:
        files = add_default_run(ledger)
        ledger.add("vcs_event", files["engine"], 35, kind="clean_called", resource="datashark")
        initiate(ledger, files["engine"], 40, "datashark")
        online(ledger, files["engine"], 45, "datashark")
        con = ledger.build()
        assert elapsed(con)["fs"] == 45
        assert one(con, "select flags, used from run") == ("faulted_resource, second_attempt", True)

    def test_planned_switch_ends_the_failover(self, ledger: Ledger) -> None:
        files = add_default_run(ledger, row=DEFAULT_ROW | {"db2udb": 500})
        ledger.add("vcs_event", files["engine"], 400, kind="group_switch", message_id="V-16-1-10208", group=GROUP)
        con = ledger.build()
        assert "db2udb" not in elapsed(con)
        assert one(con, "select flags, used from run") == ("planned_switch", True)

    def test_crashed_nodes_copy_is_never_evidence(self, ledger: Ledger) -> None:
        add_default_run(ledger)
        own = ledger.file(f"default/run01/{LOST}/engine_A.log", "vcs_engine", "default", "run01", LOST)
        online(ledger, own, 100, "datashark")
        diag = ledger.file(f"default/run01/{LOST}/db2diag.log", "db2diag", "default", "run01", LOST)
        recovery(ledger, diag, 20, "crash_recovery_needed")
        assert {name: int(value) for name, value in elapsed(ledger.build()).items()} == DEFAULT_ROW

    def test_other_nodes_log_is_used_where_the_survivor_has_none_and_noted(self, ledger: Ledger) -> None:
        third = ledger.file("default/run01/c/engine_A.log", "vcs_engine", "default", "run01", "c")
        faulted(ledger, third, 19)
        initiate(ledger, third, 19, "db2shark")
        online(ledger, third, 24, "db2shark")
        con = ledger.build()
        query = "select printed_elapsed_s, note from milestone where milestone = 'vm'"
        assert one(con, query) == (24, "from a log of c, not of the surviving node")

    def test_main_cf_of_the_study_folder_applies_to_all(self) -> None:
        ledger = Ledger(RECORDED)
        main_cf = ledger.file("main.cf", "main_cf", "study", None, None)
        ledger.add("cluster_resource", main_cf, None, resource="db2shark", resource_type="DiskGroup", group=GROUP)
        add_default_run(ledger)
        assert elapsed(ledger.build())["vm"] == 24

    def test_recovery_started_and_adm_message_are_second_choice(self, ledger: Ledger) -> None:
        engine = ledger.file("default/run01/engine_A.log", "vcs_engine", "default", "run01", SURVIVOR)
        diag = ledger.file("default/run01/db2diag.log", "db2diag", "default", "run01", SURVIVOR)
        faulted(ledger, engine, 20)
        recovery(ledger, diag, 10, "crash_recovery_needed")  # before the membership change
        recovery(ledger, diag, 50.5, "crash_recovery_started")
        recovery(ledger, diag, 60.5, "recovery_ok", message_code="ADM1531E")
        con = ledger.build()
        assert con.execute(
            "select milestone, printed_elapsed_s, evidence, method from milestone where milestone <> 'gab'"
        ).fetchall() == [
            ("complete", 60.5, 2, "message"),
            ("detect", 50.5, 2, "message"),
        ]

    def test_one_milestone_for_a_database_group_and_what_it_requires_only(self, ledger: Ledger) -> None:
        files = add_default_run(ledger)
        main_cf = ledger.file("default/web.cf", "main_cf", "default", None, None)
        ledger.add("cluster_resource", main_cf, None, resource="webip", resource_type="IP", group="web")
        online(ledger, files["engine"], 28, "webip", group="web")
        assert elapsed(ledger.build())["ip"] == 21


class TestClusteredStorage:
    def _study(self, *, object_name: str | None = None) -> Ledger:
        ledger = Ledger(RECORDED)
        main_cf = ledger.file("default/main.cf", "main_cf", "default", None, None)
        for resource, kind, group in (
            ("absolut", "Db2udb", "db2"),
            ("vip", "IP", "db2"),
            ("datash_fs", "CFSMount", "shared"),
            ("db2dg1sh", "CVMVolDg", "shared"),
        ):
            ledger.add("cluster_resource", main_cf, None, resource=resource, resource_type=kind, group=group)
        ledger.add("cluster_attribute", main_cf, None, entity="datash_fs", attribute="MountPoint", value="/db03/data")
        messages = ledger.file("default/run01/messages", "syslog", "default", "run01", SURVIVOR)
        engine = ledger.file("default/run01/engine_A.log", "vcs_engine", "default", "run01", SURVIVOR)
        diag = ledger.file("default/run01/db2diag.log", "db2diag", "default", "run01", SURVIVOR)
        membership(ledger, messages, -50, [0, 1])
        llt(ledger, messages, 3, "expired")
        membership(ledger, messages, 5, [1])
        for second, name in ((4, None), (6, None), (7, object_name), (20, None)):
            ledger.add(
                "storage_event", messages, second, host=SURVIVOR, product="CFS", object=name, is_recovery=True, text="x"
            )
        ledger.add("storage_event", messages, 9, host=SURVIVOR, product="CFS", is_recovery=False, text="x")
        faulted(ledger, engine, 5)
        initiate(ledger, engine, 5, "absolut", group="db2")
        recovery(ledger, diag, 12.5, "crash_recovery_needed")
        recovery(ledger, diag, 19.5, "crash_recovery_done")
        return ledger

    def test_last_recovery_message_before_the_database_speaks(self) -> None:
        con = self._study().build()
        assert one(con, "select printed_elapsed_s, method from milestone where milestone = 'cvm_cfs'") == (
            7,
            "inferred",
        )
        assert elapsed(con)["complete"] == 19.5

    @pytest.mark.parametrize(("name", "second"), [("/db03/data", 7), ("/other", 6)])
    def test_message_about_other_storage_does_not_count(self, name: str, second: int) -> None:
        assert elapsed(self._study(object_name=name).build())["cvm_cfs"] == second

    def test_disk_group_failover_has_no_such_milestone(self, ledger: Ledger) -> None:
        files = add_default_run(ledger)
        ledger.add("storage_event", files["messages"], 22, host=SURVIVOR, product="VxVM", is_recovery=True, text="x")
        assert "cvm_cfs" not in elapsed(ledger.build())

    def test_database_restart_begins_at_clustered_storage(self) -> None:
        phases = dict(self._study().build().execute("select phase, start_s from phase").fetchall())
        assert (phases["cvm_cfs_recovery"], phases["database_restart"]) == (5.5, 7.5)  # both stamps are whole seconds


def test_milestones_of_the_study_follow_their_rules(ledger: Ledger) -> None:
    files = add_default_run(ledger)
    for second in (-60, 3, 70, 90):
        ledger.add("syslog_event", files["messages"], second, host=SURVIVOR, tag="app", text="client connected")
    rules: dict[str, tuple[dict[str, str], float | None]] = {
        "first after the fault": ({"text": "client connected"}, 3),
        "after a milestone": ({"text": "client connected", "after": "complete"}, 70),
        "last": ({"text": "client connected", "pick": "last"}, 90),
        "before a milestone": ({"text": "client connected", "pick": "last", "before": "db2udb"}, 90),
        "before another": ({"text": "client", "pick": "last", "before": "detect"}, 3),
        "by message id": ({"message_id": "V-16-1-10447", "source": "vcs"}, 109),
        "in another source": ({"text": "client connected", "source": "db2diag"}, None),
        "after the database speaks": ({"text": "client connected", "after": "database_start"}, 70),
        "before the membership change": ({"text": "client", "pick": "last", "before": "membership"}, 3),
        "after the service is online": ({"text": "client", "after": "service_end"}, None),
    }
    names = {rule: f"own_{number}" for number, rule in enumerate(rules)}
    ledger.user_milestones = [{"name": names[rule], "label": rule, **options} for rule, (options, _) in rules.items()]
    found = elapsed(ledger.build())
    assert {rule: found.get(name) for rule, name in names.items()} == {rule: at for rule, (_, at) in rules.items()}
