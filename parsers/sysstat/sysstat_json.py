"""JSON of sysstat, line by line: `iostat -o JSON`, `sadf -j`, `mpstat -o JSON`.

Written by   sysstat 11.5.1 on, one object a line; or rewritten by a tool that puts every key on its own line
One row      per object of a device or a processor, at the line where it begins
Time         `timestamp`: the writer's locale (iostat), or date, time and utc apart (sadf)
Odd          A file that was cut ends anywhere: objects are read one by one, so that only the cut one is lost.
             12.1.2 to 12.2.0 print throughput in blocks of 512 bytes under the names of kB and MB.
"""

import re
from collections.abc import Sequence

import polars as pl

from parsers.format import VERDICT_SCHEMA, Parsed, Verdict
from parsers.sysstat.columns import LINUX
from parsers.sysstat.environment import environment_facts
from parsers.sysstat.layout import Item
from parsers.sysstat.marks import typed_marks
from parsers.sysstat.rows import cpu_rows, device_rows
from parsers.sysstat.tables import IOSTAT_INVOCATION

NAME_KEYS = ("disk_device", "disk-device", "partition", "group", "cpu")
_NUMBER = r"-?(?:0|[1-9][0-9]{0,29})(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?"  # what JSON allows and a float can hold
_TEXT = r'"[^"\\\x00-\x1f]*"'
_PAIR = rf'"[^"\\\x00-\x1f]+"[ \t]*:[ \t]*(?:{_TEXT}|{_NUMBER}|null)'
OBJECT = rf"\{{[ \t]*{_PAIR}(?:[ \t]*,[ \t]*{_PAIR})*[ \t]*\}}"  # no other blanks: JSON has none
WHOLE = rf"^{OBJECT}$"
KEY_VALUE = rf"^{_PAIR},?$"
INLINE = r'^(?:"(?P<key>[^"]+)"\s*:\s*)?(?P<object>\{.*\}),?$'
OPENS = r'^(?:"(?P<key>[^"]+)"\s*:\s*)?\{$'
STRUCTURE = r'^[\[\]{},\s]*(?:"[^"]+"\s*:\s*)?[\[\]{},\s]*$|^\{"sysstat": \{$'
MAX_SHAPES = 200
"""Sets of keys that are read of one file."""

HEAD_KEYS = {
    "nodename": "host",
    "sysname": "sysname",
    "release": "release",
    "machine": "arch",
    "number-of-cpus": "cpus",
    "date": "date_text",
    "file-date": "date_text",
}
BUG_FACTORS = {"kB": 2.0, "MB": 2048.0}
"""By how much throughput is too large where it was printed in blocks."""

BUG_TOLERANCE = 0.02


def parse(lines: pl.DataFrame, tool: str) -> Parsed:
    """Turn numbered lines into marks and rows, with a verdict for every line. `tool`: iostat or sadf."""
    frame = _objects(lines)
    section = "iostat" if tool == "iostat" else "sadf"
    marks, frame = _marks(frame, section)
    invocations = _invocations(frame)
    tables = {
        "iostat_mark": typed_marks(marks),
        "iostat_invocation": invocations,
        "environment_fact": environment_facts(invocations),
    }
    whole = frame.filter(pl.col("is_start") & pl.col("is_whole"))
    refused: list[pl.DataFrame] = []
    read: dict[str, list[pl.DataFrame]] = {"iostat_device": [], "iostat_cpu": []}
    shapes = whole.select("file_id", "shape").unique(maintain_order=True).group_by("file_id", maintain_order=True)
    whole = whole.join(shapes.head(MAX_SHAPES), on=["file_id", "shape"], how="semi", maintain_order="left")
    is_average = (pl.col("key") == "avg-cpu").fill_null(value=False)
    for (shape, average), group in whole.group_by("shape", is_average.alias("is_average"), maintain_order=True):
        keys = tuple(str(shape).split("\t"))
        target = _target(keys, is_average=bool(average))
        if target is None or len(set(map(printed_name, keys))) != len(keys):
            continue
        plain = group.filter(~pl.col("object").str.replace(_named_text(keys), "").str.contains(r':[ \t]*"'))
        rows = _rows(plain, keys, target, tool)
        refused.append(plain.select("row"))
        read[f"iostat_{target}"].append(rows)
    done = pl.concat(refused).get_column("row") if refused else pl.Series(dtype=pl.UInt32())
    devices = [each for each in read["iostat_device"] if each.height]
    if devices:
        tables["iostat_device"] = pl.concat(devices)
    cpus = [each for each in read["iostat_cpu"] if each.height]
    if cpus:
        tables["iostat_cpu"] = pl.concat(cpus)
    key = ["file_id", "line_no", "part"]
    filled = {name: rows.sort(key) for name, rows in tables.items() if rows.height}
    return Parsed(filled, _verdicts(frame, done))


