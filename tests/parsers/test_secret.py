import pytest

from parsers.secret import masked, may_hold_secret


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("shared-secret", "FooFunFactory", "********"),
        ("TSM_PASSWORD", "", ""),
        ("net.ipv4.tcp_fastopen_key", "1-2-3", "********"),
        ("primary_conninfo", "host=db1 password=tiger user=x", "host=db1 password=******** user=x"),
        ("primary_conninfo", "password = 'ti ger' user=x", "password = ******** user=x"),
        ("ssl_key_file", "/etc/x.key", "/etc/x.key"),
        ("monkey", "x", "x"),
    ],
)
def test_secret_is_recognised_by_its_name(name: str, value: str, shown: str) -> None:
    assert masked(name, value) == shown


@pytest.mark.parametrize(("text", "may"), [("-p passwd=x", True), ("SECRET", True), ("path /a", False), ("", False)])
def test_line_that_may_hold_one(text: str, *, may: bool) -> None:
    assert may_hold_secret(text) == may
