"""Reports of iostat, vmstat, sar and mpstat, in text, of any system: lines in, rows of the tables out.

Written by   the tools themselves, on Linux (sysstat, procps), Solaris, AIX, HP-UX, the BSDs and macOS
One row      per report and device, per report and processor, per report of vmstat
Time         none, or a line before the report in the writer's locale; `pipeline/reading/report_clock.py` resolves it
Odd          Values overflow their columns, so a row is split at its blanks and recognised by the number of its values.
             A file may hold the output of several tools one after another: what a row is, its header says.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl

from parsers.format import VERDICT_SCHEMA, Parsed, Verdict
from parsers.sysstat.environment import environment_facts
from parsers.sysstat.layout import Header, Item, Layout
from parsers.sysstat.lines import AVERAGE, COMMAND, Role, classify_lines
from parsers.sysstat.marks import header_marks, marks_of_times, typed_marks
from parsers.sysstat.rows import coded, composed_for_aix, cpu_rows, device_rows, merged_devices, numbers, vmstat_rows
from parsers.sysstat.split import BLANKS, fields, fields_with_numbers, single_blanks, width
from parsers.sysstat.tables import IOSTAT_INVOCATION

GLUED = r"(\.[0-9]{2})([0-9])"
ROW_COLUMNS = ("row", "file_id", "line_no", "content", "indent", "header", "head_row", "mark_line", "stanza")
BASE = ("row", "file_id", "line_no", "mark_line", "extra_flags", "indent", "head_row", "stanza")
CLOCK_OF_ROW = (
    r"^((?:[0-9]{4}-[0-9][0-9]-[0-9][0-9][ \t]+)?[0-9]{1,2}:[0-9][0-9]:[0-9][0-9](?:[ \t]+[AaPp][Mm])?)(?:[ \t]|$)"
)
BEGINS_WITH_NUMBER = r"^[-+]?[0-9.,]+[kKMGTPSH%]?(?:[ \t]|$)"
NO_HEADER = "no header of a table is above"


@dataclass(slots=True)
class _Found:
    """What was read so far: frames per table, and verdicts with reasons by row of the chunk."""

    tables: dict[str, list[pl.DataFrame]] = field(default_factory=dict)
    marks: list[pl.DataFrame] = field(default_factory=list)
    verdicts: list[pl.DataFrame] = field(default_factory=list)

    def add(self, name: str, rows: pl.DataFrame) -> None:
        if rows.height:
            self.tables.setdefault(name, []).append(rows)

    def classify(self, rows: pl.DataFrame, verdict: Verdict, reason: pl.Expr | str | None = None) -> None:
        if rows.height:
            text = reason if isinstance(reason, pl.Expr) else pl.lit(reason, pl.String)
            self.verdicts.append(
                rows.select("row", pl.lit(verdict, pl.UInt8).alias("verdict"), text.cast(pl.String).alias("reason"))
            )


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines into marks and rows, with a verdict for every line."""
    classified = classify_lines(lines)
    frame, heads = header_marks(classified)
    found = _Found()
    _classify_others(frame, found)
    found.marks.append(heads)
    found.marks.append(marks_of_times(frame))
    invocations = _invocations(frame)
    found.add("iostat_invocation", invocations)
    found.add("environment_fact", environment_facts(invocations))
    rows = frame.filter(pl.col("role") == Role.ROW).select(*ROW_COLUMNS)
    found.classify(rows.filter(pl.col("head_row") < 0), Verdict.REJECTED, NO_HEADER)
    ends = _ends_of_reports(frame)
    elided = frame.filter(role=Role.ELISION).get_column("head_row").unique()
    for number, header in enumerate(classified.headers):
        under = rows.filter((pl.col("header") == number) & (pl.col("head_row") >= 0))
        if under.height:
            _read_table(under, header, elided, ends, found)
    return _as_parsed(lines, frame, found)


# --- lines that are no rows ------------------------------------------------------------------------------------------


