"""Configuration of Pacemaker as crmsh shows it (`crm configure show`), or as commands that make it.

Written by  crm, and people
One row     per value, in scope crm. A resource is a row with its name, the description `primitive`, and its agent as
            class:provider:type, or as its type alone, for crmsh leaves out `ocf:heartbeat:`. Its parameters,
            operations and meta attributes follow as VIP.ip, VIP.op.monitor.interval, VIP.meta.target-role; properties
            as property.stonith-enabled. Every other statement is one row under its kind and name (`colocation c1`)
            with the rest as value
Layout      a statement goes on after a backslash at the end of a line
"""

import shlex
from collections.abc import Iterator

import polars as pl

from parsers.by_line import COMMENT, CONTINUATION, LineVerdict, Row, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal, recognised_by
from parsers.secret import masked

SCOPE = "crm"
# REAL: primitive ClusterIP39 ocf:heartbeat:IPaddr2 params ip="204.228.236.39" nic="eth0" op monitor interval="30s"
PRIMITIVE = (
    r"^\s*(?:crm configure )?(?:primitive|rsc_template) \S+ "
    r"@?(?:ocf|lsb|service|systemd|upstart|stonith|heartbeat):\S"
)
# REAL: primitive database pgsql \
SHORT_PRIMITIVE = (
    r"^\s*(?:crm configure )?(?:primitive|rsc_template) [\w.-]+ @?[A-Za-z][\w-]*(?: +(?:\\|params |meta |op )|$)"
)
COMPANION = (
    r"^\s+(?:params|meta|op) \S|^property cib-bootstrap-options:|^(?:rsc|op)_defaults \S"
    r"|^(?:group|clone|ms|colocation|order|location) [\w.-]+:? \S"
)
KINDS = frozenset(
    {
        *("node", "primitive", "rsc_template", "group", "clone", "ms", "master", "bundle", "tag"),
        *("location", "colocation", "order", "rsc_ticket", "fencing_topology"),
        *("property", "rsc_defaults", "op_defaults", "user", "role", "acl_target"),
    }
)
SETS = frozenset({"property", "rsc_defaults", "op_defaults"})
SECTIONS = frozenset({"params", "meta", "operations", "utilization", "attributes", "op"})
MAX_LINE = 4096


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file that declares a resource with its agent."""
    if found := recognised_by(head.str.contains(PRIMITIVE), 0.95, "a primitive of Pacemaker with its agent"):
        return found
    short = head.str.contains(SHORT_PRIMITIVE)
    if short.any() and head.str.contains(COMPANION).any():
        return Recognition(0.95, "a primitive of Pacemaker and what crmsh writes with it", (short.arg_max() or 0) + 1)
    return Refusal("no primitive of Pacemaker", 0 if head.is_empty() else 1)


def read(texts: list[str]) -> list[LineVerdict]:
    """Classify the lines of one file; the rows of a statement begin on its first line."""
    found: list[LineVerdict] = []
    position = 0
    while position < len(texts):
        end = position
        while texts[end].rstrip().endswith("\\") and end + 1 < len(texts):
            end += 1
        lines = texts[position : end + 1]
        found.append(_classify(" ".join(line.rstrip().removesuffix("\\") for line in lines)))
        found += [CONTINUATION if found[-1].rows else found[-1]] * (len(lines) - 1)
        position = end + 1
    return found


def _classify(text: str) -> LineVerdict:
    if text.lstrip().startswith("#"):
        return COMMENT
    first = text.split(maxsplit=3)[:3]
    skipped = 2 if first[:2] == ["crm", "configure"] else 0
    is_statement = not KINDS.isdisjoint(first[skipped : skipped + 1])
    rows = tuple(_rows(_words(text)[skipped:])) if is_statement else ()
    return parsed(*rows) if rows else rejected("no statement of crm configure")


def _words(text: str) -> list[str]:
    """Words, with quotes taken off; as they stand where a quote is never closed."""
    if len(text) > 16 * MAX_LINE:
        return []
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _rows(words: list[str]) -> Iterator[Row]:
    kind, *rest = words or [""]
    if kind in {"primitive", "rsc_template"} and len(rest) > 1:
        name, agent, *others = rest
        yield {"scope": SCOPE, "name": name, "description": kind, "value": agent.removeprefix("@")}
        yield from _parameters(name, others)
    elif kind in SETS:
        for word in rest:
            name, sign, value = word.partition("=")
            if sign:
                yield {"scope": SCOPE, "name": f"{kind}.{name}", "value": masked(name, value)}
    elif rest:
        yield {
            "scope": SCOPE,
            "name": f"{kind} {rest[0].rstrip(':')}",
            "description": kind,
            "value": " ".join(rest[1:]),
        }


def _parameters(resource: str, words: list[str]) -> Iterator[Row]:
    """`params ip=10.0.0.1 op monitor interval=30s` as VIP.ip and VIP.op.monitor.interval."""
    path = resource
    is_operation = False
    for word in words:
        name, sign, value = word.partition("=")
        if word in SECTIONS:
            is_operation = word == "op"
            path = resource if word == "params" else f"{resource}.{word}"
        elif sign:
            yield {"scope": SCOPE, "name": f"{path}.{name}", "value": masked(name, value)}
        elif is_operation:
            path = f"{resource}.op.{word}"


FORMAT = settings_format(
    "crm_configure",
    "Pacemaker configuration of crmsh",
    "*crm*",
    recognise=recognise,
    read=read,
    needs="primitive|rsc_template",
)
