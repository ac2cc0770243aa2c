"""VCS engine log (engine_A.log, engine.log_A) and agent logs (Mount_A.log), all releases.

Written by  had and its agents; every running node writes its own copy with its own clock
One row     per message; a line that starts no message continues the one above it
Time        wall clock of the node, whole seconds, without a zone (the zone word of hamsg is ambiguous)
Forms       `TAG_E date time text` (1.x), `TAG_E date time VCS:10298:text` (to 3.5), `date time VCS INFO V-16-1-10298
            text` (4.0 on), the same behind a locale's date (hamsg) or behind `Aug 14 2010 09:47:20` (developer's
            guide), and without a date (ha* commands, HAD in syslog); a file may mix them, each line has its own form
Output      what an agent's command printed is raw in the log: after `Output of the completed operation`, and
            between rulers; it goes to `payload` up to the next dated line and is never read as messages, not even
            lines that look like undated ones
Oddities    messages wrapped over lines, also with an empty line inside; web copies that lost blanks, hold HTML tags
            or a reader's `<<<<<===`; no year is ever missing; order of lines is kept, two nodes may be mixed
Agent logs  have the same lines as the engine log and nothing in them distinguishes the two for sure
"""

import polars as pl

from parsers import fixed_stamp
from parsers.first_look import marked
from parsers.folds import reads_folded, reads_pasted, reads_whole_heads
from parsers.format import Format, Parsed, Recognition, Refusal, Verdict
from parsers.messages.vcs_message import (
    BODY,
    MESSAGE_ID,
    NO_PAYLOAD,
    SEVERITY,
    TEXT_COLUMNS,
    UNDATED,
    VCS_EVENT,
    field_count,
    messages,
    typed,
)
from parsers.star import NUMBER, Star, numbered

__all__ = ["FORMAT", "VCS_EVENT", "messages", "parse", "recognise"]

DATE = "[0-9]{4}/[0-9]{2}/[0-9]{2}"
TIME = "[0-9]{2}:[0-9]{2}:[0-9]{2}"
MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
WEEKDAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"

# ADAPTED: 2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System NODEC (Node '2') changed state from RUNNING to FAULTED
UMI = rf"^\s*(?P<stamp>{DATE}\s*{TIME})\s*{BODY}"
# The same line with every blank in its place: its stamp is read by position, and each different rest of a line once.
PLAIN_REST = rf"^{SEVERITY} {MESSAGE_ID}(?: |$)"

# ADAPTED: TAG_C 2001/11/05 07:21:40 VCS:10075:building from remote system.
# ADAPTED: TAG_E 2000/10/19 09:12:07 Resource vip1 is online on alder
TAG = (
    r"^\s*(?P<severity_printed>TAG_[A-Z])\s+"
    rf"(?P<stamp>{DATE}\s*{TIME})\s*"
    r"(?:\((?P<host>[^()\s]+)\)\s*)?"  # node of the agent
    r"(?:VCS:(?P<printed_id>[0-9]+):)?\s*"  # absent in VCS 1.x
    r"(?P<text>.*)$"
)

# ADAPTED: Aug 14 2010 09:47:20 VCS ERROR V-16-2001-14001
GUIDE_DATE = rf"{MONTH}\s+[0-9]{{1,2}}\s+[0-9]{{4}}\s+{TIME}"
GUIDE = rf"^\s*(?P<stamp>{GUIDE_DATE})\s+{BODY}"

# REAL (Ericsson enminst test data): Tue 12 May 2015 07:19:29 PM IST VCS NOTICE V-16-1-10447 Group Grp_CS_gp1 is …
# ADAPTED: Tue May 12 19:19:29 2015 VCS NOTICE V-16-1-10447 Group Grp_CS_gp1 is online on system s-1
ZONE = r"(?:\s+[A-Z+-]\S{1,9})?"
DAY_FIRST = rf"[0-9]{{1,2}}\s+{MONTH}\s+[0-9]{{4}}\s+{TIME}(?:\s+[AP]M)?{ZONE}"
MONTH_FIRST = rf"{MONTH}\s+[0-9]{{1,2}}\s+{TIME}(?:\s+[AP]M)?{ZONE}\s+[0-9]{{4}}"
HAMSG = rf"^\s*{WEEKDAY},?\s+(?P<stamp>{DAY_FIRST}|{MONTH_FIRST})\s+{BODY}"

