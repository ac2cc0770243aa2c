from collections.abc import Sequence

import polars as pl

from parsers.first_look import MAX_REMEMBERED, FirstLook


def test_files_are_looked_at_once_and_forgotten_in_time() -> None:
    batches: list[int] = []

    def lengths(heads: Sequence[pl.Series]) -> list[int]:
        batches.append(len(heads))
        return [len(head) for head in heads]

    one, two = pl.Series(["a"]), pl.Series(["a", "b"])
    looks = FirstLook(lengths)
    looks.look([one, two])
    assert (looks.of(one), looks.of(two), batches) == (1, 2, [2])
    looks.look([pl.Series([str(number)]) for number in range(MAX_REMEMBERED)])
    looks.look([two])
    assert looks.of(one) == 1
    assert batches == [2, MAX_REMEMBERED, 1, 1]
