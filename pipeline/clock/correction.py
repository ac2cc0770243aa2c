"""Puts the instants on both sides of a change of the clock on one scale, and keeps what was done: `log.clock_change`.

Lines of the old clock are moved onto the new one, which is the one that was right: those of the node, in all files of
the run, back to the longest silence one to three hours before. `local_at` keeps the stamp as printed.
`log.clock_correction` says which lines were moved by how much, and how sure that is; `main.clock_step` and
`main.clock_correction` show both.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb
import polars as pl

from pipeline.clock import change
from pipeline.clock.change import LEAST_US, OWN_US, SECOND, SURE_US, Change, Place
from pipeline.store import store
from pipeline.store.lines import MOVED_LINE, Lines
from pipeline.store.own_table import OwnTable
from pipeline.store.statements import Row, dated_lines

CLOCK_CHANGE = OwnTable(
    "log.clock_change",
    "One row per setting of a host's clock.",
    {
        "change_no": (pl.Int32(), "number of the change, from 1"),
        "configuration": (pl.String(), "folder group"),
        "run": (pl.String(), "run folder; null where the log that shows it lies above the runs"),
        "node": (pl.String(), "host whose clock was set, short name in small letters"),
        "old_at": (pl.Datetime("us"), "last instant that the old clock is known to have shown, UTC, as printed"),
        "at": (pl.Datetime("us"), "first instant on the new clock, UTC, as printed"),
        "step_s": (pl.Float64(), "seconds forward, negative back; null where the amount is unknown"),
        "error_s": (pl.Float64(), "half width of the amount, seconds; of an unknown one the least that it was, else 0"),
        "source": (pl.String(), "what shows it: ntpd, chronyd, uptime, stamps go back, ..."),
        "file_id": (pl.Int32(), "file that shows it"),
        "line_no": (pl.Int32(), "its first line on the new clock"),
    },
)
CLOCK_CORRECTION = OwnTable(
    "log.clock_correction",
    "One row per range of lines whose times were moved, and cause; several causes for a line add up.",
    {
        "change_no": (
            pl.Int32(),
            "number of the change in log.clock_change; null: another zone than the node's, or an hour that comes twice",
        ),
        "file_id": (pl.Int32(), "source_file"),
        "from_line": (pl.Int32(), "first line that was moved"),
        "to_line": (pl.Int32(), "last line that was moved"),
        "shift_s": (pl.Float64(), "seconds added to its time; 0 where only the error concerns the line"),
        "error_s": (pl.Float64(), "half width of that, seconds"),
        "source": (pl.String(), "what proves the amount"),
    },
)

HOUR = 3600 * SECOND
NEIGHBOURHOOD = (3 * HOUR, HOUR)
"""The correction ends in the longest silence between so long before the change and so long before it."""

LOADED_US = 4 * HOUR
NEAR_US, FAR_US = 60 * SECOND, 300 * SECOND
"""Lines of one node within a failover are near each other; one that stands alone for so long is not of it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Lines of a file whose times were moved. Microseconds."""

    file_id: int
    from_line: int
    to_line: int
    shift_us: int
    error_us: int
    source: str
    change_no: int | None


@dataclass
class Corrections:
    """What was found and done so far. `lines`: whose times are moved."""

    lines: Lines
    changes: list[Change] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)

    def files(self) -> set[int]:
        """Files with lines whose times were moved."""
        return {each.file_id for each in self.moved if each.shift_us}


def correct_steps(con: duckdb.DuckDBPyConnection, files_with_steps: Iterable[int], done: Corrections) -> None:
    """Find where clocks were set and move the lines before. Temporary table `clock_file` says what each file is."""
    lines = change.rows(con, "set_lines")
    _apply(con, [(each, None) for each in change.reported(lines)], lines, done)
    readings = change.rows(con, "readings", least_us=LEAST_US)
    _apply(con, list(change.counted(readings)), lines, done)
    if files := sorted(files_with_steps):
        back = change.rows(con, "steps_back", files=files, sure_us=SURE_US, least_us=LEAST_US, own_us=OWN_US)
        done.changes += change.gone_back(back, done.changes)
    if lines:
        corrected, steady = change.rows(con, "set_lines"), change.rows(con, "steady")
        done.changes += change.unmeasured(corrected, done.changes, steady)


# --- moving ----------------------------------------------------------------------------------------------------------


def _apply(
    con: duckdb.DuckDBPyConnection,
    found: Sequence[tuple[Change, int | None]],
    set_lines: Sequence[Row],
    done: Corrections,
) -> None:
    """Move the lines before each change whose amount is known. With a change, the last line on its old clock."""
    by_place: dict[Place, list[tuple[Change, int | None]]] = defaultdict(list)
    for each, old_line in found:
        by_place[each.place].append((each, old_line))
    for place, of_place in by_place.items():
        measured = [each for each, _ in of_place if each.step_us is not None]
        lines = _lines(con, place, measured) if measured else pl.DataFrame()
        total = pl.Series(values=[0] * lines.height, dtype=pl.Int64)
        for each, old_line in sorted(of_place, key=lambda pair: (pair[0].new_us, pair[0].line_no)):
            change = each if old_line is None else _bounded(each, old_line, lines, set_lines)
            done.changes.append(change)
            if change.step_us is None:
                continue
            side = _sides(lines.with_columns(at_us=pl.col("at_us") + total), change, old_line)
            step = change.step_us
            shift = side.select(pl.when("is_old").then(step).otherwise(0)).to_series().cast(pl.Int64)
            doubt = (
                side.select(pl.when("is_open").then(abs(step)).otherwise(pl.when("is_old").then(change.error_us)))
                .to_series()
                .fill_null(0)
                .cast(pl.Int64)
            )
            done.moved += [
                Moved(*each, source=change.source, change_no=len(done.changes)) for each in _ranges(lines, shift, doubt)
            ]
            total = total + shift
        move(con, done.lines, [each[:4] for each in _ranges(lines, total, total * 0)])


def move(con: duckdb.DuckDBPyConnection, lines: Lines, ranges: Iterable[tuple[int, int, int, int]]) -> None:
    """Add microseconds to the times of ranges of lines (file, first, last, microseconds) that do not overlap."""
    shifts = [each for each in ranges if each[3]]
    if not shifts:
        return
    con.execute(MOVED_LINE)
    schema = {"file_id": pl.Int32(), "from_line": pl.Int32(), "to_line": pl.Int32(), "shift_us": pl.Int64()}
    store.insert(con, "moved_line", pl.DataFrame(shifts, schema=schema, orient="row"))
    lines.move()
    con.execute("drop table moved_line")


def _lines(con: duckdb.DuckDBPyConnection, place: Place, changes: Sequence[Change]) -> pl.DataFrame:
    """Lines of the files in which a node writes, near some changes: file_id, line_no, at_us, is_own; in file order."""
    files = con.execute(
        "select file_id from clock_file where configuration = $configuration "
        "and (run is null or $run is null or run = $run) and (lower(short_host(node)) is not distinct from $node "
        "or file_id in (select file_id from log.syslog_event where lower(short_host(host)) = $node))",
        {"configuration": place.configuration, "run": place.run, "node": place.node},
    ).fetchall()
    ids = [file_id for (file_id,) in files]
    spans = [(min(each.old_us, each.new_us) - LOADED_US, max(each.old_us, each.new_us) + LOADED_US) for each in changes]
    is_near = " or ".join(f'epoch_us("at") between {first} and {last}' for first, last in spans)
    dated = dated_lines('file_id, line_no, epoch_us("at") as at_us', f"list_contains($files, file_id) and ({is_near})")
    return store.frame_of(
        con.sql(
            f"select d.file_id, d.line_no, min(d.at_us) as at_us, "
            "coalesce(any_value(lower(short_host(e.host))), any_value(lower(short_host(f.node)))) "
            f"is not distinct from $node as is_own from ({dated}) as d "
            "inner join clock_file as f on d.file_id = f.file_id "
            "left join log.syslog_event as e on d.file_id = e.file_id and d.line_no = e.line_no and e.part = 1 "
            "group by d.file_id, d.line_no order by d.file_id, d.line_no",
            params={"files": ids, "node": place.node},
        )
    )


def _bounded(change: Change, old_line: int, lines: pl.DataFrame, set_lines: Sequence[Row]) -> Change:
    """A change between two lines that count seconds, brought nearer by the lines between them."""
    step = change.step_us
    if step is None:
        return change
    said = [
        row["line_no"]
        for row in set_lines
        if row["file_id"] == change.file_id
        and row["kind"] in {"set", "jumped"}
        and old_line < row["line_no"] <= change.line_no
    ]
    own = lines.filter(
        (pl.col("file_id") == change.file_id)
        & pl.col("is_own")
        & pl.col("line_no").is_between(old_line, change.line_no)
    )
    numbers, stamps = own["line_no"].to_list(), own["at_us"].to_list()
    pairs = range(len(numbers) - 1)
    if said:
        candidates = [each for each in pairs if numbers[each + 1] == min(said)]
    else:
        gaps = [stamps[each + 1] - stamps[each] for each in pairs]
        candidates = [each for each in pairs if gaps[each] >= step - change.error_us - SECOND]
        drops = [each for each in candidates if gaps[each] < 0]
        candidates = drops if step < 0 and len(drops) == 1 else candidates
    if not candidates:
        return change
    first, last = candidates[0], candidates[-1]
    return replace(change, line_no=numbers[last + 1], old_us=stamps[first], new_us=stamps[last + 1])


def _sides(lines: pl.DataFrame, change: Change, old_line: int | None) -> pl.DataFrame:
    """Which lines are on the old clock and to be moved (`is_old`), and of which that is open (`is_open`)."""
    step = change.step_us or 0
    at, line = pl.col("at_us"), pl.col("line_no")
    old_until = change.new_us - step + SECOND  # a stamp is cut
    new_from = change.new_us - change.idle_us
    if step > 0:
        is_separable = change.idle_us < step
        cut = new_from - min((step - change.idle_us) // 4, SECOND // 2) if is_separable else (old_until + new_from) // 2
        by_stamp = at < cut
        is_open = pl.lit(value=False) if is_separable else at.is_between(new_from, old_until)
    else:
        zone = at.is_between(new_from, old_until)
        falls = _falls(lines.filter(pl.col("is_own")), new_from, old_until)
        fall = pl.col("file_id").replace_strict(falls, default=None, return_dtype=pl.Int32)
        by_stamp = pl.when(zone & fall.is_not_null()).then(line < fall).otherwise(at < new_from)
        is_open = zone & fall.is_null()
    is_witness = pl.col("file_id") == change.file_id
    known_old = is_witness & (line < change.line_no if old_line is None else line <= old_line)
    known_new = is_witness & (line >= change.line_no)
    is_within = pl.col("is_own") & (at >= _reach(lines, change.new_us - step))
    # a line of the old clock has no stamp beyond that of the change
    is_old = pl.when(known_new).then(pl.lit(value=False)).when(known_old).then(at <= old_until).otherwise(by_stamp)
    sides = lines.with_columns(
        is_old=(is_old & is_within).fill_null(value=False),
        is_open=(is_open & is_within & ~known_old & ~known_new).fill_null(value=False),
    )
    return _with_near_lines(sides, step)


def _with_near_lines(sides: pl.DataFrame, step: int) -> pl.DataFrame:
    """Decide on lines that either clock may have stamped, where they stand far from all other lines on one of them."""
    placed = sides["at_us"] + step * sides["is_old"].cast(pl.Int64)
    sure = placed.filter(sides["is_own"] & ~sides["is_open"]).sort()
    if sure.is_empty() or not sides["is_open"].any():
        return sides
    moved, stayed = (distance(sides["at_us"] + each, sure) for each in (step, 0))
    compared = sides.with_columns(moved=moved, stayed=stayed).with_columns(
        is_clear=pl.col("is_open")
        & (pl.min_horizontal("moved", "stayed") <= NEAR_US)
        & (pl.max_horizontal("moved", "stayed") >= FAR_US)
    )
    return compared.with_columns(
        is_old=pl.when("is_clear").then(pl.col("moved") < pl.col("stayed")).otherwise("is_old"),
        is_open=pl.col("is_open") & ~pl.col("is_clear"),
    )


def distance(instants: pl.Series, sure: pl.Series) -> pl.Series:
    """How far each instant is from the nearest of some others, which are sorted."""
    after = sure.search_sorted(instants).clip(0, len(sure) - 1)
    before = pl.Series((each - 1 for each in after), dtype=pl.Int64).clip(0)
    to_after, to_before = (instants - sure.gather(after)).abs(), (instants - sure.gather(before)).abs()
    return pl.select(pl.min_horizontal(to_after, to_before)).to_series()


def _falls(lines: pl.DataFrame, new_from: int, old_until: int) -> dict[int, int]:
    """By file: the line at which its stamps fall back within the time that both clocks showed."""
    near = lines.filter(pl.col("at_us").is_between(new_from - HOUR, old_until + HOUR))
    fallen = near.with_columns(fall=pl.col("at_us").shift(1).over("file_id") - pl.col("at_us")).filter(
        (pl.col("fall") > 0) & pl.col("at_us").is_between(new_from, old_until)
    )
    deepest = fallen.sort("file_id", "fall", "line_no", descending=[False, True, False]).unique(
        "file_id", keep="first", maintain_order=True
    )
    return dict(deepest.select("file_id", "line_no").iter_rows())


def _reach(lines: pl.DataFrame, old_end: int) -> int:
    """From when on lines are moved: the end of the longest silence some hours before the change."""
    first, last = old_end - NEIGHBOURHOOD[0], old_end - NEIGHBOURHOOD[1]
    stamps = lines.filter(pl.col("is_own") & pl.col("at_us").is_between(first, last))["at_us"].sort().to_list()
    edges = [first, *stamps, last]
    longest = max(range(len(edges) - 1), key=lambda each: edges[each + 1] - edges[each])
    return int(edges[longest + 1])


def _ranges(lines: pl.DataFrame, shift: pl.Series, doubt: pl.Series) -> Iterator[tuple[int, int, int, int, int]]:
    """Lines with one shift and error that follow each other: file, first, last, shift, error; none without both."""
    if lines.is_empty():
        return
    compared = lines.select("file_id", "line_no", shift=shift, doubt=doubt)
    key = ("file_id", "shift", "doubt")
    runs = compared.with_columns(number=pl.struct(key).rle_id()).group_by("number", maintain_order=True)
    ranges = runs.agg(
        pl.col("file_id").first(),
        first=pl.col("line_no").first(),
        last=pl.col("line_no").last(),
        shift=pl.col("shift").first(),
        doubt=pl.col("doubt").first(),
    )
    moved = ranges.filter((pl.col("shift") != 0) | (pl.col("doubt") != 0))
    yield from moved.select("file_id", "first", "last", "shift", "doubt").iter_rows()


# --- writing ---------------------------------------------------------------------------------------------------------


def write(con: duckdb.DuckDBPyConnection, done: Corrections) -> None:
    """Fill `log.clock_change` and `log.clock_correction`."""
    changes = [
        (
            number,
            each.place.configuration,
            each.place.run,
            each.place.node,
            each.old_us,
            each.new_us,
            None if each.step_us is None else each.step_us / SECOND,
            each.error_us / SECOND,
            each.source,
            each.file_id,
            each.line_no,
        )
        for number, each in enumerate(done.changes, 1)
    ]
    corrections = [
        (
            each.change_no,
            each.file_id,
            each.from_line,
            each.to_line,
            each.shift_us / SECOND,
            each.error_us / SECOND,
            each.source,
        )
        for each in done.moved
    ]
    CLOCK_CHANGE.fill(con, changes)
    CLOCK_CORRECTION.fill(con, corrections)


def spans(con: duckdb.DuckDBPyConnection, files: Iterable[int]) -> Mapping[int, tuple[object, object]]:
    """Earliest and latest time of files."""
    ids = sorted(files)
    dated = dated_lines('file_id, "at"', 'list_contains($files, file_id) and "at" is not null')
    found = con.execute(
        f'select file_id, min("at"), max("at") from ({dated}) group by file_id', {"files": ids}
    ).fetchall()
    return {file_id: (first, last) for file_id, first, last in found}


def moved_files(db: Path) -> set[int]:
    """Files of a store with lines whose times were moved: their rows are not those that a parser and the clock give."""
    with store.opened(db) as con:
        return {file_id for (file_id,) in con.execute("select distinct file_id from log.clock_correction").fetchall()}


def line_counts(con: duckdb.DuckDBPyConnection, files: Iterable[int]) -> Mapping[int, int]:
    """How many lines of files have a time; a file without any is left out."""
    dated = dated_lines("file_id, line_no", 'list_contains($files, file_id) and "at" is not null')
    counted = f"select file_id, count(distinct line_no) from ({dated}) group by file_id"
    return dict(con.execute(counted, {"files": sorted(files)}).fetchall())
