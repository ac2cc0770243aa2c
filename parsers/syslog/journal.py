r"""What `journalctl` prints of the systemd journal, in any of its forms.

Written by   journalctl of the node, or of a host that collects journals
One row      per entry
Time         json, export: UTC to the microsecond, the sender's where the journal has it, and the uptime beside it.
             short-iso: `2019-03-22T11:01:02+0800`. short-full, with-unit: `Fri 2019-03-22 11:01:02 CST`, zone by name.
             short-unix: seconds since 1970. short, short-precise: as syslog, no year and no zone. short-monotonic: the
             uptime only, such rows are undated
Known by     `-- Logs begin at` or `-- Journal begins at` in the first line; the fields of an entry; a stamp that only
             journalctl prints. `-o short` without its first line is read as syslog, with the same rows
Entries      json-pretty and export put a field on each line: the first line of an entry is its row, the others continue
             it. A MESSAGE that is not UTF-8 comes as an array of bytes in JSON, after its length in export
Ignored      `-- Boot 5d1d... --`, `-- Reboot --`, `-- No entries --`
"""

import polars as pl

from parsers.format import Format, Hint, Parsed, Recognition, Refusal, Verdict
from parsers.syslog.event import TABLES
from parsers.syslog.event import parse as parse_messages
from parsers.syslog.framing import COMMON, FRAMINGS, boundary_of
from parsers.syslog.recognition import LEAST_SHARE, Sniffed, claim, sniff
from parsers.syslog.syslog import BOUNDARY
from parsers.syslog.wrapping import JOURNAL_FIELDS

JOURNAL = tuple(name for name in FRAMINGS if name in {*COMMON, "monotonic"})
BEGIN = r"^-- (?:Logs begin|Journal begins)\b"
CURSOR = r"^__CURSOR="
OPEN_BRACE = r"^\x1e?\{\s*$"
FIELD = r"^([A-Z_][A-Z0-9_]{0,63})(?:=((?s:.*)))?$"
PRETTY_FIELD = r'^\s*"__(?:CURSOR|REALTIME_TIMESTAMP)" :'
# REAL: 2019-03-22T11:36:57+0800 15sp1-1 kernel: systemd-journal   360     34476.363433       713   120
SHORT_ISO = r"^[0-9]{4}-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9](?:\.[0-9]{6})?[+-][0-9]{4} "
# RECONSTRUCTED: [   12.345678] 15sp1-1 kernel: sd 2:0:0:0: [sda] Attached SCSI disk
SHORT_MONOTONIC = r"^\[ *[0-9]+\.[0-9]{6}\] ([^\s:\[\]]+) (?:kernel|[^\s:\[]+\[[0-9]+\]):"

NO_ENTRY_REASON = "no journal entry begins above"
PART_REASON = "part of a journal entry that cannot be read"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file by its first line, by the fields of entries, or by a stamp that only journalctl prints."""
    seen = sniff(head)
    if not seen.lines:
        return Refusal("no line to decide by", 1)
    number, first, _ = seen.lines[0]
    texts = pl.Series([text for _, text, _ in seen.lines])
    is_pretty = pl.Series([first]).str.contains(OPEN_BRACE).item() and texts.str.contains(PRETTY_FIELD).any()
    for is_so, reason in (
        (pl.Series([first]).str.contains(BEGIN).item(), "its first line says where the journal begins"),
        (pl.Series([first]).str.contains(CURSOR).item(), "its first line is the cursor of an entry"),
        (is_pretty, "its first lines are an entry in JSON"),
        (_is_share(seen, "iso", SHORT_ISO), "stamps as journalctl -o short-iso prints them"),
        (_is_monotonic(seen), "uptime and host as journalctl -o short-monotonic prints them"),
    ):
        if is_so:
            return Recognition(0.96, reason, number)
    own = ("journal_json", "short_full", "unix")
    return claim(seen, "as journalctl prints them", *own)


def _is_share(seen: Sniffed, framing: str, pattern: str) -> bool:
    """Whether enough lines are of this framing and pattern."""
    texts = pl.Series([text for _, text, each in seen.classified if each == framing], dtype=pl.String)
    return bool(len(texts)) and int(texts.str.contains(pattern).sum()) >= LEAST_SHARE * len(seen.classified)


def _is_monotonic(seen: Sniffed) -> bool:
    """Whether one host stands behind the uptime of nearly all lines: in dmesg that is another word each time."""
    texts = pl.Series([text for _, text, each in seen.classified if each == "uptime"], dtype=pl.String)
    hosts = texts.str.extract(SHORT_MONOTONIC, 1).drop_nulls()
    most = hosts.value_counts(sort=True)["count"].first() if len(hosts) else 0
    return bool(len(hosts)) and most == len(hosts) and len(hosts) >= LEAST_SHARE * len(seen.classified)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines into messages and typed events, and give each line its verdict."""
    marked = _with_entries(lines)
    is_part = pl.col("entry").is_not_null() & ~pl.col("is_first")
    parts = marked.filter(is_part)
    if not parts.height:
        return parse_messages(lines, JOURNAL)
    whole = _as_json(marked)
    found = parse_messages(whole, JOURNAL)
    return Parsed(found.tables, _verdicts(marked, found.lines))


