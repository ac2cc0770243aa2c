"""Values that follow from the program's files are made once, in one process and by several that share a place."""

from collections.abc import Callable, Iterator

import pytest

from parsers.derived import derived, keep_in


class Place:
    """Keeps values in memory, as another process left them."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def __call__(self, name: str, make: Callable[[], bytes]) -> bytes | None:
        if name not in self.kept:
            self.kept[name] = make()
        return self.kept[name]


@pytest.fixture(autouse=True)
def no_place() -> Iterator[None]:
    """No place at first, also where a command that ran in this process before had named one."""
    keep_in(None)
    yield
    keep_in(None)


@pytest.fixture
def place() -> Place:
    found = Place()
    keep_in(found)
    return found


def counted(made: list[int]) -> Callable[[], tuple[str, int]]:
    def value() -> tuple[str, int]:
        made.append(1)
        return ("value", len(made))

    return value


def test_value_is_made_once_in_a_process() -> None:
    made: list[int] = []
    value = derived(counted(made))
    assert (value(), value(), len(made)) == (("value", 1), ("value", 1), 1)


def test_value_is_made_once_for_processes_that_share_a_place(place: Place) -> None:
    made: list[int] = []
    make = counted(made)
    assert [derived(make)() for _process in range(2)] == [("value", 1)] * 2
    assert (len(made), len(place.kept)) == (1, 1)


def test_functions_do_not_share_what_is_kept(place: Place) -> None:
    def first() -> int:
        return 1

    def second() -> int:
        return 2

    assert [derived(first)(), derived(second)(), derived(first)()] == [1, 2, 1]
    assert len(place.kept) == 2


def test_value_is_made_where_nothing_can_be_kept() -> None:
    keep_in(lambda _name, _make: None)
    assert derived(counted([]))() == ("value", 1)