# RECONSTRUCTED: Di 12 Mai 2015 19:19:29 CEST VCS NOTICE V-16-1-10447 Gruppe …
UNREADABLE = rf"^.{{0,60}}?{TIME}.{{0,60}}?\s{BODY}"

FORMS = {"umi": UMI, "tag": TAG, "guide": GUIDE, "hamsg": HAMSG, "undated": UNDATED, "unreadable": UNREADABLE}
NUMERIC_FORMS = ("umi", "tag")
DATED_FORMS = ("umi", "tag_1", "tag_2", "guide", "hamsg")

HEAD = rf"{DATE}\s*{TIME}\s*VCS\s*{SEVERITY}\s*{MESSAGE_ID}"
IN_HEAD = "[0-9]:[0-9]{2} VCS "
BOUNDARY = (
    rf"^\s*(?:{HEAD}"
    rf"|TAG_[A-Z]\s+{DATE}\s*{TIME}\s*\S"
    rf"|{GUIDE_DATE}\s+VCS\s*{SEVERITY}\s*{MESSAGE_ID}"
    rf"|{WEEKDAY},?\s+(?:{DAY_FIRST}|{MONTH_FIRST})\s+VCS\s*{SEVERITY}\s*{MESSAGE_ID})"
)

# ADAPTED: 2011/05/13 03:31:45 VCS ERROR, cut from the rest of its line
CUT = (
    rf"^\s*(?:(?:TAG_[A-Z]\s+)?{DATE}\s*{TIME}|{GUIDE_DATE}|{WEEKDAY},?\s+(?:{DAY_FIRST}|{MONTH_FIRST}))"
    r"\s*(?:VCS(?:\s+[A-Z]+)?)?\s*$"
)

DAY_WIDTH = len("2011/05/13")
STAMP_WIDTH = len("2011/05/13 03:31:45")
BEFORE_REST = " VCS "

EARLIEST, LATEST = pl.datetime(1970, 1, 1), pl.datetime(2200, 1, 1)

HTML_TAG = r"</?(?:a|b|br|code|div|em|font|i|li|p|pre|small|span|strong|td|tr|tt|u|ul)(?:\s+[^<>]*)?/?>"
READER_MARK = r"\s*<{2,}={2,}.*$"  # … changed state from RUNNING to FAULTED <<<<<===

EQUALS_RULER = r"^\s*={20,}\s*$"  # 46 of them open and close the output of a command
OPENING_RULER = r"^\s*\+-{20,}\+\s*$"  # REAL (Ariba VCSLogParser.pm): 68 of them open the output of a command
CLOSING_RULER = r"^\s*\+={20,}\+\s*$"  # … and close it
OUTPUT_IDS = "^(?:V-16-2-)?(?:13001|13002|13716|13717)$"
OUTPUT_TEXT = "Output of the (?:completed|timed out) operation"


HEAD_COLUMNS = ("row", "file_id", "line_no", "form", "stamp", "message_no")
"""A head: where it is, and which of the different messages (rows of TEXT_COLUMNS) it begins."""


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file with a dated message, or one that is made of undated ones."""
    lines = _looks.of(head)
    if lines["is_dated"].any():
        line_no = _first(lines["is_dated"])
        return Recognition(0.95, "a dated VCS message", line_no)
    if lines["is_undated"].any() and 2 * lines["is_undated"].sum() >= lines["is_filled"].sum():
        return Recognition(0.6, "VCS messages without a date make up most of the lines", _first(lines["is_undated"]))
    return Refusal("no line begins a dated VCS message", _first(lines["is_filled"] & ~lines["is_undated"]))


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines, folded ones too, into messages; wrapped text and command output go to the one above."""
    return reads_folded(reads_pasted(reads_whole_heads(_parse, CUT, BOUNDARY), HEAD, IN_HEAD), _kinds_of_start)(lines)


def _kinds_of_start(texts: pl.Series) -> pl.Series:
    begins = pl.when(pl.col("text").str.contains(f"{BOUNDARY}|{CUT}|{UNDATED}")).then(pl.lit("head"))
    return texts.to_frame("text").select(begins.otherwise(pl.lit(""))).to_series()