# --- objects ---------------------------------------------------------------------------------------------------------


def _objects(lines: pl.DataFrame) -> pl.DataFrame:
    """The lines with the flat objects that begin on them: key before it, its text, whether it is whole.

    An object is on one line, or opens on one, has a pair of key and value on each further one, and closes.
    """
    content = pl.col("text").str.strip_chars_start("\ufeff").str.strip_chars()
    frame = lines.with_row_index("row").with_columns(content=content)
    # 11.5.1 with a decimal comma
    frame = frame.with_columns(content=pl.col("content").str.replace_all(r"(:\s*[0-9]+),([0-9][0-9])\b", "$1.$2"))
    frame = frame.with_columns(content=pl.col("content").str.replace_all(r":\s*-?nan\b", ": null"))
    is_inline = pl.col("content").str.contains(INLINE)
    is_pair = pl.col("content").str.contains(KEY_VALUE)
    is_open = pl.col("content").str.contains(OPENS)
    frame = frame.with_columns(is_inline=is_inline, is_pair=is_pair & ~is_inline, is_open=is_open)
    is_close = pl.col("content").str.contains(r"^\},?$")
    breaks = pl.col("is_open") | ~(pl.col("is_pair") | is_close) | (pl.col("file_id") != pl.col("file_id").shift(1))
    frame = frame.with_columns(block=breaks.fill_null(value=True).cum_sum(), is_close=is_close)
    closes = pl.col("is_close").cum_sum().over("block")
    in_block = pl.col("is_open").first().over("block") & ((closes == 0) | ((closes == 1) & pl.col("is_close")))
    frame = frame.with_columns(in_block=in_block & pl.col("is_pair").any().over("block"))
    pieces = (
        frame.filter("in_block")
        .group_by("block", maintain_order=True)
        .agg(
            pl.col("row").first(),
            pl.when(pl.int_range(pl.len()) == 0)
            .then(pl.lit("{"))
            .otherwise(pl.col("content").str.strip_suffix(","))
            .str.join(",")
            .str.replace("{,", "{", literal=True)
            .str.replace(",}", "}", literal=True)
            .alias("joined"),
            pl.col("is_close").any().alias("has_end"),
        )
    )
    frame = frame.join(pieces.select("row", "joined", "has_end"), on="row", how="left", maintain_order="left")
    groups = pl.col("content").str.extract_groups(INLINE).struct.field
    text = pl.coalesce(pl.when("is_inline").then(groups("object")), "joined")
    frame = frame.with_columns(object=text, key=pl.col("content").str.extract(r'^"([^"]+)"\s*:'))
    begins = pl.col("content").str.contains(r'^(?:"[^"]+"\s*:\s*)?\{\s*"') & ~pl.col("content").str.contains(r"[\[{]$")
    is_cut = begins & ~pl.col("is_inline")
    is_head = pl.col("joined").is_not_null() & ~pl.col("has_end").fill_null(value=False)
    return frame.with_columns(
        is_start=text.is_not_null() | is_cut,
        is_whole=pl.col("object").str.contains(WHOLE).fill_null(value=False),
        is_head=is_head,
        shape=pl.col("object")
        .str.extract_all(r'"[^"]+"\s*:')
        .list.eval(pl.element().str.strip_chars('": '))
        .list.join("\t"),
    )


