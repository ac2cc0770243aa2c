r"""Histories of Jepsen: every operation of clients and nemesis, as `history.edn` (a map a line) and `history.txt`.

Written by  Jepsen into `store/<test>/<time>/`; heads of both are read as a public store shows them, the nemesis from
            the documentation and from logs of other stores
One row     per line: an operation is asked (`:invoke`) and ends as `:ok` (it happened), `:fail` (it did not) or `:info`
            (nobody knows); the nemesis prints both as `:info`
Time        of `history.edn`: nanoseconds since `Relative time begins now` of jepsen.log; `history.txt` has none, and so
            shows the order alone
Values      are kept of the nemesis alone: what clients read and wrote says nothing of availability, and may be large
Rejected    lines that are no whole map, or a map without type, process and f: a damaged line costs itself only

EDN is read by a scan of columns: brackets are folded from the inside until only the keys of the map itself are left.
Readers of EDN for Python build an object per value, which takes minutes for a million operations.
"""

import polars as pl

from parsers.chaos.operation import HISTORY_OPERATION, TYPES
from parsers.division import divided
from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.line_verdict import is_in, verdicts

# REAL: {:index 0, :time 9439625, :type :invoke, :process 0, :f :read, :value nil}
MAP = r"^\s*(?:#[A-Za-z][\w.-]* ?)?\{(?P<inner>.*)\},?\s*$"
LIKELY = rf"^\s*(?:#[A-Za-z][\w.-]* ?)?\{{.*:type :(?:{TYPES})\b.*\}}"
STRING, CHARACTER = r'"(?:[^"\\]|\\.)*"', r"\\[^\s,\[\](){}]+"
INNERMOST = r"(?:#[\w.:/-]*\s?)?(?:\[[^\[\](){}]*\]|\([^\[\](){}]*\)|\{[^\[\](){}]*\})"
DEEPEST = 40
"""Brackets within brackets that are folded."""
KEYS = {"process": ":?[A-Za-z0-9-]+", "type": f":(?:{TYPES})", "f": r":[^\s,:][^\s,]*", "time": "-?[0-9]{1,18}"}
ERROR = r':error\s+(:[^\s,{}\[\]]+|\[[^\[\]]{0,300}\]|"(?:[^"\\]|\\.){0,300}"|[^\s,{}]{1,300})'
VALUE = r":value\s+(.*?)(?:,?\s:(?:time|process|index|type|f|error|exception|link-length)\s|\}\s*$)"
# REAL: 0	:invoke	:read	nil
TEXT = (
    rf"^(?P<process>:nemesis|[0-9]{{1,9}})\t:(?P<type>{TYPES})\t:(?P<f>[^\t]+)"
    r"(?:\t(?P<value>[^\t]*))?(?:\t(?P<error>.*))?$"
)
NEMESIS = "nemesis"


def recognise_map(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of maps that are operations."""
    return _claim(head, LIKELY, ":(?:f|process) ", "a map of EDN per operation")


def recognise_text(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of process, type, f and value, with tabs between them."""
    return _claim(head, TEXT, "\t", "process, type, f and value of an operation per line")


def _claim(head: pl.Series, pattern: str, also: str, what: str) -> Recognition | Refusal:
    given = head.filter(head.str.contains(r"\S"))
    hits = head.str.contains(pattern) & head.str.contains(also)
    if hits.any() and 10 * hits.sum() >= 8 * len(given):
        return Recognition(0.95, f"history of Jepsen: {what}", (hits.arg_max() or 0) + 1)
    return Refusal(f"no history of Jepsen: not {what}", 1)


def parse_map(lines: pl.DataFrame) -> Parsed:
    """Turn maps into operations."""
    folded = pl.col("text").str.replace_all(STRING, '""').str.replace_all(CHARACTER, "_").str.extract(MAP, 1)
    flat = lines.with_columns(folded.alias("flat"))
    for _ in range(DEEPEST):
        if not flat["flat"].str.contains(r"[\[({]").any():
            break
        flat = flat.with_columns(pl.col("flat").str.replace_all(INNERMOST, "_"))
    keys = (pl.col("flat").str.extract(rf"(?:^|[\s,]):{key}\s+({value})(?:[\s,]|$)", 1) for key, value in KEYS.items())
    found = flat.with_columns(each.alias(name) for name, each in zip(KEYS, keys, strict=True))
    is_whole = ~pl.col("flat").str.contains(r"[\[\](){}]").fill_null(value=True)
    problem = (
        pl.when(~is_whole)
        .then(pl.lit("no whole map of EDN"))
        .when(pl.any_horizontal(pl.col("process", "type", "f").is_null()))
        .then(pl.lit("no operation: process, type or f is missing"))
    )
    is_nemesis = pl.col("process") == f":{NEMESIS}"
    cleaned = found.with_columns(
        problem.alias("problem"),
        divided(pl.col("time").cast(pl.Int64), 1e9).alias("offset_s"),
        pl.when(is_nemesis).then(pl.col("text").str.extract(VALUE, 1)).alias("value"),
        pl.when(pl.col("flat").str.contains(r":error\s")).then(pl.col("text").str.extract(ERROR, 1)).alias("error"),
        *(pl.col(name).str.strip_prefix(":") for name in ("process", "type", "f")),
    )
    return _parsed(lines, cleaned)


def parse_text(lines: pl.DataFrame) -> Parsed:
    """Turn lines with tabs into operations without times."""
    found = lines.with_columns(pl.col("text").str.extract_groups(TEXT).alias("fields")).unnest("fields")
    is_nemesis = pl.col("process") == f":{NEMESIS}"
    return _parsed(
        lines,
        found.with_columns(
            pl.when(pl.col("type").is_null()).then(pl.lit("no operation of a history")).alias("problem"),
            pl.col("process").str.strip_prefix(":"),
            pl.when(is_nemesis).then("value").alias("value"),
            pl.lit(None, pl.Float64).alias("offset_s"),
        ),
    )


def _parsed(lines: pl.DataFrame, found: pl.DataFrame) -> Parsed:
    """Rows of the operations without a problem, and a verdict for each line."""
    rows = (
        found.filter(pl.col("problem").is_null())
        .with_columns(pl.lit(1).alias("part"))
        .select(pl.col(name).cast(dtype) for name, dtype in HISTORY_OPERATION.schema.items())
    )
    line_verdicts = verdicts(found, is_in(lines, rows), pl.col("problem"))
    return Parsed({} if rows.is_empty() else {HISTORY_OPERATION.name: rows}, line_verdicts)


FORMATS = (
    Format(
        name="jepsen_history",
        title="history of Jepsen (EDN)",
        tables=(HISTORY_OPERATION,),
        recognise=recognise_map,
        parse=parse_map,
        boundary=r"^(?:#[A-Za-z][\w.-]* ?)?\{:",
        file_names=("history.edn",),
        role="measurement",
        needs=r":type :",
        is_of_client=True,
    ),
    Format(
        name="jepsen_history_text",
        title="history of Jepsen (text, without times)",
        tables=(HISTORY_OPERATION,),
        recognise=recognise_text,
        parse=parse_text,
        boundary=r"^(?::nemesis|[0-9]{1,9})\t:",
        file_names=("history.txt",),
        role="measurement",
        needs=r"\t:(?:invoke|ok|fail|info)\t:",
        is_of_client=True,
    ),
)
