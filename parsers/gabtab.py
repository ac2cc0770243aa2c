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

import polars as pl

from parsers.format import Format, Parsed, Recognition, Refusal, Verdict
from parsers.parameter import PARAMETER_VALUE, STATED_SCHEMA, parameter_values

# REAL in part (seed paper: "the non-default gabconfig parameter -j"): /sbin/gabconfig -c -n2 -j
COMMAND = re.compile(
    r"\s*(?:\S*/)?gabconfig"
    r"(?P<options>(?:\s+-(?:[A-Za-z](?:\s*[0-9]+)?)+)+)"
    r"\s*;?\s*(?:#.*)?"
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
    is_stated = head.str.contains(r"^\s*[^#\s]")
    if is_command.any() and 2 * is_command.sum() >= is_stated.sum():
        return Recognition(0.95, "gabconfig with options that configure GAB", (is_command.arg_max() or 0) + 1)
    return Refusal("not made of gabconfig commands", ((is_stated & ~is_command).arg_max() or 0) + 1)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn options into parameters. The files have a line or two, so they are read line by line."""
    rows: list[tuple[int, int, int, str, str, str | None, str]] = []
    verdicts: list[tuple[int, str | None]] = []
    for file_id, line_no, text in lines.select("file_id", "line_no", "text").iter_rows():
        command = COMMAND.fullmatch(text)
        if command is not None:
            rows.extend((file_id, line_no, part, "gabtab", *option) for part, option in _options(command["options"]))
            verdicts.append((int(Verdict.PARSED), None))
        elif not text.strip():
            verdicts.append((int(Verdict.BLANK), None))
        elif text.lstrip().startswith("#"):
            verdicts.append((int(Verdict.IGNORED), "comment"))
        else:
            verdicts.append((int(Verdict.REJECTED), "no gabconfig command with options"))
    values = pl.DataFrame(rows, STATED_SCHEMA, orient="row")
    judged = pl.DataFrame(verdicts, {"verdict": pl.UInt8(), "reason": pl.String()}, orient="row")
    return Parsed({PARAMETER_VALUE.name: parameter_values(values)}, lines.select("file_id", "line_no").hstack(judged))


def _options(options: str) -> Iterator[tuple[int, tuple[str, str | None, str]]]:
    """Name, description and value of `-c -n2`, `-cn 2`, each with its place on the line."""
    for part, option in enumerate(OPTION.finditer(options), start=1):
        name, description = NAMES.get(option["letter"], (f"-{option['letter']}", None))
        yield part, (name, description, option["value"] or "yes")
        if part == 1000:
            return


FORMAT = Format(
    name="gabtab",
    title="GAB configuration",
    tables=(PARAMETER_VALUE,),
    recognise=recognise,
    parse=parse,
    boundary=None,
    file_names=("gabtab*",),
    role="configuration",
    needs="gabconfig",
)
