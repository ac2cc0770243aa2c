r"""Syslog files: `messages`, `syslog`, `kern.log` and what else syslogd, rsyslog or syslog-ng write.

Written by   syslogd of the node, one file for all programs; a relay writes the lines of many nodes into one file
One row      per message. LLT, GAB, storage and VCS messages also get a row in their own table; where several of them
             stand on one line, each gets its row, counted by `part`
Time         bsd heads: wall clock of the node, whole seconds, no year, no zone. iso and rfc5424 heads: year, zone and
             fraction as printed
Heads        chosen line by line, see `parsers.syslog_framing`
Repeats      `last message repeated 5 times`, with a tag or without, `message repeated 5 times: [ text]` of rsyslog and
             `--- last message repeated 1 time ---` of macOS add to `repeat_count` of the record above of that host;
             they are ignored lines. Their stamp is that of the last copy and is nowhere kept: it proves nothing. If
             the record they speak of is not in the file (or was cut off with the chunk before, in a file of several
             hosts), the line is ignored with that reason
Continuation a line that starts with blank or TAB belongs to the record above; a Solaris head without a text takes the
             line below as its text. After a rejected line there is nothing to continue
Ignored      elisions (`...`), `-- Boot ... --` of journalctl, `==> file <==` of tail, shell prompts
Rejected     lines without a head, impossible dates, a PRI above 191, lines of other logs that got in between
Not syslog   Heartbeat's, Pacemaker's and corosync's own logs, uptime-only kernel text, programs that print a time and
             no host, and a journal export that says so in its first line (`-- Logs begin at`)
Escapes      `#011`, `#012`, ... of rsyslog are decoded in `text`; the line itself keeps them
"""

import polars as pl

from parsers import veritas_kernel
from parsers.format import Column, Format, Message, Parsed, Recognition, Refusal, Table, Verdict
from parsers.ha_message import HA_EVENT
from parsers.syslog_framing import (
    LEVEL_WORDS,
    OTHER_LOGS,
    is_head,
    read_heads,
)
from parsers.syslog_plain import read_plain
from parsers.syslog_repeats import TAIL, fold, said_of_repeat
from parsers.vcs_message import VCS_EVENT
from parsers.vcs_message import messages as vcs_messages
from parsers.veritas_kernel import GAB_EVENT, LLT_EVENT, STORAGE_EVENT

SYSLOG_EVENT = Table(
    name="syslog_event",
    grain="One row per syslog message, also where another table holds its typed form.",
    columns=(
        Column("framing", pl.String(), "shape of the line's head: bsd, solaris, linux_kernel, iso, rfc5424, aix, ..."),
        Column("host", pl.String(), "host that wrote the line, as printed", host="own"),
        Column("facility", pl.String(), "syslog facility where printed"),
        Column("level", pl.String(), "emerg, alert, crit, err, warning, notice, info, debug; null where not printed"),
        Column("tag", pl.String(), "program, daemon or kernel module"),
        Column("pid", pl.Int64(), "process id where printed"),
        Column("msgid", pl.String(), "Solaris [ID n] or RFC 5424 MSGID; never a key for meaning"),
        Column("message_id", pl.String(), "vendor message id inside the text: V-14-1-10032, V-16-1-10322, ..."),
        Column("product", pl.String(), "LLT, GAB, VCS, VxVM, CVM, VxFS, CFS, VXFEN where the text is theirs"),
        Column("uptime_s", pl.Float64(), "kernel uptime stamp, seconds"),
        Column("repeat_count", pl.Int32(), "further copies that a repeat line reported; their stamps are not evidence"),
        Column("text", pl.String(), "the message after the tag; continuation lines joined by a line feed"),
    ),
    message=Message(source="syslog", text="text", severity="level", message_id="message_id", process="tag", pid="pid"),
)

# REAL: 2019-03-22T10:36:02.651273+08:00 15sp1-1 systemd[1]: Reloading.
# A head with a tag, and a text that cannot be a repeat, as it begins with neither l nor m nor a hyphen.
TEXT_OF_A_RECORD = (
    r"(?:[^\slm\[-]"
    r"|\[ID \d+ [a-z]\w*\.[a-z]+\] [^\slm-]"  # Solaris
    r"|\[ *[\d.]+\]:? [^\slm\[-]"  # kernel uptime, Heartbeat's process id
    r"|\[[A-Za-z]{4,} *\])"  # corosync: [TOTEM ]
)
BOUNDARY = (
    r"^(?:(?:-|[A-Z_]+) \d{9,10} \d{4}\.\d\d\.\d\d \S+ )?(?:<\d{1,3}>)?"  # collector, PRI
    r"(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,3}\d{1,2} \d\d:\d\d:\d\d(?:\.\d{1,9})?"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)"
    r" [\w./-]*[A-Za-z.][\w./-]* (?:[a-z0-9|]+:[a-z]+ )?"  # host, AIX' facility and level
    r"[A-Za-z_/][\w./-]*(?:\([^)]*\))?(?:\[\d{1,18}\])?: +" + TEXT_OF_A_RECORD + "|"
    # REAL: <34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - 'su root' failed for lonvick on /dev/pts/8
    r"^<\d{1,3}>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d) \S+ \S+ \S+ \S+ "
    r'(?:-|(?:\[(?:[^\]\\"]|\\.|"(?:[^"\\]|\\.)*")*\])+) [^\slmB-]'
)

