"""Values of a printed row into the rows of the tables: numbers, units, doubts."""

from collections.abc import Mapping, Sequence

import polars as pl

from parsers.format import Table
from parsers.sysstat.columns import Device, Meaning, best_sources, device_of
from parsers.sysstat.layout import Item
from parsers.sysstat.tables import CPU_NUMBERS, DEVICE_NUMBERS, IOSTAT_CPU, IOSTAT_DEVICE, VMSTAT, VMSTAT_NUMBERS

SUFFIXED = r"[0-9][kKMGTPSH%](?:[ \t]|$)"
_SUFFIX = r"^([-+]?[0-9.]+)([kKMGTPSH%])$"
_KIB_BY_SUFFIX = {"k": 1.0, "K": 1.0, "M": 1024.0, "G": 1024.0**2, "T": 1024.0**3, "P": 1024.0**4}
_AIX_BY_SUFFIX = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "S": 1e3, "H": 3.6e6}  # bytes; seconds and hours in ms
NO_NUMBER = r"^(?:[+-]?nan|[+-]?inf|-|n/a|N/A)$"
MAX_VALUE = 1e9
"""No device moves so much a second in any unit; a counter that ran over prints more."""

MAX_QUEUE = 1e6
_QUEUES = ("aqu_sz", "wait_q", "actv_q")
_TOTALS = ("rkb_total", "wkb_total", "dkb_total")
HIDDEN = ("r_svc_ms", "w_svc_ms")
"""Service times of AIX: with the time in the queue they make up r_await_ms and w_await_ms."""


def numbers(tokens: pl.DataFrame, content: pl.Series, meanings: Mapping[str, Meaning], family: str) -> pl.DataFrame:
    """The tokens (a column `=name` per printed name), unless they are numbers already, as such; null where one is none.

    A value with a suffix is given in the column's unit. `is_suffixed` and `bad` (the first token that is no number and
    no stand-in for one) are added.
    """
    nothing = pl.repeat(None, tokens.height, dtype=pl.String, eager=True).alias("bad")
    if all(each.is_float() for each in tokens.dtypes):
        return tokens.with_columns(pl.lit(False).alias("is_suffixed"), nothing)
    if content.str.contains(",", literal=True).any():
        tokens = tokens.with_columns(pl.all().str.replace(",", ".", literal=True))
    values = tokens.with_columns(pl.all().cast(pl.Float64, strict=False))
    if not values.select(pl.any_horizontal(pl.all().is_null() | ~pl.all().is_finite()).any()).item():
        return values.with_columns(pl.lit(False).alias("is_suffixed"), nothing)
    is_suffixed = pl.repeat(value=False, n=tokens.height, eager=True)
    if content.str.contains(SUFFIXED).any():  # of any line, also by the name of a device
        is_suffixed = tokens.select(
            pl.any_horizontal(pl.all().str.contains(_SUFFIX)).fill_null(value=False)
        ).to_series()
    if is_suffixed.any():
        values = tokens.select(
            _with_suffix(name, meanings.get(name.removeprefix("=")), family) for name in tokens.columns
        )
    values = values.with_columns(pl.when(pl.all().is_finite()).then(pl.all()).name.keep())
    wrong = [
        pl.when(values.get_column(name).is_null() & ~pl.col(name).str.to_lowercase().str.contains(NO_NUMBER)).then(name)
        for name in tokens.columns
    ]
    bad = tokens.select(pl.coalesce(wrong)).to_series()
    return values.with_columns(is_suffixed.alias("is_suffixed"), bad.alias("bad"))


def _with_suffix(name: str, meaning: Meaning | None, family: str) -> pl.Expr:
    """K is 1000 bytes for AIX; for Linux k is a KiB, no matter what the header says of the unit."""
    text = pl.col(name)
    suffix = text.str.extract(_SUFFIX, 2)
    by_suffix = _AIX_BY_SUFFIX if family == "aix" else _KIB_BY_SUFFIX
    in_unit = 1.0 if family == "aix" or meaning is None else 1 / meaning.factor
    factors = {key: factor * in_unit for key, factor in by_suffix.items()} | {"%": 1.0}
    factor = suffix.replace_strict(list(factors), list(factors.values()), default=None, return_dtype=pl.Float64)
    plain = text.cast(pl.Float64, strict=False).fill_nan(None)
    return pl.coalesce(plain, text.str.extract(_SUFFIX, 1).cast(pl.Float64, strict=False) * factor).alias(name)