def _classify_others(frame: pl.DataFrame, found: _Found) -> None:
    role = pl.col("role")
    frame = frame.filter(role != Role.ROW).select("row", "role", "note", "is_mark")
    found.classify(frame.filter(role == Role.BLANK), Verdict.BLANK)
    found.classify(frame.filter(role.is_in([Role.TIME, Role.INVOCATION, Role.RESTART])), Verdict.PARSED)
    found.classify(frame.filter(role == Role.HEADER_REST), Verdict.CONTINUATION)
    found.classify(frame.filter(role == Role.ELISION), Verdict.IGNORED, "elision mark")
    found.classify(frame.filter(role == Role.ORNAMENT), Verdict.IGNORED, pl.col("note"))
    is_mark = pl.col("is_mark")
    headers = frame.filter(role == Role.HEADER)
    found.classify(headers.filter(is_mark), Verdict.PARSED)
    found.classify(headers.filter(~is_mark), Verdict.IGNORED, "header of a table")


OWN_LINE_FIELDS = (
    r"^(?P<sysname>\S+) +(?P<release>\S+)(?:\s+\((?P<host>.*?)\)(?:\s|$))?"  # Linux 2.4.21 (spork2)
    r"(?:.*?(?P<date_text>[0-9]{1,4}[./年-][0-9]{1,2}[./月-][0-9]{1,4}日?))?(?:\s+_(?P<arch>[^_\s]\S*)_(?:\s|$))?"
    r"(?:.*?\((?P<cpus>[0-9]{1,6}) CPU\))?"
)
# AIX tacora1 2 7 00F93CFF4C00    04/20/20; HP-UX lasv B.11.31 U ia64    03/21/18; SunOS sun1 5.10 Generic sun4u
UNIX_LINE_FIELDS = (
    r"^(?P<sysname>AIX|HP-UX|SunOS) +(?P<host>\S+) +(?P<release>\S+(?: [0-9]+)?)(?: \S+)*?"
    r"(?: (?P<arch>ia64|9000/[0-9]+|sun4\w|i86pc))?"
    r"(?:\s+(?P<date_text>[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}))?$"
)


def _invocations(frame: pl.DataFrame) -> pl.DataFrame:
    lines = frame.filter(role=Role.INVOCATION)
    content = pl.col("content")
    names = ("sysname", "release", "host", "arch", "cpus", "date_text")
    is_command = content.str.contains(COMMAND)
    is_unix = content.str.contains(r"^(?:AIX|HP-UX|SunOS) ")
    linux = content.str.extract_groups(OWN_LINE_FIELDS).struct.field
    unix = content.str.extract_groups(UNIX_LINE_FIELDS).struct.field
    fields = {
        name: pl.when(~is_command).then(
            (pl.when(is_unix).then(unix(name)).otherwise(linux(name))) if name != "cpus" else linux(name)
        )
        for name in names
    }
    read = lines.with_columns(**fields, command=content.str.extract(COMMAND, 1), part=pl.lit(1))
    host = pl.col("host").str.strip_chars("() ")
    read = read.with_columns(host=pl.when((host != "") & (host != "none")).then(host))
    return read.select(pl.col(name).cast(dtype, strict=False) for name, dtype in IOSTAT_INVOCATION.schema.items())


def _ends_of_reports(frame: pl.DataFrame) -> pl.Series:
    """Rows of the lines that stand last in their file, or last before a line that begins something new."""
    written = frame.select("row", "role", "file_id").filter(pl.col("role") != Role.BLANK)
    is_new = pl.col("role").shift(-1).is_in([Role.TIME, Role.HEADER, Role.INVOCATION, Role.RESTART])
    is_last = (pl.col("file_id").shift(-1) != pl.col("file_id")).fill_null(value=True)
    return written.filter(is_new.fill_null(value=True) | is_last).get_column("row")


# --- rows ------------------------------------------------------------------------------------------------------------


