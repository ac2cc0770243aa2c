"""Rows of any query, written the way a person or a program asked for. Publication tables are in reports/tables."""

import json
import sys
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING

from reports import escape
from reports.tables.formats import csv_of

if TYPE_CHECKING:
    import polars as pl

WIDEST_COLUMN = 60


def write_rows(frame: "pl.DataFrame", kind: str, target: Path | None, *, width: int | None = None) -> None:
    """Write rows to a file, or to standard output. `width` (columns) is that of a terminal, None elsewhere."""
    if kind == "parquet":
        frame.write_parquet(target if target is not None else sys.stdout.buffer)
        return
    text = _table(frame, width) if kind == "table" else WRITERS[kind](frame)
    if target is None:
        # csv is exact, but a terminal obeys what it is shown
        sys.stdout.write(text if width is None else escape.visible(text))
        sys.stdout.flush()
    else:
        target.write_text(text, encoding="utf-8", newline="")


def _csv(frame: "pl.DataFrame") -> str:
    rows = (
        [each if isinstance(each, str | int | float) else _plain(each) for each in row] for row in frame.iter_rows()
    )
    return csv_of(frame.columns, rows)


def _json(frame: "pl.DataFrame") -> str:
    return json.dumps(list(frame.iter_rows(named=True)), indent=1, default=_plain, ensure_ascii=True) + "\n"


def _json_lines(frame: "pl.DataFrame") -> str:
    rows = frame.iter_rows(named=True)
    return "".join(json.dumps(row, default=_plain, ensure_ascii=True) + "\n" for row in rows)


def _markdown(frame: "pl.DataFrame") -> str:
    rules = ["---:" if is_number else "---" for is_number in _numeric(frame)]
    lines = [[escape.markdown(name) for name in frame.columns], rules]
    lines += [[escape.markdown(_plain(each)) for each in row] for row in frame.iter_rows()]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _latex(frame: "pl.DataFrame") -> str:
    columns = "".join("r" if is_number else "l" for is_number in _numeric(frame))
    head = " & ".join(escape.latex(name) for name in frame.columns)
    body = "".join(" & ".join(escape.latex(_plain(each)) for each in row) + " \\\\\n" for row in frame.iter_rows())
    rules = ("\\toprule\n", "\\midrule\n", "\\bottomrule\n")
    return f"\\begin{{tabular}}{{{columns}}}\n{rules[0]}{head} \\\\\n{rules[1]}{body}{rules[2]}\\end{{tabular}}\n"


def _html(frame: "pl.DataFrame") -> str:
    head = "".join(f'<th scope="col">{escape.html(name)}</th>' for name in frame.columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape.html(_plain(each))}</td>" for each in row) + "</tr>\n"
        for row in frame.iter_rows()
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"


WRITERS: dict[str, Callable[["pl.DataFrame"], str]] = {
    "csv": _csv,
    "json": _json,
    "jsonl": _json_lines,
    "md": _markdown,
    "tex": _latex,
    "html": _html,
}


def _table(frame: "pl.DataFrame", width: int | None) -> str:
    """Draw columns with a rule under their names; on a terminal, rows too wide for it are shown field by field."""
    widest = WIDEST_COLUMN if width else None
    cells = [[_cell(each, widest) for each in row] for row in frame.iter_rows()]
    names = [escape.visible(name) for name in frame.columns]
    sizes = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
    if width and sum(sizes) + 2 * (len(sizes) - 1) > width:
        return _records(names, frame) + _count(frame)
    numeric = _numeric(frame)
    lines = [_line(names, sizes, numeric), "  ".join("─" * size for size in sizes)]
    lines += [_line(row, sizes, numeric) for row in cells]
    return "\n".join(line.rstrip() for line in lines) + "\n" + _count(frame)


def _line(cells: Sequence[str], sizes: Sequence[int], numeric: Sequence[bool]) -> str:
    aligned = zip(cells, sizes, numeric, strict=True)
    return "  ".join(cell.rjust(size) if is_number else cell.ljust(size) for cell, size, is_number in aligned)


def _records(names: Sequence[str], frame: "pl.DataFrame") -> str:
    longest = max(map(len, names), default=0)
    blocks = []
    for number, row in enumerate(frame.iter_rows(), start=1):
        fields = zip(names, row, strict=True)
        blocks.append(
            f"── {number} ──\n" + "".join(f"{name:>{longest}}  {_cell(each, None)}\n" for name, each in fields)
        )
    return "".join(blocks)


def _count(frame: "pl.DataFrame") -> str:
    return f"({frame.height} row{'' if frame.height == 1 else 's'})\n"


def _cell(value: object, widest: int | None) -> str:
    text = escape.visible(_plain(value)).replace("\n", "⏎").replace("\t", " ")
    return text if widest is None or len(text) <= widest else text[: widest - 1] + "…"


def _numeric(frame: "pl.DataFrame") -> list[bool]:
    return [dtype.is_numeric() for dtype in frame.dtypes]


def _plain(value: object) -> str:
    """Give a value as text: nothing for NULL, ISO 8601 for times, the shortest exact form for numbers."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime | date | time):
        return str(value)
    if isinstance(value, list | dict):
        return json.dumps(value, default=str, ensure_ascii=False)
    return str(value)
