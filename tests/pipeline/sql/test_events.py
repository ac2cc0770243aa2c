"""All kinds of evidence on one time line, how coarse stamps are, and the time that a run folder covers."""

from datetime import timedelta

import pytest

from pipeline.store import relations
from tests.support.hand_made import GROUP, LOST, SURVIVOR, T0, Ledger, add_default_run, add_main_cf, inactive


class TestEvent:
    def test_had_line_carried_by_syslog_is_one_event_of_syslog(self) -> None:
        ledger = Ledger()
        messages = ledger.file("x/run1/messages", "syslog", "x", "run1", SURVIVOR)
        line = ledger.add(
            "syslog_event", messages, 1, host=SURVIVOR, product="VCS", level="notice", tag="Had", text="x"
        )
        ledger.rows["vcs_event"].append(ledger.rows["syslog_event"][0] | {"kind": "other", "line_no": line})
        for name in ("framing", "level", "tag", "product"):
            ledger.rows["vcs_event"][0].pop(name, None)
        inactive(ledger, messages, 2, 8)  # a kernel line of a format that keeps no syslog row
        con = ledger.build()
        assert con.execute("select source, severity, process, node from event order by line_no").fetchall() == [
            ("syslog", "notice", "Had", SURVIVOR),
            ("llt", None, "LLT", SURVIVOR),
        ]
        assert con.execute("select source from event_line order by all").fetchall() == [("llt",), ("syslog",), ("vcs",)]

    @pytest.mark.parametrize(
        ("host", "node"),
        [
            pytest.param("sun-ha4.example.com", "sun-ha4", id="short name"),
            pytest.param("10.0.35.128", "10.0.35.128", id="address"),
            pytest.param("fe80::1", "fe80::1", id="address of six"),
            pytest.param(None, "filed", id="of the file"),
        ],
    )
    def test_node_is_the_writers_short_name(self, host: str | None, node: str) -> None:
        ledger = Ledger()
        messages = ledger.file("x/messages", "syslog", "x", None, "filed")
        ledger.add("syslog_event", messages, 1, host=host, text="x")
        assert ledger.build().execute("select node from syslog_event").fetchall() == [(node,)]

    @pytest.mark.parametrize(
        ("host", "node"),
        [
            pytest.param("db1.dc1.example.com", "db1.dc1.example.com", id="of one site"),
            pytest.param("DB1.dc2.example.com", "DB1.dc2.example.com", id="of the other"),
            pytest.param("db1", "db1.dc2.example.com", id="short: of the file"),
            pytest.param("oak.dc1.example.com", "oak", id="another name"),
            pytest.param(None, "db1.dc2.example.com", id="of the file"),
        ],
    )
    def test_names_that_two_sites_share_are_not_cut(self, host: str | None, node: str) -> None:
        ledger = Ledger()
        messages = ledger.file("x/messages", "syslog", "x", None, "db1.dc2.example.com")
        ledger.add("syslog_event", messages, 1, host=host, text="x")
        con = ledger.build()
        relations.share_hosts(con, ["db1"])
        assert con.execute("select node from syslog_event").fetchall() == [(node,)]

    def test_had_line_of_a_central_syslog_is_its_writers(self) -> None:
        ledger = Ledger()
        messages = ledger.file("x/run1/central", "syslog", "x", "run1", None)
        for host in (LOST, SURVIVOR):
            line = ledger.add("syslog_event", messages, 1, host=host, product="VCS", text="x")
            row = ledger.rows["syslog_event"][-1]
            ledger.rows["vcs_event"].append(
                {k: row[k] for k in ("file_id", "part", "at", "local_at")} | {"line_no": line}
            )
        assert ledger.build().execute("select node from vcs_event order by all").fetchall() == [(LOST,), (SURVIVOR,)]

    def test_line_above_the_run_folders_belongs_to_the_run_of_its_time(self) -> None:
        ledger = Ledger()
        for run, start in (("run1", 0), ("run2", 1000)):
            diag = ledger.file(f"x/{run}/db2diag.log", "db2diag", "x", run, "b")
            ledger.add("db2diag_record", diag, start, kind="other", message="x")
            ledger.add("db2diag_record", diag, start + 100, kind="other", message="x")
        above = ledger.file("x/messages", "syslog", "x", None, "b")
        for second in (50, 500, 1050):
            ledger.add("syslog_event", above, second, text="x")
        rows = ledger.build().execute('select run from syslog_event order by "at"').fetchall()
        assert rows == [("run1",), (None,), ("run2",)]

    def test_line_finds_its_run_across_hours_and_months(self) -> None:
        hour, day = 3600, 86_400
        spans = {
            "run1": (-40, 2 * hour),
            "run2": (2 * hour + 1, 2 * hour + 1),
            "run3": (3 * day, 40 * day),
            "run4": (41 * day, 41 * day + 9),
        }
        ledger = Ledger()
        for run, bounds in spans.items():
            diag = ledger.file(f"x/{run}/db2diag.log", "db2diag", "x", run, "b")
            for second in bounds:
                ledger.add("db2diag_record", diag, second, kind="other", message="x")
        above = ledger.file("x/messages", "syslog", "x", None, "b")
        edges = {second + offset for bounds in spans.values() for second in bounds for offset in (-1, 0, 1)}
        for second in sorted({*edges, hour, 30 * day, 50 * day}):
            ledger.add("syslog_event", above, second, text="x")
        con = ledger.build()
        rows = con.execute('select run from syslog_event order by "at"').fetchall()
        by_stretch = """
            select run_window.run from log.syslog_event as own
            left join run_window on is_within(own."at", run_window.start_at, run_window.end_at) order by own."at"
        """
        assert rows == con.execute(by_stretch).fetchall()
        assert {run for (run,) in rows} == {*spans, None}
        kinds = con.execute("select distinct run, hour is null from run_hour order by all").fetchall()
        assert kinds == [("run1", False), ("run2", False), ("run3", True), ("run4", False)]

    def test_every_line_of_an_undivided_group_is_run_1(self) -> None:
        ledger = Ledger()
        messages = ledger.file("x/messages", "syslog", "x", None, "b")
        ledger.add("syslog_event", messages, 1, text="x")
        ledger.add("syslog_event", messages, None, text="undated")
        assert ledger.build().execute("select run from event").fetchall() == [("1",), ("1",)]


