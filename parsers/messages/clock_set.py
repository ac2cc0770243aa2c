r"""Messages that say that the clock of a host was set, or that it jumped.

A line printed before the clock is set has the old clock's time (kinds `announced`, `ordered`), one printed after it
the new clock's. Where a message gives the amount, `step_s` holds it: positive where the clock was set forward. What
slews the clock (`adjust time server`, `time slew`) moves no stamp and has no row, nor has a change of zone or of TAI.
"""

import re
from dataclasses import dataclass

import polars as pl

from parsers.format import Column, Table

CLOCK_SET = Table(
    name="clock_set",
    grain="One row per message by which a program says that the clock of its host was set or jumped.",
    is_public=False,
    columns=(
        Column("host", pl.String(), "host that wrote the line", host="own"),
        Column("writer", pl.String(), "who says so: ntpd, ntpdate, chronyd, systemd, systemd-timesyncd, kernel, ..."),
        Column(
            "kind",
            pl.String(),
            "stepped (by a given amount), set (amount not given), jumped (noticed by a program that did not do it), "
            "announced (about to be corrected, by steps or slowly), ordered (somebody called a command that sets it), "
            "boot (the kernel took its time from the hardware clock)",
        ),
        Column("step_s", pl.Float64(), "amount, seconds: positive forward, negative back; null where not given"),
        Column("direction", pl.Int8(), "1 forward, -1 back; null where the message does not say"),
        Column("text", pl.String(), "the message"),
    ),
)


@dataclass(frozen=True, slots=True)
class _Rule:
    """One message. `amount`: a pattern whose group 1 is the amount; `back`: what makes that amount a step back."""

    writer: str
    kind: str
    text: str
    amount: str | None = None
    direction: int | None = None
    back: str | None = None


NUMBER = r"([+-]?[0-9]{1,12}(?:\.[0-9]{1,9})?)"
OFFSET = rf"offset {NUMBER} ?s"
RULES = (
    # REAL: ntpd[17271]: time reset +99.339460 s
    _Rule("ntpd", "stepped", rf"^time reset (?:\(step\) )?{NUMBER} s\b", rf"{NUMBER} s\b"),
    # SOURCE: ntpd: time set +0.123456s
    _Rule("ntpd", "stepped", rf"^(?:ntpd: )?time set {NUMBER} ?s\b", rf"{NUMBER} ?s\b"),
    _Rule("ntpd", "stepped", rf"\bclock_step {NUMBER}\b", rf"clock_step {NUMBER}"),
    # busybox: setting time to 2016-01-01 00:00:00.000000 (offset +1.234567s)
    _Rule("ntpd", "stepped", rf"^setting time to .*\({OFFSET}\)", OFFSET),
    # SOURCE: ntpdate[412]: step time server 10.0.0.1 offset +60.000000 sec
    _Rule("ntpdate", "stepped", rf"\bstep time server \S+ {OFFSET}ec", OFFSET),
    # REAL: chronyd[757]: System clock was stepped by -32398.026858 seconds
    _Rule("chronyd", "stepped", rf"^System clock was stepped by {NUMBER} seconds", rf"by {NUMBER} seconds"),
    # `systemctl status` cuts the amount: stepped by 2.4...s
    _Rule("chronyd", "set", r"^System clock was stepped by "),
    _Rule(
        "chronyd",
        "stepped",
        rf"^System's initial offset : {NUMBER} seconds (?:fast|slow) of true \(step\)",
        rf": {NUMBER} seconds",
        back=r" fast of true ",
    ),
    # REAL: chronyd[757]: System clock wrong by -32398.026858 seconds, adjustment started
    _Rule("chronyd", "announced", rf"^System clock wrong by {NUMBER} seconds", rf"by {NUMBER} seconds"),
    # REAL: chronyd[757]: Forward time jump detected!
    _Rule("chronyd", "jumped", r"^Forward time jump detected", direction=1),
    _Rule("chronyd", "jumped", r"^Backward time jump detected", direction=-1),
    _Rule("systemd-timesyncd", "set", r"^Initial (?:clock )?synchronization to "),
    _Rule("systemd-timesyncd", "set", r"^System clock time unset or jumped backwards, restoring "),
    _Rule("systemd-timedated", "set", r"^Changed local time to "),
    _Rule("systemd", "jumped", r"^Time has been changed"),
    _Rule("systemd-resolved", "jumped", r"^Clock change detected\b"),
    _Rule("systemd-journald", "jumped", r"^Time jumped backwards", direction=-1),
    _Rule("systemd-journald", "jumped", r"^Time jumped forwards", direction=1),
    _Rule("vmtoolsd", "set", r"\bstepping time\b"),
    # REAL: kernel: rtc_cmos 00:00: setting system clock to 2022-10-26 10:09:47 UTC (1666778987)
    _Rule(
        "kernel",
        "boot",
        r"\bsetting system clock to [0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2} UTC \([0-9]{9,10}\)",
    ),
    _Rule(
        "sudo",
        "ordered",
        r"\bCOMMAND=\S*(?:\bdate (?:-s|--set)|\btimedatectl set-time|\bhwclock (?:-s|--hctosys)\b|\bntpdate |\brdate "
        r"|\bchronyc (?:-a )?makestep)",
    ),
)
"""The first that fits says what a message means."""

