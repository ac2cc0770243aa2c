import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field, replace

import pytest

from parsers.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 2
    tags: tuple[str, ...] = ()
    note: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Named(Point):
    name: str = "p"


@dataclass
class Sheet:
    lines: list[int] = field(default_factory=list)
    total: int = field(init=False)

    def __post_init__(self) -> None:
        self.total = sum(self.lines)


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    x: int
    y: int = 2
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Same:
    x: int
    y: int = 2
    tags: tuple[str, ...] = ()


def test_it_has_the_values_text_hash_and_state_of_the_standard_library() -> None:
    ours, standard = Same(1, tags=("a",)), Standard(1, tags=("a",))
    assert dataclasses.astuple(ours) == dataclasses.astuple(standard)
    assert repr(ours) == repr(standard).replace("Standard", "Same")
    assert hash(ours) == hash(standard)
    assert ours.__match_args__ == standard.__match_args__
    assert not hasattr(ours, "__dict__")
    assert copy.copy(ours) == pickle.loads(pickle.dumps(ours)) == ours  # noqa: S301  made here
    assert replace(ours, y=3) == Same(1, 3, ("a",))


def test_instances_are_equal_by_compared_fields_and_within_a_class() -> None:
    assert Point(1, note="a") == Point(1, note="b")
    assert hash(Point(1, note="a")) == hash(Point(1, note="b"))
    assert Point(1) != Point(2)
    assert Point(1) != Named(1)
    assert Named(1, name="q").name == "q"
    assert Named(1, name="q") != Named(1)


def test_a_frozen_one_is_never_changed() -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2  # type: ignore[misc]  # of this class alone
    with pytest.raises(FrozenInstanceError):
        del point.x


def test_others_have_factories_and_fields_of_their_own_and_no_hash() -> None:
    assert Sheet([1, 2]).total == 3
    assert Sheet().lines is not Sheet().lines
    with pytest.raises(TypeError):
        hash(Sheet())


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(TypeError, match="x"):
        Point()  # type: ignore[call-arg]  # the mistake