class TestParameter:
    def _store(self) -> Ledger:
        ledger = Ledger('[study]\nreference = "default"\n')
        values = {
            "default": {"LOGBUFSZ": "8", "LOGFILSIZ": "1000", "DBHEAP": "AUTOMATIC(79840)", "SAME": "1", "GONE": "1"},
            "tuned": {"LOGBUFSZ": "4", "LOGFILSIZ": "500", "DBHEAP": "AUTOMATIC(81920)", "SAME": "1"},
        }
        for configuration, parameters in values.items():
            file_id = ledger.file(f"{configuration}/db.cfg", "db2_cfg", configuration, None, None)
            for name, value in parameters.items():
                ledger.add(
                    "parameter_value", file_id, None, scope="db", name=name, description=f"the {name}", value=value
                )
            moment = f"S{file_id}.LOG"
            ledger.add(
                "parameter_value",
                file_id,
                None,
                scope="db",
                name="x",
                description="First active log file",
                value=moment,
            )
        only = ledger.file("tuned/llttab", "llttab", "tuned", None, None)
        ledger.add("parameter_value", only, None, scope="llttab", name="peerinact", value="300")
        return ledger

    def test_change_is_a_difference_of_settings_in_scopes_that_both_state(self) -> None:
        rows = self._store().build().execute("select name, reference_value, value from parameter_change order by name")
        assert rows.fetchall() == [("GONE", "1", None), ("LOGBUFSZ", "8", "4"), ("LOGFILSIZ", "1000", "500")]

    def test_main_cf_attributes_are_parameters(self) -> None:
        ledger = Ledger()
        main_cf = ledger.file("x/main.cf", "main_cf", "x", None, None)
        attribute = {"entity_kind": "resource", "entity": "cfs", "group": GROUP, "attribute": "ActivationMode"}
        ledger.add("cluster_attribute", main_cf, None, **attribute, system=LOST, value="sw")
        ledger.add("cluster_attribute", main_cf, None, **attribute, value="sw")
        rows = ledger.build().execute("select scope, name from parameter order by line_no").fetchall()
        assert rows == [("main.cf", f"cfs.ActivationMode@{LOST}"), ("main.cf", "cfs.ActivationMode")]

    def test_cluster_relations_carry_the_configuration(self) -> None:
        ledger = Ledger()
        add_main_cf(ledger, "default")
        rows = ledger.build().execute(
            "select configuration, resource_type from cluster_resource where resource = 'db2shark'"
        )
        assert rows.fetchall() == [("default", "DiskGroup")]

    def test_configuration_files_alone_are_no_run(self) -> None:
        assert self._store().build().execute("select * from run").fetchall() == []


