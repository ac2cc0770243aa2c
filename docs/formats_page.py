"""The list of formats, docs/formats.md, from their declarations."""

from collections.abc import Iterator

from parsers.format import Format, formats

HEAD = """\
# Formats

Generated from the declarations of the formats by `make docs`; do not edit.

A file is recognised by its first lines; its name only decides between formats that fit equally well. `haledger explain`
shows what it decided and why. A file named with `format` in study.toml is read as that format.
"""

ROLES = {
    "log": "Logs: what happened",
    "configuration": "Configurations: what was in force",
    "measurement": "Measurements",
}


def markdown() -> str:
    """Generate the whole page."""
    return "\n".join([HEAD, *(line for role, heading in ROLES.items() for line in _section(role, heading))])


def _section(role: str, heading: str) -> Iterator[str]:
    yield from (f"## {heading}", "", "| format | what it is | usual names | rows in |", "|---|---|---|---|")
    for each in formats().values():
        if each.role == role:
            names = ", ".join(f"`{pattern}`" for pattern in each.file_names)
            yield f"| `{each.name}` | {each.title} | {names} | {_rows(each)} |"
    yield ""


def _rows(each: Format) -> str:
    """The relations that its rows are in: public ones, or tables of schema `log` that public ones are computed from."""
    return ", ".join(f"`{table.name}`" if table.is_public else f"`log.{table.name}`" for table in each.tables)
