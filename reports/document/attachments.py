"""The files that go into the PDF: all it was made from but the logs themselves, and all that it shows as numbers."""

import json
from collections.abc import Iterator, Sequence

from pipeline.version import version
from reports.document.document import Document, Numbered, statements
from reports.document.pdf import Attachment
from reports.findings.listings import LISTINGS, listings
from reports.typeset.formats import csv_of
from reports.typeset.text import file_name, visible, visible_lines

STATEMENTS = "statements.sql"
MANIFEST = "study.toml"
MADE_WITH = "made-with.json"


def attachments(document: Document) -> dict[str, Attachment]:
    """Files by name: data of every table (the source ledger is one) and figure, statements, study.toml, options."""
    found = {
        name: Attachment(content.encode("utf-8", "surrogatepass"), visible(description))
        for name, content, description in _texts(document)
    }
    if document.study.manifest:
        found[MANIFEST] = Attachment(document.study.manifest, "What the study declares")
    return found


def _texts(document: Document) -> Iterator[tuple[str, str, str]]:
    """Name, content and description."""
    for name, table in document.tables.items():
        number = document.numbers[f"table:{name}"].number
        yield f"{file_name(name)}.csv", csv_of(table.data_names, table.data_rows()), f"{number}: {table.caption}"
    for name, figure in document.figures.items():
        number = document.numbers[f"figure:{name}"].number
        yield f"{file_name(name)}.figure.csv", csv_of(figure.names, figure.rows), f"{number}: {figure.caption}"
    if parts := [_statement(each.tables, each.sql) for each in statements(document)]:
        yield STATEMENTS, "\n\n".join(parts) + "\n", "The SQL behind the tables"
    made_with = {**document.study.made_with, "haledger_version": version()}
    yield MADE_WITH, json.dumps(made_with) + "\n", "The program and its options"
    if found := [
        f"# {visible('; '.join(each.labels))}\n\n{visible_lines(each.text)}" for each in listings(document.study)
    ]:
        yield LISTINGS, "\n".join(found), "main.cf of every configuration, passwords masked"


def _statement(tables: Sequence[Numbered], sql: str) -> str:
    """A statement under the tables that are printed from it, ready to be run."""
    heads = [f"-- {visible(each.number)}: {visible(each.item.caption)}" for each in tables]
    return "\n".join([*heads, f"{visible_lines(sql).rstrip().removesuffix(';')};"])
