"""Messages of the Veritas kernel layers (LLT, GAB, VxVM, CVM, VxFS, CFS, vxfen) in any log.

Written by   the kernel modules and their daemons, through syslog or on the console
One row      per message; one line may hold several, glued together: `split` takes them apart
Message id   4.0 on prints it: `LLT INFO V-14-1-10032 ...`. 2.0 and 3.5 print its last number: `LLT:10032: ...`.
             The numbers are the same, so both are written V-14-1-10032. VxFS 3.5 prints `mesg 019` for V-2-19.
Membership   the string of GAB is position-coded: character i stands for node i. A member shows its last digit,
             an absent node `;` where i is a multiple of ten and else a blank. Not a blank of it may be lost.

The functions are pure. `read` takes a frame with the columns of key and stamp, `host` and `text`, and says of each
message whose it is; `llt_events`, `gab_events` and `storage_events` turn what it read into rows of their table.
"""

import polars as pl

from parsers.ascii_pattern import ascii_only
from parsers.format import Column, Message, Table

LLT_EVENT = Table(
    name="llt_event",
    grain="One row per LLT message about a link to a peer.",
    subject="Messages",
    part="message within the line, from 1",
    columns=(
        Column("host", pl.String(), "node that wrote the line", host="own"),
        Column("message_id", pl.String(), "V-14-1-number; LLT:nnnnn of 2.0 and 3.5 is written as V-14-1-nnnnn"),
        Column("state", pl.String(), "trouble, inactive, hbreq, expired, active, delayed, lost, other"),
        Column("link", pl.Int16(), "link number"),
        Column("device", pl.String(), "network device of the link"),
        Column("peer_id", pl.Int16(), "LLT node id of the peer"),
        Column("silent_s", pl.Int32(), "N of `inactive N sec`: whole seconds without a heartbeat"),
        Column("outage_key", pl.Int64(), "number in parentheses of an inactive line: constant for an outage of a link"),
        Column("repeat_count", pl.Int32(), "further copies that syslog folded into a repeat line"),
        Column("text", pl.String(), "the message"),
    ),
    message=Message(source="llt", text="text", message_id="message_id", process="'LLT'"),
)

GAB_EVENT = Table(
    name="gab_event",
    grain="One row per GAB message; memberships are taken apart.",
    subject="Messages",
    part="message within the line, from 1",
    columns=(
        Column("host", pl.String(), "node that wrote the line", host="own"),
        Column("message_id", pl.String(), "V-15-1-number; GAB:nnnnn of 2.0 and 3.5 is written as V-15-1-nnnnn"),
        Column("kind", pl.String(), "membership, jeopardy, visible, closed, inactive, halt, other"),
        Column("port", pl.String(), "GAB port letter: a GAB, b fencing, d ODM, f CFS, h HAD, v and w CVM, ..."),
        Column("generation", pl.String(), "generation as printed, hexadecimal"),
        Column("membership", pl.String(), "position-coded member string exactly as printed, blanks kept"),
        Column("members", pl.List(pl.Int16()), "node ids that the string stands for; null if the string is damaged"),
        Column("text", pl.String(), "the message"),
    ),
    message=Message(source="gab", text="text", message_id="message_id", process="'GAB'"),
)

STORAGE_EVENT = Table(
    name="storage_event",
    grain="One row per message of VxVM, CVM, VxFS, CFS or vxfen.",
    subject="Messages",
    part="message within the line, from 1",
    columns=(
        Column("host", pl.String(), "node that wrote the line", host="own"),
        Column("message_id", pl.String(), "V-2-n (also for `mesg n` of VxFS 3.5), V-3-n, V-5-n-n, V-11-n-n; else null"),
        Column("product", pl.String(), "VxVM, CVM, VxFS, CFS, VXFEN"),
        Column("component", pl.String(), "writing component: vxconfigd, vxio, vxfsckd, ..."),
        Column("severity", pl.String(), "PANIC, FATAL ERROR, ERROR, WARNING, NOTICE, INFO"),
        Column("object", pl.String(), "mount point, volume, disk group or device that the text names"),
        Column("is_recovery", pl.Boolean(), "part of a recovery: reconfiguration, log replay, primary take-over"),
        Column("text", pl.String(), "the message"),
    ),
    message=Message(
        source="storage",
        text="text",
        severity="severity",
        message_id="message_id",
        process="coalesce(component, product)",
    ),
)

