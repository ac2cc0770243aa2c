"""Lines into records: a verdict for each line, repeats folded, lines below joined to the record that they continue.

Verdicts     a line with a head begins a record. Blank lines, elisions (`...`), marks of journalctl, headers of tail,
             shell prompts and repeats are set aside; what has no head and continues nothing is rejected
Continuation a line that starts with blank or TAB belongs to the record above; a Solaris head without a text takes the
             line below as its text. Below a program's own log, whose scripts, statements and tracebacks print lines
             without a head, any line belongs to the record above. After a rejected line there is nothing to continue
Parts        of a container's line (`P`, and `F` for the last) are one record, see `parsers.syslog.wrapping`
Chunks       PostgreSQL cuts a message for syslog into `[3-1]`, `[3-2]`, ...: one record of session line 3. A part whose
             beginning is not in the file (or was cut off with the chunk before) is a record of its own
"""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from parsers.folds import SURE
from parsers.format import Verdict
from parsers.syslog.framing import CUT, NO_HEAD_REASON, PROGRAM_OWN, framings_of
from parsers.syslog.locale import in_english
from parsers.syslog.markdown import bare
from parsers.syslog.repeats import TAIL, fold, repeat_part
from parsers.syslog.wrapping import OBJECT, PART_REASON

# REAL: "...", and the headers of tail, journalctl and a terminal
NOISE = {
    "elision mark": r"^\.{2,}(?:\s*\.{2,})*\s*$",
    "mark of journalctl": r"^-- (?:Logs begin|Journal begins|Boot|Reboot|No entries)\b",
    "file name printed by tail": TAIL,
    "shell prompt": r"^\[?[\w.-]+@[\w.-]+[: ][^\]$#]*\]?[$#](?: |$)",
    "mark of kubectl around a container's log": r"^==== (?:START|END) logs for container \S+ of pod \S+ ====$",
    "remark of Pacemaker on its log file": r"^Set r/w permissions for uid=[0-9]+, gid=[0-9]+ on /",
}

OWN_LOGS = frozenset({"heartbeat", "date", "python", "postgresql", "postgresql_csv", "postgresql_undated"})
"""Framings below which any line without a head belongs to the record above."""

BSD_TIME = "[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2}"
STARTS = {
    "head": rf"{CUT}|^{BSD_TIME} |^<[0-9]{{1,5}}>|^(?:-|[A-Z_]+) [0-9]{{9,10}} [0-9]{{4}}\.[0-9]{{2}}\.|{OBJECT}\"",
    "agent": r"^\S+\[[0-9]+\]:\s*[0-9/_:]*$|^/\S+/resource\.d/\S+$",
    f"script{SURE}": r"^/\S+/resource\.d/\S+\[[0-9]+\]:\s*[0-9/_:]*$",
    "remark": "|".join(NOISE.values()),
    "time": rf"{PROGRAM_OWN}[.,0-9]*(?: ?(?:Z|[A-Z]{{2,5}}|[+-][0-9:]{{2,6}}))?\W*$|^{BSD_TIME}(?: [0-9]{{4}})?\W*$",
}
"""How lines begin that are the beginning of a head at least, by kind; the last that fits is it."""

OF_A_PROGRAM = ("postgresql", "postgresql_own", "postgresql_csv", "python", "program")
"""Framings of heads with a time and no host; cut ones of them are none."""

CHUNK = r"^([0-9]{1,18})-([0-9]{1,18})$"
NUL_REASON = "NUL bytes: never written, the machine stopped after the line above"


@dataclass(frozen=True, slots=True)
class Records:
    """The records of some lines: those that need no closer look, and those that do.

    Both have the columns of `MESSAGE_SCHEMA`, in the order of the lines, and `repeat_count`; `classified` has a row per
    line that is no plain record, with its `row`, `verdict` and `reason`.
    """

    plain: pl.DataFrame
    special: pl.DataFrame
    classified: pl.DataFrame


def kinds_of_start(lines: pl.Series, framings: Sequence[str]) -> pl.Series:
    """How lines begin records or remarks; empty where they may be the rest of a line above that was folded."""
    text, begun = pl.col("text"), pl.lit("")
    for kind, pattern in STARTS.items():
        begun = pl.when(text.str.contains(pattern)).then(pl.lit(kind)).otherwise(begun)
    kinds = lines.to_frame("text").select(begun).to_series()
    rows = (kinds == "").arg_true()
    left = lines.gather(rows)
    # a fold takes the blanks behind a level of PostgreSQL
    framing = _framings_of(left + "  ", framings)
    is_own = framing.is_in(list(OF_A_PROGRAM)) | ((framing == "") & left.str.contains(PROGRAM_OWN))
    return kinds.scatter(rows, framing.set(is_own, "own"))


def has_head(lines: pl.Series, framings: Sequence[str]) -> pl.Series:
    """Which lines have a head of one of these framings."""
    return _framings_of(lines, framings) != ""


