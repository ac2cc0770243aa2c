"""What the columns of a hand-made table of measurements mean, derived from their names.

A table needs a column of values and one that distinguishes its rows: a time, a run, a configuration or a load.
Long form   one row per configuration and run (or point of time): `config,run,clients,duration_s,tps`
Wide form   one column of values per configuration: `run,without_drbd,with_drbd`, `time,tps_without,tps_with`
"""

from dataclasses import dataclass
from typing import Literal

from parsers.measurement import COUNT, MILLISECONDS, PER_HOUR, PER_MINUTE, PER_SECOND, SECONDS

Part = Literal["time", "run", "configuration", "clients", "duration", "start", "end", "label"]

PARTS: dict[Part, str] = {
    "time": "ts time timestamp datetime date_time date t sec secs second time_s time_sec offset offset_s elapsed_time",
    "run": "run run_id run_no run_number runid iteration iter rep repetition trial",
    "configuration": "config configuration scenario mode setup variant configuration_name config_name",
    "clients": "clients threads users vus virtual_users terminals queues connections concurrency number_of_clients",
    "duration": "duration duration_s duration_sec runtime runtime_s run_time_s",
    "start": "start start_time started start_at begin",
    "end": "end end_time ended end_at stop finish finished",
    "label": "label command statement workload test benchmark",
}
PART_OF: dict[str, Part] = {name: part for part, names in PARTS.items() for name in names.split()}

VALUES: dict[str, tuple[str, str | None]] = {
    **dict.fromkeys(("tps", "tx/s", "transactions/s", "transactions_per_second", "tx_per_s"), ("tps", PER_SECOND)),
    **dict.fromkeys(("qps", "queries/s", "queries_per_second"), ("qps", PER_SECOND)),
    **dict.fromkeys(("ops", "ops/s", "ops_per_second"), ("ops", PER_SECOND)),
    **dict.fromkeys(("iops", "io/s", "io_per_second"), ("iops", PER_SECOND)),
    **dict.fromkeys(("events/s", "eps", "events_per_second"), ("events_per_second", PER_SECOND)),
    **dict.fromkeys(("tpm", "transactions_per_minute"), ("tpm", PER_MINUTE)),
    **dict.fromkeys(("tpmc", "tpm-c"), ("tpmC", PER_MINUTE)),
    "tpmtotal": ("tpmTOTAL", PER_MINUTE),
    "nopm": ("nopm", PER_MINUTE),
    **dict.fromkeys(("events_per_hour", "events/h", "events/hour"), ("events_per_hour", PER_HOUR)),
    "throughput": ("throughput", None),
    "rate": ("rate", None),
    **dict.fromkeys(("mb/s", "mb_s", "mb_per_s"), ("MB/s", "MB/s")),
    **dict.fromkeys(
        ("lat", "latency", "lat_ms", "latency_ms", "avg_ms", "lat_avg", "lat_avg_ms", "latency_avg", "latency_avg_ms"),
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
MAX_WIDE = 20
"""Columns of a wide table: more of them are no configurations."""


@dataclass(frozen=True, slots=True)
class ValueColumn:
    """A column of values: its place, what it measures, and the configuration that a wide table has it stand for."""

    place: int
    metric: str
    unit: str | None
    configuration: str | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of the columns that distinguish rows, and the columns of values. `is_wide`: a column per configuration."""

    parts: dict[Part, int]
    values: tuple[ValueColumn, ...]
    is_wide: bool = False

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
    values: list[ValueColumn] = []
    times: list[int] = []
    unknown: list[int] = []
    for place, name in enumerate(names):
        bare = _without_unit(name)
        if bare in PART_OF:
            parts.setdefault(PART_OF[bare], place)
        elif bare in VALUES:
            values.append(ValueColumn(place, *VALUES[bare]))
        elif bare in TIMES:
            times.append(place)
        else:
            unknown.append(place)
    if values or not times:
        parts |= {"time": times[0]} if times and "time" not in parts else {}
    else:
        values = [ValueColumn(times[0], "elapsed_s", SECONDS)]
    if len({each.metric for each in values}) < len(values):
        return None
    if values:
        return Layout(parts, tuple(values)) if parts else None
    wide = _wide(names, unknown, parts)
    return Layout(parts, wide, is_wide=True) if len(wide) > 1 else None


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


def _without_unit(name: str) -> str:
    """`tps_1/s` as tps."""
    for unit in ("_1/s", "_1/min", "_1/h"):
        name = name.removesuffix(unit)
    return name