SEVERITY = "(?:FATAL ERROR|PANIC|CRITICAL|ERROR|WARNING|NOTICE|INFO)"
ID = r"V-[0-9]{1,6}(?:-[0-9]{1,6}){1,2}"
MESSAGE = r"(?P<message>(?s:.*))$"

# RECONSTRUCTED: LLT INFO V-14-1-10205 link 0 (qfe0) node 0 in trouble
# REAL: VxVM vxdg ERROR V-5-1-2349 Device emcpower11s2 appears to be owned by disk group dg1.
# ADAPTED: ...VxFEN ERROR V-11-1-25 ... Unable to join running cluster
WITH_ID = (
    r"\b(?P<product>LLT|GAB|VXFEN|VxFEN|VxVM|VCS)\s+"  # product
    r"(?:(?P<component>vx\w+)\s+)?"  # component, of VxVM and vxfen
    rf"(?:(?P<severity>{SEVERITY})\s*)?"  # kernel modules of VxVM may leave it out; a copy may lose the blank after it
    rf"(?P<message_id>{ID})\s*"
    r"(?:\[(?P<bracket>Info|Warn|Error)\]\s*)?"  # RECONSTRUCTED: VxVM vxdmp V-5-0-112 [Info] disabled path 66/0x30
    + MESSAGE
)
START_WITH_ID = ascii_only(rf"\b(?:LLT|GAB|VXFEN|VxFEN|VxVM|VCS)\s+(?:vx\w+\s+)?{SEVERITY}\s*V-[0-9]")
"""Where a message starts inside a line that holds several."""

# ADAPTED: LLT:10019: delayed hb 812044 ticks from 1 link 0 (qfe:0)
# RECONSTRUCTED: GAB:20036: Port a gen 4e3a02 membership ;1
# RECONSTRUCTED: VCS:10322:System sun-ha3 (Node '0') changed state from RUNNING to FAULTED
WITH_NUMBER = r"\b(?P<product>LLT|GAB|VCS):(?P<number>[0-9]{4,6}):? ?" + MESSAGE

# ADAPTED: GAB: Port o halting system due to network failure
WITH_NAME = r"\b(?P<product>LLT|GAB): " + MESSAGE

# ADAPTED: WARNING: msgcnt 3: vxfs: mesg 019: vx_log_add - /db01 file system log overflow            (to 3.5)
# ADAPTED: NOTICE: msgcnt 1: mesg 001: V-2-1: vx_nospace - /db01 file system full (8 block extent)   (4.1 on)
VXFS = (
    rf"(?:(?P<severity>{SEVERITY}): )?(?:vxfs: )?msgcnt [0-9]+:? (?:vxfs: )?"  # count since the mount
    r"mesg (?P<number>[0-9]{1,6}): (?:V-2-[0-9]+: )?" + MESSAGE
)
# RECONSTRUCTED: UX:vxfs mount: ERROR: V-3-21268: /dev/vx/dsk/dg1/vol1 is corrupted. needs checking
COMMAND = rf"\bUX:vxfs (?P<component>\w+): (?P<severity>{SEVERITY}|TO FIX): (?P<message_id>{ID}): " + MESSAGE

# ADAPTED: vxvm:vxconfigd: NOTICE: CVM_VOLD_CHANGE command received
# ADAPTED: VXFEN:vxfen_plat_panic: Local cluster node ejected from cluster to prevent potential data corruption.
DAEMON = (
    r"^(?:vxvm:|VXFEN:)?(?P<component>vx\w+|qlogckd): "  # daemon, module or function
    rf"(?:(?P<severity>{SEVERITY}): )?" + MESSAGE
)
# ADAPTED: /dev/vx/rdsk/dg1/vol1:log replay in progress
FSCK = "log replay in progress|replay complete - marking super-block as CLEAN|log replay is not required"

# ADAPTED: WARNING:: VCS Concurrency Violation!!! Group="webgrp" Hosts=(alder birch)
OLD_VCS = r"\bVCS Concurrency Violation"

