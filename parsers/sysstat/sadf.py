"""sadf, which prints what sar collected for other programs: -d (semicolons), -p (a metric a line), -j (JSON).

Written by   sadf of sysstat; interval, host and zone are in every line, so nothing has to be guessed
One row      per time and device, per time and processor; other statistics are set aside
Time         UTC unless -t was given; seconds since 1970 with -U
"""

from dataclasses import dataclass

import polars as pl

from parsers.environment_fact import ENVIRONMENT_FACT
from parsers.first_look import marked
from parsers.format import KEY_SCHEMA, VERDICT_SCHEMA, Format, Parsed, Recognition, Refusal, Verdict
from parsers.sysstat.columns import LINUX
from parsers.sysstat.headers import CPU_WORDS
from parsers.sysstat.layout import Item
from parsers.sysstat.marks import typed_marks
from parsers.sysstat.rows import cpu_rows, device_rows, numbers
from parsers.sysstat.sysstat_json import MAX_SHAPES
from parsers.sysstat.sysstat_json import parse as parse_json
from parsers.sysstat.tables import IOSTAT_CPU, IOSTAT_DEVICE, IOSTAT_INVOCATION, IOSTAT_MARK, REPORTS

# REAL: # hostname;interval;timestamp;CPU;%user;%nice;%system;%iowait;%steal;%idle
HEADER_D = r"^#? ?hostname;interval;timestamp"
# REAL: dell-xps	5	2016-03-25 16:18:10 UTC	sda	tps	0.00
ROW_P = (
    r"^[^\t]+\t-?[0-9]+\t(?:[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(?: \S+)?"
    r"|[0-9]{9,10})\t[^\t]+\t[^\t]+\t[^\t]*$"
)
JSON = r'^\s*"(?:file-date|cpu-load|cpu-load-all)"\s*:|"disk-device"\s*:'
SIGNS = {
    "header of sadf -d": HEADER_D,
    "row of sadf -p": ROW_P,
    "statistics of sadf -j": JSON,
    "other": r"^<sysstat|^<svg ",
    "name": r"sysstat|CPU utilization",
}
RESTART = "LINUX-RESTART"
SECTION = "sadf"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for a header of -d, a row of -p, or the keys of -j."""
    seen = _looks.of(head)
    firsts = {words: _first(seen[words]) for words in SIGNS}
    other, is_named = firsts.pop("other"), firsts.pop("name") is not None
    for words, line_no in firsts.items():
        if line_no is not None:
            return Recognition(0.95, words, line_no)
    if other is not None and is_named:
        return Refusal("XML or SVG of sadf: export with sadf -d or -j", other)
    return Refusal("no header of sadf -d, no row of sadf -p, no JSON of sadf", max(len(head), 1))


def _first(has: pl.Series) -> int | None:
    """Number of the first line that has a pattern; None where none has it."""
    return (has.arg_max() or 0) + 1 if has.any() else None


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines into marks and rows, with a verdict for every line; a file is JSON or text as a whole."""
    is_json = pl.col("text").str.contains(r'^\s*[{}\[\]]|^\s*"').any().over("file_id")
    marked = lines.with_columns(is_json.alias("is_json"))
    json_lines, text_lines = (
        marked.filter(pl.col("is_json") == is_there).drop("is_json") for is_there in (True, False)
    )
    if not json_lines.height:
        return _parse_text(lines)
    if not text_lines.height:
        return parse_json(lines, "sadf")
    return _concat(parse_json(json_lines, "sadf"), _parse_text(text_lines))


def _concat(one: Parsed, other: Parsed) -> Parsed:
    """What was read of two sets of files, in the order of files and lines."""
    tables = {
        name: pl.concat([each.tables[name] for each in (one, other) if name in each.tables]).sort(*KEY_SCHEMA)
        for name in sorted(one.tables.keys() | other.tables.keys())
    }
    return Parsed(tables, pl.concat([one.lines, other.lines]).sort("file_id", "line_no"))


def _parse_text(lines: pl.DataFrame) -> Parsed:
    content = pl.col("text").str.strip_chars_start("\ufeff").str.strip_chars(" \r\n")
    frame = lines.with_row_index("row").with_columns(content=content)
    is_header = pl.col("content").str.contains(HEADER_D)
    head = pl.when(is_header).then("content").forward_fill().over("file_id")
    kind = (
        pl.when(pl.col("text").str.strip_chars() == "")
        .then(pl.lit("blank"))
        .when(is_header)
        .then(pl.lit("header"))
        .when(pl.col("content").str.contains(RESTART, literal=True))
        .then(pl.lit("restart"))
        .when(pl.col("content").str.contains(ROW_P))
        .then(pl.lit("metric"))
        .when(pl.col("content").str.contains(r"^[^;]+;-?[0-9]+;[^;]+;[^;]+;"))
        .then(pl.lit("row"))
        .otherwise(pl.lit("other"))
    )
    frame = frame.with_columns(head=head, kind=kind)
    wide = [_of_header(str(text), group) for (text,), group in _groups(frame.filter(kind="row"), "head")]
    narrow = _pivoted(frame.filter(kind="metric"))
    read = [each for each in [*wide, *narrow] if each is not None]
    return _as_parsed(frame, read)