# older releases log as root of the service manager or without a name of their own
WRITTEN_BY = {rule.writer: re.compile(rf"(?:^|[^\w-]|\bx){rule.writer}(?:\W|$)") for rule in RULES}

WORDS = (
    "time reset ",
    "time set ",
    "clock_step ",
    "setting time to ",
    "step time server ",
    "System clock was stepped",
    "System clock wrong by",
    "initial offset : ",
    "time jump detected",
    "Time has been changed",
    "Clock change detected",
    "Time jumped ",
    "ynchronization to ",
    "jumped backwards, restoring",
    "Changed local time to ",
    "stepping time",
    "setting system clock to ",
    "COMMAND=",
)
"""A message without any of these words is none of them."""

# A longer one would end the year that a store can hold; and nobody believes a clock that is that wrong
MOST_S = 1e10


def clock_sets(events: pl.DataFrame) -> pl.DataFrame:
    """Rows of `clock_set` from rows of `syslog_event`."""
    mentions = events.filter(pl.col("text").str.contains_any(list(WORDS)))
    if not mentions.height:
        return pl.DataFrame(schema=CLOCK_SET.schema)
    text = pl.col("text").str
    writers = _writers(mentions["tag"].unique())
    candidates = [(number, each, tags) for number, each in enumerate(RULES) if len(tags := writers[each.writer])]
    if not candidates:
        return pl.DataFrame(schema=CLOCK_SET.schema)
    rule = pl.coalesce(
        pl.when(text.contains(each.text) & pl.col("tag").is_in(tags.implode())).then(pl.lit(number, pl.Int32))
        for number, each, tags in candidates
    )
    ruled = mentions.with_columns(rule.alias("rule")).drop_nulls("rule")
    if not ruled.height:
        return pl.DataFrame(schema=CLOCK_SET.schema)
    amount = pl.coalesce(
        pl.when(pl.col("rule") == number).then(_amount(each))
        for number, each in enumerate(RULES)
        if each.amount is not None
    )
    timed = ruled.with_columns(
        pl.col("rule").replace_strict(list(range(len(RULES))), [each.writer for each in RULES]).alias("writer"),
        pl.col("rule").replace_strict(list(range(len(RULES))), [each.kind for each in RULES]).alias("kind"),
        amount.alias("step_s"),
        pl.col("rule")
        .replace_strict(list(range(len(RULES))), [each.direction for each in RULES], default=None, return_dtype=pl.Int8)
        .alias("given"),
    )
    sign = pl.when(pl.col("step_s") != 0).then(pl.col("step_s").sign().cast(pl.Int8))
    directed = timed.with_columns(pl.coalesce("given", sign).alias("direction"))
    return directed.filter(pl.col("step_s").abs().fill_null(0) < MOST_S).select(
        pl.col(name).cast(dtype) for name, dtype in CLOCK_SET.schema.items()
    )


def _amount(rule: _Rule) -> pl.Expr:
    amount = pl.col("text").str.extract(rule.amount or "", 1).cast(pl.Float64, strict=False)
    if rule.back is None:
        return amount
    return pl.when(pl.col("text").str.contains(rule.back)).then(-amount).otherwise(amount)


def _writers(tags: pl.Series) -> dict[str, pl.Series]:
    """The tags of each program: `/usr/sbin/ntpd`, `xntpd` and `(systemd)` are of ntpd, ntpd and systemd."""
    names = {tag: tag.lower() for tag in tags.drop_nulls().to_list()}
    return {
        writer: pl.Series([tag for tag, name in names.items() if pattern.search(name)], dtype=pl.String)
        for writer, pattern in WRITTEN_BY.items()
    }