MENTIONS = ascii_only(
    "|".join(
        (
            rf"\b(?:LLT|GAB|VXFEN|VxFEN|VxVM|VCS)\s+(?:vx\w+\s+)?(?:{SEVERITY}\s*)?V-[0-9]",
            r"\b(?:LLT|GAB):|\bVCS:[0-9]{4,6}:",
            r"\bmsgcnt [0-9]",
            r"\bUX:vxfs ",
            r"^(?:vxvm:|VXFEN:)?(?:vx\w+|qlogckd): ",
            FSCK,
            OLD_VCS,
        )
    )
)
"""A text that holds one of these messages, or one of VCS."""

WORDS = (
    *("V-", "LLT:", "GAB:", "VCS", "msgcnt", "UX:vxfs"),
    *(" vx", "VXFEN:", " qlogckd", "log replay", "super-block"),
)
"""Each line whose text is one of `MENTIONS` has one of these words."""

OLD_PREFIXES = {"LLT": "V-14-1-", "GAB": "V-15-1-", "VCS": "V-16-1-"}
LLT_STATES = {
    "V-14-1-10205": "trouble",
    "V-14-1-10032": "inactive",
    "V-14-1-10510": "hbreq",
    "V-14-1-10509": "expired",
    "V-14-1-10024": "active",
    "V-14-1-10019": "delayed",
    "V-14-1-10023": "lost",
}
LLT_TEXTS = {
    r"in trouble": "trouble",
    r"inactive [0-9]+\s+sec": "inactive",
    r"sent hbreq": "hbreq",
    r"\bexpired\b": "expired",
    r"\bactive\b": "active",
    r"delayed hb": "delayed",
    r"lost [0-9]+ hb": "lost",
}
# ADAPTED: link 1 (en2) node 1 inactive 5 sec (510)
LINK = r"\blink (?P<link>[0-9]+)\s*\((?P<device>[^)]*)\)"
PEER = r"\bnode ([0-9]+)|\bfrom ([0-9]+) link"

GAB_KINDS = {
    "V-15-1-20036": "membership",
    "V-15-1-20037": "jeopardy",
    "V-15-1-20038": "jeopardy",
    "V-15-1-20040": "visible",
    "V-15-1-20032": "closed",
    "V-15-1-20057": "inactive",
}
GAB_TEXTS = {
    r"\bgen\s+[0-9a-fA-F]+\s+membership\b": "membership",
    r"\bgen\s+[0-9a-fA-F]+\s+(?:k_)?jeopardy\b": "jeopardy",
    r"\bgen\s+[0-9a-fA-F]+\s+visible\b": "visible",
    r"halting system": "halt",
    r"\bPort \w closed": "closed",
    r"inactive [0-9]+ sec": "inactive",
}
# REAL: Port h[GAB_USER_CLIENT (refcount 0)] gen   263813    visible 0
PORT = r"\bPort ([A-Za-z])\b"
MEMBERSHIP = (
    r"\bgen\s+(?P<generation>[0-9a-fA-F]+)\s+"  # generation, padded
    r"(?:membership|k_jeopardy|jeopardy|visible)"
    r"(?: (?P<membership>[^\n]*\S[^\n]*))?"  # all after one blank: each further blank stands for an absent node
)

CFS_COMPONENTS = ("vxfsckd", "qlogckd", "vxglm", "vxgms", "vxcafs")
CFS = r"\bCFS\b|\bvxfsckd\b|\bqlogckd\b|cluster file system|(?i:\bprimary\b.{0,20}(?:take-?over|recover|migrat))"
CVM = (
    r"CVM|volcvm|cluster_establish|establishing cluster|cluster established|cluster startup|master_takeover"
    r"|Preempting CM|kernel_fail_join|joined cluster|left cluster|vxclustd"
)
RECOVERY = (
    r"CVM_VOLD_|volcvm|cluster_establish|establishing cluster|cluster established|cluster startup|Preempting CM"
    r"|log replay in progress|replay complete"
    r"|(?i:reconfig|take-?over|taking over|taken over|becom\w+ (?:the |a )?(?:new )?(?:master|primary))"
    r"|(?i:\bprimary\b.{0,20}(?:recover|migrat))"
)
OBJECTS = (
    r"(/dev/(?:vx/)?r?(?:dsk|dmp)/[\w./-]*\w)",  # device of a volume or disk
    r" - (/[\w./-]*)",  # VxFS: function - mount point
    r"(?i:mount point|mounted on|file system) (/[\w./-]*\w)",
    r"\b[Vv]olume ([\w.-]*\w)",
    r"\b[Dd]isk ?group ([\w.-]*\w)",
    r"\b[Dd]g ([\w.-]*\w)",
    r"\b[Dd]evice ([\w./-]*[0-9])",
    r"\b[Dd]isk ([\w.-]*[0-9])",
)