def device_rows(rows: pl.DataFrame, item: Item, flags: Sequence[str], is_last: pl.Expr) -> pl.DataFrame:
    """Rows of `iostat_device` from key, mark_line, device_raw, is_suffixed, extra_flags and the printed columns."""
    meanings = item.meanings
    sources = best_sources(meanings)
    columns = _canonical(meanings, sources)
    raw = [name for name in item.printed if _is_raw(name, meanings, sources)]
    found = rows.with_columns(**columns, raw=_raw(raw))
    known = [name for name, _ in DEVICE_NUMBERS if name in columns]
    found = _within_bounds(found, known)
    found = found.with_columns(*_devices(found.get_column("device_raw")))
    found = found.with_columns(device_kind=pl.when(is_last).then(pl.lit("group")).otherwise("device_kind"))
    doubts = _device_doubts(known) | dict.fromkeys(
        sorted({*flags, *(meanings[name].flag or "" for name in sources.values())} - {""}), pl.lit(True)
    )
    return typed(_flagged(found, doubts), IOSTAT_DEVICE, HIDDEN)


def _canonical(meanings: Mapping[str, Meaning], sources: Mapping[str, str]) -> dict[str, pl.Expr]:
    return {
        name: pl.col(f"={printed}") * meanings[printed].factor
        if meanings[printed].factor != 1
        else pl.col(f"={printed}")
        for name, printed in sources.items()
    }


def _is_raw(name: str, meanings: Mapping[str, Meaning], sources: Mapping[str, str]) -> bool:
    """Whether no canonical column holds what is printed under a name as it is printed."""
    meaning = meanings.get(name)
    return meaning is None or meaning.factor != 1 or sources.get(meaning.name) != name or meaning.name in HIDDEN


def _raw(names: Sequence[str]) -> pl.Expr:
    if not names:
        return pl.lit(None, pl.String)
    return pl.struct(pl.col(f"={name}").alias(name) for name in names).struct.json_encode()


