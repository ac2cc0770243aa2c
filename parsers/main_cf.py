"""VCS configuration (main.cf), its fragments, and type definitions (types.cf).

Written by  `haconf -dump`, and people
One row     per attribute, system, group, resource and dependency; small by nature, so it is read in Python by tokens
Layout      free: `)` in any column, lists and maps over lines, `{ sysA =0, sysB=1}` without blanks
Names       may hold `-` and `.`; a resource and its attribute may share one
Scope       resources and dependencies belong to the last `group`, until another top-level keyword; a fragment
            without any is read all the same
Secrets     are replaced by ******** before a row is made: password hashes of users, and values of attributes that
            are passwords by name. Damaged lines that may hold one are ignored, since rejected lines are kept as text
Damage      costs the line on which it stands; a block whose head is damaged is rejected down to its `)`, a lost `)`
            is made up for by the next head
Comments    `//` and `/* */`; `#` is none in the product, but notes found on the web use it: such lines are ignored
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import polars as pl

from parsers.format import VERDICT_SCHEMA, Column, Format, Parsed, Recognition, Refusal, Table, Verdict

CLUSTER_SYSTEM = Table(
    name="cluster_system",
    grain="One row per system that main.cf declares.",
    columns=(
        Column("system", pl.String(), "system name", host="named"),
        Column("cluster", pl.String(), "cluster name"),
    ),
    is_dated=False,
)

CLUSTER_GROUP = Table(
    name="cluster_group",
    grain="One row per service group that main.cf declares.",
    columns=(
        Column("group", pl.String(), "group name"),
        Column("is_parallel", pl.Boolean(), "may be online on several systems at once"),
        Column("systems", pl.String(), "SystemList as printed"),
        Column("auto_start", pl.String(), "AutoStartList as printed"),
    ),
    is_dated=False,
)

CLUSTER_RESOURCE = Table(
    name="cluster_resource",
    grain="One row per resource that main.cf declares.",
    columns=(
        Column("resource", pl.String(), "resource name"),
        Column("resource_type", pl.String(), "type: DiskGroup, Mount, IP, Db2udb, CFSMount, ..."),
        Column("group", pl.String(), "group the resource belongs to"),
    ),
    is_dated=False,
)

CLUSTER_ATTRIBUTE = Table(
    name="cluster_attribute",
    grain="One row per attribute value in main.cf; a localised attribute has a row per system.",
    columns=(
        Column("entity_kind", pl.String(), "cluster, system, group, resource, type, remotecluster, heartbeat"),
        Column("entity", pl.String(), "name of the thing that has the attribute"),
        Column("group", pl.String(), "group of a resource"),
        Column("attribute", pl.String(), "attribute name"),
        Column("system", pl.String(), "system of a localised value, else null", host="named"),
        Column("value", pl.String(), "value as printed, blanks normalised; secrets read ********"),
        Column("is_masked", pl.Boolean(), "value was a secret and is not stored"),
    ),
    is_dated=False,
)

CLUSTER_DEPENDENCY = Table(
    name="cluster_dependency",
    grain="One row per `requires` of main.cf: parent needs child.",
    columns=(
        Column("dependency_kind", pl.String(), "resource or group"),
        Column("group", pl.String(), "group in which the line stands"),
        Column("parent", pl.String(), "resource or group that needs the child"),
        Column("child", pl.String(), "resource or group needed"),
        Column("mode", pl.String(), "for groups: `online local firm` and the like"),
    ),
    is_dated=False,
)

TABLES = (CLUSTER_SYSTEM, CLUSTER_GROUP, CLUSTER_RESOURCE, CLUSTER_ATTRIBUTE, CLUSTER_DEPENDENCY)

TOKEN = re.compile(
    r"\s+"
    r"|(?P<line_comment>//.*)"
    r"|(?P<block_comment>/\*)"
    r'|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<sign>[(){}=,@\[\]])"
    r'|(?P<word>[^\s(){}=,@\[\]"\\]+)'  # sun-ha3bshark, /dev/vx/dsk, 10.0.35.128
    r"|(?P<damage>.)"
)
NOTE = re.compile(r"\s*#")  # no comment to the product

BLOCK_KINDS = frozenset({"cluster", "system", "group", "type", "remotecluster", "heartbeat"})
DECLARATIONS = frozenset({"static", "temp", "str", "int", "boolean", "keylist", "i18nstr"})
GROUP_MODES = frozenset({"online", "offline", "local", "global", "remote", "site", "soft", "firm", "hard"})

MASK = "********"
SECRET_NAME = re.compile(r"(?i)secinfo|.*(?:password|passwd|pword|passphrase|secret)")
SECRET_TEXT = re.compile(r"(?i)(?:password|passwd|pword|secret)\S{0,40}\s{0,9}[=:]")
SECRET_LINE = re.compile(r"(?i)user\s*names|secinfo|password|passwd|pword|passphrase|secret")

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


@dataclass(frozen=True, slots=True)
class Token:
    """A word, string, sign or piece of damage; `line` counts the lines of its file from 0."""

    kind: str
    text: str
    line: int

    def is_sign(self, *signs: str) -> bool:
        """Tell whether it is one of these signs."""
        return self.kind == "sign" and self.text in signs


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between parentheses. `name` is null if its head could not be read."""

    kind: str
    name: str | None


