import polars as pl

from parsers.format import KEY_SCHEMA
from parsers.parameter import PARAMETER_VALUE, STATED_SCHEMA, parameter_values


def test_a_value_has_a_scope_and_a_name_and_no_time() -> None:
    assert list(STATED_SCHEMA) == [*KEY_SCHEMA, "scope", "name", "description", "value"]
    assert set(STATED_SCHEMA) < set(PARAMETER_VALUE.schema)
    assert not PARAMETER_VALUE.is_dated


def test_what_a_file_does_not_tell_is_null() -> None:
    stated = pl.DataFrame([(1, 2, 1, "sysctl", "vm.swappiness", None, "10")], STATED_SCHEMA, orient="row")
    values = parameter_values(stated)
    assert values.schema == pl.Schema(PARAMETER_VALUE.schema)
    assert values.select("value", "effective_value", "is_automatic").rows() == [("10", None, None)]
