"""Threads change nothing but time: order of results, order of faults, items taken only as far as needed."""

import threading
from collections.abc import Iterator

import pytest

from pipeline.in_order import in_order


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("count", [0, 1, 2, 20])
def test_results_come_in_the_order_of_items(threads: int, count: int) -> None:
    assert list(in_order(lambda item: item * item, range(count), threads)) == [item * item for item in range(count)]


def test_a_later_item_does_not_overtake() -> None:
    second_done = threading.Event()

    def slow_first(item: int) -> int:
        if item == 0:
            second_done.wait(10)
        else:
            second_done.set()
        return item

    assert list(in_order(slow_first, range(4), 2)) == [0, 1, 2, 3]


def test_items_are_not_taken_far_ahead() -> None:
    taken = []

    def items() -> Iterator[int]:
        for item in range(100):
            taken.append(item)
            yield item

    results = in_order(lambda item: item, items(), 2)
    assert next(results) == 0
    assert len(taken) == 3


def test_a_fault_is_raised_in_its_turn() -> None:
    results = in_order(lambda item: 1 // item, [2, 1, 0, 1], 2)
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)