def _read_table(rows: pl.DataFrame, header: Header, elided: pl.Series, ends: pl.Series, found: _Found) -> None:
    """Read all rows under one kind of header."""
    if header.ignored is not None:
        found.classify(rows, Verdict.IGNORED, header.ignored)
        return
    if header.separator is not None:
        rows = rows.with_columns(pl.col("content").str.replace_all(header.separator, " ", literal=True))
    rows = _by_clock(rows, found) if header.rows == "clock" else rows.with_columns(clock=pl.lit(None, pl.String))
    only = header.layouts[0]
    printed = (
        fields_with_numbers(rows.get_column("content"), only.texts, only.width) if len(header.layouts) == 1 else None
    )
    if printed is not None:
        broken = rows.get_column("head_row").clear()
        rows = rows.with_columns(width=pl.lit(only.width))
        values = {only.width: _values(rows, only, found, printed)}
    else:
        rows, broken = _fitting(rows, header, ends, found)
        values = {each.width: _values(_of_width(rows, each.width), each, found) for each in header.layouts}
    good = pl.concat([rows for rows, _ in values.values()])
    if good.is_empty():
        return
    good = good.sort("row") if len(values) > 1 else good
    marked = _with_doubts(_with_marks(good, header, found), elided, broken)
    for each, (_, items) in values.items():
        base = _of_width(marked, each).select(*BASE)
        for item, frame in items:
            _add(pl.concat([base, frame], how="horizontal"), header, item, found)


def _fitting(rows: pl.DataFrame, header: Header, ends: pl.Series, found: _Found) -> tuple[pl.DataFrame, pl.Series]:
    """The rows that hold as many values as the header allows, with their `width`, and the headers of broken tables."""
    widths = [layout.width for layout in header.layouts]
    rows = rows.with_columns(single_blanks(rows.get_column("content"))).with_columns(width=width())
    is_fitting = rows.get_column("width").is_in(widths)
    if not is_fitting.all():
        rows = _mended(rows, header, found)
        is_fitting = rows.get_column("width").is_in(widths)
    misfits = rows.filter(~is_fitting)
    _classify_misfits(misfits, max(widths), ends, found)
    broken = misfits.filter(pl.col("row").is_in(ends.implode())).get_column("head_row")
    return rows.filter(is_fitting), broken


def _with_doubts(rows: pl.DataFrame, elided: pl.Series, broken: pl.Series) -> pl.DataFrame:
    """What is doubtful about the tables that the rows are of."""
    doubts = {"elided": elided, "truncated": broken}
    classified = [
        pl.when(pl.col("head_row").is_in(heads.implode())).then(pl.lit(name))
        for name, heads in doubts.items()
        if len(heads)
    ]
    interleaved = pl.when("is_interleaved").then(pl.lit("interleaved"))
    extra = pl.concat_str([*classified, interleaved], separator=", ", ignore_nulls=True)
    return rows.with_columns(pl.when(extra != "").then(extra).alias("extra_flags"))


def _of_width(rows: pl.DataFrame, count: int) -> pl.DataFrame:
    is_wanted = rows.get_column("width") == count
    return rows if is_wanted.all() else rows.filter(is_wanted)


def _by_clock(rows: pl.DataFrame, found: _Found) -> pl.DataFrame:
    """Rows of sar: a new time is a new report; a row without one belongs to the time above, or to the averages."""
    content = pl.col("content")
    clock = pl.coalesce(
        content.str.extract(CLOCK_OF_ROW).str.replace_all(BLANKS, " "),
        pl.when(content.str.contains(AVERAGE)).then(pl.lit("average")),
    )
    rows = rows.with_columns(clock=clock).with_columns(
        clock=pl.when(pl.col("head_row") == pl.col("head_row").shift(1))
        .then("clock")
        .otherwise(pl.coalesce("clock", pl.lit("none")))
        .forward_fill()
    )
    found.classify(rows.filter(clock="average"), Verdict.IGNORED, "averages over the section")
    found.classify(rows.filter(clock="none"), Verdict.REJECTED, "row without a time")
    return rows.filter(~pl.col("clock").is_in(["average", "none"]))


