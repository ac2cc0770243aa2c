"""Numbers of what lines say: by the first lines, for any chunks and order, a number for each different thing."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.format import Column, Table, of
from parsers.star import Star, hashes
from pipeline.reading import dimensions, staging
from pipeline.reading.dimensions import final_numbers
from pipeline.reading.staging import Dimensions, Stage

TABLE = Table(
    name="said",
    grain="One row per line.",
    columns=of("message", Column("text", pl.String(), "what it says"), Column("code", pl.Int32(), "code")),
    is_dated=False,
)
Line = tuple[int, int, int, str | None, int | None]
LINES = st.lists(
    st.tuples(
        st.integers(1, 3),
        st.integers(1, 9),
        st.integers(1, 2),
        st.one_of(st.none(), st.sampled_from(["", "a", "b"])),
        st.one_of(st.none(), st.integers(0, 1)),
    ),
    unique_by=lambda line: line[:3],
    max_size=30,
)
PASSED = 3  # rows of this file are not stored


def few_hashes(rows: pl.DataFrame) -> pl.Series:
    return rows.get_column("code").fill_null(0).cast(pl.UInt64)


def stored(
    chunks: list[list[Line]], folder: Path, budget_bytes: int
) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """The lines and messages as they go into a store."""
    said = folder / "said"
    said.mkdir()
    own = Dimensions(said, budget_bytes)
    stage = Stage(folder, budget_bytes, own)
    for chunk in chunks:
        rows = TABLE.split(pl.DataFrame(chunk, schema=TABLE.schema, orient="row"))
        assert isinstance(rows, Star)
        stage.add_rows("said", rows)
    is_stored = pl.col("file_id") != PASSED
    own.number(TABLE, (frame.filter(is_stored) for frame in stage.look("said")))
    lines: list[tuple[object, ...]] = [
        row for frame in stage.take("said") for row in own.numbered(TABLE, frame.filter(is_stored)).iter_rows()
    ]
    messages: list[tuple[object, ...]] = [row for frame in own.take(TABLE, "message") for row in frame.iter_rows()]
    return sorted(lines, key=repr), sorted(messages, key=repr)


@pytest.mark.parametrize(
    ("budget_bytes", "hashed"),
    [
        pytest.param(1_000_000, hashes, id="memory"),
        pytest.param(0, hashes, id="disk"),
        pytest.param(500, few_hashes, id="hashes collide"),
    ],
)
@settings(max_examples=15, deadline=None)
@given(LINES, st.randoms(use_true_random=False), st.integers(1, 5))
def test_any_chunks_in_any_order_give_the_same_numbers(
    budget_bytes: int, hashed: Callable[[pl.DataFrame], pl.Series], lines: list[Line], random: Random, size: int
) -> None:
    ordered = sorted(lines, key=lambda line: line[:3])
    shuffled = list(lines)
    random.shuffle(shuffled)
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as one, TemporaryDirectory() as other:
        patch.setattr(staging, "hashes", hashed)
        patch.setattr(staging, "USES_BYTES", budget_bytes)
        whole = stored([ordered], Path(one), budget_bytes)
        parts = [shuffled[first : first + size] for first in range(0, len(shuffled), size)]
        assert stored(parts or [[]], Path(other), budget_bytes) == whole
    expected = list(dict.fromkeys(line[3:] for line in ordered if line[0] != PASSED))
    numbers = {message: number for number, message in enumerate(expected, 1)}
    assert whole[0] == sorted(((*line[:3], numbers[line[3:]]) for line in ordered if line[0] != PASSED), key=repr)
    assert sorted(whole[1], key=repr) == sorted(((*message, number) for message, number in numbers.items()), key=repr)


def test_only_rows_with_the_hash_of_another_are_compared() -> None:
    hashed = pl.Series([7, 1, 7, 2, 1, 3], dtype=pl.UInt64)
    content = pl.DataFrame({"text": ["a", "b", "a", "c", "b", "d"]})
    asked: list[int] = []

    def rows_at(places: pl.Series) -> pl.DataFrame:
        asked.extend(places.to_list())
        return content[places]

    used = pl.Series([4, 2, 3, 0, 1], dtype=pl.UInt32)  # no line has the last one
    numbers, is_first = final_numbers(used, hashed, rows_at)
    assert numbers.to_list() == [2, 1, 2, 3, 1, None]
    assert is_first.to_list() == [False, False, True, True, True, False]
    assert sorted(asked) == [0, 1, 2, 4]


def test_hashes_are_compared_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dimensions, "HASHES_AT_A_TIME", 3)
    monkeypatch.setattr(dimensions, "COMPARED_AT_A_TIME", 2)
    source = Random(20261126)  # noqa: S311  repeatable, no secrets
    texts = [str(source.randrange(40)) for _ in range(100)]
    content = pl.DataFrame({"text": texts})
    numbers, is_first = final_numbers(
        pl.int_range(100, dtype=pl.UInt32, eager=True), hashes(content), lambda places: content[places]
    )
    expected = {text: number for number, text in enumerate(dict.fromkeys(texts), 1)}
    assert numbers.to_list() == [expected[each] for each in texts]
    assert is_first.sum() == len(expected)


def test_what_several_chunks_say_is_kept_once(tmp_path: Path) -> None:
    said = tmp_path / "said"
    said.mkdir()
    own = Dimensions(said, 1_000_000)
    lines = []
    for first in (1, 3):
        chunk: list[Line] = [(1, first, 1, "a", None), (1, first + 1, 1, f"only here {first}", 0)]
        rows = TABLE.split(pl.DataFrame(chunk, schema=TABLE.schema, orient="row"))
        assert isinstance(rows, Star)
        lines.append(own.add("said", rows))
    assert pl.concat(lines)["message_no"].to_list() == [0, 1, 0, 2]


def test_what_is_in_memory_is_found_beside_what_waits_on_disk(tmp_path: Path) -> None:
    said = tmp_path / "said"
    said.mkdir()
    own = Dimensions(said, 1_000)
    numbers = []
    for line_no, text in enumerate(("a", "long" * 1_000, "a"), 1):
        rows = TABLE.split(pl.DataFrame([(1, line_no, 1, text, 0)], schema=TABLE.schema, orient="row"))
        assert isinstance(rows, Star)
        numbers += own.add("said", rows)["message_no"].to_list()
    assert numbers == [0, 1, 0]
