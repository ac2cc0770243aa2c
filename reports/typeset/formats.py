"""Rows as CSV, Markdown, LaTeX, HTML and JSON: how tables of the report and rows of queries are written.

Text is given piece by piece, so that a million rows are never in memory at once.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from math import isfinite

from reports.typeset import escape


def csv_of(names: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Names and unrounded values as CSV. The writer quotes a carriage return only if its own lines end with one."""
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow([escape.csv_text(name) for name in names])
    writer.writerows([_csv_value(value) for value in row] for row in rows)
    return "".join(lines)


class _Lines(list[str]):
    """What a writer wrote, line by line, with plain ends."""

    def write(self, line: str) -> None:
        """Take a line."""
        self.append(line.removesuffix("\r\n") + "\n")


def _csv_value(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value) if isfinite(value) else ""
    if isinstance(value, datetime | date):
        return value.isoformat()
    return escape.csv_text(value) if isinstance(value, str) else value


def json_value(value: object, as_text: Callable[[object], str]) -> object:
    """A value in JSON, which has numbers without an infinity; what it does not have is written as text."""
    if isinstance(value, dict):
        return {name: json_value(each, as_text) for name, each in value.items()}
    if isinstance(value, list):
        return [json_value(each, as_text) for each in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and not isfinite(value):
        return None
    return value if value is None or isinstance(value, str | bool | int | float) else as_text(value)


def plain(value: object) -> str:
    """Give a value as text: nothing for NULL, ISO 8601 for times, the shortest exact form for numbers, bytes in hex."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime | date | time):
        return str(value)
    if isinstance(value, list | dict):
        return json.dumps(json_value(value, plain), ensure_ascii=False)
    return value.hex() if isinstance(value, bytes) else str(value)


def markdown(heads: Iterable[str], rules: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A pipe table, line by line; `rules` are the cells below the heading, which align the columns."""
    yield _pipes(map(escape.markdown, heads))
    yield _pipes(rules)
    for row in rows:
        yield _pipes(map(escape.markdown, row))


def _pipes(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def latex(alignment: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A booktabs table, line by line."""
    yield f"\\begin{{tabular}}{{{alignment}}}\n\\toprule\n"
    yield f"{ampersands(map(escape.latex, heads))}\n\\midrule\n"
    for row in rows:
        yield f"{ampersands(map(escape.latex, row))}\n"
    yield "\\bottomrule\n\\end{tabular}\n"


def ampersands(cells: Iterable[str]) -> str:
    """A line of a LaTeX table."""
    return " & ".join(cells) + r" \\"


def html(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A plain HTML table, line by line."""
    head = "".join(f'<th scope="col">{escape.html(name)}</th>' for name in heads)
    yield f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n"
    for row in rows:
        yield "<tr>" + "".join(f"<td>{escape.html(each)}</td>" for each in row) + "</tr>\n"
    yield "</tbody>\n</table>\n"
