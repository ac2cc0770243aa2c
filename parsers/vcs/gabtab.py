"""GAB configuration (/etc/gabtab): the command that starts GAB, with its options.

Written by  the installer, and people; run as a shell script when GAB starts
One row     per option, in parts of its line
Options     `-c` configures the driver, `-n2` seeds with two nodes, `-j` halts a node that rejoins, `-x` seeds at once.
            `-t 2000` sets the stable timeout in milliseconds, default 5000: the wait between the loss of a node
            and the new membership. The letter is product knowledge, nothing stored here confirms it; so every other
            option is kept too, under its own letter
Values      a switch reads `yes`
"""

import re
from collections.abc import Iterator
from itertools import islice

import polars as pl

from parsers.by_line import COMMENT, MAX_PART, LineVerdict, Row, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal

# REAL in part (seed paper: "the non-default gabconfig parameter -j"): /sbin/gabconfig -c -n2 -j
COMMAND = re.compile(
    r"\s*(?:\S*/)?gabconfig"
    r"(?P<options>(?:\s++-(?:[A-Za-z](?:\s*+[0-9]++)?)++)++)"
    r"\s*+(?:;\s*+)?(?:#.*)?"
)
OPTION = re.compile(r"(?P<letter>[A-Za-z])(?:\s*(?P<value>[0-9]+))?")
SIGNATURE = r"^\s*(?:\S*/)?gabconfig\s+(?:-\w+\s+)*-[a-z]*[cn]"

NAMES = {
    "c": ("configure", "configure the driver"),
    "n": ("node_count", "nodes that must be present before the cluster seeds"),
    "x": ("seed", "seed the control port without waiting"),
    "j": ("halt_on_rejoin", "halt a node that rejoins after it was lost"),
    "t": ("stable_timeout", "wait for a stable membership, ms"),
}


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a short file whose commands are `gabconfig` with what configures GAB."""
    is_command = head.str.contains(SIGNATURE)
    is_given = head.str.contains(r"^\s*[^#\s]")
    if is_command.any() and 2 * is_command.sum() >= is_given.sum():
        return Recognition(0.95, "gabconfig with options that configure GAB", (is_command.arg_max() or 0) + 1)
    return Refusal("not made of gabconfig commands", ((is_given & ~is_command).arg_max() or 0) + 1)


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file; they are a line or two."""
    for text in texts:
        command = COMMAND.fullmatch(text)
        if command is not None:
            yield parsed(*_options(command["options"]))
        elif text.lstrip().startswith("#"):
            yield COMMENT
        else:
            yield rejected("no gabconfig command with options")


def _options(options: str) -> Iterator[Row]:
    """Name, description and value of `-c -n2` or `-cn 2`."""
    for option in islice(OPTION.finditer(options), MAX_PART):
        name, description = NAMES.get(option["letter"], (f"-{option['letter']}", None))
        yield {"scope": "gabtab", "name": name, "description": description, "value": option["value"] or "yes"}


FORMAT = settings_format("gabtab", "GAB configuration", "gabtab*", recognise=recognise, read=read, needs="gabconfig")