def _mended(rows: pl.DataFrame, header: Header, found: _Found) -> pl.DataFrame:
    """Join rows that were wrapped, and part numbers that ran together."""
    widths = [layout.width for layout in header.layouts]
    parted = pl.col("content").str.replace_all(GLUED, "$1 $2")
    parted_width = parted.str.count_matches(" ", literal=True) + 1
    is_parted = ~pl.col("width").is_in(widths) & parted_width.is_in(widths)
    rows = rows.with_columns(
        content=pl.when(is_parted).then(parted).otherwise("content"),
        width=pl.when(is_parted).then(parted_width).otherwise("width"),
    )
    name_first = any(item.name_at == 0 for layout in header.layouts for item in layout.items)
    if header.rows == "of_report" and name_first and not rows.get_column("width").is_in(widths).all():
        rows = _joined(rows, widths, found)
    return rows


def _joined(rows: pl.DataFrame, widths: Sequence[int], found: _Found) -> pl.DataFrame:
    """Join lines up to the next that begins with a name, where they have as many values as the header together."""
    is_new = ~pl.col("content").str.contains(BEGINS_WITH_NUMBER) | (pl.col("head_row") != pl.col("head_row").shift(1))
    rows = rows.with_columns(is_new=is_new.fill_null(value=True)).with_columns(start=pl.col("is_new").cum_sum())
    groups = rows.group_by("start", maintain_order=True).agg(
        pl.col("content").str.join(" ").alias("joined"), pl.col("width").sum().alias("total"), pl.len().alias("pieces")
    )
    rows = rows.join(groups, on="start", how="left", maintain_order="left")
    is_whole = (pl.col("pieces") > 1) & pl.col("total").is_in(widths) & ~pl.col("width").is_in(widths)
    found.classify(rows.filter(is_whole & ~pl.col("is_new")), Verdict.CONTINUATION)
    return rows.filter(~is_whole | pl.col("is_new")).with_columns(
        content=pl.when(is_whole).then("joined").otherwise("content"),
        width=pl.when(is_whole).then("total").otherwise("width"),
    )


def _classify_misfits(rows: pl.DataFrame, width: int, ends: pl.Series, found: _Found) -> None:
    is_glued = (pl.col("width") < width) & pl.col("content").str.contains(r"\.[0-9]+\.")
    is_cut = pl.col("row").is_in(ends.implode()) & (pl.col("width") < width) & ~is_glued
    found.classify(rows.filter(is_cut), Verdict.REJECTED, "row cut at the end of its report")
    reason = (
        pl.when(is_glued)
        .then(pl.lit("numbers run together"))
        .otherwise(pl.format(f"expected {width} values as in the header above, found {{}}", "width"))
    )
    found.classify(rows.filter(~is_cut), Verdict.REJECTED, reason)


def _with_marks(rows: pl.DataFrame, header: Header, found: _Found) -> pl.DataFrame:
    """Give each row its mark: the header, or a row that begins a report of its own."""
    rows = rows.with_columns(is_interleaved=pl.lit(False))
    if header.rows == "report":
        found.marks.append(_row_marks(rows, header, "row", None))
        return rows.with_columns(mark_line=pl.col("line_no"))
    if header.rows == "clock":
        is_new = (pl.col("head_row") != pl.col("head_row").shift(1)) | (pl.col("clock") != pl.col("clock").shift(1))
        return _own_marks(rows, header, is_new.fill_null(value=True), "row", found)
    if header.kind == "cpu":
        is_further = (pl.col("head_row") == pl.col("head_row").shift(1)).fill_null(value=False)
        return _own_marks(rows, header, is_further, "row", found)
    if header.is_part or not _has_repeats(rows):
        return rows
    turn = pl.col("device_name").cum_count().over("head_row", "device_name")
    latest = turn.cum_max().over("head_row")
    is_new = (turn > latest.shift(1).over("head_row")).fill_null(value=False)
    rows = rows.with_columns(is_new=is_new).with_columns(is_interleaved=pl.col("is_new").any().over("head_row"))
    return _own_marks(rows, header, pl.col("is_new"), "repeat", found)