def _groups(rows: pl.DataFrame, key: str) -> list[tuple[tuple[object, ...], pl.DataFrame]]:
    return list(rows.drop_nulls(key).group_by(key, maintain_order=True))


@dataclass(slots=True)
class _Read:
    """Rows of one kind: the table they belong to, their frame, the lines that belong to the row above them."""

    target: str
    rows: pl.DataFrame
    item: Item
    further: pl.Series | None = None


def _of_header(header: str, rows: pl.DataFrame) -> _Read | None:
    """Rows of sadf -d under one header, in columns."""
    names = header.lstrip("# ").split(";")
    name_at = 3
    if len(names) < 5 or names[name_at] not in {"CPU", "DEV"} or len(set(names)) != len(names):
        return None
    target = "cpu" if names[name_at] == "CPU" else "device"
    fitting = rows.filter(pl.col("content").str.count_matches(";", literal=True) == len(names) - 1)
    if fitting.is_empty():
        return None
    fields = fitting.get_column("content").str.split_exact(";", len(names) - 1).struct.unnest()
    fields = fields.rename({f"field_{at}": f"={name}" for at, name in enumerate(names)})
    return _read(target, fitting, fields, names[4:], f"={names[name_at]}")


def _read(target: str, lines: pl.DataFrame, fields: pl.DataFrame, printed: list[str], name: str) -> _Read:
    family = "cpu" if target == "cpu" else "linux"
    item = Item("cpu" if target == "cpu" else "device", tuple(range(len(printed))), tuple(printed), 0, family=family)
    tokens = fields.select(f"={each}" for each in printed)
    values = numbers(tokens, lines.get_column("content").str.replace_all(r"[;\t]", " "), item.meanings, family)
    base = lines.select("row", "file_id", "line_no")
    facts = fields.select(
        pl.col("=hostname").alias("host"),
        pl.col("=interval").cast(pl.Float64, strict=False).alias("interval_s"),
        pl.col("=timestamp").alias("time_text"),
        pl.col(name).alias("name"),
    )
    return _Read(target, pl.concat([base, facts, values], how="horizontal"), item)


def _pivoted(rows: pl.DataFrame) -> list[_Read]:
    """Metrics of sadf -p, a line each, joined to a row per time and device."""
    if rows.is_empty():
        return []
    fields = rows.get_column("content").str.split_exact("\t", 5).struct.unnest()
    fields.columns = ["=hostname", "=interval", "=timestamp", "name", "metric", "value"]
    long = pl.concat([rows.select("row", "file_id", "line_no", "content"), fields], how="horizontal")
    is_cpu = pl.col("metric").is_in(sorted(CPU_WORDS | {"%gnice"}))
    long = long.with_columns(
        target=pl.when(is_cpu).then(pl.lit("cpu")).when(pl.col("metric").is_in(sorted(LINUX))).then(pl.lit("device"))
    ).drop_nulls("target")
    keys = ["file_id", "=hostname", "=timestamp", "name", "target"]
    new = pl.any_horizontal(pl.col(key).ne_missing(pl.col(key).shift(1)) for key in keys)
    long = long.with_columns(new=new).with_columns(group=pl.col("new").cum_sum())
    # a release has its own names for what another one prints as well: each set of metrics is read by itself
    sets = long.group_by("group", maintain_order=True).agg(pl.col("metric").str.join("\t")).get_column("metric")
    shaped = long.with_columns(shape=sets.rank("dense").gather(long.get_column("group") - 1))
    read_shapes = shaped.select("file_id", "shape").unique(maintain_order=True).group_by("file_id", maintain_order=True)
    shaped = shaped.join(read_shapes.head(MAX_SHAPES), on=["file_id", "shape"], how="semi", maintain_order="left")
    found = []
    for (target, _), group in shaped.group_by("target", "shape", maintain_order=True):
        metrics = group.get_column("metric").unique(maintain_order=True).to_list()
        values = group.group_by("group", maintain_order=True).agg(
            pl.col("row", "file_id", "line_no", "content", "=hostname", "=interval", "=timestamp").first(),
            pl.col("name").first().alias("=name"),
            *(pl.col("value").filter(pl.col("metric") == name).first().alias(f"={name}") for name in metrics),
        )
        read = _read(str(target), values, values, metrics, "=name")
        read.further = group.filter(~pl.col("new")).get_column("row")
        found.append(read)
    return found