def _parse(lines: pl.DataFrame) -> Parsed:
    rows = lines.with_row_index("row")
    plain, plain_texts = _plain_heads(rows)
    others = (
        rows.join(plain, on="row", how="anti", maintain_order="left")
        .filter(pl.col("text").str.contains(r"\S"))
        .with_columns(_without_marks().alias("text"), pl.col("text").alias("raw"))
    )
    other_heads, other_texts = _other_heads(others, plain_texts.height)
    texts = pl.concat([plain_texts, other_texts])
    announcing = texts.select(_announces_output()).to_series()
    candidates = pl.concat([plain, other_heads]).sort("row")
    candidates = candidates.with_columns(announcing.gather(candidates["message_no"]).alias("announces"))
    is_dated = pl.col("form").is_in(DATED_FORMS)
    dated = candidates.filter(is_dated)
    others = _with_output(others.join(dated, on="row", how="anti", maintain_order="left"), dated)
    output = others.filter("is_output")
    heads = candidates.filter(is_dated | ~pl.col("row").is_in(output["row"].implode()))
    heads = heads.with_columns(_rejection().alias("reason"))
    body = _classified(others.join(heads, on="row", how="anti", maintain_order="left"), heads)
    return Parsed({VCS_EVENT.name: _events(heads, texts, body)}, _verdicts(rows, heads, body))


def _first(matches: pl.Series) -> int:
    """Number of the first line that matches, 1 if none does."""
    return (matches.arg_max() or 0) + 1


def _without_marks() -> pl.Expr:
    """The line without what people and web pages put into pasted logs."""
    text = pl.col("text")
    clean = text.str.replace_all(HTML_TAG, "").str.replace(READER_MARK, "")
    return pl.when(text.str.contains("<", literal=True)).then(clean).otherwise(text)


