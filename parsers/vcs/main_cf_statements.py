"""The statements of one main.cf, read one after the other: blocks, attributes, dependencies; rows and verdicts by line.

A damaged statement costs its first line, and a block whose head is damaged is rejected down to its `)`.
"""

from dataclasses import dataclass, field

from parsers.format import Table, Verdict
from parsers.secret import may_hold_secret
from parsers.vcs.main_cf_secrets import shown
from parsers.vcs.main_cf_tables import (
    CLUSTER_ATTRIBUTE,
    CLUSTER_DEPENDENCY,
    CLUSTER_GROUP,
    CLUSTER_RESOURCE,
    CLUSTER_SYSTEM,
)
from parsers.vcs.main_cf_tokens import Token, partners_of, tokens_of

BLOCK_KINDS = frozenset({"cluster", "system", "group", "type", "remotecluster", "heartbeat"})
DECLARATIONS = frozenset({"static", "temp", "str", "int", "boolean", "keylist", "i18nstr"})
GROUP_MODES = frozenset({"online", "offline", "local", "global", "remote", "site", "soft", "firm", "hard"})


@dataclass(frozen=True, slots=True)
class Block:
    """What is between parentheses. `name` is null if its head could not be read."""

    kind: str
    name: str | None


class Damage(Exception):  # noqa: N818 -- never leaves this module; named for what was found
    """The statement at hand cannot be read."""


Value = str | bool | int | None
Row = dict[str, Value]
LineVerdict = tuple[Verdict, str | None]


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
    verdicts: dict[int, LineVerdict] = field(default_factory=dict)

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
            value, is_masked = shown(name, self._value())
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
        self.is_withholding |= may_hold_secret(self.texts[line])
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


def statements_of(texts: list[str]) -> Statements:
    """Read the lines of a file."""
    tokens = list(tokens_of(texts))
    statements = Statements(texts, tokens, partners_of(tokens))
    statements.read()
    return statements
