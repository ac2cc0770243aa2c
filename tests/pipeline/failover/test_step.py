"""Steps of the fold: which relations one reads, and for what values it is called."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from pipeline.failover import step as steps
from pipeline.failover.step import CONFIGURATION, Fold, step


class Loss(NamedTuple):
    """A loss."""

    configuration: str


class Line(NamedTuple):
    """A line."""

    configuration: str
    text: str


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    """Rows by relation as a test fills them in; those that the fold asked for are taken out."""
    monkeypatch.setattr(steps, "_declared", {})

    @step(by=CONFIGURATION, of="loss")
    def told(loss: Sequence[Loss], line: Sequence[Line]) -> Iterator[Line]:
        yield from (Line(each.configuration, str(len(line))) for each in loss)

    monkeypatch.setattr(steps, "steps", lambda: steps._declared)
    return {"loss": [], "line": [Line("a", "one"), Line("b", "two")]}


def test_a_step_of_a_relation_is_called_for_the_values_of_that_alone(asked: dict[str, list[Any]]) -> None:
    asked["loss"] = [Loss("b"), Loss("c")]
    assert Fold(lambda name, _: asked.pop(name)).rows("told") == [Line("b", "1"), Line("c", "0")]
    assert not asked


def test_a_step_of_an_empty_relation_reads_no_other_one(asked: dict[str, list[Any]]) -> None:
    assert Fold(lambda name, _: asked.pop(name)).rows("told") == []
    assert asked.keys() == {"line"}