# REAL: "...", and the headers of tail, journalctl and a terminal
NOISE = {
    "elision mark": r"^\.{2,}(?:\s*\.{2,})*\s*$",
    "mark of journalctl": r"^-- (?:Logs begin|Journal begins|Boot|Reboot|No entries)\b",
    "file name printed by tail": TAIL,
    "shell prompt": r"^\[?[\w.-]+@[\w.-]+[: ][^\]$#]*\]?[$#](?: |$)",
}
JOURNAL = r"^-- (?:Logs begin|Journal begins)\b"

# ADAPTED: VCS ERROR V-16-1-10322 System sun-ha3 (Node '0') changed state from RUNNING to FAULTED
HAD = (
    rf"((?:\bVCS\s+{veritas_kernel.SEVERITY}\s*V-16-"  # 4.0 on
    r"|\b(?:TAG_[A-Z]\s+)?VCS:\d{4,6}:"  # to 3.5
    r"|(?:\b[A-Z]+:+ *)?\bVCS Concurrency Violation)(?s:.*))$"  # 1.x
)

SNIFFED_LINES = 200
LEAST_SHARE = 0.6


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file if at least 60 % of its first 200 lines have a syslog head; continued and ignored lines aside."""
    text = pl.DataFrame({"line": head.str.strip_chars_start("\0\ufeff")}).with_row_index("line_no", offset=1)
    lines = text.filter(pl.col("line").str.contains(r"[^\s\x00]")).head(SNIFFED_LINES)
    if not lines.height:
        return Refusal("no line to judge by", 1)
    if lines.select(pl.col("line").first().str.contains(JOURNAL)).item():
        return Refusal("a journal export by its first line, not syslog", int(lines["line_no"][0]))
    judged = lines.with_columns(is_head().alias("is_head")).filter(_counts())
    heads = judged.filter("is_head")
    if heads.height and heads.height >= LEAST_SHARE * judged.height:
        share = heads.height / lines.height
        reason = f"{heads.height} of the first {lines.height} lines have a syslog head"
        return Recognition(round(0.5 + 0.35 * share, 3), reason, int(heads["line_no"][0]))
    others = judged.filter(~pl.col("is_head"))
    line_no = int(others["line_no"][0]) if others.height else int(lines["line_no"][0])
    return Refusal(_why_not(others["line"], heads.height, judged.height), line_no)


def _counts() -> pl.Expr:
    """Whether a line speaks for or against syslog: it is neither noise nor the continuation of a record."""
    continues = pl.col("line").str.contains(r"^[ \t]") & pl.col("is_head").cum_max()
    return ~(continues | pl.col("line").str.contains("|".join(NOISE.values())))


def _why_not(others: pl.Series, heads: int, judged: int) -> str:
    """The refusal in words: another log by name if most lines are its, else the share."""
    for reason, pattern in OTHER_LOGS.items():
        if 2 * int(others.str.contains(pattern).sum()) > judged:
            return reason
    return f"only {heads} of {judged} lines have a syslog head"


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines into messages and typed events, and give each line its verdict."""
    rows = lines.with_row_index("row")
    plain, mentioning, other = read_plain(rows)
    plain, undated = _split_undated(plain)
    special = pl.concat([_closely(other), *(_with_line(each, rows) for each in (mentioning, undated))], how="diagonal")
    special = _judge(special.sort("row"))
    special, folded = fold(special, plain)
    special, continued = _attach(special, rows)
    plain, records = _continue(plain, special.filter(pl.col("verdict") == Verdict.PARSED), continued)
    typed = _type(_with_repeats(records, folded))
    if folded.height:
        plain = _with_repeats(plain, folded)
    tables = {SYSLOG_EVENT.name: _events(plain, typed), **_typed_tables(typed)}
    return Parsed({name: frame for name, frame in tables.items() if frame.height}, _verdicts(lines, special))


