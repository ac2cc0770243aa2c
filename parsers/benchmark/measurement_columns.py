"""What the columns of a hand-made table of measurements mean, derived from their names.

A table needs a column of values and one that distinguishes its rows: a time, a run, a configuration or a load.
Long form   one row per configuration and run (or point of time): `config,run,clients,duration_s,tps`
Wide form   one column of values per configuration: `run,without_drbd,with_drbd`, `time,tps_without,tps_with`
Units       behind a name, as in `latency (us)`, `p99_s`, `duration [min]`, `throughput (kB/s)`: times become the unit
            of their metric, throughputs keep theirs. A latency without one counts as milliseconds
"""

from dataclasses import dataclass, field
from typing import Literal

from parsers.delimited import IN_SECONDS
from parsers.measurement import COUNT, MILLISECONDS, PER_HOUR, PER_MINUTE, PER_SECOND, SECONDS

Part = Literal["time", "run", "configuration", "clients", "duration", "start", "end", "label"]

PARTS: dict[Part, str] = {
    "time": "ts time timestamp datetime date_time date t sec secs second time_s time_sec offset offset_s elapsed_time "
    "zeit",
    "run": "run run_id run_no run_number runid iteration iter rep repetition trial lauf durchlauf durchgang versuch",
    "configuration": "config configuration scenario mode setup variant configuration_name config_name konfiguration "
    "variante",
    "clients": "clients threads users vus virtual_users terminals queues connections concurrency number_of_clients",
    "duration": "duration duration_s duration_sec runtime run_time runtime_s run_time_s dauer laufzeit",
    "start": "start start_time started start_at begin",
    "end": "end end_time ended end_at stop finish finished",
    "label": "label command statement workload test benchmark",
}
PART_OF: dict[str, Part] = {name: part for part, names in PARTS.items() for name in names.split()}

VALUES: dict[str, tuple[str, str | None]] = {
    **dict.fromkeys(("tps", "tx/s", "transactions/s", "transactions_per_second", "tx_per_s"), ("tps", PER_SECOND)),
    **dict.fromkeys(("qps", "queries/s", "queries_per_second"), ("qps", PER_SECOND)),
    **dict.fromkeys(("ops", "ops/s", "ops/sec", "ops_per_second"), ("ops", PER_SECOND)),
    **dict.fromkeys(("iops", "io/s", "io_per_second"), ("iops", PER_SECOND)),
    **dict.fromkeys(("events/s", "eps", "events_per_second"), ("events_per_second", PER_SECOND)),
    **dict.fromkeys(("tpm", "transactions_per_minute"), ("tpm", PER_MINUTE)),
    **dict.fromkeys(("tpmc", "tpm-c"), ("tpmC", PER_MINUTE)),
    "tpmtotal": ("tpmTOTAL", PER_MINUTE),
    "nopm": ("nopm", PER_MINUTE),
    **dict.fromkeys(("events_per_hour", "events/h", "events/hour"), ("events_per_hour", PER_HOUR)),
    **dict.fromkeys(("throughput", "durchsatz"), ("throughput", None)),
    "rate": ("rate", None),
    **dict.fromkeys(("mb/s", "mb_s", "mb_per_s"), ("MB/s", "MB/s")),
    **dict.fromkeys(
        (
            *("lat", "latency", "lat_ms", "latency_ms", "avg_ms", "lat_avg", "lat_avg_ms", "latency_avg"),
            *("latency_avg_ms", "avg_lat", "avg_latency", "mean_latency", "latency_mean", "latenz"),
        ),
        ("latency_avg_ms", MILLISECONDS),
    ),
    **{
        name.format(n): (f"latency_p{n}_ms", MILLISECONDS)
        for n in (50, 90, 95, 99)
        for name in ("p{}", "p{}_ms", "latency_p{}", "latency_p{}_ms", "lat_p{}", "lat_p{}_ms")
    },
    "events": ("events", COUNT),
    "transactions": ("transactions", COUNT),
    "failed": ("failed", COUNT),
    "errors": ("errors", COUNT),
}
TIMES = ("elapsed_s", "elapsed", "elapsed_sec", "seconds")
"""Seconds that are a point of time beside other values, and else the very thing measured."""

RATES = tuple(name for name, (_, unit) in VALUES.items() if unit in (PER_SECOND, PER_MINUTE, PER_HOUR, None))
BYTE_RATES = {each.lower(): each for each in ("B/s", "kB/s", "KiB/s", "MB/s", "MiB/s", "GB/s", "GiB/s")}
MAX_WIDE = 20
"""Columns of a wide table: more of them are no configurations."""


