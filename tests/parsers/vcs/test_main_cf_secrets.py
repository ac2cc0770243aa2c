import pytest

from parsers.vcs.main_cf_secrets import shown
from parsers.vcs.main_cf_tokens import tokens_of


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        pytest.param("MountPoint", '"/data"', ("/data", False), id="a string without its quotes"),
        pytest.param("SystemList", "{ a =0,b=1}", ("{ a = 0, b = 1 }", False), id="a map, blanks normalised"),
        pytest.param("Address", "admin @ example.com", ("admin@example.com", False), id="an address"),
        pytest.param("DBPassword", "tiger", ("********", True), id="by the attribute's name"),
        pytest.param("Options", '"user=a password=tiger"', ("user=a password=********", True), id="by its own text"),
        pytest.param("UserNames", '{ admin = "cDRp" }', ("{ admin = ******** }", True), id="hashes of users"),
        pytest.param("UserNames", "{ cDRp }", ("{ ******** }", True), id="a hash whose user was lost"),
        pytest.param(
            "Args", "{ secret = x, size = 2 }", ("{ secret = ********, size = 2 }", True), id="a key of a map"
        ),
    ],
)
def test_secrets_are_masked_and_other_values_are_not(name: str, value: str, expected: tuple[str, bool]) -> None:
    assert shown(name, list(tokens_of([value]))) == expected
