"""What the readers of HADR tools note down about one file: a verdict per line, and rows by table.

The files are small and made of blocks, so they are read line by line in Python. A row may be completed by later lines.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import polars as pl

from parsers.by_line import LineVerdict
from parsers.format import VERDICT_SCHEMA, Parsed, Table, Verdict

Row = dict[str, object]

NUMBER = r"[0-9]{0,15}\.?[0-9]{1,15}"
"""A number as these tools print it: `4.000821`, `3130`, and `.1` in hadrCalculator.pl."""
ELISION = re.compile(r"^\.\.\.|^\[\.\.\.\]$|^…")
UNCLASSIFIED = LineVerdict(Verdict.REJECTED, "unlike any line of the tool")


@dataclass(slots=True)
class Sheet:
    """The lines of one file with their verdicts, and the rows that begin on them."""

    texts: list[str]
    line_verdicts: list[LineVerdict] = field(init=False)
    rows: list[tuple[str, int, Row]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.line_verdicts = [UNCLASSIFIED] * len(self.texts)

    def add(self, table: Table, index: int, **values: object) -> Row:
        """Begin a row on a line; what is left out is null, and may be filled in later."""
        row: Row = dict(values)
        self.rows.append((table.name, index, row))
        self.line_verdicts[index] = LineVerdict(Verdict.PARSED)
        return row

    def classify(self, index: int, line_verdict: LineVerdict) -> None:
        """Classify a line that begins no row; a line that does stays parsed."""
        if self.line_verdicts[index].verdict is not Verdict.PARSED:
            self.line_verdicts[index] = line_verdict

    def is_classified(self, index: int) -> bool:
        """Whether something has been found out about the line."""
        return self.line_verdicts[index] is not UNCLASSIFIED


def parse_sheets(lines: pl.DataFrame, read: Callable[[list[str]], Sheet], tables: Iterable[Table]) -> Parsed:
    """Read each file with `read`, and put its rows into frames of `tables`."""
    rows: dict[str, list[Row]] = {table.name: [] for table in tables}
    verdict_frames = [pl.DataFrame(schema=VERDICT_SCHEMA)]
    for file_lines in lines.partition_by("file_id", maintain_order=True):
        numbers = file_lines["line_no"].to_list()
        sheet = read(file_lines["text"].to_list())
        parts: Counter[tuple[str, int]] = Counter()
        for name, index, row in sheet.rows:
            parts[name, index] += 1
            key: Row = {"file_id": file_lines["file_id"][0], "line_no": numbers[index], "part": parts[name, index]}
            rows[name].append(key | row)
        verdict_frames.append(_verdicts(file_lines, sheet.line_verdicts))
    frames = {table.name: _frame(rows[table.name], table) for table in tables if rows[table.name]}
    return Parsed(frames, pl.concat(verdict_frames))


def _frame(rows: list[Row], table: Table) -> pl.DataFrame:
    full = [{name: row.get(name) for name in table.schema} for row in rows]
    return pl.DataFrame(full, table.schema).sort("file_id", "line_no", "part")


def _verdicts(file_lines: pl.DataFrame, line_verdicts: list[LineVerdict]) -> pl.DataFrame:
    is_blank = pl.Series((file_lines["text"].str.strip_chars() == "").to_list(), dtype=pl.Boolean)
    classified = file_lines.select("file_id", "line_no").with_columns(
        pl.Series("verdict", [int(each.verdict) for each in line_verdicts], pl.UInt8()),
        pl.Series("reason", [each.reason for each in line_verdicts], pl.String()),
    )
    return classified.with_columns(
        pl.when(is_blank).then(pl.lit(int(Verdict.BLANK), pl.UInt8)).otherwise("verdict").alias("verdict"),
        pl.when(~is_blank).then("reason").alias("reason"),
    )


def whole(text: str | None, most: int = 2**63 - 1) -> int | None:
    """A whole number up to `most`; None for anything else."""
    if text is None or not re.fullmatch(r"[0-9]{1,19}", text):
        return None
    return number if (number := int(text)) <= most else None


def decimal(text: str | None) -> float | None:
    """A number as these tools print it; None for anything else."""
    return float(text) if text is not None and re.fullmatch(NUMBER, text) else None
