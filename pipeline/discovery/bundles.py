"""What support bundles (crm report, hb_report) hold besides logs: files that no study should count."""

import re
from collections import defaultdict
from collections.abc import Iterable

from pipeline.discovery.path_parts import parts

TRANSITION = re.compile(r"pe-(?:input|warn|error)-\d+(?:\.\w+){0,2}", re.ASCII)
COLLECTIONS = frozenset({"analysis.txt", "events.txt", "cluster-log.txt"})
"""Lines of the other logs of a bundle, put together by the program that made it."""

COMPANIONS = COLLECTIONS | {"members.txt", "description.txt"}


def refusals(paths: Iterable[str]) -> dict[str, str]:
    """The files that are not read, each with the reason."""
    folders: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for path in paths:
        found, name = parts(path)
        folders[tuple(each.name for each in found)][name.lower()] = path
    refused: dict[str, str] = {}
    for folder, names in folders.items():
        if folder and folder[-1].lower() == "pengine":
            reason = "an input of the scheduler of Pacemaker, one for each transition: no configuration of its own"
            refused |= {path: reason for name, path in names.items() if TRANSITION.fullmatch(name)}
        if "analysis.txt" in names and len(COMPANIONS & names.keys()) > 1:
            reason = "lines of other logs, put together by the program that made this report"
            refused |= {path: reason for name, path in names.items() if name in COLLECTIONS}
    return refused