class Damage(Exception):  # noqa: N818 -- never leaves this module; named for what was found
    """The statement at hand cannot be read."""


Value = str | bool | int | None
Row = dict[str, Value]
Judgement = tuple[Verdict, str | None]


@dataclass(slots=True)
class Statements:
    """The statements of one file, read one after the other."""

    texts: list[str]
    tokens: list[Token]
    partners: dict[int, int]
    position: int = 0
    block: Block | None = None
    group: str | None = None
    cluster: str | None = None
    is_withholding: bool = False
    secret_lines: set[int] = field(default_factory=set)
    group_row: Row = field(default_factory=dict)
    rows: list[tuple[str, Row]] = field(default_factory=list)
    verdicts: dict[int, Judgement] = field(default_factory=dict)

    def read(self) -> None:
        """Read every statement; a damaged one costs its first line, and reading goes on with the next."""
        while self.position < len(self.tokens):
            start = self.position
            try:
                self._statement()
            except Damage as damage:
                self.position = start
                self._reject(str(damage))
            else:
                self._account(start)

    def _statement(self) -> None:
        words = self._words()
        if self._is_sign(")"):
            self._close()
        elif words[:1] == ["include"] and self._kind(1) == "string":
            self.block = None
            self.position += 2
        elif words[:2] == ["requires", "group"]:
            self._group_dependency(words)
        elif words[1:2] == ["requires"]:
            self._resource_dependency(words)
        elif len(words) == 2 and self._is_sign("(", ahead=2):
            self._open(*words)
        elif self.block is not None:
            self._attribute(self.block)
        else:
            raise Damage("begins no statement of main.cf")

    def _open(self, kind: str, name: str) -> None:
        """Open a block. One that is still open has lost its `)`."""
        line = self.tokens[self.position].line
        self.position += 3
        self.is_withholding = False
        if kind not in BLOCK_KINDS:
            self.block = Block("resource", name)
            self._add(CLUSTER_RESOURCE, line, resource=name, resource_type=kind, group=self.group)
            return
        self.block = Block(kind, name)
        self.group = name if kind == "group" else None
        if kind == "cluster":
            self.cluster = name
        elif kind == "system":
            self._add(CLUSTER_SYSTEM, line, system=name)
        elif kind == "group":
            self._add(CLUSTER_GROUP, line, group=name, is_parallel=False, systems=None, auto_start=None)
            self.group_row = self.rows[-1][1]

    def _close(self) -> None:
        block, self.block, self.is_withholding = self.block, None, False
        if block is None:
            raise Damage("`)` closes no block")
        if block.name is None:
            raise Damage("closes a block whose head was rejected")
        self.position += 1

    def _group_dependency(self, words: list[str]) -> None:
        if len(words) < 3 or not GROUP_MODES.issuperset(words[3:]):
            raise Damage("not `requires group NAME` with online, local, firm or the like")
        self._depend("group", self.group, words[2], " ".join(words[3:]) or None)
        self.position += len(words)

    def _resource_dependency(self, words: list[str]) -> None:
        if len(words) != 3:
            raise Damage("not `PARENT requires CHILD`")
        self._depend("resource", words[0], words[2], None)
        self.position += len(words)

    def _depend(self, kind: str, parent: str | None, child: str, mode: str | None) -> None:
        self.block = None
        line = self.tokens[self.position].line
        self._add(
            CLUSTER_DEPENDENCY, line, dependency_kind=kind, group=self.group, parent=parent, child=child, mode=mode
        )

    def _attribute(self, block: Block) -> None:
        start, line = self.position, self.tokens[self.position].line
        is_declared = block.kind == "type" and self._skip_declaration()
        name = self._take("word")
        while self._is_sign("[", "]") or (is_declared and self._is_sign("{", "}")):
            self.position += 1
        system = None
        if self._is_sign("@"):
            self.position += 1
            system = self._take("word")
        value, is_masked = None, False
        if self._is_sign("="):
            self.position += 1
            value, is_masked = _shown(name, self._value())
        elif not is_declared:
            raise Damage("an attribute without a value")
        if is_masked:
            self.secret_lines.update(token.line for token in self.tokens[start : self.position])
        if block.name is None:
            raise Damage("inside a block whose head was rejected")
        if self.is_withholding:
            raise Damage("follows a damaged secret")
        self._keep(line, block, {"attribute": name, "system": system, "value": value, "is_masked": is_masked})

    def _keep(self, line: int, block: Block, attribute: Row) -> None:
        group = self.group if block.kind == "resource" else None
        self._add(CLUSTER_ATTRIBUTE, line, entity_kind=block.kind, entity=block.name, group=group, **attribute)
        if block.kind != "group":
            return
        match attribute["attribute"]:
            case "Parallel":
                self.group_row["is_parallel"] = attribute["value"] != "0"  # 2 is hybrid: parallel between zones
            case "SystemList":
                self.group_row["systems"] = attribute["value"]
            case "AutoStartList":
                self.group_row["auto_start"] = attribute["value"]

    def _skip_declaration(self) -> bool:
        """Pass `static keylist` and the like, as long as a name follows."""
        start = self.position
        while self._word() in DECLARATIONS and self._kind(1) == "word":
            self.position += 1
        return self.position > start

    def _value(self) -> list[Token]:
        start = self.position
        if self._is_sign("{"):
            if start not in self.partners:
                raise Damage("`{` is never closed")
            self.position = self.partners[start] + 1
            return self.tokens[start : self.position]
        if self._kind(0) not in {"word", "string"}:
            raise Damage("an attribute without a value")
        self.position += 1
        while self._is_sign("@") and self._kind(1) == "word":  # admin@example.com
            self.position += 2
        return self.tokens[start : self.position]

    def _add(self, table: Table, line: int, **values: Value) -> None:
        self.rows.append((table.name, {"line": line, **values}))

    def _reject(self, reason: str) -> None:
        """Give up the rest of the line, and the block that it may have opened."""
        line = self.tokens[self.position].line
        rest = []
        while self.position < len(self.tokens) and self.tokens[self.position].line == line:
            rest.append(self.tokens[self.position])
            self.position += 1
        if rest[-1].is_sign("("):
            self.block, self.is_withholding = Block("damaged", None), False
            self.group = None if rest[0].text in BLOCK_KINDS else self.group
        self.is_withholding |= bool(SECRET_LINE.search(self.texts[line]))
        if self.is_withholding or line in self.secret_lines:
            self.verdicts[line] = Verdict.IGNORED, "damaged, and may hold a secret: not kept"
        else:
            self.verdicts[line] = Verdict.REJECTED, reason

    def _account(self, start: int) -> None:
        """Give the lines of a statement their verdicts; a line that was rejected before stays so."""
        begins = not self.tokens[start].is_sign(")")
        for token in self.tokens[start : self.position]:
            self.verdicts.setdefault(token.line, (Verdict.CONTINUATION, None))
        first = self.tokens[start].line
        if begins and self.verdicts[first][0] == Verdict.CONTINUATION:
            self.verdicts[first] = Verdict.PARSED, None

    def _words(self) -> list[str]:
        """The words at hand, up to a sign or the end of the line."""
        found = []
        for token in self.tokens[self.position : self.position + 9]:  # `requires group g online local firm` has six
            if token.kind != "word" or token.line != self.tokens[self.position].line:
                break
            found.append(token.text)
        return found

    def _word(self) -> str | None:
        return self.tokens[self.position].text if self._kind(0) == "word" else None

    def _kind(self, ahead: int) -> str | None:
        place = self.position + ahead
        return self.tokens[place].kind if place < len(self.tokens) else None

    def _is_sign(self, *signs: str, ahead: int = 0) -> bool:
        place = self.position + ahead
        return place < len(self.tokens) and self.tokens[place].is_sign(*signs)

    def _take(self, kind: str) -> str:
        if self._kind(0) != kind:
            raise Damage("not `ATTRIBUTE = VALUE`")
        self.position += 1
        return self.tokens[self.position - 1].text


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
        statements, judged = _read(file_lines["text"].to_list())
        numbers = file_lines["line_no"].to_list()
        file_id = file_lines["file_id"][0]
        for table, row in _numbered(statements, judged):
            line = int(row.pop("line") or 0)
            rows[table].append({"file_id": file_id, "line_no": numbers[line], **row})
        verdicts.append(
            file_lines.select("file_id", "line_no").with_columns(
                pl.Series("verdict", [int(verdict) for verdict, _ in judged], pl.UInt8()),
                pl.Series("reason", [reason for _, reason in judged], pl.String()),
            )
        )
    frames = {table.name: pl.DataFrame(rows[table.name], table.schema) for table in TABLES if rows[table.name]}
    return Parsed(frames, pl.concat([pl.DataFrame(schema=VERDICT_SCHEMA), *verdicts]))


