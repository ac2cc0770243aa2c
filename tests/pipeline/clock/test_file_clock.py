"""Frames with their times filled in: no matter what the stamps, in any part, in any order of files."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from parsers.format import KEY_SCHEMA
from pipeline.clock import file_clock
from tests.support.dated_logs import (
    JULY,
    NEW_YEAR,
    NO_MANIFEST,
    NOW,
    SUN,
    TORONTO,
    YEAR_2003,
    Log,
    Row,
    moment,
    resolve,
    toml,
)


def test_other_columns_and_order_stay() -> None:
    log = Log("m", "2003-07-28T10:00:01", "2003-07-28T10:00:00")
    frame = log.frame(0).with_columns(text=pl.Series(["b", "a"]))[::-1]
    placed = file_clock.apply(frame, {0: resolve(log)["m"]})
    assert placed.columns == [*KEY_SCHEMA, "at", "local_at", "text"]
    assert placed.get_column("line_no").to_list() == [2, 1]


def test_empty_frame() -> None:
    assert file_clock.apply(Log("m").frame(0), {}).columns == [*KEY_SCHEMA, "at", "local_at"]


MOMENTS = st.datetimes(moment("2000-01-01"), moment("2004-12-31")).map(lambda at: at.replace(microsecond=0).isoformat())
ANY_ROWS = st.lists(st.tuples(MOMENTS, st.sampled_from([None, None, 0, -240, 840])), max_size=20)


@given(st.lists(ANY_ROWS, min_size=1, max_size=4), st.sampled_from(["", TORONTO, "[study]\nyear = 2003"]), st.data())
def test_any_stamps_are_placed_and_chunks_change_nothing(
    files: list[list[Row]], manifest: str, data: st.DataObject
) -> None:
    logs = [
        Log(f"m.{i}", *((at[5:] if at.startswith("2000") else at, offset) for at, offset in rows), node=f"n{i % 2}")
        for i, rows in enumerate(files)
    ]
    clocks = resolve(*logs, manifest=toml(manifest))
    by_id = {i: clocks[log.path] for i, log in enumerate(logs)}
    frame = pl.concat([log.frame(i) for i, log in enumerate(logs)])
    whole = file_clock.apply(frame, by_id)
    assert whole.height == frame.height
    cut = data.draw(st.integers(0, frame.height))
    assert pl.concat([file_clock.apply(part, by_id) for part in (frame[:cut], frame[cut:])]).equals(whole)


def test_settling_does_not_depend_on_the_order_of_files() -> None:
    logs = [Log("messages.1", *NEW_YEAR), Log("messages", JULY), Log("e", (YEAR_2003, -240)), Log("x", SUN, node="y")]
    facts = [log.facts(i) for i, log in enumerate(logs)]
    assert file_clock.resolve(facts, NO_MANIFEST, NOW) == file_clock.resolve(facts[::-1], NO_MANIFEST, NOW)
