"""The outline of a report: its sections, and the topics of its results, in their order."""

import re
from collections.abc import Mapping
from typing import Final

from pipeline.errors import DeclarationError

SECTIONS: Final[Mapping[str, str]] = {
    "introduction": "Introduction",
    "results": "Results",
    "claims": "Claims",
    "environment": "Test environment",
    "method": "Method",
    "doubts": "Doubts",
    "conclusion": "Conclusion",
    "appendix": "Further notes",
    "provenance": "Provenance",
}
"""Sections of the paper: what a reader is to finish."""

APPENDICES: Final[Mapping[str, str]] = {
    "runs": "Every run",
    "behind": "Runs behind the numbers",
    "machines": "Logs and machines",
    "cluster": "Cluster layout",
    "parameters": "Configuration parameters",
    "sources": "Sources",
    "sql": "SQL of the tables",
}
"""What is looked up: in the page, in the files attached to the paper, and in print on request."""

TOPICS: Final[Mapping[str, str]] = {
    "failover": "Failover and take-over",
    "client": "What clients went through",
    "replication": "Replication",
    "throughput": "Throughput and response",
    "planning": "HADR planning",
    "disk": "Disk and processor",
    "logs": "What the logs tell",
    "truth": "Fault times against the truth",
    "recommendations": "What the comparisons show",
    "earlier": "Against the earlier study",
}
"""Topics of the results, with their headings."""

NUMBER_WORD: Final = re.compile(r"^(?:table|figure)s?\s+", re.IGNORECASE)
"""What a number is of, before it."""


def require_place(owner: str, section: str, topic: str) -> None:
    """Refuse a declaration that names no place of the report."""
    known = {**SECTIONS, **APPENDICES}
    if section not in known:
        raise DeclarationError(f"{owner}: unknown section {section!r}; expected one of {', '.join(known)}")
    if (section == "results") != bool(topic):
        raise DeclarationError(f"{owner}: section {section!r}: topics belong to the results, and the results need one")
    if topic and topic not in TOPICS:
        raise DeclarationError(f"{owner}: unknown topic {topic!r}; expected one of {', '.join(TOPICS)}")


def in_order(after: Mapping[str, str | None]) -> list[str]:
    """Names, each after the one that it names; among those that name the same one, the one with most to follow last."""
    followers: dict[str | None, list[str]] = {}
    for name, before in after.items():
        if before is not None and before not in after:
            raise DeclarationError(f"{name}: after={before!r}: no table or figure has this name")
        followers.setdefault(before, []).append(name)

    def behind(name: str | None) -> list[str]:
        found = sorted(
            ([each, *behind(each)] for each in followers.get(name, [])), key=lambda names: (len(names), names)
        )
        return [each for names in found for each in names]

    return behind(None)