def test_views_survive_a_mixture_of_all_that_is_there() -> None:
    ledger = Ledger()
    add_main_cf(ledger, "default")
    add_default_run(ledger)
    add_default_run(ledger, "odd", None)
    messages = ledger.file("messages", "syslog", None, None, None)
    ledger.add("syslog_event", messages, 1, text="of no configuration")
    con = ledger.build()
    names = con.execute("select table_name from information_schema.tables where table_schema = 'main'").fetchall()
    for (name,) in names:
        con.execute(f"select * from {name}").fetchall()


def test_line_has_the_resolution_of_its_own_stamp() -> None:
    ledger = Ledger()
    mixed = ledger.file("x/run1/messages", "syslog", "x", "run1", SURVIVOR)
    for second in (1, 2.25, 3.291855):
        ledger.add("syslog_event", mixed, second, host=SURVIVOR, framing="bsd", text="x")
    fine = ledger.file("x/run1/postgresql.log", "postgresql", "x", "run1", SURVIVOR)
    for second in (1, 2.25, 3.291855):
        ledger.add("syslog_event", fine, second, host=SURVIVOR, framing="postgresql", text="x")
    found = ledger.build().execute("""
        select event.file_id, line_resolution(event."at", resolution_s, whole_milli_s, whole_second_s)
        from log.syslog_event as event
        inner join stamp_resolution using (file_id)
        order by event.line_no
    """)
    assert found.fetchall() == [(mixed, 1), (mixed, 0.001), (mixed, 1e-6), (fine, 1e-6), (fine, 1e-6), (fine, 1e-6)]


def test_stamps_without_seconds_are_as_coarse_as_their_minute() -> None:
    ledger = Ledger()
    to_minute, to_second = (ledger.file(f"x/run1/{name}", "minute_log", "x", "run1", SURVIVOR) for name in "ab")
    ledger.add("log_record", to_minute, 0, stamp_step_s=60.0, text="x")
    ledger.add("log_record", to_second, 0, text="x")
    found = ledger.build().execute(
        "select file_id, resolution_s, whole_second_s from stamp_resolution order by file_id"
    )
    assert found.fetchall() == [(to_minute, 60.0, 60.0), (to_second, 1.0, 1.0)]


def test_a_range_ends_a_second_after_its_last_line_or_where_the_next_begins() -> None:
    ledger = Ledger()
    for run, first_s, last_s in (("run01", 0, 100), ("run02", 60, 200)):
        file_id = ledger.file(f"default/{run}/n1/messages", "syslog", "default", run, "n1")
        ledger.add("syslog_event", file_id, first_s, text="first")
        ledger.add("syslog_event", file_id, last_s, text="last")
    con = ledger.build()
    found = con.execute("select run, start_at, end_at from run_range order by run").fetchall()
    assert found == [
        ("run01", T0, T0 + timedelta(seconds=60)),
        ("run02", T0 + timedelta(seconds=60), T0 + timedelta(seconds=201)),
    ]