def mentions(text: pl.Expr) -> pl.Expr:
    """Whether a text holds a Veritas message."""
    return text.str.contains(MENTIONS)


def read(rows: pl.DataFrame) -> pl.DataFrame:
    """The messages of the rows, one per row, with product, component, severity, message id and the message itself.

    Adds `part`, `product`, `component`, `severity`, `message_id`, `message`; a text of nobody has no product.
    """
    return split(rows).with_columns(_groups()).with_columns(_identity()).drop(*PATTERNS)


def split(rows: pl.DataFrame) -> pl.DataFrame:
    """A row per message: `part` counts on where one text holds several. Words before the first one belong to it."""
    several = pl.col("text").str.count_matches(START_WITH_ID) > 1
    if not rows.select(several.any()).item():
        return rows.with_columns(pl.lit(1, pl.Int16).alias("part"))
    # A record separator marks the seams, with the one blank before it; the first message begins at none.
    marked = pl.col("text").str.replace_all(f"({START_WITH_ID})", "\x1e$1").str.replace("\x1e", "", literal=True)
    pieces = marked.str.replace_all(" \x1e", "\x1e", literal=True).str.split("\x1e")
    texts = rows.with_columns(pl.when(several).then(pieces).otherwise(pl.concat_list("text")).alias("text"))
    part = pl.int_range(1, pl.len() + 1).over("file_id", "line_no").cast(pl.Int16)
    return texts.explode("text").with_columns(part.alias("part"))


PATTERNS = {
    "with_id": WITH_ID,
    "with_number": WITH_NUMBER,
    "vxfs": VXFS,
    "command": COMMAND,
    "daemon": DAEMON,
    "with_name": WITH_NAME,
}
"""The forms of a message: the first that matches says what the message is, the later ones only fill gaps."""


def _groups() -> list[pl.Expr]:
    return [pl.col("text").str.extract_groups(ascii_only(pattern)).alias(name) for name, pattern in PATTERNS.items()]


def _first(group: str, *forms: str) -> pl.Expr:
    """The named group of the first form that has it."""
    return pl.coalesce(pl.col(form).struct.field(group) for form in forms)


def _identity() -> list[pl.Expr]:
    """Product, component, severity, id and message out of the groups of all forms."""
    component = _first("component", "with_id", "command", "daemon")
    is_fsck = pl.col("text").str.contains(FSCK)
    bracket = pl.col("with_id").struct.field("bracket").str.to_uppercase().replace("WARN", "WARNING")
    return [
        _product(component, is_fsck).alias("product"),
        pl.when(component.is_null() & is_fsck).then(pl.lit("fsck")).otherwise(component).alias("component"),
        pl.coalesce(
            pl.col("with_id").struct.field("severity"), bracket, _first("severity", "vxfs", "command", "daemon")
        ).alias("severity"),
        _message_id().alias("message_id"),
        pl.coalesce(_first("message", *PATTERNS), "text").alias("message"),
    ]


def _message_id() -> pl.Expr:
    """The id as printed, or what the number of an older release is called in later ones."""
    number = pl.col("with_number").struct.field("number")
    product = pl.col("with_number").struct.field("product")
    vxfs_number = pl.col("vxfs").struct.field("number").cast(pl.Int32, strict=False).cast(pl.String)
    return pl.coalesce(
        _first("message_id", "with_id", "command"),
        product.replace_strict(OLD_PREFIXES, default=None, return_dtype=pl.String) + number,
        "V-2-" + vxfs_number,
    )


