r"""Output of `pcs status` and `crm_mon -1`: the states of a Pacemaker cluster at one moment.

Written by  pcs, crm_mon, crm status; from 2.0 on with an asterisk before each item
One row     per node, resource (on each node of a set), failed action, and for the cluster's controller
Time        `Last updated` is the time of all rows, wall clock of the node; a failed action has its own (last-rc-change)
Ignored     headings, counts, versions, states of daemons
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

import polars as pl

from parsers.by_line import CONTINUATION, LineVerdict, ignored, parse_by_line, parsed, rejected
from parsers.cluster_state import CLUSTER_STATE
from parsers.format import Format, Recognition, Refusal

ITEM = r"^[ \t]*+(?:\* [ \t]*+)?"
# REAL: Online: [ beta ]        Node alpha: UNCLEAN (online)        * Node xen-d: standby
NODES = re.compile(
    ITEM + r"(?P<state>(?:Remote|Guest)?(?:Online|OFFLINE|Offline|Standby|Maintenance)): \[ (?P<nodes>[^\]]*+)\]\s*$"
)
NODE = re.compile(ITEM + r"(?:Remote|Guest)?Node (?P<name>\S+?)(?: \([^)]*\))?: (?P<state>\S.*)$")
# REAL: vip     (ocf::heartbeat:IPaddr2):       Started beta
RESOURCE = re.compile(
    ITEM + r"(?P<name>[\w.:-]+)[ \t]+\((?P<type>[\w-]+:[^)\s]+)\):[ \t]+(?:ORPHANED )?(?P<state>[A-Za-z]+)"
    r"(?:[ \t]+(?P<host>[\w.-]+))?(?P<rest>.*)$"
)
# REAL: Master/Slave Set: Db2_HADR_X-master [Db2_HADR_X]        Clone Set: dlm-clone [dlm] (promotable):
SET = re.compile(
    ITEM + r"(?:Master/Slave|Clone|Container bundle(?: set)?) ?[Ss]?e?t?: (?P<name>\S+)(?: \[(?P<of>[^\]]+)\])?.*$"
)
GROUP = re.compile(ITEM + r"Resource Group: (?P<name>[^\s:]+)")
IN_SET = re.compile(
    ITEM
    + r"(?P<state>Masters|Slaves|Promoted|Unpromoted|Started|Stopped(?: \(disabled\))?): \[ (?P<nodes>[^\]]*+)\]\s*$"
)
# REAL: * Db2_HADR_X_demote_0 on alpha 'unknown error' (1): call=49, status=complete, exitreason='none',
ACTION = re.compile(
    ITEM + r"(?P<name>\S+?)(?:_(?P<operation>[a-z]+)_[0-9]+| (?:[0-9]++\S*-interval )?(?P<verb>[a-z]+)) "
    r"(?:on (?P<host>\S+) ?(?:returned )?(?:'(?P<state>[^']*)'|could not be executed \((?P<reason>[^)]*)\))"
    r"|\(node=(?P<node>[^,)]++)(?P<call>[^)]*+)\): (?P<result>.*))(?P<rest>.*)$"
)
CHANGED = re.compile(
    r"last-rc-change='(?P<at>[^']+)'| at (?P<date>[A-Z][a-z]{2} [A-Z][a-z]{2} .{16}|[0-9]{4}-.{14,25}) after "
)
LASTED = re.compile(
    r"exec=(?P<ms>[0-9]{1,15})ms| after (?:(?P<min>[0-9]{1,9})m)?(?:(?P<s>[0-9.]{1,15})s|(?P<own_ms>[0-9]{1,15})ms)"
)
CONTROLLER = re.compile(ITEM + r"Current DC: (?P<host>\S+)(?: \(version [^)]*\))? - (?P<state>partition .*)$")
UPDATED = re.compile(ITEM + r"Last updated: (?P<at>[A-Z][a-z]{2} [A-Z][a-z]{2} +[0-9]+ [0-9:]{8} [0-9]{4}|[0-9]{4}-.*)")
ISO = re.compile(
    r"^(?P<at>[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})"
    r"(?: ?(?P<sign>[+-])(?P<hours>[0-9]{2}):?(?P<minutes>[0-9]{2}))?"
)
HEADINGS = (
    *("Cluster name", "Cluster Summary", "Stack", "Current DC", "Last updated", "Last change", "Node List", "WARNING"),
    *("Full [Ll]ist of [Rr]esources", "(?:Active|Inactive) [Rr]esources", "Failed (?:Resource |Fencing )?[Aa]ctions"),
    *("Migration Summary", "Daemon Status", "Tickets", "PCSD Status", "Fencing History", "No (?:active|inactive|res)"),
    *(
        r"[0-9]+ (?:[Nn]odes?|[Rr]esource)",
        "Operations",
        "Version",
        "[Pp]acemaker",
        "Status of",
        "corosync",
        "pcsd",
        "sbd",
    ),
)
ASIDE = re.compile(rf"^[ \t]*(?:\* )?(?:{'|'.join(HEADINGS)})|^\s*(?:\S*[$#>] ?)?(?:pcs|crm_mon|crm) |^=+$")
NEEDS = (
    r"^[ \t]*(?:\* )?(?:Online: \[|OFFLINE: \[|[0-9]+ nodes? configured|Current DC: |Full [Ll]ist of [Rr]esources"
    r"|(?:Master/Slave Set|Clone Set|Resource Group): )|\((?:ocf|stonith|systemd|lsb):\S+\):\s"
)
SIGNS = (
    r"^[ \t]*(?:\* )?(?:Online|OFFLINE): \[ ",
    r"\((?:ocf|stonith|systemd|lsb):[^)\s]+\):\s+(?:ORPHANED )?[A-Z]",
    r"^[ \t]*(?:\* )?(?:[0-9]+ nodes? configured|Current DC: |Full [Ll]ist of [Rr]esources)",
    r"^[ \t]*(?:\* )?(?:Master/Slave Set|Clone Set|Resource Group): ",
)
ROLES = {"Masters": "Master", "Slaves": "Slave"}


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim what has two of the things that such an output lists."""
    seen = [head.str.contains(sign) for sign in SIGNS]
    found = [each for each in seen if each.any()]
    if len(found) >= 2:
        first = min(each.arg_max() or 0 for each in found)
        return Recognition(0.92, "nodes and resources as pcs status or crm_mon lists them", first + 1)
    return Refusal("not two of nodes, resources, sets and headings of a cluster's status", 1)


