"""Bundles of collectors, known by their layout: which folders are one, and what in them no study should count.

sos, crm report, hb_report and Pacemaker's crm_report, hagetcf, db2support, dumps of Kubernetes and must-gather.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable

from pipeline.discovery.path_parts import parts

TRANSITION = re.compile(r"pe-(?:input|warn|error)-[0-9]+(?:\.\w+){0,2}", re.ASCII)
COLLECTIONS = frozenset({"analysis.txt", "events.txt", "cluster-log.txt"})
"""Lines of the other logs of a bundle, put together by the program that made it."""

COMPANIONS = COLLECTIONS | {"members.txt", "description.txt"}


VERITAS = frozenset({("etc", "vrtsvcs"), ("var", "vrtsvcs")})
OF_THE_COLLECTOR = frozenset({"sos_logs", "sos_reports", "sos_strings"})
"""Folders in which sos keeps what it did itself."""

OF_DB2SUPPORT = frozenset({"stmm", "events"})
"""Traces of the memory manager, and events that db2diag.log has, too."""

TIMESTAMP = "timestamp"
"""When must-gather began and ended, beside the folders of its images."""

Prefix = tuple[str, ...]
"""The names of a folder and of those around it."""


def bundles(files: Iterable[tuple[Prefix, str]]) -> frozenset[Prefix]:
    """The folders that a collector wrote, each with all that is below. `files`: folders and name of each."""
    below: dict[Prefix, set[str]] = defaultdict(set)  # names in a folder, those of folders with a slash
    veritas: dict[Prefix, set[tuple[str, str]]] = defaultdict(set)
    for folders, name in files:
        below[folders].add(name.lower())
        below[folders[:-1]].add(f"*/{name.lower()}")
        for depth, folder in enumerate(folders):
            below[folders[:depth]].add(f"{folder.lower()}/")
            two = (folder.lower(), folders[depth + 1].lower() if depth + 1 < len(folders) else "")
            if two in VERITAS:
                veritas[folders[:depth]].add(two)
    return frozenset(folder for folder, names in below.items() if _is_bundle(names) or len(veritas[folder]) > 1)


def _is_bundle(names: Collection[str]) -> bool:
    """Whether a folder with these names in it is the top of what a collector wrote."""
    return (
        "sos_commands/" in names
        or len(COMPANIONS & set(names)) > 1
        or {"db2dump/", "db2config/"} <= set(names)
        or {"nodes.json", "*/events.json"} <= set(names)
        or "cluster-scoped-resources/" in names
    )


def refusals(paths: Iterable[str]) -> dict[str, str]:
    """The files that are not read, each with the reason."""
    folders: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for path in paths:
        found, name = parts(path)
        folders[tuple(each.name for each in found)][name.lower()] = path
    refused: dict[str, str] = {}
    tops = bundles((folder, name) for folder, names in folders.items() for name in names)
    for folder, names in folders.items():
        for depth in range(len(folder)):
            own = folder[depth].lower()
            if folder[:depth] in tops and (
                own in OF_THE_COLLECTOR or (own in OF_DB2SUPPORT and depth + 1 == len(folder))
            ):
                reason = "what the collector of this bundle did itself, or counts of one program's memory"
                refused |= dict.fromkeys(names.values(), reason)
        if folder and folder[-1].lower() == "pengine":
            reason = "an input of the scheduler of Pacemaker, one for each transition: no configuration of its own"
            refused |= {path: reason for name, path in names.items() if TRANSITION.fullmatch(name)}
        if TIMESTAMP in names and any(each[:-1] == folder for each in tops if each):
            refused[names[TIMESTAMP]] = "when this bundle was collected"
        if "analysis.txt" in names and len(COMPANIONS & names.keys()) > 1:
            reason = "lines of other logs, put together by the program that made this report"
            refused |= {path: reason for name, path in names.items() if name in COLLECTIONS}
    return refused
