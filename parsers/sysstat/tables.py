"""The tables that iostat, vmstat, sar, mpstat and sadf fill, regardless of their flavour.

A report is what one interval printed. Where it begins shows in several lines (a time, the header of the processor
table, that of the device table), so a parser hands over these lines as marks, and rows that name the mark they stand
under. `pipeline/reading/report_clock.py`, which sees all marks of a file, numbers and dates the reports.
"""

import polars as pl

from parsers.environment_fact import ENVIRONMENT_FACT
from parsers.format import Column, Reports, Table

_NUMBER = pl.Float64()

MARK = Column("mark_line", pl.Int32(), "line of `iostat_mark` that the row is under")
FLAGS = Column("flags", pl.String(), "doubts about the row, separated by `, `; null: none")
RAW = Column("raw", pl.String(), "printed columns that no other column holds as printed, with their values, as JSON")

IOSTAT_INVOCATION = Table(
    name="iostat_invocation",
    grain="One row per line that reports a new run of the tool: its first line, or the command that was typed.",
    is_public=False,
    columns=(
        Column("host", pl.String(), "host that printed it", host="own"),
        Column("command", pl.String(), "command as typed: iostat -x 10 2"),
        Column("sysname", pl.String(), "operating system: Linux, AIX, SunOS, HP-UX"),
        Column("release", pl.String(), "release of the kernel"),
        Column("arch", pl.String(), "machine: x86_64, ia64"),
        Column("cpus", pl.Int32(), "processors"),
        Column("date_text", pl.String(), "date as printed"),
    ),
    is_dated=False,
)

IOSTAT_MARK = Table(
    name="iostat_mark",
    grain="One row per line that shows where a report begins, or when it was printed.",
    is_public=False,
    columns=(
        Column("section", pl.String(), "whose reports are counted together: iostat, vmstat, cpu and device of sar"),
        Column(
            "kind",
            pl.String(),
            "time; cpu, device, nfs: header of such a table; repeat: a device that comes again without a header; "
            "row: a row that is a report; origin: begin of a first interval; restart: the system came up",
        ),
        Column("time_text", pl.String(), "time as printed"),
        Column("date_text", pl.String(), "its date, where day and month can be confused; then without stamp"),
        Column("clock_s", _NUMBER, "its time of day where the date is open or not printed, seconds"),
        Column(
            "time_source", pl.String(), "printed; wrapper: by a line around the tool's output; stated: by study.toml"
        ),
        Column("time_quality", pl.String(), "ambiguous_date: day and month may be the other way round; null: no doubt"),
        Column(
            "interval_s", _NUMBER, "seconds that the report covers: as printed, between stamps, or stated; else null"
        ),
        Column("interval_source", pl.String(), "printed, stamps, stated"),
        Column("is_since_boot", pl.Boolean(), "the report covers the time since the start of the system"),
        Column("report_line", pl.Int32(), "first line of the report; null where the line begins none"),
        Column("invocation_no", pl.Int32(), "run of the tool in the file, from 1"),
        Column("report_no", pl.Int32(), "report of the section in the invocation, from 1"),
        FLAGS,
    ),
)

DEVICE_NUMBERS = (
    ("r_per_s", "reads per second"),
    ("w_per_s", "writes per second"),
    ("d_per_s", "discards per second"),
    ("f_per_s", "flushes per second"),
    ("rkb_per_s", "read, KiB per second"),
    ("wkb_per_s", "written, KiB per second"),
    ("dkb_per_s", "discarded, KiB per second"),
    ("rrqm_per_s", "read requests merged per second"),
    ("wrqm_per_s", "write requests merged per second"),
    ("drqm_per_s", "discard requests merged per second"),
    ("r_await_ms", "mean time of a read, in queue and in service, ms"),
    ("w_await_ms", "mean time of a write, ms"),
    ("d_await_ms", "mean time of a discard, ms"),
    ("f_await_ms", "mean time of a flush, ms"),
    ("await_ms", "mean time of a request, ms"),
    ("rareq_kb", "mean size of a read, KiB"),
    ("wareq_kb", "mean size of a write, KiB"),
    ("dareq_kb", "mean size of a discard, KiB"),
    ("areq_kb", "mean size of a request, KiB"),
    ("aqu_sz", "mean number of requests queued and in service"),
    ("wait_q", "mean number of requests queued (Solaris, AIX)"),
    ("actv_q", "mean number of requests in service (Solaris, AIX)"),
    ("svctm_ms", "service time as the tool computes it, ms; means little on devices that work in parallel"),
    ("wsvc_ms", "mean time in the queue (Solaris), ms"),
    ("util_pct", "share of the time with a request in flight, percent; may exceed 100"),
    ("wait_pct", "share of the time with a request queued (Solaris), percent"),
    ("tps", "transfers per second"),
    ("tkb_per_s", "read and written, KiB per second"),
    ("rkb_total", "read in the interval, KiB"),
    ("wkb_total", "written in the interval, KiB"),
    ("dkb_total", "discarded in the interval, KiB"),
)
"""Canonical columns of a device and their meaning. Null: the flavour does not print it."""