def _plain_heads(rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Heads in which every blank is in its place, and their different messages."""
    line = rows["text"].str
    stamp = _numeric_stamp(line.slice(0, STAMP_WIDTH))
    is_candidate = (
        stamp.is_not_null()
        & (line.slice(DAY_WIDTH, 1) == " ")
        & (line.slice(STAMP_WIDTH, len(BEFORE_REST)) == BEFORE_REST)
    )
    rest = pl.when(is_candidate).then(pl.col("text").str.slice(STAMP_WIDTH + len(BEFORE_REST)))
    rests, numbers = numbered(rows.select(rest.alias("rest")))
    is_plain = rests["rest"].str.contains(PLAIN_REST) & ~rests["rest"].str.contains("<", literal=True)
    heads = (
        rows.select("row", "file_id", "line_no", stamp.alias("stamp"), numbers.alias("message_no"))
        .filter(is_plain.gather(numbers))
        .with_columns(pl.lit("umi").alias("form"))
    )
    fields = rests["rest"].str.splitn(" ", 3).struct.rename_fields(["severity_printed", "printed_id", "text"])
    texts = fields.struct.unnest().with_columns(
        pl.lit("umi").alias("era"), pl.lit(None, pl.String()).alias("host"), pl.col("text").fill_null("")
    )
    return heads.select(HEAD_COLUMNS), texts.select(TEXT_COLUMNS)


def _other_heads(rows: pl.DataFrame, first_message: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Heads of any form, each by the first form that it matches, and their messages, numbered from a first one."""
    found = []
    for form, pattern in FORMS.items():
        is_form = pl.col("text").str.contains(pattern)
        found.append(_heads_of_form(rows.filter(is_form), form, pattern))
        rows = rows.filter(~is_form)
    heads = pl.concat(found)
    texts, numbers = numbered(heads.select(pl.col("form").alias("era"), *TEXT_COLUMNS[1:]))
    return heads.with_columns((numbers + first_message).alias("message_no")).select(HEAD_COLUMNS), texts


def _heads_of_form(rows: pl.DataFrame, form: str, pattern: str) -> pl.DataFrame:
    fields = rows.with_columns(pl.col("text").str.extract_groups(pattern).alias("fields")).drop("text").unnest("fields")
    absent = [name for name in ("stamp", "host") if name not in fields.columns]
    old = pl.when(pl.col("printed_id").is_null()).then(pl.lit("tag_1")).otherwise(pl.lit("tag_2"))
    return (
        fields.with_columns(pl.lit(None, pl.String()).alias(name) for name in absent)
        .with_columns((old if form == "tag" else pl.lit(form)).alias("form"))
        .with_columns(_numeric_stamp(fields["stamp"]) if form in NUMERIC_FORMS else _worded_stamp(pl.col("stamp")))
        .select("row", "file_id", "line_no", "form", "stamp", *TEXT_COLUMNS[1:])
    )


def _numeric_stamp(printed: pl.Series) -> pl.Series:
    """The stamp of `2011/05/13 03:31:45`, no matter what is between day and time; null if there is no such moment."""
    days = fixed_stamp.day(printed.str.slice(0, DAY_WIDTH), f"^{DATE}$", "%Y/%m/%d")
    seconds = fixed_stamp.second_of_day(printed.str.tail(fixed_stamp.TIME_WIDTH))
    return pl.select(_plausible(pl.lit(fixed_stamp.instant(days, seconds))).alias("stamp")).to_series()


def _worded_stamp(printed: pl.Expr) -> pl.Expr:
    """The stamp of `12 May 2015 07:19:29 PM IST`, `May 12 19:19:29 IST 2015` or `May 12 2015 19:19:29`."""
    ordered = (
        printed.str.replace_all(r"\s+", " ")
        .str.replace(rf"^([0-9]+) ({MONTH}) ([0-9]{{4}})", "${2} ${1} ${3}")
        .str.replace(rf"^({MONTH} [0-9]+) ({TIME}(?: [AP]M)?)(?: \S+)? ([0-9]{{4}})$", "${1} ${3} ${2}")
        .str.extract(rf"^({MONTH} [0-9]+ [0-9]{{4}} {TIME}(?: [AP]M)?)")
    )
    formats = ("%b %d %Y %I:%M:%S %p", "%b %d %Y %H:%M:%S")
    return _plausible(pl.coalesce(ordered.str.to_datetime(each, time_unit="us", strict=False) for each in formats))


def _plausible(stamp: pl.Expr) -> pl.Expr:
    return pl.when(stamp.is_between(EARLIEST, LATEST)).then(stamp)


def _announces_output() -> pl.Expr:
    """Messages after which an agent writes what its command printed."""
    return pl.col("printed_id").str.contains(OUTPUT_IDS).fill_null(False) | pl.col("text").str.contains(OUTPUT_TEXT)


def _with_output(others: pl.DataFrame, dated: pl.DataFrame) -> pl.DataFrame:
    """Mark the lines of command output: all after a message that announces it, and what is between rulers."""
    above = dated.select("file_id", "row", pl.col("row").alias("dated_row"), pl.col("announces").alias("is_announced"))
    is_opening, is_closing = pl.col("text").str.contains(OPENING_RULER), pl.col("text").str.contains(CLOSING_RULER)
    ruler = pl.when(is_opening).then(True).when(is_closing).then(False)
    record = ["file_id", "dated_row"]
    return (
        others.join_asof(above, on="row", by="file_id", check_sortedness=False)
        .with_columns(ruler.alias("is_opened"), pl.col("text").str.contains(EQUALS_RULER).alias("is_equals"))
        .with_columns(
            (
                pl.col("is_announced").fill_null(False)
                | pl.col("is_opened").forward_fill().over(record).fill_null(False)
                | (pl.col("is_equals").cum_sum().over(record) % 2 == 1)
            ).alias("is_output"),
            (pl.col("is_opened").is_not_null() | pl.col("is_equals")).alias("is_ruler"),
        )
    )


def _rejection() -> pl.Expr:
    unreadable = pl.when(pl.col("form") == "unreadable").then(
        pl.lit("a VCS message behind a date that is not readable")
    )
    is_dated = pl.col("form") != "undated"
    return unreadable.when(is_dated & pl.col("stamp").is_null()).then(pl.lit("the date of the message is impossible"))


def _classified(body: pl.DataFrame, heads: pl.DataFrame) -> pl.DataFrame:
    """Give the lines that are no heads to the message above them, with their verdicts."""
    above = heads.select(
        "file_id",
        "row",
        pl.col("row").alias("head_row"),
        pl.col("reason").alias("head_reason"),
        pl.col("announces").alias("head_announces"),
    )
    is_mark = ~pl.col("is_output") & ~pl.col("text").str.contains(r"[^\s.…]")
    line_verdicts = (
        (pl.col("is_ruler"), Verdict.IGNORED, "ruler around the output of a command"),
        (is_mark, Verdict.IGNORED, "mark in a pasted log"),
        (pl.col("head_row").is_null(), Verdict.REJECTED, "before the first message"),
        (pl.col("head_reason").is_not_null(), Verdict.REJECTED, "continues a rejected message"),
    )
    verdict = pl.coalesce(
        *(pl.when(condition).then(pl.lit(int(value), pl.UInt8())) for condition, value, _ in line_verdicts),
        pl.lit(int(Verdict.CONTINUATION), pl.UInt8()),
    )
    reason = pl.coalesce(
        *(pl.when(condition).then(pl.lit(why)) for condition, _, why in line_verdicts), pl.lit(None, pl.String())
    )
    return (
        body.join_asof(above, on="row", by="file_id", check_sortedness=False)
        .with_columns((pl.col("is_output") | pl.col("head_announces").fill_null(False)).alias("is_output"))
        .with_columns(verdict.alias("verdict"), reason.alias("reason"))
    )


def _events(heads: pl.DataFrame, texts: pl.DataFrame, body: pl.DataFrame) -> Star:
    """The accepted heads with their wrapped text and command output, as VCS_EVENT."""
    kept = body.filter(pl.col("verdict") == Verdict.CONTINUATION)
    rest = pl.col("text").filter(~pl.col("is_output"))
    output = pl.col("raw").filter("is_output")
    folded = kept.group_by("head_row").agg(
        rest.str.strip_chars().str.join(" ").alias("wrapped"), rest.str.join("").alias("cut"), output.alias("payload")
    )
    accepted = (
        heads.filter(pl.col("reason").is_null())
        .join(folded, left_on="row", right_on="head_row", how="left", maintain_order="left")
        .with_columns(
            pl.when(pl.col("payload").list.len() > 0).then(pl.col("payload").list.join("\n")).alias("payload"),
            pl.lit(1, pl.Int16()).alias("part"),
            pl.when(pl.col("stamp").is_not_null()).then(True).alias("has_year"),
            pl.lit(None, pl.Int16()).alias("utc_offset_min"),
        )
    )
    return typed(*_with_own_texts(accepted, texts))


def _with_own_texts(heads: pl.DataFrame, texts: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Give each message that goes on below its head, or that output follows, a text of its own.

    A line was cut within a word where without a blank there the message says more of what it is about.
    """
    is_wrapped = pl.col("wrapped").fill_null("") != ""
    own = heads.filter(is_wrapped | pl.col("payload").is_not_null())
    said = pl.concat([texts[own["message_no"]], own.select("wrapped", "cut", "payload")], how="horizontal")
    wrapped = pl.concat_str(pl.col("text").str.strip_chars(), "wrapped", separator=" ")
    cut = pl.concat_str(pl.col("text").str.strip_chars_start(), "cut")
    text = pl.when(field_count(cut) > field_count(wrapped)).then(cut).otherwise(wrapped)
    whole = said.with_columns(pl.when(is_wrapped).then(text).otherwise("text").alias("text"))
    added = pl.int_range(texts.height, texts.height + own.height, dtype=NUMBER, eager=True)
    places = own.select("row", added.alias("own_no"))
    numbered_heads = heads.join(places, on="row", how="left", maintain_order="left").with_columns(
        pl.coalesce("own_no", "message_no").alias("message_no")
    )
    return numbered_heads, pl.concat([texts.with_columns(NO_PAYLOAD), whole.drop("wrapped", "cut")])


def _verdicts(rows: pl.DataFrame, heads: pl.DataFrame, body: pl.DataFrame) -> pl.DataFrame:
    """One verdict per line; what is neither a head nor below one is blank."""
    is_rejected = pl.col("reason").is_not_null()
    verdict = pl.when(is_rejected).then(int(Verdict.REJECTED)).otherwise(int(Verdict.PARSED)).cast(pl.UInt8())
    classified = pl.concat(
        [heads.select("row", verdict.alias("verdict"), "reason"), body.select("row", "verdict", "reason")]
    )
    rejected = classified.filter(is_rejected)
    blank = pl.repeat(int(Verdict.BLANK), rows.height, dtype=pl.UInt8(), eager=True)
    silent = pl.repeat(None, rows.height, dtype=pl.String(), eager=True)
    return rows.select(
        "file_id",
        "line_no",
        blank.scatter(classified["row"], classified["verdict"]).alias("verdict"),
        silent.scatter(rejected["row"], rejected["reason"]).alias("reason"),
    )


_looks = marked(
    is_dated=_without_marks().str.contains(rf"{BOUNDARY}|^TAG_[A-Z]\s+{DATE}\s*{TIME}"),
    is_undated=_without_marks().str.contains(UNDATED),
    is_filled=pl.col("text").str.contains(r"\S"),
)

FORMAT = Format(
    name="vcs_engine",
    title="VCS engine and agent logs",
    tables=(VCS_EVENT,),
    recognise=recognise,
    parse=parse,
    boundary=BOUNDARY,
    file_names=("engine_[A-C]*", "engine.log_[A-C]*", "*_[A-C].log*", "*_[A-C].txt*"),
    needs=r"VCS|TAG_|" + UNDATED,
    look=_looks.look,
)
