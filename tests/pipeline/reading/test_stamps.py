"""What the stamps of a file say: days, New Years, steps, the same for chunks as for the whole."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA
from pipeline.reading.stamps import FACT_SCHEMA, Stamps, facts_of, merge, stamps_of

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "syslog"

moment = datetime.fromisoformat

Row = tuple[int, str, int | None]  # line, stamp, offset; a stamp of the year 2000 bears none


def frame(rows: Sequence[Row], file_id: int = 1) -> pl.DataFrame:
    stamps = [datetime.fromisoformat(stamp) for _, stamp, _ in rows]
    cells = [
        (file_id, line, 1, stamp, stamp.year != 2000, offset)
        for (line, _, offset), stamp in zip(rows, stamps, strict=True)
    ]
    return pl.DataFrame(cells, schema={**KEY_SCHEMA, **STAMP_SCHEMA}, orient="row")


def bare(*stamps: str) -> list[Row]:
    return [(line, f"2000-{stamp}", None) for line, stamp in enumerate(stamps, 1)]


@pytest.mark.parametrize(
    ("stamps", "turns"),
    [
        pytest.param(["12-31T23:59:59", "01-01T00:00:01"], ((2, 1),), id="New Year"),
        pytest.param(["03-12T03:12:00", "03-12T01:25:00"], (), id="disorder is no New Year"),
        pytest.param(["07-02T00:00:00", "01-02T00:00:00"], (), id="182 days back is disorder"),
        pytest.param(["12-31T23:59:59", "01-01T00:00:01", "12-31T23:59:58"], ((2, 1), (3, 0)), id="late line"),
        pytest.param(["01-01T00:00:01", "12-31T00:00:00", "01-03T00:00:00"], ((2, 0), (3, 1)), id="sparse log"),
        pytest.param(
            ["11-03T00:00:00", "02-03T00:00:00", "11-03T00:00:00", "02-03T00:00:00"], ((2, 1), (4, 2)), id="two"
        ),
    ],
)
def test_new_years(stamps: list[str], turns: tuple[tuple[int, int], ...]) -> None:
    assert stamps_of(facts_of(frame(bare(*stamps))))[1].turns == turns


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus lies beside a developer's checkout only")
def test_corpus_file_has_75_new_years() -> None:
    lines = (CORPUS / "lnav_rollover.2").read_text().splitlines()
    stamps = pl.Series(["2000 " + line[:15] for line in lines]).str.to_datetime("%Y %b %e %H:%M:%S", time_unit="us")
    rows = [(line, stamp.isoformat(), None) for line, stamp in enumerate(stamps, 1)]
    assert stamps_of(facts_of(frame(rows)))[1].turns[-1][1] == 75


@pytest.mark.parametrize(
    ("rows", "steps"),
    [
        pytest.param(
            [(1, "2003-07-28T10:00:10", None), (2, "2003-07-28T10:00:09.200", None)], [], id="0.8 s: two writers"
        ),
        pytest.param([(1, "2003-07-28T10:00:10", None), (2, "2003-07-28T10:00:07", None)], [(2, -3.0)], id="3 s"),
        pytest.param(
            [(1, "2003-10-26T01:59:00", -240), (2, "2003-10-26T01:00:00", -300)], [], id="zone changed by 60 min"
        ),
        pytest.param(
            [(1, "2000-12-31T23:59:59", None), (2, "2000-01-01T00:00:00", None)], [], id="New Year is no step"
        ),
        pytest.param(
            [(1, "2000-07-28T10:00:10", None), (2, "2018-07-28T10:00:00", None)], [(2, -10.0)], id="mixed years"
        ),
    ],
)
def test_clock_steps(rows: list[Row], steps: list[tuple[int, float]]) -> None:
    assert [(step.line_no, step.step_s) for step in stamps_of(facts_of(frame(rows)))[1].steps] == steps


def test_days_are_counted_by_offset_and_year() -> None:
    rows = [
        *bare("07-28T10:00:00", "07-28T11:00:00"),
        (3, "2003-07-28T12:00:00", -240),
        (4, "2003-07-29T00:00:00", -240),
    ]
    days = stamps_of(facts_of(frame(rows)))[1].days
    assert [(day.year_no, day.offset_min, day.first_line, day.last_line, day.rows) for day in days] == [
        (0, None, 1, 2, 2),
        (None, -240, 3, 3, 1),
        (None, -240, 4, 4, 1),
    ]


def test_rows_without_a_stamp_say_nothing() -> None:
    empty = frame(bare("01-01T00:00:00")).with_columns(stamp=pl.lit(None, pl.Datetime("us")))
    facts = facts_of(empty)
    assert facts.is_empty()
    assert facts.schema == pl.Schema(FACT_SCHEMA)
    assert stamps_of(merge(facts, facts)) == {}


def test_files_do_not_mix() -> None:
    one, other = frame(bare("12-31T00:00:00"), 1), frame(bare("01-01T00:00:00"), 2)
    facts = facts_of(pl.concat([other, one]))
    assert [len(each.turns) for each in stamps_of(facts).values()] == [0, 0]


MOMENTS = st.datetimes(moment("2000-01-01"), moment("2005-12-31")).map(lambda at: at.replace(microsecond=0))
EDGES = st.sampled_from([moment("2000-12-31T23:00"), moment("2000-01-01"), moment("2000-12-30"), moment("2000-01-02")])
ROWS = st.lists(st.tuples(MOMENTS | EDGES, st.sampled_from([None, 0, -240, -300])), min_size=1, max_size=30)


@given(ROWS, st.integers(0, 30), st.integers(0, 30))
def test_chunks_give_the_facts_of_the_whole(moments: list[tuple[datetime, int | None]], one: int, other: int) -> None:
    rows = [(line, at.isoformat(), offset) for line, (at, offset) in enumerate(moments, 1)]
    a, b = sorted((one, other))
    chunks = [facts_of(frame(part)) for part in (rows[:a], rows[a:b], rows[b:])]
    whole = stamps_of(facts_of(frame(rows)))
    assert stamps_of(merge(merge(chunks[0], chunks[1]), chunks[2])) == whole
    assert stamps_of(merge(chunks[0], merge(chunks[1], chunks[2]))) == whole
    assert Stamps.from_json(whole[1].as_json()) == whole[1]


@given(ROWS)
def test_every_line_is_counted_once_on_its_day(moments: list[tuple[datetime, int | None]]) -> None:
    rows = [(line, at.isoformat(), offset) for line, (at, offset) in enumerate(moments, 1)]
    typed = frame(rows).with_columns(part=pl.lit(2, pl.Int16))
    days = stamps_of(facts_of(pl.concat([frame(rows), typed[::-1]])))[1].days
    counts: Counter[tuple[object, ...]] = Counter()
    for day in days:
        counts[day.year_no is None, day.offset_min, day.first.date()] += day.rows
    assert counts == Counter((at.year != 2000, offset, at.date()) for at, offset in moments)
    assert all(
        day.first <= moments[line - 1][0] <= day.last for day in days for line in (day.first_line, day.last_line)
    )


def test_only_the_last_steps_are_kept() -> None:
    start = moment("2003-07-28")
    rows: list[Row] = [(line, (start + timedelta(seconds=line % 2 * 9)).isoformat(), None) for line in range(20_000)]
    assert len(stamps_of(facts_of(frame(rows)))[1].steps) == 5000


@pytest.mark.parametrize(
    ("stamps", "span"),
    [
        pytest.param([], None, id="no dated line"),
        pytest.param(["2024-01-01T22:00:00"], ("2024-01-01T22:00:00", "2024-01-01T22:00:00"), id="one line"),
        pytest.param(
            ["2024-01-02T00:00:00.5", "2024-01-02T00:00:00", "2023-12-31T10:00:00", "2024-01-02T00:00:00.25"],
            ("2023-12-31T10:00:00", "2024-01-02T00:00:00.5"),
            id="a fraction is later than none, and an earlier day may follow",
        ),
    ],
)
def test_span_is_read_from_what_the_ledger_keeps(stamps: list[str], span: tuple[str, str] | None) -> None:
    read = stamps_of(facts_of(frame([(line, stamp, 0) for line, stamp in enumerate(stamps, 1)])))
    kept = (read[1] if stamps else Stamps(1, (), (), ())).as_json()
    assert Stamps.span_in(kept) == (None if span is None else (moment(span[0]), moment(span[1])))
