"""Host names: which texts are names, and what they are without their domain."""

import pytest

from pipeline.study.places.hosts import is_name, is_same_host, short_name


@pytest.mark.parametrize(
    ("host", "short"),
    [
        pytest.param("sun-ha4", "sun-ha4", id="short"),
        pytest.param("SUN-HA4.example.com", "sun-ha4", id="full, in capitals"),
        pytest.param("10.1.2.3", "10.1.2.3", id="an address has no domain"),
        pytest.param("FE80::1.2", "fe80::1.2", id="an address of version 6"),
        pytest.param(".example.com", ".example.com", id="nothing before the domain"),
    ],
)
def test_short_name(host: str, short: str) -> None:
    assert short_name(host) == short


@pytest.mark.parametrize("host", ["", " - ", "LOCALHOST", "(none)", "two words", "a/b", "x" * 256])
def test_text_that_names_nobody(host: str) -> None:
    assert not is_name(host)


@pytest.mark.parametrize("host", ["sun-ha4", " sun-ha4.example.com ", "10.1.2.3"])
def test_text_that_names_a_host(host: str) -> None:
    assert is_name(host)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("db1", "DB1.dc1.example.com", True),
        ("db1.dc1.example.com", "DB1.dc1.example.com", True),
        ("db1.dc1.example.com", "db1.dc2.example.com", False),
        ("10.0.0.1", "10.0.0.2", False),
    ],
)
def test_names_with_and_without_domain(one: str, other: str, *, is_same: bool) -> None:
    assert is_same_host(one, other) is is_same