@dataclass(slots=True)
class _Reader:
    """Where in the output a line is."""

    updated: dict[str, object] = field(default_factory=dict)
    parent: str | None = None
    indent: int = 0
    of_set: str | None = None

    def row(self, subject: str, name: str, **values: object) -> dict[str, object]:
        """A row with the time of the output."""
        return {"subject": subject, "name": name, **self.updated, **values}

    def evaluate(self, text: str, below: str) -> LineVerdict:
        """What a line is; `below`: the next one, where an action may go on."""
        for pattern, made in (
            (UPDATED, self._updated),
            (CONTROLLER, self._controller),
            (ACTION, partial(self._action, below=below)),
            (IN_SET, self._in_set),
            (NODES, self._nodes),
            (NODE, self._node),
            (SET, self._set),
            (GROUP, self._group),
            (RESOURCE, self._resource),
        ):
            if found := pattern.match(text):
                return made(found)
        return ignored("heading") if ASIDE.match(text) else rejected("no state of a node or a resource")

    def _updated(self, found: re.Match[str]) -> LineVerdict:
        self.updated = _moment(found["at"])
        return ignored("time of the output")

    def _controller(self, found: re.Match[str]) -> LineVerdict:
        return parsed(self.row("cluster", "controller", host=found["host"], state=found["state"].rstrip()))

    def _nodes(self, found: re.Match[str]) -> LineVerdict:
        return parsed(*(self.row("node", name, host=name, state=found["state"]) for name in found["nodes"].split()))

    def _node(self, found: re.Match[str]) -> LineVerdict:
        return parsed(self.row("node", found["name"], host=found["name"], state=found["state"].rstrip()))

    def _set(self, found: re.Match[str]) -> LineVerdict:
        self.parent, self.of_set, self.indent = found["name"], found["of"] or found["name"], _indent(found[0])
        return ignored("set")

    def _group(self, found: re.Match[str]) -> LineVerdict:
        self.parent, self.of_set, self.indent = found["name"], None, _indent(found[0])
        return ignored("group")

    def _in_set(self, found: re.Match[str]) -> LineVerdict:
        state = ROLES.get(found["state"], found["state"])
        name = self.of_set or self.parent or "?"
        hosts = (None if each.startswith(f"{name}:") else each for each in found["nodes"].split())  # else an instance
        return parsed(*(self.row("resource", name, parent=self.parent, host=each, state=state) for each in hosts))

    def _resource(self, found: re.Match[str]) -> LineVerdict:
        parent = self.parent if _indent(found[0]) > self.indent else None
        rest = found["rest"].strip() or None
        detail = found["type"] if rest is None else f"{found['type']} {rest}"
        return parsed(
            self.row("resource", found["name"], parent=parent, host=found["host"], state=found["state"], detail=detail)
        )

    def _action(self, found: re.Match[str], below: str) -> LineVerdict:
        said = (found["call"] or "") + found["rest"] + (below if _is_rest(below) else "")
        changed = CHANGED.search(said)
        values = {
            "host": found["host"] or found["node"],
            "state": found["state"] or found["reason"] or found["result"],
            "role": found["operation"] or found["verb"],
            "duration_s": _lasted_s(said),
            "detail": said.strip(" :,") or None,
        }
        at = _moment(changed["at"] or changed["date"]) if changed else {}
        return parsed({"subject": "action", "name": found["name"], **values, **at})


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    updated = next((found for text in texts if (found := UPDATED.match(text))), None)  # below the controller since 2.0
    reader, is_action = _Reader(_moment(updated["at"]) if updated else {}), False
    for text, below in zip(texts, [*texts[1:], ""], strict=True):
        if is_action and _is_rest(text):
            yield CONTINUATION
            continue
        is_action = ACTION.match(text) is not None
        yield reader.evaluate(text, below)