def _marks(frame: pl.DataFrame, section: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Marks: timestamps, and where the processors or the devices of a report begin."""
    content = pl.col("content")
    kind = (
        pl.when(content.str.contains(r'^\{?\s*"timestamp"\s*:'))
        .then(pl.lit("time"))
        .when(content.str.contains(r'^"(?:avg-cpu|cpu-load|cpu-load-all)"\s*:'))
        .then(pl.lit("cpu"))
        .when(content.str.contains(r'^"disk"\s*:'))
        .then(pl.lit("device"))
    )
    frame = frame.with_columns(kind=kind).with_columns(
        mark_line=pl.when(pl.col("kind").is_in(["cpu", "device"])).then("line_no").forward_fill().over("file_id")
    )
    printed = content.str.extract(r'^\{?\s*"timestamp"\s*:\s*"([^"]*)"')
    apart = pl.col("object").str.extract
    is_utc = apart(r'"utc"\s*:\s*([0-9])', 1) == "1"
    joined = pl.concat_str(
        apart(r'"date"\s*:\s*"([^"]*)"', 1),
        apart(r'"time"\s*:\s*"([^"]*)"', 1),
        pl.when(is_utc).then(pl.lit("UTC")),
        separator=" ",
        ignore_nulls=True,
    )
    marks = (
        frame.filter(pl.col("kind").is_not_null())
        .select(
            "file_id",
            "line_no",
            "kind",
            pl.lit(section).alias("section"),
            pl.when(pl.col("kind") == "time")
            .then(pl.coalesce(printed, pl.when(joined != "").then(joined)))
            .alias("time_text"),
            pl.lit("printed").alias("time_source"),
            pl.when(pl.col("kind") == "time")
            .then(apart(r'"interval"\s*:\s*([0-9]+)', 1).cast(pl.Float64, strict=False))
            .alias("interval_s"),
        )
        .with_columns(interval_source=pl.when(pl.col("interval_s").is_not_null()).then(pl.lit("printed")))
    )
    return marks, frame


def _invocations(frame: pl.DataFrame) -> pl.DataFrame:
    """One row per host: its facts are before its statistics."""
    pairs = frame.filter(pl.col("is_pair") & pl.col("key").is_in(list(HEAD_KEYS)))
    value = pl.col("content").str.extract(r':\s*"?([^",]*)"?,?$')
    pairs = pairs.with_columns(value=value, name=pl.col("key").replace_strict(HEAD_KEYS))
    pairs = pairs.with_columns(host_no=((pl.col("name") == "host").cum_sum().over("file_id")))
    names = ("host", "sysname", "release", "arch", "cpus", "date_text")
    facts = (
        pairs.filter(pl.col("host_no") > 0)
        .group_by("file_id", "host_no", maintain_order=True)
        .agg(
            pl.col("line_no").first(),
            *(pl.col("value").filter(pl.col("name") == name).first().alias(name) for name in names),
        )
    )
    schema = IOSTAT_INVOCATION.schema
    complete = facts.with_columns(part=pl.lit(1), command=pl.lit(None, pl.String))
    return complete.select(pl.col(name).cast(dtype, strict=False) for name, dtype in schema.items())


# --- rows ------------------------------------------------------------------------------------------------------------


def _target(keys: Sequence[str], *, is_average: bool) -> str | None:
    if any(key in keys for key in NAME_KEYS[:-1]):
        return "device"
    is_cpu = {"user", "system", "idle"} <= set(keys) or {"usr", "sys", "idle"} <= set(keys)
    if is_cpu and ("cpu" in keys or is_average):
        return "cpu"
    return None


def printed_name(key: str) -> str:
    """The column of the text reports that a key stands for.

    >>> printed_name("util"), printed_name("rd_sec"), printed_name("rkB"), printed_name("r_await")
    ('%util', 'rd_sec/s', 'rkB/s', 'r_await')
    """
    if key in {"util", "util-percent"}:
        return "%util"
    if key in {"user", "usr", "nice", "system", "sys", "iowait", "steal", "idle", "irq", "soft", "guest", "gnice"}:
        return f"%{key}"
    if key in {"rrqm", "wrqm", "drqm"}:
        return f"%{key}"
    return f"{key}/s" if key not in LINUX and f"{key}/s" in LINUX else key


def _named_text(keys: Sequence[str]) -> str:
    """A pattern of the name of the device or processor, the only value that may be text."""
    name_key = next((key for key in NAME_KEYS if key in keys), "")
    return rf'"{re.escape(name_key)}"[ \t]*:[ \t]*{_TEXT}'


def _rows(group: pl.DataFrame, keys: Sequence[str], target: str, tool: str) -> pl.DataFrame:
    """Rows of objects of one shape."""
    name_key = next((key for key in NAME_KEYS if key in keys), None)
    schema = {key: pl.String() if key == name_key else pl.Float64() for key in keys}
    fields = group.get_column("object").str.json_decode(pl.Struct(schema)).struct.unnest()
    names = [key for key in keys if key != name_key]
    printed = [printed_name(key) for key in names]
    values = fields.select(pl.col(key).alias(f"={name}") for key, name in zip(names, printed, strict=True))
    part = pl.lit(1, pl.Int16)
    frame = pl.concat([group.select("file_id", "line_no", "mark_line"), values], how="horizontal").with_columns(
        part=part, is_suffixed=pl.lit(False), extra_flags=pl.lit(None, pl.String)
    )
    frame = frame.filter(pl.col("mark_line").is_not_null())
    fields = fields.filter(group.get_column("mark_line").is_not_null())
    at = tuple(range(len(printed)))
    if target == "cpu":
        cpu = fields.get_column(name_key) if name_key else pl.repeat("all", fields.height, eager=True)
        item = Item("cpu", at, tuple(printed), family="cpu")
        return cpu_rows(frame.with_columns(cpu.alias("cpu")), item, "iostat" if tool == "iostat" else "sadf")
    frame = frame.with_columns(fields.get_column(str(name_key)).alias("device_raw"))
    frame = _unit_fixed(frame, printed) if tool == "iostat" else frame
    item = Item("device", at, tuple(printed), name_at=0)
    return device_rows(frame, item, (), pl.lit(name_key == "group"))


def _unit_fixed(rows: pl.DataFrame, printed: Sequence[str]) -> pl.DataFrame:
    """Throughput of files whose writer printed blocks: recognised by what requests and their size give."""
    side = next((unit for unit in ("kB", "MB") if {f"r{unit}/s", f"w{unit}/s"} <= set(printed)), None)
    if side is None or not {"r/s", "w/s", "rareq-sz", "wareq-sz"} <= set(printed):
        return rows
    in_kib = 1024.0 if side == "MB" else 1.0
    ratios = [
        pl.when((pl.col(f"={way}/s") > 1) & (pl.col(f"={way}areq-sz") > 0)).then(
            pl.col(f"={way}{side}/s") * in_kib / (pl.col(f"={way}/s") * pl.col(f"={way}areq-sz"))
        )
        for way in "rw"
    ]
    joined = rows.select("file_id", *(ratio.alias(f"ratio_{number}") for number, ratio in enumerate(ratios)))
    seen = joined.unpivot(index="file_id", value_name="ratio").drop_nulls("ratio")
    factor = BUG_FACTORS[side]
    is_right, is_wrong = (((pl.col("ratio") / each) - 1).abs() <= BUG_TOLERANCE for each in (1.0, factor))
    classified = seen.group_by("file_id").agg(is_wrong.sum().alias("wrong"), is_right.sum().alias("right"))
    files = classified.filter(pl.col("wrong") > 10 * pl.col("right")).get_column("file_id")
    if files.is_empty():
        return rows
    is_off = pl.col("file_id").is_in(files.implode())
    columns = [name for name in printed if re.match(rf"^[rwd]{side}/s$", name)]
    return rows.with_columns(
        *(
            pl.when(is_off).then(pl.col(f"={name}") / factor).otherwise(f"={name}").alias(f"={name}")
            for name in columns
        ),
        pl.when(is_off).then(pl.lit("json_unit_fixed")).otherwise("extra_flags").alias("extra_flags"),
    )


# --- verdicts --------------------------------------------------------------------------------------------------------


def _verdicts(frame: pl.DataFrame, done: pl.Series) -> pl.DataFrame:
    content, is_row = pl.col("content"), pl.col("is_row")
    frame = frame.with_columns(is_row=pl.col("row").is_in(done.implode()) & pl.col("mark_line").is_not_null())
    is_fact = pl.col("is_pair") & pl.col("key").is_in(list(HEAD_KEYS))
    first_fact = is_fact & (pl.col("key") == "nodename")
    has_kind = pl.col("kind").is_not_null()
    verdict = (
        pl.when(pl.col("text").str.strip_chars() == "")
        .then(Verdict.BLANK)
        .when(is_row | has_kind | first_fact)
        .then(Verdict.PARSED)
        .when(pl.col("in_block") & ~pl.col("is_start") & is_row.first().over("block"))
        .then(Verdict.CONTINUATION)
        .when(is_fact & pl.col("kind").is_null())
        .then(Verdict.CONTINUATION)
        .when(pl.col("is_start") & pl.col("is_whole"))
        .then(Verdict.IGNORED)
        .when(pl.col("is_start") & ~pl.col("is_head"))
        .then(Verdict.REJECTED)
        .when(content.str.contains(STRUCTURE) | pl.col("is_pair") | pl.col("is_head") | pl.col("is_inline"))
        .then(Verdict.IGNORED)
        .otherwise(Verdict.REJECTED)
    )
    said = frame.with_columns(verdict=verdict.cast(pl.UInt8))
    is_rejected = pl.col("verdict") == int(Verdict.REJECTED)
    reason = (
        pl.when(is_rejected & pl.col("is_start"))
        .then(pl.lit("object that is cut off, or holds no plain values"))
        .when(is_rejected)
        .then(pl.lit("not JSON of sysstat"))
        .when(pl.col("verdict") == int(Verdict.IGNORED))
        .then(
            pl.when("is_start")
            .then(pl.lit("statistics that are not read"))
            .otherwise(pl.lit("structure of the document"))
        )
    )
    return said.select("file_id", "line_no", "verdict", reason.alias("reason")).cast(pl.Schema(VERDICT_SCHEMA))
