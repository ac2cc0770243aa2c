from itertools import islice

import pytest

from pipeline.study.places.name_parts import name_parts, stems_of


@pytest.mark.parametrize(
    ("name", "stems"),
    [
        pytest.param("messages", ["messages"], id="no ending"),
        pytest.param(
            "messages.sun-ha4.1.gz", ["messages.sun-ha4.1.gz", "messages.sun-ha4.1", "messages.sun-ha4"], id="two"
        ),
        pytest.param(
            "messages-20190322.xz", ["messages-20190322.xz", "messages-20190322", "messages"], id="rotated by date"
        ),
        pytest.param(".gz", [".gz"], id="nothing but an ending"),
        pytest.param("", [], id="no name"),
    ],
)
def test_endings_come_off_one_after_another(name: str, stems: list[str]) -> None:
    assert list(stems_of(name)) == stems


def test_what_may_be_a_host_is_among_the_parts() -> None:
    assert {"sun-ha4", "messages"} <= set(name_parts("messages.sun-ha4.1.gz"))


def test_a_single_character_is_no_host() -> None:
    assert "A" not in set(name_parts("engine_A.log"))


@pytest.mark.parametrize("name", ["." * 5000, "a-" * 5000, "x" * 5000], ids=["points", "hyphens", "one word"])
def test_a_long_name_has_a_bounded_number_of_parts(name: str) -> None:
    assert len(list(islice(name_parts(name), 200_000))) < 200_000