@dataclass(frozen=True, slots=True)
class ValueColumn:
    """A column of values: its place, what it measures, and the configuration that a wide table has it stand for.

    `scale`: its unit as it is printed, in the unit of the metric.
    """

    place: int
    metric: str
    unit: str | None
    configuration: str | None = None
    scale: float = 1.0

    @property
    def unit_s(self) -> float | None:
        """Seconds in the unit of the metric; None where it is none of time."""
        return {SECONDS: 1.0, MILLISECONDS: 1e-3}.get(self.unit or "")


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of the columns that distinguish rows, and the columns of values. `is_wide`: a column per configuration.

    `seconds`: seconds in the unit of times and durations whose heading names one.
    """

    parts: dict[Part, int]
    values: tuple[ValueColumn, ...]
    is_wide: bool = False
    seconds: dict[Part, float] = field(default_factory=dict)

    @property
    def is_series(self) -> bool:
        """Whether rows are points of a time series rather than runs."""
        return "time" in self.parts

    @property
    def events(self) -> ValueColumn | None:
        """The count of events that, over start to end or a duration, makes events per hour."""
        has_length = "duration" in self.parts or {"start", "end"} <= set(self.parts)
        return next((each for each in self.values if each.metric == "events"), None) if has_length else None


def layout_of(names: tuple[str, ...]) -> Layout | None:
    """The layout of a table with these columns; None where no name says that something was measured."""
    parts: dict[Part, int] = {}
    seconds: dict[Part, float] = {}
    values: list[ValueColumn] = []
    times: list[tuple[int, float]] = []
    unknown: list[int] = []
    for place, name in enumerate(names):
        bare, scale = _without_unit(name)
        if bare in PART_OF:
            if PART_OF[bare] not in parts:
                parts[PART_OF[bare]], seconds[PART_OF[bare]] = place, scale
        elif bare in TIMES:
            times.append((place, scale))
        elif (value := _value(place, name)) is not None:
            values.append(value)
        else:
            unknown.append(place)
    if values and times and "time" not in parts:
        parts["time"], seconds["time"] = times[0]
    values = values or _measured_time(parts, seconds, times)
    if len({each.metric for each in values}) < len(values):
        return None
    if values:
        in_units = {part: scale for part, scale in seconds.items() if scale != 1}
        return Layout(parts, tuple(values), seconds=in_units) if parts else None
    wide = _wide(names, unknown, parts)
    return Layout(parts, wide, is_wide=True) if len(wide) > 1 else None


def _measured_time(
    parts: dict[Part, int], seconds: dict[Part, float], times: list[tuple[int, float]]
) -> list[ValueColumn]:
    """The time that was measured itself, in a table of nothing else; a duration is then no part any more."""
    if not times and "duration" in parts:
        times = [(parts.pop("duration"), seconds.pop("duration"))]
    return [ValueColumn(place, "elapsed_s", SECONDS, scale=scale) for place, scale in times[:1]]


def _wide(names: tuple[str, ...], unknown: list[int], parts: dict[Part, int]) -> tuple[ValueColumn, ...]:
    """A column per configuration: `tps_nfs`, `nfs_tps`; beside a column of runs any names."""
    if set(parts) not in ({"time"}, {"run"}) or not 2 <= len(unknown) <= MAX_WIDE:
        return ()
    named = [_named_configuration(names[place]) for place in unknown]
    if all(each is not None for each in named):
        return tuple(
            ValueColumn(place, *VALUES[each[0]], each[1])
            for place, each in zip(unknown, named, strict=True)
            if each is not None
        )
    if "run" not in parts:
        return ()
    return tuple(ValueColumn(place, "value", None, names[place]) for place in unknown)


def _named_configuration(name: str) -> tuple[str, str] | None:
    """`tps_with_drbd` as tps and with_drbd."""
    for metric in RATES:
        for rest in (name.removeprefix(f"{metric}_"), name.removesuffix(f"_{metric}")):
            if rest and rest != name:
                return metric, rest
    return None


def _value(place: int, name: str) -> ValueColumn | None:
    """The column of values that a heading names, with its unit where it has one."""
    for unit in ("_1/s", "_1/min", "_1/h"):
        name = name.removesuffix(unit)
    if name in VALUES:
        return ValueColumn(place, *VALUES[name])
    bare, _, unit = name.rpartition("_")
    metric, usual = VALUES.get(bare, (None, None))
    if metric is not None and usual == MILLISECONDS and unit in IN_SECONDS:
        return ValueColumn(place, metric, usual, scale=round(1000 * IN_SECONDS[unit], 9))
    if metric is not None and usual is None and unit in BYTE_RATES:
        return ValueColumn(place, metric, BYTE_RATES[unit])
    return None


def _without_unit(name: str) -> tuple[str, float]:
    """`duration_min` as duration and 60, `tps` as it is and 1: a part or a time, and the seconds in its unit."""
    bare, _, unit = name.rpartition("_")
    is_of_time = PART_OF.get(bare) in ("time", "duration") or bare in TIMES
    if unit in IN_SECONDS and is_of_time and name not in PART_OF and name not in TIMES:
        return bare, IN_SECONDS[unit]
    return name, 1.0
