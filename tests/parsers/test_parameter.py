from parsers.format import KEY_SCHEMA
from parsers.parameter import PARAMETER_VALUE


def test_a_value_has_a_scope_and_a_name_and_no_time() -> None:
    assert list(PARAMETER_VALUE.schema) == [*KEY_SCHEMA, "scope", "name", "description", "value"]
    assert not PARAMETER_VALUE.is_dated