def _is_rest(text: str) -> bool:
    return re.match(r"^\s+(?:last-rc-change|queued|exec|exitreason)=", text) is not None


def _lasted_s(said: str) -> float | None:
    """How long an action took."""
    found = LASTED.search(said)
    if found is None:
        return None
    if milliseconds := found["ms"] or found["own_ms"]:
        return int(milliseconds) / 1000
    return 60 * int(found["min"] or 0) + float(found["s"])


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" \t*"))


def _moment(printed: str) -> dict[str, object]:
    """The columns of a stamp, as `date` prints it or in ISO 8601 with a zone."""
    iso = ISO.match(printed)
    text, form = (iso["at"], "%Y-%m-%d %H:%M:%S") if iso else (" ".join(printed.split()[:5]), "%a %b %d %H:%M:%S %Y")
    try:
        stamp = datetime.strptime(text, form)  # noqa: DTZ007 - a wall clock
    except ValueError:
        return {}
    offset = int(f"{iso['sign']}1") * (60 * int(iso["hours"]) + int(iso["minutes"])) if iso and iso["sign"] else None
    return {"stamp": stamp, "has_year": True, "utc_offset_min": offset}


FORMAT = Format(
    name="cluster_status",
    title="States of a Pacemaker cluster (pcs status, crm_mon -1)",
    tables=(CLUSTER_STATE,),
    recognise=recognise,
    parse=partial(parse_by_line, read=read, table=CLUSTER_STATE),
    file_names=("pcs_status*", "crm_mon*"),
    needs=NEEDS,
)
