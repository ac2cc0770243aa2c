"""Work on several threads at once, with results in the order of the input and a bounded number of them waiting."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import polars as pl

THREADS = min(4, pl.thread_pool_size())
"""Chunks parsed at a time, as much of each is work that only one core can do. More would need more memory."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(function: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """The function's results, each when it is due. Items are taken by the caller's thread, at most `threads` ahead.

    What the function raises is raised in its turn; what was begun by then is waited for.
    """
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="haledger") as pool:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
