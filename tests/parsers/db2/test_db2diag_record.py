"""What a record of db2diag.log says as a message of any log."""

from typing import Any

import duckdb
import pytest

from parsers.db2.db2diag_record import DB2DIAG_DATA, DB2DIAG_RECORD

MESSAGE = DB2DIAG_RECORD.message


def said(expression: str | None, **values: Any) -> Any:
    """The expression over one record that has these values and no others."""
    names = [column.name for column in DB2DIAG_RECORD.columns]
    columns = ", ".join(f'${name} as "{name}"' if name in values else f'null as "{name}"' for name in names)
    with duckdb.connect() as connection:
        found = connection.execute(f"select {expression} from (select {columns})", values).fetchone()
    assert found
    return found[0]


@pytest.mark.parametrize(
    ("values", "text"),
    [
        pytest.param({"message": "Crash Recovery is needed.", "data": "d"}, "Crash Recovery is needed.", id="message"),
        pytest.param({"event_text": "STOP", "data": "d"}, "STOP", id="event"),
        pytest.param({"retcode": "ZRC=0x1", "data": "d"}, "ZRC=0x1", id="return code before data"),
        pytest.param({"data": "d"}, "d", id="data where there is nothing else"),
        pytest.param({}, None, id="nothing"),
    ],
)
def test_text_of_a_record_is_the_plainest_that_it_has(values: dict[str, str], text: str | None) -> None:
    assert MESSAGE
    assert said(MESSAGE.text, **values) == text


@pytest.mark.parametrize(
    ("values", "identifier"),
    [
        pytest.param({"message_code": "ADM1530E", "function": "f", "probe": 1}, "ADM1530E", id="code of the message"),
        pytest.param({"function": "sqlpresr", "probe": 410}, "sqlpresr:410", id="function and probe"),
        pytest.param({"function": "sqlpresr"}, None, id="no probe, no identifier"),
    ],
)
def test_identifier_is_the_code_else_function_and_probe(values: dict[str, Any], identifier: str | None) -> None:
    assert MESSAGE
    assert said(MESSAGE.message_id, **values) == identifier


def test_host_of_a_record_is_the_one_that_wrote_it() -> None:
    assert [column.name for column in DB2DIAG_RECORD.columns if column.host] == ["host"]
    assert DB2DIAG_RECORD.is_dated
    assert not DB2DIAG_DATA.is_dated
