"""VCS configuration (main.cf), its fragments, and type definitions (types.cf).

Written by  `haconf -dump`, and people
One row     per attribute, system, group, resource and dependency; small by nature, so it is read in Python by tokens
Layout      free: `)` in any column, lists and maps over lines, `{ sysA =0, sysB=1}` without blanks
Names       may hold `-` and `.`; a resource and its attribute may share one
Scope       resources and dependencies belong to the last `group`, until another top-level keyword; a fragment
            without any is read all the same
Secrets     are replaced by ******** before a row is made: password hashes of users, and values of attributes that
            are passwords by name. Damaged lines that may hold one are ignored, since rejected lines are kept as text
Damage      costs the line on which it is; a block whose head is damaged is rejected down to its `)`, a lost `)`
            is made up for by the next head
Comments    `//` and `/* */`; `#` is none in the product, but notes found on the web use it: such lines are ignored
"""

from collections import Counter
from collections.abc import Iterator

import polars as pl

from parsers.format import VERDICT_SCHEMA, Format, Parsed, Recognition, Refusal, Verdict
from parsers.vcs.main_cf_statements import LineVerdict, Row, Statements, statements_of
from parsers.vcs.main_cf_tables import CLUSTER_SYSTEM, TABLES
from parsers.vcs.main_cf_tokens import NOTE

MAX_PART = 32767  # Int16

# ADAPTED: include "types.cf"
INCLUDE = r"^\s*include\s+\"[^\"]+\.cf\""
# REAL (seed paper, appendix D): group db2dg1_shared (
BLOCK_HEAD = r"^\s*(?:cluster|system|group|remotecluster|heartbeat|type)\s+\S+\s*\("
# REAL (seed paper, appendix D): SystemList = { sun-ha3 = 1, sun-ha4 = 2 }
KNOWN_ATTRIBUTE = (
    r"^\s*(?:SystemList|AutoStartList|Parallel|UserNames|Administrators|CounterInterval|ClusterAddress|Critical)\s*="
    r"|^\s*(?:static\s+|temp\s+)?(?:str|int|boolean|keylist|i18nstr)\s+\w+"
)
# REAL (seed paper, appendix D): CFSMount datash_fs (
RESOURCE_HEAD = r"^\s*[A-Z]\w+\s+[\w.-]+\s*\(\s*$"
ATTRIBUTE = r"^\s*[A-Z]\w*(?:\s*@\S+)?\s*=\s*\S"
CLOSING = r"^\s*\)\s*$"
DEPENDENCY = r"^\s*(?:\S+\s+requires\s+\S+|requires\s+group\s+\S+.*)\s*$"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file with an include of main.cf, a block with an attribute of VCS, or nothing but resources."""
    include = head.str.contains(INCLUDE)
    if include.any():
        return Recognition(0.95, "an include of a .cf file", _first(include))
    block = head.str.contains(BLOCK_HEAD)
    if block.any() and (head.str.contains(KNOWN_ATTRIBUTE) | head.str.contains(DEPENDENCY)).any():
        return Recognition(0.95, "a block of main.cf with attributes of VCS", _first(block))
    resource, attribute, closing = (head.str.contains(each) for each in (RESOURCE_HEAD, ATTRIBUTE, CLOSING))
    known = block | resource | attribute | closing | head.str.contains(DEPENDENCY)
    filled = head.str.contains(r"\S")
    has_all = (block | resource).any() and closing.any() and (attribute.any() or block.any())
    if has_all and 5 * known.sum() >= 3 * filled.sum():
        return Recognition(0.6, "resource blocks in the style of main.cf", _first(block | resource))
    return Refusal("neither an include nor a block of main.cf", _first(filled))


def parse(lines: pl.DataFrame) -> Parsed:
    """Read the statements of every file."""
    rows: dict[str, list[Row]] = {table.name: [] for table in TABLES}
    verdicts: list[pl.DataFrame] = []
    for file_lines in lines.partition_by("file_id", maintain_order=True):
        statements, classified = _read(file_lines["text"].to_list())
        numbers = file_lines["line_no"].to_list()
        file_id = file_lines["file_id"][0]
        for table, row in _numbered(statements, classified):
            line = int(row.pop("line") or 0)
            rows[table].append({"file_id": file_id, "line_no": numbers[line], **row})
        verdicts.append(
            file_lines.select("file_id", "line_no").with_columns(
                pl.Series("verdict", [int(verdict) for verdict, _ in classified], pl.UInt8()),
                pl.Series("reason", [reason for _, reason in classified], pl.String()),
            )
        )
    frames = {table.name: pl.DataFrame(rows[table.name], table.schema) for table in TABLES if rows[table.name]}
    return Parsed(frames, pl.concat([pl.DataFrame(schema=VERDICT_SCHEMA), *verdicts]))


def _first(matches: pl.Series) -> int:
    """Number of the first line that matches, 1 if none does."""
    return (matches.arg_max() or 0) + 1


def _read(texts: list[str]) -> tuple[Statements, list[LineVerdict]]:
    """The statements of a file, and the verdict of each of its lines."""
    statements = statements_of(texts)
    crowded = Counter((table, row["line"]) for table, row in statements.rows)
    for (_, line), count in crowded.items():
        if count > MAX_PART:
            statements.verdicts[int(line or 0)] = Verdict.REJECTED, "too many statements on one line"
    comment: LineVerdict = (Verdict.IGNORED, "comment")
    note: LineVerdict = (Verdict.IGNORED, "`#` starts no comment in main.cf, but this line is meant as one")
    classified: list[LineVerdict] = []
    for line, text in enumerate(texts):
        if not text.strip():
            classified.append((Verdict.BLANK, None))
        else:
            classified.append(statements.verdicts.get(line, note if NOTE.match(text) else comment))
    return statements, classified


def _numbered(statements: Statements, classified: list[LineVerdict]) -> Iterator[tuple[str, Row]]:
    """The rows of lines that were accepted, counted within their line."""
    parts: Counter[tuple[str, object]] = Counter()
    for table, row in statements.rows:
        if classified[int(row["line"] or 0)][0] != Verdict.PARSED:
            continue
        parts[table, row["line"]] += 1
        cluster = {"cluster": statements.cluster} if table == CLUSTER_SYSTEM.name else {}
        yield table, {"part": parts[table, row["line"]], **row, **cluster}


FORMAT = Format(
    name="main_cf",
    title="VCS configuration",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    file_names=("main.cf*", "types.cf*", "*Types.cf", "*.cf"),
    role="configuration",
    needs=f"{INCLUDE}|{BLOCK_HEAD}|{RESOURCE_HEAD}",
)