def _own_marks(rows: pl.DataFrame, header: Header, is_new: pl.Expr, kind: str, found: _Found) -> pl.DataFrame:
    """Rows that begin a report of their own become marks, for themselves and for the rows up to the next."""
    rows = rows.with_columns(own_line=pl.when(is_new).then("line_no"))
    found.marks.append(_row_marks(rows.filter(pl.col("own_line").is_not_null()), header, kind, "clock"))
    within = pl.col("own_line").forward_fill().over("head_row")
    return rows.with_columns(mark_line=pl.coalesce(within, "mark_line"))


def _row_marks(rows: pl.DataFrame, header: Header, kind: str, time: str | None) -> pl.DataFrame:
    printed = pl.col("own_clock") + pl.lit(f" {header.zone}") if header.zone else pl.col("own_clock")
    time_text = pl.col("clock") if time else printed
    return rows.select(
        "file_id",
        "line_no",
        pl.lit(header.section).alias("section"),
        pl.lit(kind).alias("kind"),
        time_text.alias("time_text"),
        pl.lit("printed").alias("time_source"),
    )


# --- values ----------------------------------------------------------------------------------------------------------


def _values(
    rows: pl.DataFrame, layout: Layout, found: _Found, read: pl.DataFrame | None = None
) -> tuple[pl.DataFrame, list[tuple[Item, pl.DataFrame]]]:
    """The rows of one layout whose values are numbers, and beside them the values of each item.

    `read`: the fields of the rows, where they are numbers already.
    """
    printed = fields(rows.get_column("content"), layout.width) if read is None else read
    parts: Counter[str] = Counter()
    refused: pl.Series = pl.repeat(None, rows.height, dtype=pl.String, eager=True)
    items: list[tuple[Item, pl.DataFrame]] = []
    for item in layout.items:
        tokens = printed.select(
            pl.col(f"field_{at}").alias(f"={name}") for at, name in zip(item.at, item.printed, strict=True)
        )
        read = numbers(tokens, rows.get_column("content"), item.meanings, item.family)
        refused = pl.select(pl.coalesce(refused, read.get_column("bad"))).to_series()
        name = pl.lit(item.name, pl.String) if item.name_at is None else printed.get_column(f"field_{item.name_at}")
        parts[item.target] += 1
        items.append((item, read.with_columns(printed_name=name, part=pl.lit(parts[item.target], pl.Int16))))
    found.classify(
        rows.with_columns(refused.alias("bad")).filter(pl.col("bad").is_not_null()),
        Verdict.REJECTED,
        pl.format("`{}` is not a number", pl.col("bad").str.head(40)),
    )
    rows = rows.with_columns(_device_name(printed, layout), _own_clock(printed, layout))
    is_good = refused.is_null()
    if not is_good.all():
        rows, items = rows.filter(is_good), [(item, read.filter(is_good)) for item, read in items]
    found.classify(rows, Verdict.PARSED)
    return rows, items


def _device_name(printed: pl.DataFrame, layout: Layout) -> pl.Series:
    """`device_name`: the device that a row is about, where it prints one."""
    at = next((item.name_at for item in layout.items if item.target == "device"), None)
    if at is None:
        return pl.repeat(None, printed.height, dtype=pl.String, eager=True).alias("device_name")
    return printed.get_column(f"field_{at}").alias("device_name")


def _own_clock(printed: pl.DataFrame, layout: Layout) -> pl.Series:
    """`own_clock`: the time that a row prints."""
    if layout.clock_at is None:
        return pl.repeat(None, printed.height, dtype=pl.String, eager=True).alias("own_clock")
    parts = [f"field_{at}" for at in range(layout.clock_at, layout.clock_at + layout.clock_width)]
    return printed.select(pl.concat_str(parts, separator=" ").alias("own_clock")).to_series()