def _first(matches: pl.Series) -> int:
    """Number of the first line that matches, 1 if none does."""
    return (matches.arg_max() or 0) + 1


def _read(texts: list[str]) -> tuple[Statements, list[Judgement]]:
    """The statements of a file, and the verdict of each of its lines."""
    tokens = list(_tokens(texts))
    statements = Statements(texts, tokens, _partners(tokens))
    statements.read()
    crowded = Counter((table, row["line"]) for table, row in statements.rows)
    for (_, line), count in crowded.items():
        if count > MAX_PART:
            statements.verdicts[int(line or 0)] = Verdict.REJECTED, "too many statements on one line"
    comment: Judgement = (Verdict.IGNORED, "comment")
    note: Judgement = (Verdict.IGNORED, "`#` starts no comment in main.cf, but this line is meant as one")
    judged: list[Judgement] = []
    for line, text in enumerate(texts):
        if not text.strip():
            judged.append((Verdict.BLANK, None))
        else:
            judged.append(statements.verdicts.get(line, note if NOTE.match(text) else comment))
    return statements, judged


def _tokens(texts: list[str]) -> Iterator[Token]:
    """Cut lines into tokens, without blanks, comments and notes."""
    last_end = max(((line, text.rfind("*/")) for line, text in enumerate(texts) if "*/" in text), default=(-1, -1))
    in_comment = False
    for line, text in enumerate(texts):
        start = 0
        if not in_comment and NOTE.match(text):
            continue
        while start < len(text):
            if in_comment:
                end = text.find("*/", start)
                in_comment = end < 0
                start = len(text) if in_comment else end + 2
            elif match := TOKEN.match(text, start):
                start = match.end()
                kind = match.lastgroup
                in_comment = kind == "block_comment" and (line, start) <= last_end
                if match.group() == '"':
                    start = len(text)  # never closed: the rest may be inside or outside
                if kind == "block_comment" and not in_comment:
                    yield Token("damage", match.group(), line)
                elif kind in {"string", "sign", "word", "damage"}:
                    yield Token(kind, match.group(), line)


