"""Tables that several formats fill."""

import polars as pl

from parsers.cluster_state import CLUSTER_STATE
from parsers.db2.db2diag import FORMAT as DB2DIAG
from parsers.environment_fact import ENVIRONMENT_FACT
from parsers.format import KEY_SCHEMA, LINE_SCHEMA, formats
from parsers.parameter import PARAMETER_VALUE, settings_of


def test_status_commands_share_the_table() -> None:
    filling = {name for name, each in formats().items() if CLUSTER_STATE in each.tables}
    assert filling >= {"hastatus", "cluster_status", "patronictl"}


# REAL (sysstat 12.6.1)
FIRST_LINE = "Linux 6.18.44-fc-v669 (vm) \t2026-11-21 \t_x86_64_\t(2 CPU)"


def test_every_format_that_gives_facts_fills_this_table() -> None:
    filling = {name for name, form in formats().items() if ENVIRONMENT_FACT in form.tables}
    named = {name for name, form in formats().items() if any(t.name == "environment_fact" for t in form.tables)}
    assert filling == named >= {formats()["iostat"].name, DB2DIAG.name}


def test_facts_of_a_first_line_are_counted_within_it() -> None:
    lines = pl.DataFrame([(1, 1, FIRST_LINE)], LINE_SCHEMA, orient="row")
    rows = formats()["iostat"].parse(lines).tables["environment_fact"]
    assert rows.schema == pl.Schema(ENVIRONMENT_FACT.schema)
    assert rows.get_column("part").to_list() == list(range(1, rows.height + 1))
    facts = {(subject, name): value for subject, name, value in rows.select("subject", "name", "value").rows()}
    assert facts["cpu", "online"] == "2"
    assert facts["os", "release"] == "6.18.44-fc-v669"


def test_a_fact_is_the_words_of_the_host_that_gives_it() -> None:
    assert [column.name for column in ENVIRONMENT_FACT.columns if column.host == "own"] == ["host"]
    assert not ENVIRONMENT_FACT.is_dated


def test_a_value_has_a_scope_and_a_name_and_no_time() -> None:
    assert list(PARAMETER_VALUE.schema)[:7] == [*KEY_SCHEMA, "scope", "name", "description", "value"]
    assert not PARAMETER_VALUE.is_dated


def test_settings_are_lines_that_a_pattern_cuts_into_name_and_value() -> None:
    lines = pl.DataFrame({"line_no": [1, 2], "text": ["scaling factor: 10", "tps = 5"]})
    found = settings_of(lines, "^([a-z ]+): (.+)$", "pgbench")
    assert found.select("line_no", "scope", "name", "value").rows() == [(1, "pgbench", "scaling factor", "10")]