def _framings_of(lines: pl.Series, framings: Sequence[str]) -> pl.Series:
    return framings_of(in_english(bare(lines.str.strip_chars_start("\0\ufeff"))), framings)


def records(
    rows: pl.DataFrame, plain: pl.DataFrame, special: pl.DataFrame, own_logs: frozenset[str] = OWN_LOGS
) -> Records:
    """Make records of lines numbered by `row`: `plain` heads, and `special` lines with their `fault` and `line`."""
    classified, folded = fold(_classify(special), plain)
    classified = _refuse_strangers(classified, rows, own_logs)
    classified, continued = _attach(classified, rows)
    classified, chunks = _join_chunks(_continue_parts(classified))
    begun = classified.filter(pl.col("verdict") == Verdict.PARSED)
    plain, begun = _continue(plain, begun, pl.concat([continued, chunks]).sort("row", maintain_order=True))
    counts = pl.repeat(0, rows.height, dtype=pl.Int32, eager=True).scatter(folded["row"], folded["repeat_count"])
    return Records(_with_repeats(plain, counts), _with_repeats(begun, counts), classified)


def _classify(special: pl.DataFrame) -> pl.DataFrame:
    """`verdict` and `reason` of each line by itself; CONTINUATION is a candidate until its record is found."""
    line, framed = pl.col("line"), pl.col("framing").is_not_null()
    is_repeat = framed & pl.col("fault").is_null() & repeat_part("count").is_not_null()
    noise: pl.Expr = pl.lit(None, pl.String)
    for reason, pattern in NOISE.items():
        noise = pl.when(line.str.contains(pattern)).then(pl.lit(reason)).otherwise(noise)
    is_nul = line.str.contains(r"^\x00+\s*$")
    rules = {
        Verdict.BLANK: line.str.strip_chars() == "",
        Verdict.PARSED: framed & pl.col("fault").is_null() & ~is_repeat,
        Verdict.IGNORED: is_repeat | (~framed & noise.is_not_null()),
        Verdict.CONTINUATION: ~framed & ~is_nul & ((pl.col("fault") == NO_HEAD_REASON) | line.str.contains(r"^[ \t]")),
    }
    verdict: pl.Expr = pl.lit(Verdict.REJECTED, pl.UInt8)
    for value, rule in reversed(rules.items()):
        verdict = pl.when(rule).then(pl.lit(value, pl.UInt8)).otherwise(verdict)
    classified = (
        pl.when(pl.col("verdict") == Verdict.REJECTED)
        .then(pl.when(is_nul).then(pl.lit(NUL_REASON)).otherwise("fault"))
        .when((pl.col("verdict") == Verdict.IGNORED) & ~pl.col("is_repeat"))
        .then(noise)
    )
    return special.with_columns(verdict.alias("verdict"), is_repeat.alias("is_repeat")).with_columns(
        classified.alias("reason")
    )


def _refuse_strangers(classified: pl.DataFrame, rows: pl.DataFrame, own_logs: frozenset[str]) -> pl.DataFrame:
    """Reject lines without a head that are neither indented nor below a program's own log."""
    is_candidate = pl.col("verdict") == Verdict.CONTINUATION
    candidates = classified.filter(is_candidate)
    if not candidates.height:
        return classified
    is_own = pl.col("framing").is_in(list(own_logs)) & (pl.col("verdict") == Verdict.PARSED)
    kind = pl.when(is_own).then(1).when(~is_candidate & (pl.col("verdict") != Verdict.BLANK)).then(2)
    kinds = classified.select("row", kind.cast(pl.Int8).alias("kind"))
    plain_kind = 1 if "bsd" in own_logs else 2
    above = pl.repeat(plain_kind, rows.height, dtype=pl.Int8, eager=True).scatter(kinds["row"], kinds["kind"])
    filled = pl.col("kind").forward_fill().over("file_id")
    owners = rows.select("file_id", above.alias("kind")).select(filled)["kind"]
    known = pl.DataFrame({"row": candidates["row"], "is_below_own": owners.gather(candidates["row"]) == 1})
    explained = classified.join(known, on="row", how="left", maintain_order="left")
    is_stranger = (
        is_candidate
        & ~pl.col("is_below_own").fill_null(value=False)
        & ~pl.col("line").str.contains(r"^[ \t]")
        & ~_is_text_of_head_above()
    )
    return explained.with_columns(
        pl.when(is_stranger).then(pl.lit(Verdict.REJECTED, pl.UInt8)).otherwise("verdict").alias("verdict"),
        pl.when(is_stranger).then("fault").otherwise("reason").alias("reason"),
    ).drop("is_below_own")


def _is_text_of_head_above() -> pl.Expr:
    """Whether the line above is a Solaris head without a text."""
    is_empty_head = ((pl.col("framing") == "solaris") & (pl.col("text") == "")).fill_null(value=False)
    return (
        is_empty_head.shift(1, fill_value=False)
        & (pl.col("row") - pl.col("row").shift(1) == 1).fill_null(value=False)
        & (pl.col("file_id") == pl.col("file_id").shift(1)).fill_null(value=False)
    )