def _has_repeats(rows: pl.DataFrame) -> bool:
    """Whether a device comes twice below one header."""
    codes, names = coded(rows.get_column("device_name"))
    places = (rows.get_column("head_row") * names.len() + codes).drop_nulls()
    return places.n_unique() < places.len()


def _add(frame: pl.DataFrame, header: Header, item: Item, found: _Found) -> None:
    if item.target == "vmstat":
        found.add("vmstat", vmstat_rows(frame, item))
        return
    if item.target == "cpu":
        found.add(
            "iostat_cpu", cpu_rows(frame.with_columns(cpu=pl.col("printed_name").fill_null("all")), item, header.tool)
        )
        return
    frame = frame.with_columns(device_raw=pl.coalesce("printed_name", "stanza")).filter(
        pl.col("device_raw").is_not_null()
    )
    least = pl.col("indent").min().over("head_row")
    is_group = pl.lit(header.flavour == "linux" and item.name_at == 0) & (pl.col("indent") == 1) & (least == 0)
    rows = device_rows(frame, item, tuple(_header_flags(header, item)), is_group)
    found.add("part_of_device" if header.is_part else "iostat_device", rows)


def _header_flags(header: Header, item: Item) -> Iterator[str]:
    if header.kind == "nfs":
        yield "nfs"
    if header.of_averages:
        yield "average"
    printed: Sequence[str] = item.printed
    if "await" in printed and "areq-sz" in printed and "rqm/s" in printed:
        yield "await_includes_discard"


# --- result ----------------------------------------------------------------------------------------------------------


def _as_parsed(lines: pl.DataFrame, frame: pl.DataFrame, found: _Found) -> Parsed:
    tables = {name: pl.concat(frames, how="diagonal") for name, frames in found.tables.items()}
    parts = tables.pop("part_of_device", None)
    devices = [tables.pop("iostat_device")] if "iostat_device" in tables else []
    if parts is not None:
        devices.append(merged_devices(parts))
    if devices:
        tables["iostat_device"] = composed_for_aix(pl.concat(devices, how="diagonal"))
    tables["iostat_mark"] = typed_marks(pl.concat(found.marks, how="diagonal_relaxed"))
    key = ["file_id", "line_no", "part"]
    in_order = {name for name, frames in found.tables.items() if len(frames) == 1}  # one frame is in the lines' order
    in_order -= {"iostat_device"} if parts is not None else set()
    filled = {name: rows if name in in_order else rows.sort(key) for name, rows in tables.items() if rows.height}
    return Parsed(filled, _verdicts(lines, frame, parts, tables, found))


def _verdicts(
    lines: pl.DataFrame,
    frame: pl.DataFrame,
    parts: pl.DataFrame | None,
    tables: dict[str, pl.DataFrame],
    found: _Found,
) -> pl.DataFrame:
    classified = (
        pl.concat(found.verdicts)
        if found.verdicts
        else pl.DataFrame(schema={"row": pl.UInt32(), "verdict": pl.UInt8(), "reason": pl.String()})
    )
    classified = classified.sort("row")
    verdict, reason = classified.get_column("verdict"), classified.get_column("reason")
    if parts is not None:
        kept = tables["iostat_device"].select("file_id", "line_no", pl.lit(True).alias("is_kept"))
        merged = parts.select("file_id", "line_no").join(kept, on=["file_id", "line_no"], how="anti")
        rows = frame.select("row", "file_id", "line_no").join(merged.unique(), on=["file_id", "line_no"], how="semi")
        verdict = verdict.scatter(rows.get_column("row"), Verdict.CONTINUATION)
    said = lines.select("file_id", "line_no").with_columns(verdict.alias("verdict"), reason.alias("reason"))
    return said.cast(pl.Schema(VERDICT_SCHEMA))
