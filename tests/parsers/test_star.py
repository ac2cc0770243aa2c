"""Rows as a star: the same rows as the flat frame, and no two different ones in one."""

from collections.abc import Callable

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers import star
from parsers.format import Column, Table, of

TABLE = Table(
    name="said",
    grain="One row per line.",
    columns=(
        *of("message", Column("text", pl.String(), "what it says"), Column("pid", pl.Int64(), "process")),
        Column("uptime_s", pl.Float64(), "seconds"),
        *of("sender", Column("host", pl.String(), "who says it")),
    ),
    is_dated=False,
)
WORDS = st.one_of(st.none(), st.sampled_from(["", "a", "b", "a b"]))
ROWS = st.lists(
    st.tuples(WORDS, st.one_of(st.none(), st.integers(-1, 2)), st.floats(allow_nan=False), WORDS), max_size=40
)


def flat(rows: list[tuple[object, ...]]) -> pl.DataFrame:
    keyed = [(1, line, 1, *row) for line, row in enumerate(rows, 1)]
    return pl.DataFrame(keyed, schema=TABLE.schema, orient="row")


@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_a_star_has_the_rows_of_the_flat_frame_and_each_thing_said_once(rows: list[tuple[object, ...]]) -> None:
    frame = flat(rows)
    found = TABLE.split(frame)
    assert isinstance(found, star.Star)
    assert TABLE.is_filled_by(found)
    assert found.flat().equals(frame)
    assert found.dimensions["message"].height == len({row[:2] for row in rows})
    assert found.dimensions["sender"].height == len({row[3] for row in rows})


@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_rows_whose_hashes_collide_stay_different(rows: list[tuple[object, ...]]) -> None:
    frame = flat(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(star, "hashes", one_hash)
        found = TABLE.split(frame)
    assert isinstance(found, star.Star)
    assert found.flat().equals(frame)
    assert found.dimensions["message"].height == len({row[:2] for row in rows})


def one_hash(rows: pl.DataFrame) -> pl.Series:
    return pl.repeat(7, rows.height, dtype=pl.UInt64(), eager=True)


def test_a_star_of_other_columns_does_not_fill_the_table() -> None:
    found = TABLE.split(flat([("a", 1, 0.5, "oak")]))
    assert isinstance(found, star.Star)
    assert not TABLE.is_filled_by(star.Star(found.lines.drop("uptime_s"), found.dimensions, found.columns))
    assert not TABLE.is_filled_by(star.Star(found.lines, {"message": found.dimensions["message"]}, found.columns))
    assert not TABLE.is_filled_by(star.Star(found.lines, found.dimensions, found.columns[1:]))


CHUNKS = st.lists(st.lists(st.tuples(WORDS, st.one_of(st.none(), st.integers(-1, 2))), max_size=12), max_size=6)


@pytest.mark.parametrize("hashed", [pytest.param(star.hashes, id="hashes"), pytest.param(one_hash, id="collisions")])
@pytest.mark.parametrize("most", [0, 3, star.MOST_REMEMBERED])
@settings(max_examples=25, deadline=None)
@given(CHUNKS)
def test_what_is_remembered_is_what_would_be_answered(
    most: int, hashed: Callable[[pl.DataFrame], pl.Series], chunks: list[list[tuple[object, ...]]]
) -> None:
    remembered = star.Remembered(meaning)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(star, "hashes", hashed)
        patch.setattr(star, "MOST_REMEMBERED", most)
        for chunk in chunks:
            rows = pl.DataFrame(chunk, schema={"text": pl.String(), "pid": pl.Int64()}, orient="row")
            assert remembered(rows).equals(meaning(rows))


def test_rows_that_come_again_are_not_asked_again() -> None:
    asked: list[str] = []

    def noted(rows: pl.DataFrame) -> pl.DataFrame:
        asked.extend(rows["text"])
        return meaning(rows.with_columns(pid=1))

    remembered = star.Remembered(noted)
    for texts in (["a", "b"], ["b", "c", "a"], ["c", "b"]):
        remembered(pl.DataFrame({"text": texts}))
    assert asked == ["a", "b", "c"]


def meaning(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select(pl.col("text").str.to_uppercase().alias("said"), (pl.col("pid") + 1).alias("next"), "text")