def _attach(classified: pl.DataFrame, rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Find the record of every continuation line; the others are rejected. Second: the record's `row`, and `line`."""
    is_candidate = pl.col("verdict") == Verdict.CONTINUATION
    candidates = classified.filter(is_candidate)
    if not candidates.height:
        return classified, candidates.select("row", "line")
    kinds = pl.repeat(Verdict.PARSED, rows.height, dtype=pl.UInt8, eager=True).scatter(
        classified["row"], classified["verdict"]
    )
    is_anchor = ~pl.col("kind").is_in([Verdict.BLANK, Verdict.CONTINUATION])
    anchor = pl.when(is_anchor).then("row").forward_fill().alias("anchor")
    owners = rows.select("row", "file_id", kinds.alias("kind")).select("file_id", "kind", anchor)
    owner = owners["anchor"].gather(candidates["row"])
    same_file = owners["file_id"].gather(owner) == candidates["file_id"]
    is_owned = (same_file & (owners["kind"].gather(owner) == Verdict.PARSED)).fill_null(value=False)
    answered = candidates.select("row", owner.alias("owner"), is_owned.alias("is_owned"))
    lost = is_candidate & ~pl.col("is_owned")
    explained = classified.join(
        answered.select("row", "is_owned"), on="row", how="left", maintain_order="left"
    ).with_columns(
        pl.when(lost).then(pl.lit(Verdict.REJECTED, pl.UInt8)).otherwise("verdict").alias("verdict"),
        pl.when(lost).then(pl.lit("continues no record")).otherwise("reason").alias("reason"),
    )
    lines = candidates.select(owner.alias("row"), "line").filter(is_owned)
    return explained.drop("is_owned"), lines


def _continue_parts(classified: pl.DataFrame) -> pl.DataFrame:
    """Let parts of a container's line, whose text is in the record that they continue, continue it."""
    is_part = pl.col("reason") == PART_REASON
    verdict = pl.when(is_part).then(pl.lit(Verdict.CONTINUATION, pl.UInt8)).otherwise("verdict")
    return classified.with_columns(
        verdict.alias("verdict"), pl.when(~is_part.fill_null(value=False)).then("reason").alias("reason")
    )


def _join_chunks(classified: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Let PostgreSQL's `[3-2]` continue the `[3-1]` of its process. Second: the record's `row`, and the text."""
    is_of_postgres = pl.col("tag").str.starts_with("postgres") & (pl.col("verdict") == Verdict.PARSED)
    parts = (
        classified.filter(is_of_postgres & pl.col("msgid").str.contains(CHUNK))
        .with_columns(
            pl.col("msgid").str.extract(CHUNK, 1).alias("session_line"),
            pl.col("msgid").str.extract(CHUNK, 2).cast(pl.Int64).alias("part_no"),
            pl.col("host").fill_null(""),
            pl.col("pid").fill_null(-1),
        )
        .select("row", "file_id", "host", "pid", "session_line", "part_no", "text")
    )
    nothing = pl.DataFrame(schema={"row": pl.UInt32(), "line": pl.String()})
    later = parts.filter(pl.col("part_no") > 1)
    if not later.height:
        return classified, nothing
    keys = ["file_id", "host", "pid", "session_line"]
    first = parts.filter(pl.col("part_no") == 1).select("row", *keys, owner="row")
    # the check for sorted keys cannot look into groups, and both frames are in file order
    owned = later.join_asof(first, on="row", by=keys, strategy="backward", check_sortedness=False).drop_nulls("owner")
    is_part = pl.col("row").is_in(owned["row"].implode())
    verdict = pl.when(is_part).then(pl.lit(Verdict.CONTINUATION, pl.UInt8)).otherwise("verdict")
    return classified.with_columns(verdict.alias("verdict")), owned.select(pl.col("owner").alias("row"), line="text")


def _continue(plain: pl.DataFrame, begun: pl.DataFrame, continued: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Join continuation lines to their records; records that got some are looked at closely, as special ones are."""
    if not continued.height:
        return plain, begun
    owners = continued["row"].unique()
    moved = plain.filter(pl.col("row").is_in(owners.implode()))
    joined = continued.group_by("row").agg(pl.col("line").str.join("\n").alias("below"))
    # a head without a text takes the lines below as its text
    below = pl.when(pl.col("text") == "").then(pl.col("below").str.strip_chars_start(" \t"))
    text = pl.coalesce(below, pl.concat_str("text", "below", separator="\n"), "text")
    special = pl.concat([begun, moved], how="diagonal").sort("row")
    special = special.join(joined, on="row", how="left", maintain_order="left").with_columns(text.alias("text"))
    return plain.filter(~pl.col("row").is_in(owners.implode())), special.drop("below")


def _with_repeats(messages: pl.DataFrame, counts: pl.Series) -> pl.DataFrame:
    """`repeat_count` of each message, of the counts by line."""
    return messages.with_columns(repeat_count=counts.gather(messages["row"]))
