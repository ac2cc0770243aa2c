import polars as pl

from parsers.format import KEY_SCHEMA
from parsers.parameter import PARAMETER_VALUE, parameter_values, settings_of


def test_a_value_has_a_scope_and_a_name_and_no_time() -> None:
    assert list(PARAMETER_VALUE.schema)[:7] == [*KEY_SCHEMA, "scope", "name", "description", "value"]
    assert not PARAMETER_VALUE.is_dated


def test_what_a_file_does_not_tell_is_null() -> None:
    given = pl.DataFrame({"file_id": [1], "line_no": [2], "part": [1], "scope": ["sysctl"], "value": ["10"]})
    values = parameter_values(given)
    assert values.schema == pl.Schema(PARAMETER_VALUE.schema)
    assert values.select("value", "effective_value", "is_automatic").rows() == [("10", None, None)]


def test_settings_are_lines_that_a_pattern_cuts_into_name_and_value() -> None:
    lines = pl.DataFrame({"line_no": [1, 2], "text": ["scaling factor: 10", "tps = 5"]})
    found = settings_of(lines, "^([a-z ]+): (.+)$", "pgbench")
    assert found.select("line_no", "scope", "name", "value").rows() == [(1, "pgbench", "scaling factor", "10")]