def _product(component: pl.Expr, is_fsck: pl.Expr) -> pl.Expr:
    """Whose message it is: as printed; the cluster parts of storage by what they say or who says it."""
    printed = _first("product", "with_id", "with_number", "with_name")
    text = pl.col("text")
    is_vxfs = _first("message", "vxfs", "command").is_not_null() | is_fsck | (component == "vxfs")
    is_storage = is_vxfs | (printed == "VxVM") | component.is_not_null()
    return (
        pl.when(printed.is_in(["LLT", "GAB", "VCS"]))
        .then(printed)
        .when((printed.str.to_uppercase() == "VXFEN") | component.str.starts_with("vxfen"))
        .then(pl.lit("VXFEN"))
        .when(is_storage & (component.is_in(CFS_COMPONENTS) | text.str.contains(CFS)))
        .then(pl.lit("CFS"))
        .when(is_vxfs)
        .then(pl.lit("VxFS"))
        .when(is_storage & text.str.contains(CVM))
        .then(pl.lit("CVM"))
        .when(is_storage)
        .then(pl.lit("VxVM"))
        .when(text.str.contains(OLD_VCS))
        .then(pl.lit("VCS"))
    )


def _by_text(texts: dict[str, str], otherwise: str) -> pl.Expr:
    """The value of the first pattern that the message matches."""
    found: pl.Expr = pl.lit(otherwise)
    for pattern, value in reversed(texts.items()):
        found = pl.when(pl.col("message").str.contains(pattern)).then(pl.lit(value)).otherwise(found)
    return found


def _select(rows: pl.DataFrame, table: Table) -> pl.DataFrame:
    return rows.select(pl.col(name).cast(dtype, strict=False) for name, dtype in table.schema.items())


def llt_events(messages: pl.DataFrame) -> pl.DataFrame:
    """Rows of `llt_event` from what `read` gave: the LLT messages that name a link."""
    link = pl.col("message").str.extract_groups(LINK).struct.field
    rows = messages.filter(pl.col("product") == "LLT").with_columns(
        link("link").alias("link"),
        link("device").alias("device"),
        pl.coalesce(pl.col("message").str.extract(PEER, 1), pl.col("message").str.extract(PEER, 2)).alias("peer_id"),
        pl.col("message").str.extract(r"inactive ([0-9]+)\s+sec").alias("silent_s"),
        pl.col("message").str.extract(r"inactive [0-9]+\s+sec\s*\(([0-9]+)\)").alias("outage_key"),
        pl.coalesce(
            pl.col("message_id").replace_strict(LLT_STATES, default=None, return_dtype=pl.String),
            _by_text(LLT_TEXTS, "other"),
        ).alias("state"),
        pl.col("message").alias("text"),
    )
    return _select(rows.filter(pl.col("link").is_not_null()), LLT_EVENT)


def gab_events(messages: pl.DataFrame) -> pl.DataFrame:
    """Rows of `gab_event` from what `read` gave."""
    groups = pl.col("message").str.extract_groups(MEMBERSHIP).struct.field
    rows = messages.filter(pl.col("product") == "GAB").with_columns(
        pl.coalesce(
            pl.col("message_id").replace_strict(GAB_KINDS, default=None, return_dtype=pl.String),
            _by_text(GAB_TEXTS, "other"),
        ).alias("kind"),
        pl.col("message").str.extract(PORT).alias("port"),
        groups("generation").alias("generation"),
        groups("membership").alias("membership"),
        pl.col("message").alias("text"),
    )
    printed = rows["membership"].unique().drop_nulls().to_list()
    sets = pl.DataFrame(
        {"membership": printed, "members": [members(each) for each in printed]},
        schema={"membership": pl.String(), "members": pl.List(pl.Int16())},
    )
    return _select(rows.join(sets, on="membership", how="left", maintain_order="left"), GAB_EVENT)


def members(membership: str) -> list[int] | None:
    """Node ids of a position-coded member string; None if a blank of it was lost or it holds something else.

    >>> members(";1"), members("0"), members("0123456789;1"), members("1")
    ([1], [0], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11], None)
    """
    nodes = [(node, shown) for node, shown in enumerate(membership) if shown != " "]
    if any(shown != str(node % 10) and not (shown == ";" and node % 10 == 0) for node, shown in nodes):
        return None
    return [node for node, shown in nodes if shown != ";"]


def storage_events(messages: pl.DataFrame) -> pl.DataFrame:
    """Rows of `storage_event` from what `read` gave."""
    rows = messages.filter(pl.col("product").is_in(["VxVM", "CVM", "VxFS", "CFS", "VXFEN"])).with_columns(
        pl.coalesce(pl.col("message").str.extract(pattern) for pattern in OBJECTS).alias("object"),
        pl.col("message").str.contains(RECOVERY).alias("is_recovery"),
        pl.col("message").alias("text"),
    )
    return _select(rows, STORAGE_EVENT)
