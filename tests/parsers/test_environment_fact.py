"""The table of facts is one, whichever format fills it."""

import polars as pl

from parsers.db2.db2diag import FORMAT as DB2DIAG
from parsers.environment_fact import ENVIRONMENT_FACT
from parsers.format import LINE_SCHEMA, formats

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