IOSTAT_DEVICE = Table(
    name="iostat_device",
    grain="One row per report and device.",
    is_public=False,
    columns=(
        MARK,
        Column("device", pl.String(), "device, without /dev/"),
        Column("device_raw", pl.String(), "device as printed"),
        Column("parent_device", pl.String(), "disk that the partition or path is part of"),
        Column("device_kind", pl.String(), "disk, partition, drbd, md, dm, loop, optical, ram, nfs, group, controller"),
        *(Column(name, _NUMBER, comment) for name, comment in DEVICE_NUMBERS),
        RAW,
        FLAGS,
    ),
    is_dated=False,
)

CPU_NUMBERS = (
    ("user_pct", "user, percent"),
    ("nice_pct", "user at low priority, percent"),
    ("system_pct", "system, percent; of iostat, vmstat and sar -u with interrupts"),
    ("iowait_pct", "idle while requests were outstanding, percent"),
    ("steal_pct", "taken by the hypervisor, percent"),
    ("idle_pct", "idle, percent"),
    ("irq_pct", "hardware interrupts, percent"),
    ("soft_pct", "software interrupts, percent"),
    ("guest_pct", "guests, percent"),
    ("physc", "physical processors consumed (AIX)"),
    ("entc_pct", "entitled capacity consumed (AIX), percent"),
)

IOSTAT_CPU = Table(
    name="iostat_cpu",
    grain="One row per report and processor.",
    is_public=False,
    columns=(
        MARK,
        Column("source_kind", pl.String(), "iostat, vmstat, sar, mpstat, sadf"),
        Column("cpu", pl.String(), "all, or the processor's number"),
        *(Column(name, _NUMBER, comment) for name, comment in CPU_NUMBERS),
        RAW,
        FLAGS,
    ),
    is_dated=False,
)

VMSTAT_NUMBERS = (
    ("runnable", "threads that run or wait for a processor (r)"),
    ("blocked", "threads blocked (b)"),
    ("swapped", "threads swapped out (w)"),
    ("swap_used", "swap used, as printed (swpd)"),
    ("swap_free", "swap free, as printed (swap of Solaris)"),
    ("active_virtual", "active virtual memory, as printed (avm)"),
    ("free", "free memory, as printed"),
    ("buffers", "buffers, as printed"),
    ("cache", "page cache, as printed"),
    ("inactive", "inactive memory, as printed"),
    ("active", "active memory, as printed"),
    ("swap_in_per_s", "swapped in, KiB per second (si)"),
    ("swap_out_per_s", "swapped out, KiB per second (so)"),
    ("page_in_per_s", "paged in (pi), as printed"),
    ("page_out_per_s", "paged out (po), as printed"),
    ("blocks_in_per_s", "blocks of 1 KiB read per second (bi)"),
    ("blocks_out_per_s", "blocks of 1 KiB written per second (bo)"),
    ("interrupts_per_s", "interrupts per second (in)"),
    ("calls_per_s", "system calls per second"),
    ("switches_per_s", "context switches per second (cs)"),
    *(
        (name, dict(CPU_NUMBERS)[name])
        for name in ("user_pct", "system_pct", "idle_pct", "iowait_pct", "steal_pct", "guest_pct")
    ),
)

VMSTAT = Table(
    name="vmstat",
    grain="One row per report of vmstat.",
    is_public=False,
    columns=(MARK, *(Column(name, _NUMBER, comment) for name, comment in VMSTAT_NUMBERS), RAW, FLAGS),
    is_dated=False,
)

REPORT_TABLES = (IOSTAT_INVOCATION, IOSTAT_MARK, IOSTAT_DEVICE, IOSTAT_CPU, VMSTAT, ENVIRONMENT_FACT)
"""All of them: a file may hold the output of several tools."""

REPORTS = Reports(IOSTAT_MARK, IOSTAT_INVOCATION, from_boot=("iostat", "vmstat"), without_boot=r"\s-[a-zA-Z]*y")
"""How reports are numbered: iostat and vmstat begin with the time since boot, unless the command says -y."""