def _with_entries(lines: pl.DataFrame) -> pl.DataFrame:
    """`entry`, its number in the file, `is_first`, for files whose entries take several lines; 0: before the first."""
    is_export = pl.col("text").str.contains(CURSOR)
    is_pretty = pl.col("text").str.contains(OPEN_BRACE)
    has_export = is_export.any().over("file_id")
    is_first = pl.when(has_export).then(is_export).otherwise(is_pretty)
    has_entries = has_export | is_pretty.any().over("file_id")
    return lines.with_columns(
        has_export.alias("is_export"),
        is_first.alias("is_first"),
        pl.when(has_entries).then(is_first.cum_sum().over("file_id")).alias("entry"),
    )


def _as_json(marked: pl.DataFrame) -> pl.DataFrame:
    """Numbered lines with each entry on one line, as JSON; lines of other files as they are."""
    columns = ["file_id", "line_no", "text"]
    entries = marked.filter(pl.col("entry") > 0)
    pretty = (
        entries.filter(~pl.col("is_export"))
        .group_by("file_id", "entry", maintain_order=True)
        .agg(pl.col("line_no").first(), pl.col("text").str.strip_chars().str.join(" ").str.strip_chars_end(", "))
    )
    export = _read_export(entries.filter("is_export"))
    others = marked.filter(pl.col("entry").is_null())
    return pl.concat([each.select(columns) for each in (others, pretty, export)]).sort("file_id", "line_no")


def _read_export(lines: pl.DataFrame) -> pl.DataFrame:
    """Entries of the export form as JSON. A field with its value on the next lines has a length before it."""
    groups = pl.col("text").str.extract_groups(FIELD).struct.field
    keys = ["file_id", "entry"]
    named = lines.with_columns(groups("1").alias("name"), groups("2").alias("value"))
    named = named.with_columns(pl.col("name").forward_fill().over(keys).alias("open"))
    is_binary = pl.col("name").is_null() & (pl.col("open") == "MESSAGE")
    of_field = [pl.col("value").filter(pl.col("name") == name).first().alias(name) for name in JOURNAL_FIELDS]
    binary = pl.col("text").filter(is_binary).str.join("\n").str.strip_chars_end("\n").alias("binary")
    entries = named.group_by(keys, maintain_order=True).agg(pl.col("line_no").first(), *of_field, binary)
    message = pl.coalesce("MESSAGE", pl.when(pl.col("binary") != "").then(_without_length(pl.col("binary"))))
    fields = pl.struct(*(name for name in JOURNAL_FIELDS if name != "MESSAGE"), message.alias("MESSAGE"))
    return entries.with_columns(fields.struct.json_encode().alias("text"))


def _without_length(data: pl.Expr) -> pl.Expr:
    """A value without the length before it: eight bytes, of which reading took off those that are NUL."""
    one, two = data.str.slice(1), data.str.slice(2)
    length = one.str.len_bytes()
    return pl.when((length < 256) | (length % 256 == 0)).then(one).otherwise(two)


def _verdicts(marked: pl.DataFrame, found: pl.DataFrame) -> pl.DataFrame:
    """Verdicts of all lines from those of whole entries: the other lines of an entry continue it."""
    joined = marked.join(found, on=["file_id", "line_no"], how="left", maintain_order="left")
    of_entry = pl.col("verdict").forward_fill().over("file_id", "entry")
    is_part = pl.col("verdict").is_null()
    is_blank = pl.col("text").str.strip_chars() == ""
    continues = of_entry == Verdict.PARSED
    verdict = (
        pl.when(~is_part)
        .then("verdict")
        .when(is_blank)
        .then(pl.lit(Verdict.BLANK))
        .when(continues)
        .then(pl.lit(Verdict.CONTINUATION))
        .otherwise(pl.lit(Verdict.REJECTED))
    )
    is_rejected = is_part & ~is_blank & ~continues.fill_null(value=False)
    reason = pl.when(pl.col("entry") == 0).then(pl.lit(NO_ENTRY_REASON)).otherwise(pl.lit(PART_REASON))
    return joined.select(
        "file_id",
        "line_no",
        verdict.cast(pl.UInt8).alias("verdict"),
        pl.when(is_rejected).then(reason).otherwise("reason").alias("reason"),
    )


FORMAT = Format(
    name="journal",
    title="journalctl output",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    boundary="|".join((CURSOR, OPEN_BRACE, boundary_of("journal_json", "short_full", "unix", "monotonic"), BOUNDARY)),
    file_names=("journal*", "*.journal.txt"),
    needs=r"__CURSOR|__REALTIME_TIMESTAMP|-- (?:Logs begin|Journal begins)|T[0-9:.]{8,15}[+-][0-9]{4} "
    r"|^\S{1,8} [0-9]{4}-[0-9]{2}-|[0-9]{9}\.[0-9]{6} |\[ *[0-9]+\.[0-9]{6}\] \S+ (?:kernel|\S+\[[0-9]+\]):",
    hints=(Hint(r"^-- (?:Logs begin|Journal begins) at ", "the output of journalctl"),),
)
