"""The reference of cluster messages, ha-messages.md of the site, from the rules."""

from collections.abc import Iterator
from itertools import groupby

from parsers.messages.ha_rule import KINDS, Rule, classes, rules

HEAD = """\
# What cluster messages tell

Generated from `parsers/messages/ha_rules/*.toml`.

A message of a cluster manager, of replication or of a database gives rows of `ha_event` in any log.
Evidence REAL: the example is a line of a real log. Evidence FMT: the program's source or manual has the text, the
example follows it. `versions` are the releases that print it so, as far as known.
"""


def markdown() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_kinds(), *_stacks(), *_classes()])


def _kinds() -> Iterator[str]:
    yield from ("## Kinds", "", "| kind | says | stacks |", "|---|---|---|")
    for kind, meaning in KINDS.items():
        stacks = sorted({rule.stack for rule in rules() if rule.kind == kind})
        yield f"| `{kind}` | {meaning} | {', '.join(stacks)} |"
    yield ""


def _stacks() -> Iterator[str]:
    yield from ("## Messages", "")
    for name, group in groupby(rules(), key=lambda rule: rule.id.split(".")[0]):
        of_file = list(group)
        real = sum(rule.source == "REAL" for rule in of_file)
        yield from (f"### {name}", "", f"{len(of_file)} rules, {real} of them with a line of a real log.", "")
        yield from ("| rule | versions | kind | columns | evidence | example |", "|---|---|---|---|---|---|")
        yield from map(_row, of_file)
        yield ""


def _row(rule: Rule) -> str:
    columns = sorted({*rule.fields, *rule.expect})
    cells = (f"`{rule.id}`", rule.versions, f"`{rule.kind}`", ", ".join(columns), rule.source, _code(rule.example))
    return f"| {' | '.join(cells)} |"


def _code(text: str) -> str:
    """A line as code within a cell: a bar would end the cell, a tab is shown as one blank."""
    return f"`{text.replace('|', chr(92) + '|').replace(chr(9), ' ')}`"


def _classes() -> Iterator[str]:
    yield from (
        "## Classes of resources",
        "",
        "The agent or script decides; what fits no pattern is an application.",
        "",
    )
    yield from ("| class | agents |", "|---|---|")
    for name, patterns in classes().items():
        yield f"| {name} | {', '.join(_code(pattern) for pattern in patterns)} |"
    yield ""
