"""Cluster information base of Pacemaker: cib.xml, `cibadmin --query`, the inputs of the scheduler (pe-input-*.xml).

Written by  Pacemaker and its tools, as XML
One row     per value, in scope crm and under the names that `crm configure show` has them by
            (`parsers.configuration.crm_configure`): a resource, its parameters, operations and meta attributes, groups,
            clones, constraints, nodes, properties.
            The row of a group or clone is on the line on which it begins
Not read    the section `status`: what happened is in the logs; rules inside constraints
Refused     declarations of document types and entities, and elements deeper than any CIB has them: the lines from there
            on are rejected
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

import polars as pl

from parsers.by_line import LineVerdict, Row, ignored, parsed, rejected, settings_format
from parsers.configuration.crm_configure import SCOPE
from parsers.format import Recognition, Refusal, recognised_by
from parsers.secret import masked

# REAL: <cib crm_feature_set="3.16.1" validate-with="pacemaker-3.9" epoch="2" num_updates="0" admin_epoch="0">
ROOT = r"^\s*(?:<\?xml[^>]{0,200}\?>\s*)?<cib\b[^>]*\b(?:crm_feature_set|validate-with|admin_epoch|num_updates)="
MAX_CHARACTERS = 64_000_000
MAX_DEPTH = 100
CONTAINERS = {"group": "group", "clone": "clone", "master": "ms", "bundle": "bundle"}
CONSTRAINTS = {"rsc_location": "location", "rsc_colocation": "colocation", "rsc_order": "order"}
SETS = {"crm_config": "property", "rsc_defaults": "rsc_defaults", "op_defaults": "op_defaults"}
SECTIONS = {"instance_attributes": "", "meta_attributes": "meta.", "utilization": "utilization."}
OP_KEYS = ("id", "name", "description")


class _Refused(Exception):  # noqa: N818 -- never leaves this module; named for what was found
    pass


@dataclass(slots=True)
class _Element:
    """An element that is open. `words`: what belongs to the value of its row; `path`: what its parts are named by."""

    tag: str
    line: int
    attributes: dict[str, str]
    path: str = ""
    words: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    """Turns elements into rows by line, from 0."""

    parser: expat.XMLParserType
    rows: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))
    open: list[_Element] = field(default_factory=list)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = _Element(tag, self.parser.CurrentLineNumber - 1, attributes)
        around = [each.tag for each in self.open]
        self._open(element)
        if "status" in around:
            return
        name = attributes.get("id", "")
        if tag in {"primitive", "template"}:
            self._member(name)
            element.path = name
            self._row(element.line, name, "rsc_template" if tag == "template" else "primitive", _agent(attributes))
        elif tag in CONTAINERS:
            self._member(name)
        elif tag == "node" and around[-1:] == ["nodes"]:
            self._row(element.line, f"node {name}", "node", attributes.get("uname"))
        elif tag == "op":
            element.path = f"{self._path()}.op.{attributes.get('name', '')}"
            for key, value in attributes.items():
                if key not in OP_KEYS:
                    self._row(element.line, f"{element.path}.{key}", None, value)
        elif tag == "nvpair":
            self._pair(element, around)
        elif tag == "resource_ref":
            self._constraint_word(name)

    def end(self, _: str) -> None:
        element = self.open.pop()
        if any(each.tag == "status" for each in self.open):
            return
        name = element.attributes.get("id", "")
        if element.tag in CONTAINERS:
            kind = CONTAINERS[element.tag]
            options = ["meta", *element.options] if element.options else []
            self._row(element.line, f"{kind} {name}", kind, " ".join([*element.words, *options]))
        elif element.tag in CONSTRAINTS:
            kind = CONSTRAINTS[element.tag]
            self._row(element.line, f"{kind} {name}", kind, _constraint(kind, element))

    def _open(self, element: _Element) -> None:
        if len(self.open) == MAX_DEPTH:
            raise _Refused(f"elements more than {MAX_DEPTH} deep, which no CIB has")
        self.open.append(element)

    def _row(self, line: int, name: str, description: str | None, value: str | None) -> None:
        row = {"scope": SCOPE, "name": name, "description": description, "value": value or ""}
        self.rows[line].append(row)

    def _member(self, name: str) -> None:
        holder = next((each for each in reversed(self.open[:-1]) if each.tag in CONTAINERS), None)
        if holder is not None:
            holder.words.append(name)

    def _constraint_word(self, name: str) -> None:
        holder = next((each for each in reversed(self.open) if each.tag in CONSTRAINTS), None)
        if holder is not None:
            holder.words.append(name)

    def _path(self) -> str:
        return next((each.path for each in reversed(self.open[:-1]) if each.path), "")

    def _pair(self, element: _Element, around: list[str]) -> None:
        name, value = element.attributes.get("name", ""), element.attributes.get("value", "")
        options = next((SETS[tag] for tag in around if tag in SETS), None)
        section = next((SECTIONS[tag] for tag in reversed(around) if tag in SECTIONS), None)
        holder = next((each for each in reversed(self.open[:-1]) if each.tag in CONTAINERS or each.path), None)
        if options is not None:
            self._row(element.line, f"{options}.{name}", None, masked(name, value))
        elif section is None or holder is None:
            return
        elif holder.path:
            self._row(element.line, f"{holder.path}.{section}{name}", None, masked(name, value))
        else:
            holder.options.append(f"{name}={masked(name, value)}")


def _agent(attributes: dict[str, str]) -> str:
    if template := attributes.get("template"):
        return template
    return ":".join(attributes[key] for key in ("class", "provider", "type") if key in attributes)


def _constraint(kind: str, element: _Element) -> str:
    """The operands as crmsh prints them."""
    given = element.attributes
    score = given.get("score", "INFINITY").replace("INFINITY", "inf")
    if kind == "location":
        node = given.get("node")
        return f"{given.get('rsc', '')} {score}: {node}" if node else " ".join([given.get("rsc", ""), *element.words])
    if kind == "colocation":
        ends = [_end(given, "rsc", "rsc-role"), _end(given, "with-rsc", "with-rsc-role")]
        return f"{score}: {' '.join(element.words or ends)}"
    ends = [_end(given, "first", "first-action"), _end(given, "then", "then-action")]
    return f"{given.get('kind', given.get('score', 'Mandatory'))}: {' '.join(element.words or ends)}"


def _end(given: dict[str, str], name: str, what: str) -> str:
    return given.get(name, "") + (f":{given[what]}" if what in given else "")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file with the root element of a CIB."""
    return recognised_by(head.str.contains(ROOT), 0.95, "the root element of a cluster information base") or Refusal(
        "no <cib> with the version of its features", 0 if head.is_empty() else 1
    )


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file: those on which something begins that is a value, markup, and what is no CIB."""
    rows, bad_from, reason = _parse("\n".join(texts), len(texts))
    for number in range(len(texts)):
        if number >= bad_from:
            yield rejected(reason)
        elif number in rows:
            yield parsed(*rows[number])
        else:
            yield ignored("markup, or state of the cluster")


def _parse(text: str, line_count: int) -> tuple[dict[int, list[Row]], int, str]:
    """Rows by line, from 0; the first line that cannot be read, and why."""
    if len(text) > MAX_CHARACTERS:
        return {}, 0, "too large for a cluster information base"
    parser = expat.ParserCreate()
    parser.buffer_text = True
    reader = _Reader(parser)
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(text.lstrip("\ufeff"), True)
    except _Refused as refusal:
        return reader.rows, min(parser.CurrentLineNumber, line_count) - 1, str(refusal)
    except (expat.ExpatError, UnicodeEncodeError):
        return reader.rows, min(parser.ErrorLineNumber, line_count) - 1, "XML ends or breaks here"
    return reader.rows, line_count, ""


def _refuse(*_: object) -> None:
    raise _Refused("a document type, which no CIB declares")


FORMAT = settings_format(
    "cib",
    "Pacemaker cluster information base",
    "cib*.xml",
    "pe-input*",
    "*.xml",
    recognise=recognise,
    read=read,
    needs="cib",
)