def _partners(tokens: list[Token]) -> dict[int, int]:
    """The `}` of every `{`. A parenthesis or damage between them means that one was lost."""
    partners = {}
    opened: list[int] = []
    for position, token in enumerate(tokens):
        if token.is_sign("(", ")", "[", "]") or token.kind == "damage":
            opened.clear()
        elif token.is_sign("{"):
            opened.append(position)
        elif token.is_sign("}") and opened:
            partners[opened.pop()] = position
    return partners


def _numbered(statements: Statements, judged: list[Judgement]) -> Iterator[tuple[str, Row]]:
    """The rows of lines that were accepted, counted within their line."""
    parts: Counter[tuple[str, object]] = Counter()
    for table, row in statements.rows:
        if judged[int(row["line"] or 0)][0] != Verdict.PARSED:
            continue
        parts[table, row["line"]] += 1
        cluster = {"cluster": statements.cluster} if table == CLUSTER_SYSTEM.name else {}
        yield table, {"part": parts[table, row["line"]], **row, **cluster}


def _shown(name: str, tokens: list[Token]) -> tuple[str, bool]:
    """A value as it may be stored, and whether something in it was masked."""
    if SECRET_NAME.fullmatch(name):
        return MASK, True
    texts = [token.text for token in tokens]
    is_secret = [bool(SECRET_TEXT.search(text)) for text in texts]
    for position, token in enumerate(tokens):
        if token.kind == "sign":
            continue
        has_key = position > 1 and tokens[position - 1].is_sign("=")
        is_key = position + 1 < len(tokens) and tokens[position + 1].is_sign("=")
        if has_key:
            is_secret[position] |= name == "UserNames" or bool(SECRET_NAME.fullmatch(texts[position - 2].strip('"')))
        elif name == "UserNames":
            is_secret[position] = not is_key
    if len(tokens) == 1 and not is_secret[0]:
        return texts[0][1:-1] if tokens[0].kind == "string" else texts[0], False
    shown = (MASK if secret else text for secret, text in zip(is_secret, texts, strict=True))
    return _spaced(shown), any(is_secret)


def _spaced(texts: Iterable[str]) -> str:
    """A value on one line: a blank between tokens, none before a comma or around `@`."""
    shown = ""
    for text in texts:
        is_tight = not shown or text in {",", "@"} or shown.endswith("@")
        shown += text if is_tight else f" {text}"
    return shown


FORMAT = Format(
    name="main_cf",
    title="VCS configuration",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    boundary=None,
    file_names=("main.cf*", "types.cf*", "*Types.cf", "*.cf"),
    role="configuration",
    needs=f"{INCLUDE}|{BLOCK_HEAD}|{RESOURCE_HEAD}",
)