def _as_parsed(frame: pl.DataFrame, read: list[_Read]) -> Parsed:
    tables: dict[str, list[pl.DataFrame]] = {}
    marks: list[pl.DataFrame] = []
    hosts: list[pl.DataFrame] = []
    verdict = pl.repeat(0, frame.height, dtype=pl.UInt8, eager=True)
    reason = pl.repeat(None, frame.height, dtype=pl.String, eager=True)
    for each in read:
        is_good = pl.col("bad").is_null() & pl.col("time_text").is_not_null()
        good, bad = each.rows.filter(is_good), each.rows.filter(~is_good)
        verdict = verdict.scatter(good.get_column("row"), Verdict.PARSED)
        verdict = verdict.scatter(bad.get_column("row"), Verdict.REJECTED)
        reason = reason.scatter(bad.get_column("row"), "a value is not a number")
        if each.further is not None:
            verdict = verdict.scatter(each.further, Verdict.CONTINUATION)
        if good.is_empty():
            continue
        is_new = pl.any_horizontal(
            pl.col(key).ne_missing(pl.col(key).shift(1)) for key in ("file_id", "time_text", "host")
        )
        good = good.with_columns(own=pl.when(is_new).then("line_no")).with_columns(
            mark_line=pl.col("own").forward_fill(), part=pl.lit(1), extra_flags=pl.lit(None, pl.String)
        )
        marks.append(_marks(good.filter(pl.col("own").is_not_null()), each.target))
        hosts.append(good.unique(["file_id", "host"], maintain_order=True).select("file_id", "line_no", "host"))
        if each.target == "cpu":
            cpu = (
                pl.when(pl.col("name").is_in(["-1", "all"]))
                .then(pl.lit("all"))
                .otherwise(pl.col("name").str.strip_prefix("cpu"))
            )
            tables.setdefault("iostat_cpu", []).append(cpu_rows(good.with_columns(cpu=cpu), each.item, "sadf"))
        else:
            named = good.with_columns(device_raw="name")
            tables.setdefault("iostat_device", []).append(device_rows(named, each.item, (), pl.lit(False)))
    filled = {name: pl.concat(frames) for name, frames in tables.items()}
    if marks:
        filled["iostat_mark"] = typed_marks(pl.concat(marks))
        filled["iostat_invocation"] = _invocations(pl.concat(hosts))
    key = ["file_id", "line_no", "part"]
    return Parsed({name: rows.sort(key) for name, rows in filled.items()}, _verdicts(frame, verdict, reason))


def _marks(rows: pl.DataFrame, target: str) -> pl.DataFrame:
    return rows.select(
        "file_id",
        "line_no",
        pl.lit(f"{SECTION} {target}").alias("section"),
        pl.lit("row").alias("kind"),
        "time_text",
        pl.lit("printed").alias("time_source"),
        pl.when(pl.col("interval_s") > 0).then("interval_s").alias("interval_s"),
        pl.when(pl.col("interval_s") > 0).then(pl.lit("printed")).alias("interval_source"),
    )


def _invocations(hosts: pl.DataFrame) -> pl.DataFrame:
    """The first row of each host stands for its collection."""
    firsts = hosts.sort("file_id", "line_no").unique(["file_id", "host"], keep="first", maintain_order=True)
    schema = IOSTAT_INVOCATION.schema
    held = firsts.with_columns(part=pl.lit(1))
    return held.select(
        (pl.col(name) if name in held.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in schema.items()
    ).unique(["file_id", "line_no"], keep="first", maintain_order=True)


def _verdicts(frame: pl.DataFrame, verdict: pl.Series, reason: pl.Series) -> pl.DataFrame:
    kind = pl.col("kind")
    is_open = pl.col("verdict") == 0
    said = frame.with_columns(verdict.alias("verdict"), reason.alias("reason"))
    is_cut = kind.is_in(["row"]) & is_open & pl.col("head").is_not_null() & pl.col("head").str.contains(";(?:CPU|DEV);")
    resolved = (
        pl.when(~is_open)
        .then("verdict")
        .when(kind == "blank")
        .then(Verdict.BLANK)
        .when(is_cut | (kind == "other"))
        .then(Verdict.REJECTED)
        .otherwise(Verdict.IGNORED)
    )
    words = (
        pl.when(~is_open)
        .then("reason")
        .when(kind == "header")
        .then(pl.lit("header of a table"))
        .when(kind == "restart")
        .then(pl.lit("restart of the system"))
        .when(is_cut)
        .then(pl.lit("fewer or more values than the header has"))
        .when(kind == "other")
        .then(pl.lit("neither a row nor a header of sadf"))
        .when(kind != "blank")
        .then(pl.lit("statistics that are not read"))
    )
    return said.select("file_id", "line_no", resolved.cast(pl.UInt8).alias("verdict"), words.alias("reason")).cast(
        pl.Schema(VERDICT_SCHEMA)
    )


_looks = marked(**{words: pl.col("text").str.contains(pattern) for words, pattern in SIGNS.items()})

FORMAT = Format(
    name="sadf",
    title="sadf",
    tables=(IOSTAT_INVOCATION, IOSTAT_MARK, IOSTAT_DEVICE, IOSTAT_CPU, ENVIRONMENT_FACT),
    recognise=recognise,
    parse=parse,
    file_names=("*sadf*",),
    role="measurement",
    reports=REPORTS,
    look=_looks.look,
    needs=r"hostname;interval;timestamp|\t|file-date|cpu-load|disk-device|<sysstat|<svg",
)
