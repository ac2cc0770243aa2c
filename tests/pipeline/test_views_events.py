import pytest

from tests.pipeline.hand_made import GROUP, LOST, SURVIVOR, Ledger, add_default_run, add_main_cf, inactive


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


def test_views_survive_a_mixture_of_whatever_is_there() -> None:
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