def _within_bounds(rows: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Null where a value cannot be: it is negative, or a counter ran over."""
    rated = [name for name in names if name not in _TOTALS]
    rows = rows.with_columns(pl.lit(False).alias("counter_wrap"), pl.lit(False).alias("negative"))
    if not rated:
        return rows
    is_over = {name: pl.col(name) > (MAX_QUEUE if name in _QUEUES else MAX_VALUE) for name in rated}
    over, below = pl.any_horizontal(*is_over.values()), pl.any_horizontal(pl.col(name) < 0 for name in names)
    if not rows.select((over | below).any()).item():
        return rows
    return rows.with_columns(
        counter_wrap=over.fill_null(value=False), negative=below.fill_null(value=False)
    ).with_columns(
        pl.when(~(is_over.get(name, pl.lit(False)) | (pl.col(name) < 0))).then(pl.col(name)).alias(name)
        for name in names
    )


def _device_doubts(known: Sequence[str]) -> dict[str, pl.Expr]:
    doubts = {"counter_wrap": pl.col("counter_wrap"), "negative": pl.col("negative")}
    doubts["coarse"] = pl.col("is_suffixed")
    if "util_pct" in known:
        doubts["util_gt_100"] = pl.col("util_pct") > 100
        if {"r_per_s", "w_per_s"} <= set(known):
            is_busy = pl.col("r_per_s") + pl.col("w_per_s") > 10
            is_nvme = pl.col("device").str.starts_with("nvme")
            doubts["util_zero_but_busy"] = is_nvme & (pl.col("util_pct") == 0) & is_busy
    return doubts


def _flagged(rows: pl.DataFrame, doubts: Mapping[str, pl.Expr]) -> pl.DataFrame:
    """`flags` from the doubts that hold, and those that came with the row."""
    names = sorted(doubts)
    marked = rows.with_columns(doubts[name].fill_null(value=False).alias(f"?{name}") for name in names)
    has_any = marked.select(pl.any_horizontal(*(f"?{name}" for name in names)) | pl.col("extra_flags").is_not_null())
    if not has_any.to_series().any():
        return marked.with_columns(pl.lit(None, pl.String).alias("flags"))
    parts = [pl.when(f"?{name}").then(pl.lit(name)) for name in names]
    joined = pl.concat_str([*parts, pl.col("extra_flags")], separator=", ", ignore_nulls=True)
    return marked.with_columns(pl.when(joined != "").then(joined).alias("flags"))


def _devices(printed: pl.Series) -> list[pl.Series]:
    """device, device_kind and parent_device of printed names, of which few are different."""
    codes, names = coded(printed)
    known: list[Device] = [device_of(name) for name in names.to_list()]
    columns: dict[str, list[str | None]] = {
        "device": [each.name for each in known],
        "device_kind": [each.kind for each in known],
        "parent_device": [each.parent for each in known],
    }
    return [pl.Series(name, values, dtype=pl.String()).gather(codes) for name, values in columns.items()]


def coded(texts: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Each text as its place among the different ones, null where it is, and these."""
    names = texts.drop_nulls().unique(maintain_order=True)
    return texts.cast(pl.Enum(names)).to_physical(), names


def merged_devices(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows of one report and device that came from several tables as one: at the line of the first."""
    keys = ["file_id", "mark_line", "device_raw"]
    others = [name for name in rows.columns if name not in {*keys, "raw", "flags"}]
    merged = (
        rows.sort("file_id", "line_no", "part")
        .group_by(keys, maintain_order=True)
        .agg(
            pl.col(others).drop_nulls().first(),
            pl.col("raw").drop_nulls().str.strip_prefix("{").str.strip_suffix("}").str.join(","),
            pl.col("flags").drop_nulls().str.split(", ").explode(empty_as_null=False).unique().sort().str.join(", "),
        )
    )
    raw, flags = pl.col("raw"), pl.col("flags")
    return merged.with_columns(
        pl.when(raw != "").then(pl.concat_str(pl.lit("{"), raw, pl.lit("}"))).alias("raw"),
        pl.when(flags != "").then(flags).alias("flags"),
    ).select(rows.columns)


def composed_for_aix(rows: pl.DataFrame) -> pl.DataFrame:
    """AIX prints service and queue apart: their sum is what other systems call await."""
    missing = [name for name in HIDDEN if name not in rows.columns]
    if len(missing) == len(HIDDEN):
        return rows
    rows = rows.with_columns(pl.lit(None, pl.Float64).alias(name) for name in missing)  # its table was cut off
    is_composed = pl.any_horizontal(pl.col(name).is_not_null() for name in HIDDEN) & pl.col("wsvc_ms").is_not_null()
    flags = pl.concat_str(
        pl.when(is_composed).then(pl.lit("aix_composed")), pl.col("flags"), separator=", ", ignore_nulls=True
    )
    return rows.with_columns(
        pl.coalesce("r_await_ms", pl.col("r_svc_ms") + pl.col("wsvc_ms")).alias("r_await_ms"),
        pl.coalesce("w_await_ms", pl.col("w_svc_ms") + pl.col("wsvc_ms")).alias("w_await_ms"),
        pl.when(flags != "").then(flags).alias("flags"),
    ).drop(HIDDEN)


def cpu_rows(rows: pl.DataFrame, item: Item, source_kind: str) -> pl.DataFrame:
    """Rows of `iostat_cpu` from key, mark_line, cpu, extra_flags and the printed columns."""
    meanings = item.meanings
    sources = best_sources(meanings)
    columns = _canonical(meanings, sources)
    raw = [name for name in item.printed if _is_raw(name, meanings, sources)]
    found = rows.with_columns(**columns, raw=_raw(raw), source_kind=pl.lit(source_kind))
    shares = [name for name, _ in CPU_NUMBERS if name in columns and name not in {"physc", "entc_pct", "guest_pct"}]
    total = pl.sum_horizontal(shares) if shares else pl.lit(0.0)
    is_empty = total < 1  # the first report of -y in some releases: 0.01 in all
    doubts = {
        "no_sample": is_empty,
        "cpu_sum": ~is_empty & ~total.is_between(98, 102),
        "coarse": pl.col("is_suffixed"),
    }
    found = _flagged(found, doubts)
    blanked = found.with_columns(pl.when(~is_empty).then(pl.col(name)).alias(name) for name in columns)
    return typed(blanked, IOSTAT_CPU)


def vmstat_rows(rows: pl.DataFrame, item: Item) -> pl.DataFrame:
    """Rows of `vmstat` from key, mark_line, extra_flags and the printed columns."""
    meanings = item.meanings
    sources = best_sources(meanings)
    raw = [name for name in item.printed if _is_raw(name, meanings, sources)]
    taken = rows.with_columns(**_canonical(meanings, sources), raw=_raw(raw))
    known = [name for name, _ in VMSTAT_NUMBERS if name in taken.columns]
    is_negative = pl.any_horizontal(pl.col(name) < 0 for name in known) if known else pl.lit(False)
    is_wrapped = (
        pl.any_horizontal(pl.col(name) >= 2**32 - 10**6 for name in known if name.endswith("_per_s"))
        if any(name.endswith("_per_s") for name in known)
        else pl.lit(False)
    )
    found = _flagged(taken, {"negative": is_negative, "counter_wrap": is_wrapped})
    cleaned = found.with_columns(
        pl.when((pl.col(name) >= 0) & ((pl.col(name) < 2**32 - 10**6) | (not name.endswith("_per_s"))))
        .then(pl.col(name))
        .alias(name)
        for name in known
    )
    return typed(cleaned, VMSTAT)


def typed(rows: pl.DataFrame, table: Table, further: Sequence[str] = ()) -> pl.DataFrame:
    """The columns of a table in its types, null where a frame lacks one; and those of `further` that are there."""
    held = set(rows.columns)
    columns = [
        (pl.col(name) if name in held else pl.lit(None)).cast(dtype).alias(name) for name, dtype in table.schema.items()
    ]
    return rows.select(*columns, *(pl.col(name) for name in further if name in held))
