"""The whole of every main.cf, as the store has it: a listing to be read beside the layout, and attached."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from reports.study.store import Row
from reports.study.view import StudyView

LISTINGS = "main.cf.txt"
"""The attached file with all listings."""

NEEDED = ("main.cluster_group", "main.cluster_resource", "main.cluster_dependency", "main.cluster_attribute")
PLAIN = re.compile(r"\w+|\{.*\}|\[.*\]", re.ASCII | re.DOTALL)
"""A value that main.cf has without quotation marks."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The text of a main.cf, and the configurations whose files all say the same."""

    labels: tuple[str, ...]
    text: str

    @property
    def lines(self) -> int:
        """How long it is."""
        return self.text.count("\n")


def listings(study: StudyView) -> list[Listing]:
    """The different listings of the study, in the order of its configurations; secrets are masked."""
    if not all(map(study.store.has, NEEDED)):
        return []
    found: dict[str, list[str]] = {}
    rows = study.rows("cluster_listing")
    for each in study.configurations:
        own = [row for row in rows if row["configuration"] == each.configuration]
        for _, file in groupby(own, key=lambda row: row["file_id"]):
            labels = found.setdefault(_listing(list(file)), [])
            if each.label not in labels:
                labels.append(each.label)
    return [Listing(tuple(labels), text) for text, labels in found.items()]


def _listing(rows: Sequence[Row]) -> str:
    lines: list[str] = []
    indent, is_open = "", False
    for row in rows:
        if row["part"] != "attribute" and is_open:
            lines += [f"{indent}\t)", ""]
            is_open = False
        if row["part"] == "head":
            indent = "\t" if row["kind"] == "resource" else ""
            lines.append(f"{indent}{row['value'] if row['kind'] == 'resource' else row['kind']} {row['name']} (")
            is_open = True
        elif row["part"] == "attribute":
            system = f" @{row['system']}" if row["system"] else ""
            lines.append(f"{indent}\t{row['name']}{system} = {_quoted(row['value'])}")
        else:
            lines.append(
                f"\trequires group {row['value']}"
                if row["kind"] == "group"
                else f"\t{row['name']} requires {row['value']}"
            )
    if is_open:
        lines.append(f"{indent}\t)")
    return "\n".join(lines) + "\n"


def _quoted(value: str | None) -> str:
    text = "" if value is None else str(value)
    return text if PLAIN.fullmatch(text) else f'"{text}"'
