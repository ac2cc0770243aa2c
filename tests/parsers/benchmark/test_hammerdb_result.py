import pytest

from parsers.benchmark.hammerdb_result import result_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # REAL
        ("Vuser 1:TEST RESULT : System achieved 2602 NOPM from 6190 PostgreSQL TPM", [2602, 6190]),
        ('"TEST RESULT : System achieved 192869 NOPM from 443601 SQL Server TPM"', [192869, 443601]),
        ("System achieved 6190 Db2 TPM at 2602 NOPM", [2602, 6190]),
        ("System achieved peace", []),
    ],
)
def test_result(text: str, expected: list[float]) -> None:
    assert [each["value"] for each in result_in(text)] == expected