def _split_undated(plain: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The lines whose day and hour exist, and the others."""
    if not plain["stamp"].null_count():
        return plain, plain.clear()
    exists = pl.col("stamp").is_not_null()
    return plain.filter(exists), plain.filter(~exists)


def _closely(other: pl.DataFrame) -> pl.DataFrame:
    """The lines that are not plain, read by the patterns, beside their text as `line`."""
    return read_heads(other).with_columns(other["text"].alias("line"))


def _with_line(messages: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Plain lines beside their text as `line`; one whose day or hour does not exist has a fault."""
    fault = pl.when(pl.col("stamp").is_null()).then(pl.lit("impossible date or time"))
    return messages.with_columns(fault.alias("fault"), rows["text"].gather(messages["row"]).alias("line"))


def _judge(special: pl.DataFrame) -> pl.DataFrame:
    """`verdict` and `reason` of each line by itself; CONTINUATION is a candidate until `_attach` finds its record."""
    line, framed = pl.col("line"), pl.col("framing").is_not_null()
    is_repeat = framed & pl.col("fault").is_null() & said_of_repeat("count").is_not_null()
    noise: pl.Expr = pl.lit(None, pl.String)
    for reason, pattern in NOISE.items():
        noise = pl.when(line.str.contains(pattern)).then(pl.lit(reason)).otherwise(noise)
    is_empty_head = ((pl.col("framing") == "solaris") & (pl.col("text") == "")).fill_null(value=False)
    is_text_below = (
        is_empty_head.shift(1, fill_value=False)
        & (pl.col("row") - pl.col("row").shift(1) == 1).fill_null(value=False)
        & (pl.col("file_id") == pl.col("file_id").shift(1)).fill_null(value=False)
    )
    rules = {
        Verdict.BLANK: line.str.strip_chars() == "",
        Verdict.PARSED: framed & pl.col("fault").is_null() & ~is_repeat,
        Verdict.IGNORED: is_repeat | (~framed & noise.is_not_null()),
        Verdict.CONTINUATION: ~framed & (line.str.contains(r"^[ \t]") | is_text_below),
    }
    verdict: pl.Expr = pl.lit(Verdict.REJECTED, pl.UInt8)
    for value, rule in reversed(rules.items()):
        verdict = pl.when(rule).then(pl.lit(value, pl.UInt8)).otherwise(verdict)
    is_nul = line.str.contains(r"^\x00+\s*$")
    fault = pl.when(is_nul).then(pl.lit("NUL bytes: never written, the machine stopped here")).otherwise("fault")
    judged = (
        pl.when(pl.col("verdict") == Verdict.REJECTED)
        .then(fault)
        .when((pl.col("verdict") == Verdict.IGNORED) & ~pl.col("is_repeat"))
        .then(noise)
    )
    return special.with_columns(verdict.alias("verdict"), is_repeat.alias("is_repeat")).with_columns(
        judged.alias("reason")
    )


def _attach(special: pl.DataFrame, rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Find the record of every continuation line; the others are rejected. Second: the record's `row`, and `line`."""
    is_candidate = pl.col("verdict") == Verdict.CONTINUATION
    candidates = special.filter(is_candidate)
    if not candidates.height:
        return special, candidates.select("row", "line")
    kinds = pl.repeat(Verdict.PARSED, rows.height, dtype=pl.UInt8, eager=True).scatter(
        special["row"], special["verdict"]
    )
    is_anchor = ~pl.col("kind").is_in([Verdict.BLANK, Verdict.CONTINUATION])
    anchor = pl.when(is_anchor).then("row").forward_fill().alias("anchor")
    owners = rows.select("row", "file_id", kinds.alias("kind")).select("file_id", "kind", anchor)
    owner = owners["anchor"].gather(candidates["row"])
    same_file = owners["file_id"].gather(owner) == candidates["file_id"]
    is_owned = (same_file & (owners["kind"].gather(owner) == Verdict.PARSED)).fill_null(value=False)
    answered = candidates.select("row", owner.alias("owner"), is_owned.alias("is_owned"))
    lost = is_candidate & ~pl.col("is_owned")
    told = special.join(answered.select("row", "is_owned"), on="row", how="left", maintain_order="left").with_columns(
        pl.when(lost).then(pl.lit(Verdict.REJECTED, pl.UInt8)).otherwise("verdict").alias("verdict"),
        pl.when(lost).then(pl.lit("continues no record")).otherwise("reason").alias("reason"),
    )
    lines = candidates.select(owner.alias("row"), "line").filter(is_owned)
    return told.drop("is_owned"), lines


def _continue(plain: pl.DataFrame, records: pl.DataFrame, continued: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Join continuation lines to their records; records that got some are looked at closely, as special ones are."""
    if not continued.height:
        return plain, records
    owners = continued["row"].unique()
    moved = plain.filter(pl.col("row").is_in(owners.implode()))
    joined = continued.group_by("row").agg(pl.col("line").str.join("\n").alias("below"))
    # a head without a text takes the lines below as its text
    below = pl.when(pl.col("text") == "").then(pl.col("below").str.strip_chars_start(" \t"))
    text = pl.coalesce(below, pl.concat_str("text", "below", separator="\n"), "text")
    special = pl.concat([records, moved], how="diagonal").sort("row")
    special = special.join(joined, on="row", how="left", maintain_order="left").with_columns(text.alias("text"))
    return plain.filter(~pl.col("row").is_in(owners.implode())), special.drop("below")


def _with_repeats(messages: pl.DataFrame, folded: pl.DataFrame) -> pl.DataFrame:
    """`repeat_count` of each message."""
    counted = messages.join(folded, on="row", how="left", maintain_order="left")
    return counted.with_columns(pl.col("repeat_count").fill_null(0))


def _type(records: pl.DataFrame) -> pl.DataFrame:
    """Whose message each record is; a record that holds several messages becomes several rows.

    A Veritas daemon's name is part of its message: `vxvm:vxconfigd: NOTICE: ...`.
    """
    prefix = pl.col("tag") + ": "
    is_daemon = pl.col("tag").str.contains(r"^(?:vxvm:)?vx|^qlogckd$").fill_null(value=False)
    named = records.with_columns(pl.when(is_daemon).then(prefix + pl.col("text")).otherwise("text").alias("text"))
    is_mention = veritas_kernel.mentions(pl.col("text"))
    named = named.with_columns(is_mention.alias("is_mention"))
    read = veritas_kernel.read(named.filter("is_mention"))
    level = pl.col("severity").str.to_lowercase().replace_strict(LEVEL_WORDS, default=None, return_dtype=pl.String)
    texts = pl.when(is_daemon).then(pl.col("text").str.strip_prefix(prefix)).otherwise("text")
    typed = read.with_columns(pl.coalesce("level", level).alias("level"), texts.alias("shown"))
    plain_texts = texts.alias("shown")
    others = named.filter(~pl.col("is_mention")).with_columns(pl.lit(1, pl.Int16).alias("part"), plain_texts)
    return pl.concat([typed, others], how="diagonal").sort("row", "part")


def _events(plain: pl.DataFrame, typed: pl.DataFrame) -> pl.DataFrame:
    """Rows of `syslog_event`, in the order of the lines."""
    columns = [pl.col(name).cast(dtype) for name, dtype in SYSLOG_EVENT.schema.items()]
    special = typed.with_columns(pl.col("shown").alias("text")).select("row", *columns)
    missing = [pl.lit(None, pl.String).alias(name) for name in ("message_id", "product")]
    counted = [] if "repeat_count" in plain.columns else [pl.lit(0, pl.Int32).alias("repeat_count")]
    ordinary = plain.with_columns(pl.lit(1, pl.Int16).alias("part"), *missing, *counted).select("row", *columns)
    return pl.concat([ordinary, special]).sort("row", maintain_order=True).drop("row")


def _typed_tables(typed: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The messages that have a table of their own."""
    veritas = typed.filter(pl.col("product").is_not_null())
    if not veritas.height:
        return {}
    had = veritas.with_columns(pl.col("text").str.extract(HAD, 1)).drop_nulls("text")
    return {
        LLT_EVENT.name: veritas_kernel.llt_events(veritas),
        GAB_EVENT.name: veritas_kernel.gab_events(veritas),
        STORAGE_EVENT.name: veritas_kernel.storage_events(veritas),
        VCS_EVENT.name: vcs_messages(had),
    }


def _verdicts(lines: pl.DataFrame, special: pl.DataFrame) -> pl.DataFrame:
    """One verdict a line: what is not special is parsed."""
    verdict = pl.repeat(Verdict.PARSED, lines.height, dtype=pl.UInt8, eager=True).scatter(
        special["row"], special["verdict"]
    )
    told = special.filter(pl.col("reason").is_not_null())
    reason = pl.repeat(None, lines.height, dtype=pl.String, eager=True).scatter(told["row"], told["reason"])
    return lines.select("file_id", "line_no", verdict.alias("verdict"), reason.alias("reason"))


FORMAT = Format(
    name="syslog",
    title="Syslog file",
    tables=(SYSLOG_EVENT, LLT_EVENT, GAB_EVENT, STORAGE_EVENT, VCS_EVENT, HA_EVENT),
    recognise=recognise,
    parse=parse,
    boundary=BOUNDARY,
    file_names=("messages*", "syslog*", "kern.log*", "daemon.log*", "user.log*", "auth.log*"),
)
